import { randomFillSync } from 'node:crypto';

/** Words of 32 bits that are kept of a hash. */
export const hashWords = 3;

/**
 * Hashes keys and records to 96 bits. Its multipliers are random and never leave the process, so nobody can
 * make a record that hashes as another one does. Among a million records beside a million the chance of any
 * two that differ and have the same hash is below 10^-16, so equal hashes count as equal records.
 */
export class RecordHash {
  private readonly factors = Int32Array.from(
    randomFillSync(new Int32Array(2 * hashWords)),
    (factor) => factor | 1,
  );

  /** Writes the words of the hash of some bytes. Those of no key are all 0: no hash is. */
  write(target: Int32Array, at: number, bytes: Uint8Array, from: number, to: number): void {
    const [m0 = 1, m1 = 1, m2 = 1, n0 = 1, n1 = 1, n2 = 1] = this.factors;
    let [h0, h1, h2] = [n1, n2, n0];
    let position = from;
    for (; position + 4 <= to; position += 4) {
      const word =
        bytes[position]! |
        (bytes[position + 1]! << 8) |
        (bytes[position + 2]! << 16) |
        (bytes[position + 3]! << 24);
      h0 = Math.imul(h0 ^ Math.imul(word, m0), n0);
      h1 = Math.imul(h1 ^ Math.imul(word, m1), n1);
      h2 = Math.imul(h2 ^ Math.imul(word, m2), n2);
      h0 = (h0 << 13) | (h0 >>> 19);
      h1 = (h1 << 15) | (h1 >>> 17);
      h2 = (h2 << 11) | (h2 >>> 21);
    }
    let last = 0;
    for (let shift = 0; position < to; position += 1) {
      last |= bytes[position]! << shift;
      shift += 8;
    }
    // The length tells what ends with zeros from what is shorter.
    target[at] = mixed(Math.imul(h0 ^ Math.imul(last, m0), n0) ^ (to - from));
    target[at + 1] = mixed(Math.imul(h1 ^ Math.imul(last, m1), n1) ^ (to - from));
    target[at + 2] = mixed(Math.imul(h2 ^ Math.imul(last, m2), n2)) | 1;
  }
}

/** Spreads what differs in some bits over all of them (the end of MurmurHash3). */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
