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
});
