import assert from 'node:assert/strict';
import { SerialQueue } from '../../../../src/base/events/serialQueue';

describe('A serial queue', () => {
  it('A serial queue starts an operation when the previous one has ended, and returns its own result to each caller', async () => {
    const queue = new SerialQueue();
    const steps: string[] = [];
    const operation = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([queue.run(operation('a')), queue.run(operation('b'))]);
    assert.deepEqual(results, ['a', 'b']);
    assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('A serial queue continues after a failure', async () => {
    const queue = new SerialQueue();
    const error = new Error('no');
    const failing = queue.run(() => Promise.reject(error));
    const next = queue.run(() => Promise.resolve('yes'));
    await assert.rejects(failing, error);
    assert.equal(await next, 'yes');
  });
});
