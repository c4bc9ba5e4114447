let last: Uint8Array = new Uint8Array();
let lastView = new DataView(last.buffer);

/**
 * A view that reads words of 32 bits at any position of the bytes. It is cached for the next call,
 * which usually has the same bytes.
 */
export function wordsOf(bytes: Uint8Array): DataView {
  if (bytes !== last) {
    last = bytes;
    lastView = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
  return lastView;
}

/** Whether one of the four bytes of a word is 0. */
export function hasZero(word: number): boolean {
  return ((word - 0x0101_0101) & ~word & 0x8080_8080) !== 0;
}

/** A word with the highest bit of each byte that is 0 in the given word. */
export function zeros(word: number): number {
  return ~(((word & 0x7f7f_7f7f) + 0x7f7f_7f7f) | word | 0x7f7f_7f7f);
}

/** The number of the lowest set bit. */
export function firstBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** A word with the same byte four times. */
export function repeated(byte: number): number {
  return Math.imul(byte, 0x0101_0101);
}
