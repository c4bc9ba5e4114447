import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { Emitter } from '../../../src/base/events/emitter';
import { TrendRemarks } from '../../../src/links/trendRemarks';
import { previousReport } from '../../../src/service/reports/previousReport';
import type { StoredReport } from '../../../src/service/reports/storedReport';
import { noSeverities, type TrendPoint } from '../../../src/summary/trend';
import { storedReport } from '../../helpers/storedReport';
import { until } from '../until';

function report(id: string, day: string, members: Partial<StoredReport> = {}): StoredReport {
  const file = { path: __filename, bytes: 100 };
  return storedReport({ id, state: 'ready', finishedAt: day, ...file, ...members });
}

function point(critical: number): TrendPoint {
  return { at: 0, open: critical, severity: { ...noSeverities, critical } };
}

const [first, second, third] = [
  report('a', '2026-11-01T00:00:00.000Z'),
  report('b', '2026-11-08T00:00:00.000Z'),
  report('c', '2026-11-15T00:00:00.000Z'),
];

describe('The remarks about reports', () => {
  let all: StoredReport[];
  /** The critical findings of each report, as far as they are counted; `asked` says how they are looked for. */
  let counted: Map<string, number>;
  let asked: string[];
  let changes: number;
  const [ended, known] = [
    new Emitter<{ report: StoredReport; ranHere: boolean }>(),
    new Emitter<void>(),
  ];
  let remarks: TrendRemarks;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'scorecard-remarks-'));
    all = [first, second, third];
    counted = new Map();
    asked = [];
    changes = 0;
    remarks = new TrendRemarks({
      reports: { listOfAllAccounts: () => all, onDidEnd: ended.event },
      trends: () =>
        Promise.resolve({
          readKept: ([before, last], { isNewest }) => {
            asked.push(`kept ${last.id}${isNewest ? ', newest' : ''}`);
            const [older, newer] = [before, last].map(({ id }) => counted.get(id));
            return Promise.resolve(
              older === undefined || newer === undefined
                ? undefined
                : ([point(older), point(newer)] as const),
            );
          },
          readPoints: (reports) => {
            asked.push(`count ${reports.map(({ id }) => id).join(' ')}`);
            return Promise.resolve(reports.map(({ id }) => point(counted.get(id) ?? 0)));
          },
        }),
      onDidChangeKnown: known.event,
      log: { warn: () => undefined },
    });
    remarks.onDidChange(() => {
      changes += 1;
    });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    remarks.dispose();
  });

  const remarkOf = (of: StoredReport) => {
    const previous = previousReport(of, all);
    return previous && remarks.of(of, previous);
  };

  const says = (of: StoredReport, remark: string | undefined) =>
    until(`it says ${String(remark)}`, () => remarkOf(of) === remark);

  it('The remarks about reports come as soon as another window has counted them', async () => {
    counted.set('a', 4);
    for (let looks = 1; looks <= 3; looks += 1) {
      assert.equal(remarkOf(second), undefined);
      await until('it has looked', () => asked.length >= looks);
      await new Promise((resolve) => setImmediate(resolve));
    }
    counted.set('b', 16);
    await says(second, '12 more critical than last time');
    const looks = asked.length;
    assert.equal(remarkOf(second), '12 more critical than last time');
    assert.equal(asked.length, looks, 'what is known is not looked for again');
    assert.ok(asked.every((each) => each === 'kept b'));
  });

  it('The remarks about reports are counted again when other findings are known, those of the newest', async () => {
    for (const [index, { id }] of all.entries()) {
      counted.set(id, 4 * index);
    }
    await says(second, '4 more critical than last time');
    await says(third, '4 more critical than last time');
    asked = [];
    counted.set('b', 5).set('c', 6);
    known.fire();
    known.fire();
    await says(third, '1 more critical than last time');
    assert.equal(remarkOf(second), '4 more critical than last time', 'as it was told');
    await until('both are counted', () => asked.length === 2);
    assert.deepEqual(asked, ['count b c', 'count b c']);
    counted.set('c', 5);
    known.fire();
    await says(third, undefined);
  });

  it('The remarks about reports follow the report that is the one before', async () => {
    for (const [index, { id }] of all.entries()) {
      counted.set(id, 4 * index);
    }
    await says(third, '4 more critical than last time');
    all = [first, third];
    assert.equal(remarkOf(third), undefined);
    await says(third, '8 more critical than last time');
    all = [third];
    assert.equal(remarkOf(third), undefined);
  });

  it('The remarks about reports that end here are counted, unless they are too large', async () => {
    for (const [index, { id }] of all.entries()) {
      counted.set(id, 4 * index);
    }
    ended.fire({ report: third, ranHere: true });
    await says(third, '4 more critical than last time');
    assert.deepEqual(asked, ['count b c']);
    assert.equal(changes, 1);
    const mebibyte = 1024 ** 2;
    const packed = path.join(folder, 'report.csv.gz');
    writeFileSync(packed, 'packed');
    const large = { bytes: 300 * mebibyte };
    const largeInside = { bytes: 30 * mebibyte, path: packed };
    for (const [previous, last] of [
      [second, { ...third, ...large }],
      [{ ...second, ...large }, third],
      [second, { ...third, ...largeInside }],
      [{ ...second, ...largeInside }, third],
    ] as const) {
      all = [first, previous, last];
      asked = [];
      ended.fire({ report: last, ranHere: true });
      await until('it has looked', () => asked.length > 0);
      assert.deepEqual(asked, ['kept c, newest']);
    }
    asked = [];
    all = [first, second, { ...third, bytes: 20 * mebibyte, path: packed }];
    ended.fire({ report: { ...third, bytes: 20 * mebibyte, path: packed }, ranHere: true });
    await until('it has looked', () => asked.length > 0);
    assert.deepEqual(asked, ['count b c']);
    asked = [];
    ended.fire({
      report: report('d', '2026-11-20T00:00:00.000Z', { kind: 'detailed' }),
      ranHere: true,
    });
    ended.fire({ report: second, ranHere: false });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(asked, []);
  });
});
