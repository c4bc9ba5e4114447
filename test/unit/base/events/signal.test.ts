import assert from 'node:assert/strict';
import { Signal } from '../../../../src/base/events/signal';

describe('A signal', () => {
  it('A signal wakes all that wait, and later those that wait again', async () => {
    const signal = new Signal();
    const woken: string[] = [];
    const wait = async (name: string) => {
      await signal.next();
      woken.push(name);
    };
    const first = [wait('a'), wait('b')];
    assert.deepEqual(woken, []);
    signal.fire();
    const second = wait('c');
    await Promise.all(first);
    assert.deepEqual(woken, ['a', 'b']);
    signal.fire();
    await second;
    assert.deepEqual(woken, ['a', 'b', 'c']);
  });
});
