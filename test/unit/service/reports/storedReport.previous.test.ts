import assert from 'node:assert/strict';
import { previousReport, reportsLike } from '../../../../src/service/reports/storedReport';
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
