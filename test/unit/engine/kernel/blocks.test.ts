import assert from 'node:assert/strict';
import { Kernel } from '../../../../src/engine/values/kernel';
import { allExports } from './kernelMemory';

describe('Kernel', () => {
  it('finds a byte anywhere in its memory', () => {
    const kernel = new Kernel();
    const at = kernel.exports.allocate(200);
    for (let position = 0; position < 150; position += 1) {
      kernel.bytes.fill(0x61, at, at + 150);
      kernel.bytes[at + position] = 0x0a;
      assert.equal(allExports(kernel).findByte(at, at + 150, 0x0a), at + position);
    }
    kernel.bytes.fill(0x61, at, at + 200);
    assert.equal(allExports(kernel).findByte(at, at + 150, 0x0a), at + 150);
  });
});
