import assert from 'node:assert/strict';
import { Kernel } from '../../../src/engine/threads/kernel';
import { fc } from '../../helpers/property';
import { KernelMemory, spots } from './kernelMemory';

const kernel = new Kernel();
const source = new KernelMemory(kernel, 4096);
const target = kernel.exports.allocate(8);

/** The hash of bytes as 64 bits. */
function hashOf(
  bytes: Buffer,
  spot = { offset: 0, around: 0 },
  of = kernel,
  memory = source,
): bigint {
  const [from, to] = memory.put(bytes, spot);
  of.exports.hashKey(from, to - from, target);
  return new DataView(of.bytes.buffer).getBigUint64(target, true);
}

describe('Hashes of records in the kernel', () => {
  it('Hashes of records in the kernel depend on all bytes and on nothing else', () => {
    const length = fc.constantFrom(
      ...[0, 1, 15, 16, 17, 31, 32, 33, 127, 128, 129, 511, 512, 513, 1024],
    );
    const bytes = fc
      .tuple(length, fc.constantFrom(0, 0x20, 0xff), fc.array(fc.nat(255), { maxLength: 4 }))
      .map(([size, fill, end]) => Buffer.concat([Buffer.alloc(size, fill), Buffer.from(end)]));
    fc.assert(
      fc.property(bytes, bytes, spots, spots, (one, other, spot, otherSpot) => {
        const isEqual = hashOf(one, spot) === hashOf(other, otherSpot);
        assert.equal(isEqual, one.equals(other));
      }),
    );
  });

  it('Hashes of records in the kernel differ in both halves when a byte differs', () => {
    const values = Array.from({ length: 1000 }, (_, at) => {
      const bytes = Buffer.alloc(1000, 'a');
      bytes[at] = 0xe1;
      return hashOf(bytes);
    });
    for (const shift of [0n, 32n]) {
      const halves = new Set(values.map((hash) => BigInt.asUintN(32, hash >> shift)));
      // Two of them may be equal by chance.
      assert.ok(halves.size >= values.length - 1, `${halves.size} different halves`);
    }
  });

  it('Hashes of records in the kernel depend on the order of blocks', () => {
    const blocks = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(512));
    const orders = fc.shuffledSubarray(blocks, { minLength: 2 }).map((some) => some.join(''));
    fc.assert(
      fc.property(orders, orders, (one, other) => {
        const [hash, otherHash] = [hashOf(Buffer.from(one)), hashOf(Buffer.from(other))];
        assert.equal(hash === otherHash, one === other);
      }),
    );
  });

  it('Hashes of records in the kernel are the same with the same seed only', () => {
    const text = Buffer.from('a key');
    const other = new Kernel();
    const memory = new KernelMemory(other, 4096);
    other.exports.allocate(8);
    assert.notEqual(hashOf(text, undefined, other, memory), hashOf(text));
    other.hashSeed.set(kernel.hashSeed);
    assert.equal(hashOf(text, undefined, other, memory), hashOf(text));
  });

  it('Hashes of records in the kernel are never what stands for no key or no record', () => {
    const zero = new Kernel();
    const memory = new KernelMemory(zero, 4096);
    zero.hashSeed.fill(0);
    // All products are 0.
    const hash = hashOf(Buffer.alloc(0), undefined, zero, memory);
    assert.ok(hash > 1n && hash < 2n ** 64n - 1n);
  });
});
