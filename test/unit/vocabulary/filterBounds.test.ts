import assert from 'node:assert/strict';
import { readBounds } from '../../../src/vocabulary/filterBounds';

describe('The bounds of a typed range', () => {
  const march = [Date.UTC(2026, 2), Date.UTC(2026, 3)] as const;

  it('The bounds of a typed range are times from a day on, or until one, if the other end is open', () => {
    const times = (low: string, high: string) => readBounds({ low, high }).times;
    assert.deepEqual(times('2026-03', ''), { from: march[0] });
    assert.deepEqual(times('', '2026-03'), { to: march[1] });
    assert.deepEqual(times('2026-03', '2026-03'), { from: march[0], to: march[1] });
    assert.equal(times('2026-03', 'x'), undefined);
    assert.equal(times('x', '2026-03'), undefined);
    assert.equal(times('', ''), undefined);
  });
});
