import assert from 'node:assert/strict';
import { delay } from '../../../../src/base/events/clock';
import { FakeClock } from '../../../helpers/fakeClock';

describe('A delay', () => {
  it('A delay ends after its time on the clock, and not before', async () => {
    const clock = new FakeClock();
    let passed = false;
    const wait = delay(1_000, clock).then(() => (passed = true));
    clock.advance(999);
    await Promise.resolve();
    assert.equal(passed, false);
    clock.advance(1);
    await wait;
    assert.equal(clock.pending, 0);
  });

  it('A delay of zero or less still yields to other tasks', async () => {
    const clock = new FakeClock();
    const wait = delay(-5, clock);
    assert.equal(clock.pending, 1);
    clock.advance(0);
    await wait;
  });

  it('A delay can be longer than the maximum of a timer', async () => {
    const clock = new FakeClock();
    const longest = 2 ** 31 - 1;
    let passed = false;
    const wait = delay(longest + 10, clock).then(() => (passed = true));
    clock.advance(longest);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(passed, false);
    clock.advance(10);
    await wait;
    assert.equal(passed, true);
  });

  it('A delay ends at once when its signal aborts, and leaves neither timer nor listener', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const reason = new Error('enough');
    const wait = delay(1_000, clock, abort.signal);
    abort.abort(reason);
    await assert.rejects(wait, reason);
    assert.equal(clock.pending, 0);
  });

  it('A delay does not start when its signal has already aborted', async () => {
    const clock = new FakeClock();
    const reason = new Error('enough');
    await assert.rejects(delay(1_000, clock, AbortSignal.abort(reason)), reason);
    assert.equal(clock.pending, 0);
  });

  it('A delay removes its listener from the signal when it ends', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const calls: string[] = [];
    const remove = signal.removeEventListener.bind(signal);
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      calls.push(args[0]);
      remove(...args);
    };
    const wait = delay(5, clock, signal);
    clock.advance(5);
    await wait;
    assert.deepEqual(calls, ['abort']);
  });
});
