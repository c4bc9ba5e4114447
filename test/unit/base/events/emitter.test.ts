import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/events/emitter';

describe('An emitter', () => {
  it('An emitter calls each listener until the listener or the emitter is disposed', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`first ${value}`));
    emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, ['first 1', 'second 1', 'second 2']);
    emitter.dispose();
    emitter.fire(3);
    assert.equal(heard.length, 3);
  });

  it('An emitter treats one function that is registered twice as two listeners', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    const registered = emitter.event(listener);
    emitter.event(listener);
    emitter.fire();
    assert.equal(calls, 2);
    registered.dispose();
    emitter.fire();
    assert.equal(calls, 3);
  });

  it('An emitter calls only the listeners that were registered when it fired', () => {
    const emitter = new Emitter<void>();
    let late = 0;
    emitter.event(() => {
      emitter.event(() => (late += 1));
    });
    emitter.fire();
    assert.equal(late, 0);
  });

  it('An emitter calls the other listeners when one throws, and then throws the error', () => {
    const emitter = new Emitter<void>();
    const error = new Error('broken');
    let wasCalled = false;
    emitter.event(() => {
      throw error;
    });
    emitter.event(() => {
      wasCalled = true;
    });
    assert.throws(() => {
      emitter.fire();
    }, error);
    assert.ok(wasCalled);
  });

  it('An emitter passes each error of a listener on and does not throw, if it was told where to', () => {
    const heard: unknown[] = [];
    const emitter = new Emitter<string>((error) => heard.push(String(error)));
    for (const text of ['first', 'second']) {
      emitter.event((value) => {
        throw new Error(`${text} ${value}`);
      });
    }
    emitter.fire('one');
    assert.deepEqual(heard, ['Error: first one', 'Error: second one']);
  });
});
