import assert from 'node:assert/strict';
import { LastDecision } from '../../../../src/viewer/table/lastDecision';

describe('What was decided last', () => {
  const stored = new Map<string, unknown>();
  const state = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => {
      // As a memento does, which is JSON.
      stored.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  };
  const now = Date.UTC(2026, 10, 30, 12);

  beforeEach(() => {
    stored.clear();
  });

  it('What was decided last is there in the next window, until its date has passed', () => {
    assert.equal(new LastDecision(state).find(now), undefined);
    const until = {
      reason: 'acceptedRisk',
      until: '2026-12-01',
      comment: 'until the audit',
    } as const;
    new LastDecision(state).keep(until);
    assert.deepEqual(new LastDecision(state).find(now), until);
    assert.equal(new LastDecision(state).find(Date.UTC(2026, 11, 2, 12)), undefined);
    new LastDecision(state).keep({ reason: 'notOurs' });
    assert.deepEqual(new LastDecision(state).find(Date.UTC(2030, 1, 1)), { reason: 'notOurs' });
  });

  it('What was decided last is not offered if another version has kept something else', () => {
    for (const other of ['notOurs', { reason: 'because' }, { reason: 'fixed', until: 5 }]) {
      stored.set('scorecard.lastDecision', other);
      assert.equal(new LastDecision(state).find(now), undefined);
    }
  });

  it('What was decided last is only not offered if it cannot be kept', async () => {
    const full = { get: () => undefined, update: () => Promise.reject(new Error('disk full')) };
    const last = new LastDecision(full);
    last.keep({ reason: 'fixed' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(last.find(now), undefined);
  });
});
