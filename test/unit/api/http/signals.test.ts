import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { onAbort } from '../../../../src/api/http/signals';

describe('The callbacks of a signal', () => {
  it('The callbacks of a signal are called when it aborts, but for those that were removed', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: string[] = [];
    const [removeFirst] = ['first', 'second', 'third'].map((name) =>
      onAbort(signal, () => called.push(name)),
    );
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    removeFirst?.();
    controller.abort();
    assert.deepEqual(called, ['second', 'third']);
  });
});
