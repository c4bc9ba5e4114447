import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { KnownFinding, SincePrevious } from '../../../src/engine';
import type { OpenCounts, ReportCounts } from '../../../src/links/openCounts';
import { ReportTrends } from '../../../src/links/reportTrends';
import type { StoredReport } from '../../../src/service/reports/storedReport';
import { noSeverities } from '../../../src/summary/trend';
import { storedReport } from '../../helpers/storedReport';

const scorecard = '9ebbce56-809e-5577-9568-4787fe8a938f';

describe('The counts of reports', () => {
  let folder: string;
  /** What is read of files, in order. */
  let read: string[];
  let counts: ReportCounts | OpenCounts;
  let changes: SincePrevious | undefined;
  let known: KnownFinding[];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'scorecard-counts-'));
    read = [];
    counts = { open: 4, severity: noSeverities };
    changes = { new: 2, gone: 1, changed: 0, at: 0 };
    known = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** The counts as a window has them that was just started. */
  function open(): ReportTrends {
    const withTable = ({ path: file = '' }: StoredReport) => {
      read.push(path.basename(file));
      return Promise.resolve(counts);
    };
    return new ReportTrends({
      store: { folderOf: (id) => path.join(folder, id) },
      withTable: withTable as ConstructorParameters<typeof ReportTrends>[0]['withTable'],
      findChanges: ({ id }, previous) => {
        read.push(`${previous.id}-${id}`);
        return Promise.resolve(changes);
      },
      knownFindings: () => Promise.resolve(known),
      log: {
        warn: (text) => {
          throw new Error(text);
        },
      },
    });
  }

  function makeReport(id: string, day: number): StoredReport {
    mkdirSync(path.join(folder, id));
    const file = path.join(folder, id, `${id}.csv`);
    writeFileSync(file, id);
    const finishedAt = new Date(Date.UTC(2026, 10, day)).toISOString();
    return storedReport({ id, path: file, finishedAt, bytes: 1 });
  }

  function kept(id: string): unknown {
    return JSON.parse(readFileSync(path.join(folder, id, 'counts.json'), 'utf8'));
  }

  it('The counts of reports are read once, in all windows', async () => {
    const reports = [1, 2, 3].map((day) => makeReport(`r${day}`, day));
    await open().readPoints(reports);
    assert.deepEqual(read, ['r1.csv', 'r2.csv', 'r1-r2', 'r3.csv', 'r2-r3']);
    read = [];
    const points = await open().readPoints(reports);
    assert.deepEqual(
      points.map(({ open: number, new: added, gone }) => [number, added, gone]),
      [
        [4, undefined, undefined],
        [4, 2, 1],
        [4, 2, 1],
      ],
    );
    assert.deepEqual(read, []);
  });

  it('The counts of reports say how many findings were closed, also where an earlier version kept no such number', async () => {
    changes = { new: 2, gone: 1, changed: 5, nowClosed: 3, at: 0 };
    const reports = [1, 2].map((day) => makeReport(`r${day}`, day));
    const closed = async () => (await open().readPoints(reports)).map((point) => point.closed);
    assert.deepEqual(await closed(), [undefined, 3]);
    const stored = kept('r2') as { changes: { closed?: number } };
    delete stored.changes.closed;
    writeFileSync(path.join(folder, 'r2', 'counts.json'), JSON.stringify(stored));
    read = [];
    assert.deepEqual(await closed(), [undefined, 3]);
    assert.deepEqual(read, ['r1-r2'], 'only compared again');
    read = [];
    assert.deepEqual(await closed(), [undefined, 3]);
    assert.deepEqual(read, []);
  });

  it('The counts of reports that cannot be compared are read once in a window, and the next one tries again', async () => {
    changes = undefined;
    const reports = [1, 2, 3].map((day) => makeReport(`r${day}`, day));
    const trends = open();
    await trends.readPoints(reports);
    read = [];
    await trends.readPoints(reports);
    known = [{ id: 'x' } as KnownFinding];
    await trends.readPoints(reports);
    assert.deepEqual(read, ['r3.csv'], 'only the newest is counted again');
    read = [];
    await open().readPoints(reports);
    assert.deepEqual(read, ['r1-r2', 'r2-r3']);
  });

  it('The counts of reports stay as they were told where only two of them are read', async () => {
    const reports = [1, 2, 3].map((day) => makeReport(`r${day}`, day));
    const [first, second, third] = reports;
    assert.ok(first && second && third);
    const trends = open();
    await trends.readPoints(reports.slice(0, 2));
    const before = kept('r2');
    known = [{ id: 'x' } as KnownFinding];
    read = [];
    await trends.readPoints([second, third]);
    assert.deepEqual(read, ['r3.csv', 'r2-r3']);
    assert.deepEqual(kept('r2'), before);
    // When the newest one is removed, the one before is counted by what is known now.
    read = [];
    await trends.readPoints([first, second]);
    assert.deepEqual(read, ['r2.csv', 'r1-r2']);
  });

  it('The counts of reports that are read twice at the same time are read once, and kept whole', async () => {
    const reports = [1, 2, 3].map((day) => makeReport(`r${day}`, day));
    const trends = open();
    await Promise.all([
      trends.readPoints(reports.slice(1)),
      trends.readPoints(reports),
      trends.readPoints(reports.slice(1)),
    ]);
    assert.deepEqual(read.toSorted(), ['r1-r2', 'r1.csv', 'r2-r3', 'r2.csv', 'r3.csv']);
    read = [];
    const points = await open().readPoints(reports);
    assert.deepEqual(
      points.map(({ new: added }) => added),
      [undefined, 2, 2],
    );
    assert.deepEqual(read, []);
  });

  it('The counts of reports that were requested in different ways are not compared', async () => {
    const [first, second, third] = [1, 2, 3].map((day) => makeReport(`r${day}`, day));
    assert.ok(first && second && third);
    const body = { since: 2026 };
    const points = await open().readPoints([first, { ...second, body }, { ...third, body }]);
    assert.deepEqual(
      points.map(({ open: number, new: added }) => [number, added]),
      [
        [4, undefined],
        [4, undefined],
        [4, 2],
      ],
    );
    assert.deepEqual(read, ['r1.csv', 'r2.csv', 'r3.csv', 'r2-r3']);
  });

  it('The counts of reports that were kept tell nothing of the newest one once other findings are known', async () => {
    const [first, second] = [makeReport('r1', 1), makeReport('r2', 2)];
    const trends = open();
    const readKept = async (isNewest: boolean) =>
      (await trends.readKept([first, second], { isNewest }))?.map(({ open: number }) => number);
    assert.equal(await readKept(true), undefined);
    await trends.readPoints([first, second]);
    assert.deepEqual(await readKept(true), [4, 4]);
    known = [{ id: 'x' } as KnownFinding];
    assert.equal(await readKept(true), undefined);
    assert.deepEqual(await readKept(false), [4, 4]);
    writeFileSync(second.path ?? '', 'another file');
    assert.equal(await readKept(false), undefined);
  });

  it('The counts of reports with too many scorecards are read for the one that is asked for, without comparisons', async () => {
    counts = { open: 20_000, severity: noSeverities, scorecards: {}, isPartial: true };
    const reports = [makeReport('r1', 1), makeReport('r2', 2)];
    const trends = open();
    await trends.readPoints(reports);
    read = [];
    counts = { open: 3, severity: { ...noSeverities, high: 3 } };
    for (const scorecardId of [scorecard, scorecard.toUpperCase()]) {
      const points = await trends.readPoints(reports, { scorecardId });
      assert.deepEqual(
        points.map(({ open: number, severity, new: added }) => [number, severity.high, added]),
        [
          [3, 3, undefined],
          [3, 3, undefined],
        ],
      );
    }
    assert.deepEqual(read, ['r1.csv', 'r2.csv']);
    // What was known of all scorecards is kept.
    const all = await trends.readPoints(reports);
    assert.deepEqual(
      all.map(({ open: number, new: added }) => [number, added]),
      [
        [20_000, undefined],
        [20_000, 2],
      ],
    );
    assert.deepEqual(read, ['r1.csv', 'r2.csv']);
  });

  it('The counts of reports are read no further once that is aborted', async () => {
    const abort = new AbortController();
    const reports = [1, 2, 3].map((day) => makeReport(`r${day}`, day));
    const done: number[] = [];
    await assert.rejects(
      open().readPoints(reports, {
        signal: abort.signal,
        onProgress: (count, total) => {
          done.push(count, total);
          abort.abort(new Error('closed'));
        },
      }),
      /closed/,
    );
    assert.deepEqual(done, [0, 3]);
    assert.deepEqual(read, ['r1.csv']);
  });
});
