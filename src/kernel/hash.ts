/*
 * Hashes of bytes that nobody can make collide on purpose, because they depend on random keys: sums
 * of products of 32-bit words, to which keys are added (NH of UMAC, RFC 4418 section 5.2), of 512
 * bytes at a time. Longer values are a polynomial of the hashes of their parts.
 *
 * Whatever the bytes, two values have one hash of 32 bits with a probability of about 2^-31. A hash of
 * 64 bits is two of them: the keys of the second one start 16 bytes later, as in UHASH there.
 *
 * There is no loop for values of at most 32 bytes, whose lengths a processor cannot predict.
 */

/** Up to so many bytes after a value are read, but do not count. */
export const hashReadAhead: usize = 32;

/** How many bytes are hashed at a time. */
const partBytes: usize = 512;
/** How many bytes the keys have: 16 more than a part, and three words of 64 bits for each half. */
export const hashSeedBytes: usize = 576;
/** The keys. The caller fills them with random bytes before anything is hashed. */
export const hashSeed: usize = memory.data(576, 16);

/** @inline */
function keysOf(half: usize): usize {
  return hashSeed + half * 16;
}

/**
 * The key of the length (0), of the parts (8) or of the result (16).
 * @inline
 */
function keyAt(half: usize, at: usize): u64 {
  return load<u64>(hashSeed + partBytes + 16 + half * 24 + at);
}

/** 16 bytes that are all ones, then 16 zeros. */
const ones: usize = memory.data<u64>([-1, -1, 0, 0]);

/**
 * A mask for the first of 16 bytes.
 * @param count at most 16.
 * @inline
 */
function firstBytes(count: usize): v128 {
  return v128.load(ones + 16 - count);
}

/** @inline */
function products(bytes: v128, key: usize): v128 {
  const sums = i32x4.add(bytes, v128.load(key));
  return i64x2.extmul_low_i32x4_u(sums, i32x4.shuffle(sums, sums, 2, 3, 2, 3));
}

/**
 * The hash of at most `partBytes` bytes.
 * @inline
 */
function hashPart(from: usize, length: usize, keys: usize): u64 {
  let sums = i64x2.add(
    products(v128.and(v128.load(from), firstBytes(min(length, 16))), keys),
    products(v128.and(v128.load(from, 16), firstBytes(min(max(length, 16) - 16, 16))), keys + 16),
  );
  for (let at: usize = 32; at < length; at += 16) {
    const bytes = v128.and(v128.load(from + at), firstBytes(min(length - at, 16)));
    sums = i64x2.add(sums, products(bytes, keys + at));
  }
  return i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
}

/** @inline */
function halfOf(from: usize, length: usize, half: usize): u32 {
  const hash =
    length <= partBytes ? hashPart(from, length, keysOf(half)) : hashParts(from, length, half);
  return (((hash + (length as u64) * (keyAt(half, 0) | 1)) * (keyAt(half, 16) | 1)) >> 32) as u32;
}

/**
 * The hash of bytes. Its highest bits are as good as the others.
 * @inline
 */
export function hashOf(from: usize, length: usize): u32 {
  return halfOf(from, length, 0);
}

/** The hash of bytes as 64 bits. */
export function longHashOf(from: usize, length: usize): u64 {
  return ((halfOf(from, length, 0) as u64) << 32) | (halfOf(from, length, 1) as u64);
}

/** 2^61 - 1, a prime: the polynomial is modulo it. */
const prime: u64 = 0x1fff_ffff_ffff_ffff;

function hashParts(from: usize, length: usize, half: usize): u64 {
  const keys = keysOf(half);
  const partKey = keyAt(half, 8) >>> 32;
  const to = from + length;
  let value: u64 = 0;
  for (let at = from; at < to; at += partBytes) {
    const part = hashPart(at, min(to - at, partBytes), keys);
    const low = (value & 0xffff_ffff) * partKey;
    const high = (value >> 32) * partKey;
    // 2^61 is 1 modulo the prime, so that what is above bit 61 moves to the lowest bits.
    value =
      (low & prime) +
      (low >> 61) +
      (high >> 29) +
      ((high & 0x1fff_ffff) << 32) +
      (part & prime) +
      (part >> 61);
    value = (value & prime) + (value >> 61);
  }
  return value;
}

/**
 * Whether two ranges of bytes are equal. Up to `hashReadAhead` bytes after each are read.
 * @inline
 */
export function isSame(one: usize, other: usize, length: usize): bool {
  const first = v128.and(v128.xor(v128.load(one), v128.load(other)), firstBytes(min(length, 16)));
  const second = v128.and(
    v128.xor(v128.load(one, 16), v128.load(other, 16)),
    firstBytes(min(max(length, 16) - 16, 16)),
  );
  if (v128.any_true(v128.or(first, second))) {
    return false;
  }
  for (let at: usize = 32; at < length; at += 16) {
    const difference = v128.xor(v128.load(one + at), v128.load(other + at));
    if (v128.any_true(v128.and(difference, firstBytes(min(length - at, 16))))) {
      return false;
    }
  }
  return true;
}
