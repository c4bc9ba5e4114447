import assert from 'node:assert/strict';
import { isClosedStatus, isKnownStatus, parseStatus } from '../../../src/vocabulary/status';

describe('The status of a finding', () => {
  it('The status of a finding says whether a problem is still open, as tools and people write it', () => {
    const closed = [
      ...[
        'Resolved',
        'wont_fix',
        'falsePositive',
        "Won't Fix",
        "Won't Do",
        'Closed - Fixed',
        'Closed: verified',
      ],
      ...['Risk Accepted', 'Fixed (3.2.1)', 'akzeptiert', 'Gelöst', 'not-affected'],
    ];
    assert.deepEqual(closed.filter(isClosedStatus), closed);
    const open = ['Open', 'reopened', 'In Progress', 'Open - accepted by nobody', 'offen', 'NEW'];
    assert.deepEqual(open.filter(isClosedStatus), []);
    assert.deepEqual([...closed, ...open].filter(isKnownStatus), [...closed, ...open]);
    assert.deepEqual(['TX', 'running', '', 'x - fixed'].filter(isKnownStatus), []);
  });

  it('The status of a finding says that it is closed in the words of trackers, bounties and other languages', () => {
    const closed = [
      ...['Closed/Fixed', 'Closed Complete', 'Verified - Fixed', 'Fixed (Unconfirmed)', 'Removed'],
      ...['Dismissed as false positive', 'Ignored until 2999-01-01', 'ignored permanently'],
      ...['Informative', 'spam', 'By design', 'Mitigate by Design', 'Snoozed', 'Acceptable risk'],
      ...['Exception granted', 'Compensating control', 'Cancelled', 'Unaffected', 'Benign'],
      ...['component_not_present', 'vulnerable_code_not_present', '✅ Fixed', 'Fixed ✅'],
      ...['Résolu', 'Cerrado', 'Corregido', 'Chiuso', 'REVIEWED_SAFE', 'auto_dismissed'],
    ];
    assert.deepEqual(closed.filter(isClosedStatus), closed);
    const open = [
      ...['Ignored until 2020-01-01', 'Risk accepted until 2021-05'],
      ...[
        'Not fixed',
        'Partially fixed',
        'Fix pending',
        'Unmitigated',
        'Not resolved',
        'Pending closure',
      ],
      ...['Resurfaced', 'Exception requested', 'PROPOSED_NOT_EXPLOITABLE', 'To Verify', 'Triaged'],
      ...['Reopened', 'Retesting', 'Acknowledged', 'Not suppressed', 'needs-more-info', 'To Do'],
    ];
    assert.deepEqual(open.filter(isClosedStatus), []);
  });

  it('The status of a finding says why a problem is closed', () => {
    const reasons = ['Resolved', 'decayed', "Won't Fix", 'False Positive', 'Done', 'departed'].map(
      (text) => parseStatus(text)?.reason,
    );
    assert.deepEqual(reasons, ['fixed', 'decayed', 'accepted', 'rejected', 'closed', 'departed']);
    assert.deepEqual(parseStatus('In Progress'), { isOpen: true });
    assert.equal(parseStatus('TX'), undefined);
  });

  it('The status of a finding is closed if one of several words is', () => {
    assert.equal(parseStatus('Present, AcceptedRisk')?.reason, 'accepted');
    assert.equal(parseStatus('Present, False Positive')?.reason, 'rejected');
    assert.deepEqual(parseStatus('Present'), { isOpen: true });
    assert.equal(parseStatus('Austin, TX'), undefined);
  });

  it('The status of a finding is not searched for ever in a long text', () => {
    for (const part of ['until', 'as by ', '( ', 'Open/']) {
      assert.equal(isClosedStatus(part.repeat(400_000)), false);
    }
  });

  it('Statuses are unknown where a text has one that is open and one that is not', () => {
    for (const text of ['Pass/Fail', 'Fail/Pass', 'Passed/Failed', 'Open/Closed', 'Fixed/Open']) {
      assert.equal(parseStatus(text), undefined, text);
      assert.ok(!isClosedStatus(text), text);
    }
    assert.ok(isClosedStatus('Closed/Fixed') && isClosedStatus('Closed/Duplicate'));
  });
});
