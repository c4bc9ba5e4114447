import assert from 'node:assert/strict';
import { previousReport } from '../../../src/reports/reportRecord';

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
  it('is the latest earlier ready one with content of the same kind, scorecard and account', () => {
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
