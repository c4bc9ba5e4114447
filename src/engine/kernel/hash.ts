/*
 * Hashes of bytes that nobody can make collide on purpose, because they depend on random keys: sums
 * of products of 32-bit words, to which keys are added (NH of UMAC, RFC 4418 section 5.2), of 128
 * bytes at a time. Longer values are a polynomial of the hashes of their parts.
 *
 * Up to 32 bytes after a value are read, but do not count. There is no loop for values of at most 32
 * bytes, whose lengths a processor cannot predict.
 */

/** How many bytes the keys are for. */
const partBytes: usize = 128;
const keys: usize = memory.data(128, 16);
let lengthKey: u64 = 0;
let partKey: u64 = 0;
let lastKey: u64 = 0;

/** 16 bytes that are all ones, then 16 zeros. */
const ones: usize = memory.data<u64>([-1, -1, 0, 0]);

/** Sets the keys; call it before anything is hashed. */
export function setSeed(low: u32, high: u32): void {
  seedState = ((high as u64) << 32) | (low as u64);
  for (let at: usize = 0; at < partBytes; at += 8) {
    store<u64>(keys + at, nextKey());
  }
  lengthKey = nextKey() | 1;
  partKey = nextKey() >>> 32;
  lastKey = nextKey() | 1;
}

let seedState: u64 = 0;

/** SplitMix64 (Steele et al., "Fast splittable pseudorandom number generators", 2014). */
function nextKey(): u64 {
  seedState += 0x9e37_79b9_7f4a_7c15;
  let key = seedState;
  key = (key ^ (key >> 30)) * 0xbf58_476d_1ce4_e5b9;
  key = (key ^ (key >> 27)) * 0x94d0_49bb_1331_11eb;
  return key ^ (key >> 31);
}

setSeed(0, 0);

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
function hashPart(from: usize, length: usize): u64 {
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

/**
 * The hash of bytes. Its highest bits are as good as the others.
 * @inline
 */
export function hashOf(from: usize, length: usize): u32 {
  const hash = length <= partBytes ? hashPart(from, length) : hashParts(from, length);
  return (((hash + (length as u64) * lengthKey) * lastKey) >> 32) as u32;
}

/** 2^61 - 1, a prime: the polynomial is modulo it. */
const prime: u64 = 0x1fff_ffff_ffff_ffff;

function hashParts(from: usize, length: usize): u64 {
  let value: u64 = 0;
  let at = from;
  let left = length;
  for (; left > partBytes; left -= partBytes) {
    const part = hashPart(at, partBytes);
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
    at += partBytes;
  }
  return value + hashPart(at, left);
}

/**
 * Whether two ranges of bytes are equal. Up to 32 bytes after each are read.
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
