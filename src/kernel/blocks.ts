/* 64 bytes at a time, as four vectors of 16: a bit mask says which bytes are equal to something. */

/**
 * A bit for each of 64 bytes that equals the byte which all lanes of `byte` have.
 * @inline
 */
export function equalMask(a: v128, b: v128, c: v128, d: v128, byte: v128): u64 {
  return bits(i8x16.eq(a, byte), i8x16.eq(b, byte), i8x16.eq(c, byte), i8x16.eq(d, byte));
}

/**
 * The highest bits of 64 lanes.
 * @inline
 */
export function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    (i8x16.bitmask(a) as u64) |
    ((i8x16.bitmask(b) as u64) << 16) |
    ((i8x16.bitmask(c) as u64) << 32) |
    ((i8x16.bitmask(d) as u64) << 48)
  );
}

/**
 * Each bit is the XOR of all lower bits and itself: 1 from each odd bit on, up to the next one.
 * @inline
 */
export function prefixXor(mask: u64): u64 {
  let x = mask;
  x ^= x << 1;
  x ^= x << 2;
  x ^= x << 4;
  x ^= x << 8;
  x ^= x << 16;
  return x ^ (x << 32);
}
