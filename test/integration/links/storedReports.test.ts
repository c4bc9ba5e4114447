import * as assert from 'node:assert/strict';
import { listWarnings } from '../../../src/links/storedReports';
import type { StoredReport } from '../../../src/service/reports/storedReport';
import { storedReport } from '../../helpers/storedReport';
import { halvorsen, pemberlane } from '../services';

describe('The warnings before two reports are compared', () => {
  const warnings = (before: Partial<StoredReport> = {}, after: Partial<StoredReport> = {}) =>
    listWarnings(storedReport(before), storedReport(after));

  it('The warnings before two reports are compared are none for reports of the same kind, account and scope', () => {
    assert.deepEqual(warnings(), []);
  });

  it('The warnings before two reports are compared name each difference between the reports', () => {
    assert.deepEqual(warnings({ kind: 'full' }, { kind: 'detailed' }), [
      'One is a full report, the other a detailed report: their fields differ.',
    ]);
    assert.deepEqual(warnings({ kind: 'full' }, { kind: 'issues' }), [
      'The reports are of different kinds: their fields differ.',
    ]);
    const of = (scorecardId: string, name: string) => ({
      scorecardId,
      title: name,
    });
    assert.deepEqual(warnings(of(halvorsen, 'Halvorsen'), of(pemberlane, 'Pemberlane')), [
      'The reports are about different scorecards: "Halvorsen" and "Pemberlane".',
    ]);
    assert.deepEqual(warnings(of(halvorsen, 'Halvorsen'), { accountId: 'two' }), [
      'The reports belong to different accounts.',
    ]);
    assert.deepEqual(warnings({ body: { since: 2025 } }, { body: { since: 2026 } }), [
      'The reports were requested with different bodies: findings that only one of them covers count as new or no longer reported.',
    ]);
    // That their bodies name different scorecards is said already.
    const about = (scorecardId: string) => ({ scorecardId, body: { id: scorecardId } });
    assert.equal(warnings(about(halvorsen), about(pemberlane)).length, 1);
  });
});
