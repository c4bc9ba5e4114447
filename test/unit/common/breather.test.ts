import assert from 'node:assert/strict';
import { breather } from '../../../src/common/breather';

describe('Long work', () => {
  it('lets the event loop turn after ten milliseconds, and not before', async () => {
    let now = 0;
    let turns = 0;
    const breathe = breather(() => now);
    setImmediate(() => (turns += 1));
    now = 9;
    await breathe();
    assert.equal(turns, 0);
    now = 10;
    await breathe();
    assert.equal(turns, 1);
    setImmediate(() => (turns += 1));
    now = 19;
    await breathe();
    assert.equal(turns, 1, 'The time counts anew.');
  });
});
