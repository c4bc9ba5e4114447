/**
 * A generator of pseudo-random numbers (sfc32) that can start at any point in a few steps: entry i of a
 * list is computed from (list, i) alone, so nothing has to be kept in memory.
 *
 * Not for secrets.
 */
export class Random {
  private a = 1;
  private counter = 1;

  /** Different arguments give independent streams; each is used as an unsigned 32-bit integer. */
  constructor(
    private b: number,
    private c: number,
  ) {
    // Twelve rounds spread the arguments over the whole state.
    for (let round = 0; round < 12; round++) {
      this.next();
    }
  }

  /** An integer from 0 to 2^32 - 1. */
  next(): number {
    const result = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + result;
    this.c |= 0;
    return result >>> 0;
  }

  fraction(): number {
    return this.next() / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** True with the probability `share`; 0.1 is one in ten. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** The given number of hexadecimal digits, in lower case. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) {
      text += this.next().toString(16).padStart(8, '0');
    }
    return text.slice(0, digits);
  }

  /** A UUID that looks like one of version 5 (RFC 9562 section 5.5). */
  uuid(): string {
    const hex = this.hex(32);
    const variant = '89ab'.charAt(this.below(4));
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
