export { wordsOf } from '../../../src/engine/values/words';

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
