import { randomFillSync } from 'node:crypto';
import { wordsOf } from '../values/words';

/** The number of 32-bit words in a hash. */
export const hashWords = 2;

/**
 * Hashes keys and records to 64 bits. Its multipliers are random and never leave the process, so nobody can
 * construct a record with the hash of another one. Records with the same key are compared by their hashes:
 * with a million of them, the chance that a change is missed is about 10^-13. Keys are compared by hash, a
 * million with a million: the chance that any two of them are mixed up is about 10^-7.
 */
export class RecordHash {
  /** @param factors the factors of another instance, to get the same hashes. Default: random ones. */
  constructor(
    readonly factors = Int32Array.from(
      randomFillSync(new Int32Array(2 * hashWords)),
      (factor) => factor | 1,
    ),
  ) {}

  /** Writes the words of the hash of a range of bytes. The last word is never 0. */
  write(target: Int32Array, at: number, bytes: Uint8Array, from: number, to: number): void {
    const { factors } = this;
    const m0 = factors[0]!;
    const m1 = factors[1]!;
    const n0 = factors[2]!;
    const n1 = factors[3]!;
    const words = wordsOf(bytes);
    let h0 = n1;
    let h1 = n0;
    let position = from;
    for (const stop = to - 3; position < stop; position += 4) {
      const word = words.getInt32(position, true);
      h0 = Math.imul(h0 ^ Math.imul(word, m0), n0);
      h1 = Math.imul(h1 ^ Math.imul(word, m1), n1);
      h0 = (h0 << 13) | (h0 >>> 19);
      h1 = (h1 << 15) | (h1 >>> 17);
    }
    let last = 0;
    for (let shift = 0; position < to; position += 1) {
      last |= bytes[position]! << shift;
      shift += 8;
    }
    // The length distinguishes bytes that end with zeros from shorter ones.
    target[at] = mixed(Math.imul(h0 ^ Math.imul(last, m0), n0) ^ (to - from));
    target[at + 1] = mixed(Math.imul(h1 ^ Math.imul(last, m1), n1) ^ (to - from)) || 1;
  }
}

/** Spreads a difference in some bits over all bits (the finalizer of MurmurHash3). */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
