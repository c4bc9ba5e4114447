import assert from 'node:assert/strict';
import { SharedRuns } from '../../../src/compare/sharedRuns';

/** A run that the test ends. Its signal and its end are listed in the order in which runs began. */
function newRuns() {
  const runs = new SharedRuns<number>();
  const begun: {
    readonly signal: AbortSignal;
    readonly end: (result: number | undefined) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const get = (signal?: AbortSignal, key = 'a') =>
    runs.get(
      key,
      (own) =>
        new Promise((resolve, reject) => {
          begun.push({ signal: own, end: resolve, fail: reject });
        }),
      signal,
    );
  return { begun, get };
}

describe('Shared runs', () => {
  it('continue for the second caller when the first one cancels', async () => {
    for (const second of [undefined, new AbortController().signal]) {
      const { begun, get } = newRuns();
      const first = new AbortController();
      const answers = [get(first.signal), get(second)];
      first.abort();
      assert.equal(await answers[0], undefined);
      assert.equal(begun[0]?.signal.aborted, false);
      begun[0].end(7);
      assert.equal(await answers[1], 7);
      assert.equal(begun.length, 1);
    }
  });

  it('are cancelled with the last caller, and start again for the next', async () => {
    const { begun, get } = newRuns();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [get(first.signal), get(second.signal)];
    first.abort();
    second.abort();
    assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
    assert.equal(begun[0]?.signal.aborted, true);
    const next = get();
    begun[0].end(undefined);
    begun[1]?.end(8);
    assert.equal(await next, 8);
    assert.equal(await get(), 8);
    assert.equal(begun.length, 2);
  });

  it('keep a result even when a caller cancels later, but keep no failure', async () => {
    const { begun, get } = newRuns();
    const caller = new AbortController();
    const failed = get(caller.signal);
    begun[0]?.fail(new Error('boom'));
    await assert.rejects(failed, /boom/);
    const without = get(caller.signal);
    begun[1]?.end(undefined);
    assert.equal(await without, undefined);
    const answer = get(caller.signal);
    begun[2]?.end(9);
    assert.equal(await answer, 9);
    caller.abort();
    assert.equal(begun[2]?.signal.aborted, false);
    assert.equal(await get(), 9);
    assert.equal(begun.length, 3);
  });

  it('do not start for a caller that has already cancelled, and are separate for each key', async () => {
    const { begun, get } = newRuns();
    assert.equal(await get(AbortSignal.abort()), undefined);
    assert.equal(begun.length, 0);
    const answers = [get(undefined, 'a'), get(undefined, 'b')];
    begun[0]?.end(1);
    begun[1]?.end(2);
    assert.deepEqual(await Promise.all(answers), [1, 2]);
  });
});
