import assert from 'node:assert/strict';
import { Kernel } from '../../../../src/engine/values/kernel';
import { isOutOfMemory } from '../../../../src/engine/values/tableError';

describe('Kernel', () => {
  it('says that it is out of memory, for small and for large parts of it', () => {
    const { exports } = new Kernel();
    for (const bytes of [2 ** 31 - 1, 2 ** 28, 2 ** 20, 64]) {
      const fill = () => {
        for (;;) {
          exports.allocate(bytes);
        }
      };
      assert.throws(fill, isOutOfMemory, `${bytes} bytes`);
    }
    assert.equal(isOutOfMemory(new RangeError('Out of bounds.')), false);
  });
});
