import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import {
  createPreviousFinder,
  previousReport,
} from '../../../../src/service/reports/previousReport';
import { reportsLike } from '../../../../src/service/reports/storedReport';
import { fc } from '../../../helpers/property';
import { storedReport } from '../../../helpers/storedReport';

describe('The previous report', () => {
  let folder: string;
  /** The file of a report, and one that was removed. */
  let file: string;
  let missing: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'scorecard-previous-'));
    [file, missing] = ['report.csv', 'removed.csv'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    writeFileSync(file, 'id\n1\n');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const report = (finishedAt: string, other: object = {}) => ({
    kind: 'full' as const,
    state: 'ready' as const,
    accountId: 'a',
    scorecardId: 's',
    requestedAt: '2026-11-01T00:00:00Z',
    finishedAt,
    path: file,
    ...other,
  });

  it('The previous report is the latest earlier ready one of the same request, with a file that has content', () => {
    const body = { since: 2025 };
    const present = report('2026-11-22T14:03:00Z', { body });
    const previous = report('2026-11-15T09:00:00Z', { body: { ...body } });
    const others = [
      report('2026-11-08T00:00:00Z', { body }),
      report('2026-11-23T00:00:00Z', { body }),
      ...[
        { kind: 'detailed' },
        { state: 'failed' },
        { bytes: 0 },
        { accountId: 'b' },
        { scorecardId: 't' },
        { body: { since: 2026 } },
        { body: undefined },
        { path: missing },
        { path: folder },
        { path: undefined },
      ].map((other) => report('2026-11-20T00:00:00Z', { body, ...other })),
    ];
    assert.equal(previousReport(present, [...others, previous, present]), previous);
    assert.equal(previousReport(previous, [present, previous]), undefined);
  });

  it('The previous reports of many are those of each', () => {
    const one = fc.record({
      minute: fc.integer({ min: 10, max: 15 }),
      kind: fc.constantFrom('full' as const, 'issues' as const),
      state: fc.constantFrom('ready' as const, 'failed' as const),
      bytes: fc.constantFrom(0, 5),
      scorecardId: fc.constantFrom('s', 't'),
      hasFile: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (given) => {
        const all = given.map(({ minute, hasFile, ...other }, index) =>
          storedReport({
            id: String(index),
            finishedAt: `2026-11-22T14:${minute}:00Z`,
            path: hasFile ? file : missing,
            ...other,
          }),
        );
        const find = createPreviousFinder(all);
        assert.deepEqual(
          all.map((each) => find(each)?.id),
          all.map((each) => previousReport(each, all)?.id),
        );
      }),
    );
  });

  it('The previous reports of many are found without reading the others of each again', () => {
    let asked = 0;
    const all = Array.from({ length: 1_000 }, (_, index) => ({
      ...report('', { id: String(index) }),
      get finishedAt() {
        asked += 1;
        return new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString();
      },
    }));
    const find = createPreviousFinder(all);
    assert.equal(all.filter((each) => find(each)).length, 999);
    // Once to order them, once for each that is asked for.
    assert.equal(asked, 2_000);
  });
});

describe('The reports like one', () => {
  it('The reports like one are ready, have content and the same kind, scorecard and account, before or after it', () => {
    const present = storedReport({ id: 'present', bytes: 5 });
    const alike = [storedReport({ id: 'earlier' }), storedReport({ id: 'later' })];
    const others = [
      storedReport({ id: 'a', kind: 'issues' }),
      storedReport({ id: 'b', state: 'downloading' }),
      storedReport({ id: 'c', bytes: 0 }),
      storedReport({ id: 'd', accountId: 'b' }),
      storedReport({ id: 'e', scorecardId: 't' }),
    ];
    assert.deepEqual(reportsLike(present, [...others, ...alike, present]), alike);
  });
});
