import assert from 'node:assert/strict';
import { Kernel } from '../../../src/engine/threads/kernel';
import { isOutOfMemory } from '../../../src/engine/data/tableError';

describe('Kernel', () => {
  /** Allocates parts of so many bytes until there is no more memory. */
  function fill({ exports }: Kernel, bytes: number): void {
    // All but a few megabytes of the 1024 that there are: millions of small parts would take long.
    exports.allocate(768 * 2 ** 20);
    for (let megabytes = 768; megabytes < 1016; megabytes += 8) {
      exports.allocate(8 * 2 ** 20);
    }
    for (;;) {
      exports.allocate(bytes);
    }
  }

  it('Kernel says that it is out of memory, for small and for large parts of it', () => {
    for (const bytes of [2 ** 31 - 1, 2 ** 28, 2 ** 20, 64]) {
      assert.throws(
        () => {
          fill(new Kernel(), bytes);
        },
        isOutOfMemory,
        `${bytes} bytes`,
      );
    }
    assert.equal(isOutOfMemory(new RangeError('Out of bounds.')), false);
  });

  it('Kernel does nothing anymore after it was out of memory, though there may be room', () => {
    const kernel = new Kernel();
    const { exports } = kernel;
    const [address, texts] = [exports.allocate(64), exports.newTexts()];
    assert.throws(() => {
      fill(kernel, 2 ** 28);
    }, isOutOfMemory);
    assert.throws(() => exports.allocate(64), isOutOfMemory);
    assert.throws(() => {
      exports.release(address);
    }, isOutOfMemory);
    assert.throws(() => exports.textCount(texts), isOutOfMemory);
  });

  it('Kernel hashes names of members with random keys, so that nobody can choose names with one hash', () => {
    const hashIn = (kernel: Kernel, written: string, parent: number, length = written.length) =>
      kernel.exports.nameHash(parent, kernel.place(Buffer.from(written), 0, 64), length);
    const [kernel, other] = [new Kernel(), new Kernel()];
    const name = 'severity'.padEnd(64);
    const hash = hashIn(kernel, name, 1, 8);
    assert.equal(hashIn(kernel, 'severity"'.padEnd(64, 'x'), 1, 8), hash);
    assert.notEqual(hashIn(kernel, name, 1, 7), hash);
    assert.notEqual(hashIn(kernel, name, 2, 8), hash);
    assert.notEqual(hashIn(other, name, 1, 8), hash);
    other.hashSeed.set(kernel.hashSeed);
    assert.equal(hashIn(other, name, 1, 8), hash);
  });
});
