import * as assert from 'node:assert/strict';
import { runPool } from '../../run/pool';

describe('The pool of a test run', () => {
  const met = Promise.resolve();

  it('The pool of a test run runs all tasks, a limited number at once, one after the other in each lane', async () => {
    const busy = new Set<number>();
    const done: number[] = [];
    let most = 0;
    const tasks = Array.from({ length: 20 }, (_, number) => ({ needs: [], number }));
    await runPool(tasks, 3, async ({ number }, lane) => {
      assert.ok(!busy.has(lane));
      busy.add(lane);
      most = Math.max(most, busy.size);
      await new Promise((resolve) => setImmediate(resolve));
      busy.delete(lane);
      done.push(number);
    });
    assert.deepEqual(
      done.sort((first, second) => first - second),
      tasks.map(({ number }) => number),
    );
    assert.equal(most, 3);
  });

  it('The pool of a test run starts tasks without needs first, and the others as soon as their needs are met', async () => {
    let meet: () => void = () => undefined;
    const need = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const done: string[] = [];
    const tasks = [
      { needs: [need], name: 'waits' },
      { needs: [], name: 'is free' },
      { needs: [met], name: 'is ready' },
    ];
    await runPool(tasks, 1, ({ name }) => {
      done.push(name);
      if (done.length === 2) {
        meet();
      }
      return Promise.resolve();
    });
    assert.deepEqual(done, ['is free', 'is ready', 'waits']);
  });

  it('The pool of a test run starts a task whose need has failed, so that it can report the reason', async () => {
    const need = Promise.reject(new Error('no disk'));
    const problems: unknown[] = [];
    await runPool([{ needs: [need] }], 2, async (task) => {
      await Promise.all(task.needs).catch((error: unknown) => problems.push(error));
    });
    assert.match(String(problems), /no disk/);
  });
});
