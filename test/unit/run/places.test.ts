import * as assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Places } from '../../run/places';

describe('Places', () => {
  it('give the next in turn what becomes free, also after a failure', async () => {
    const places = new Places(2);
    const begun: string[] = [];
    const ends = new Map<string, (failure?: Error) => void>();
    const take = (name: string) =>
      places.take(
        (place) =>
          new Promise<string>((resolve, reject) => {
            begun.push(`${name} at ${place}`);
            ends.set(name, (failure) => {
              if (failure) {
                reject(failure);
              } else {
                resolve(name);
              }
            });
          }),
      );
    const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(take);
    assert.deepEqual(begun, ['a at 1', 'b at 2']);

    ends.get('b')?.(new Error('It failed.'));
    await assert.rejects(async () => second, /It failed/);
    await setImmediate();
    assert.deepEqual(begun, ['a at 1', 'b at 2', 'c at 2']);

    ends.get('a')?.();
    assert.equal(await first, 'a');
    await setImmediate();
    assert.deepEqual(begun, ['a at 1', 'b at 2', 'c at 2', 'd at 1']);
    ends.get('c')?.();
    ends.get('d')?.();
    assert.deepEqual(await Promise.all([third, fourth]), ['c', 'd']);
    assert.equal(await places.take((place) => Promise.resolve(place)), 2);
  });
});
