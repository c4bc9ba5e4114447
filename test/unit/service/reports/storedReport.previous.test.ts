import assert from 'node:assert/strict';
import {
  previousReport,
  previousReports,
  reportsLike,
} from '../../../../src/service/reports/storedReport';
import { fc } from '../../../helpers/property';
import { storedReport } from '../../../helpers/storedReport';

const report = (finishedAt: string, other: object = {}) => ({
  kind: 'full' as const,
  state: 'ready' as const,
  accountId: 'a',
  scorecardId: 's',
  requestedAt: '2026-11-01T00:00:00Z',
  finishedAt,
  ...other,
});

describe('The previous report', () => {
  it('The previous report is the latest earlier ready one with content of the same kind, scorecard and account', () => {
    const present = report('2026-11-22T14:03:00Z');
    const previous = report('2026-11-15T09:00:00Z');
    const others = [
      report('2026-11-08T00:00:00Z'),
      report('2026-11-23T00:00:00Z'),
      report('2026-11-20T00:00:00Z', { kind: 'detailed' }),
      report('2026-11-20T00:00:00Z', { state: 'failed' }),
      report('2026-11-20T00:00:00Z', { bytes: 0 }),
      report('2026-11-20T00:00:00Z', { accountId: 'b' }),
      report('2026-11-20T00:00:00Z', { scorecardId: 't' }),
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
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (given) => {
        const all = given.map(({ minute, ...other }, index) =>
          storedReport({ id: String(index), finishedAt: `2026-11-22T14:${minute}:00Z`, ...other }),
        );
        const found = previousReports(all);
        assert.deepEqual(
          all.map(({ id }) => found.get(id)?.id),
          all.map((each) => previousReport(each, all)?.id),
        );
      }),
    );
  });

  it('The previous reports of many are found in one pass', () => {
    let asked = 0;
    const all = Array.from({ length: 1_000 }, (_, index) => ({
      ...report('', { id: String(index) }),
      id: String(index),
      get finishedAt() {
        asked += 1;
        return new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString();
      },
    }));
    assert.equal(previousReports(all).size, 999);
    assert.equal(asked, 1_000);
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
