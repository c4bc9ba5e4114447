import { results, resultNumber, setResult } from '../memory';
import { Reader } from '../reader';
import { readValue } from './texts';
import {
  isDigit,
  kindDate,
  kindEmptyText,
  kindNull,
  kindNumber,
  kindText,
  minus,
  numberValue,
  point,
  zero,
} from '../values/values';

/*
 * A column with nearly as many values as records: of each value, its kind and 64 bits that have the
 * same order as the values of a kind, as far as 64 bits allow.
 */

/**
 * Writes the kinds and keys of a value of the records that the last `find` of a reader found, from
 * one of them on.
 * @param prefix the prefix of nearly all texts; the keys contain the bytes after it.
 * @param kinds bytes, one for each record. @param high, low words of 32 bits: the halves of the keys.
 * @returns the record at which it stopped: `count`, or one whose number the caller has to read. Result
 *   0 says whether all numbers and dates so far are written in the canonical way.
 */
export function keysOf(
  reader: Reader,
  first: i32,
  count: i32,
  slot: i32,
  prefix: usize,
  prefixLength: usize,
  kinds: usize,
  high: usize,
  low: usize,
): i32 {
  let arePlain = true;
  let record = first;
  for (; record < count; record += 1) {
    let kind = readValue(reader, record, slot);
    const from = load<u32>(results, 32) as usize;
    const to = load<u32>(results, 36) as usize;
    let key: u64 = 0;
    if (kind == kindNumber) {
      const value = numberValue(from, to);
      if (load<u32>(results, 60) != 0) {
        break;
      }
      key = numberKey(value);
      arePlain = arePlain && isPlainNumber(from, to);
    } else if (kind == kindDate) {
      key = numberKey(load<f64>(results, resultNumber));
      arePlain = arePlain && isPlainDate(from, to);
    } else if (kind < kindNull) {
      key = textKey(from, to, prefix, prefixLength);
    }
    if (kind == kindText && from == to) {
      kind = kindEmptyText;
    }
    store<u8>(kinds + (record as usize), kind as u8);
    const at = (record as usize) << 2;
    store<u32>(high + at, (key >> 32) as u32);
    store<u32>(low + at, key as u32);
  }
  setResult(0, arePlain ? 1 : 0);
  return record;
}

const signBit: u64 = (1 as u64) << 63;

/** @inline */
function numberKey(value: f64): u64 {
  // This makes -0 and 0 equal.
  const bits = reinterpret<u64>(value + 0);
  return (bits & signBit) != 0 ? ~bits : bits | signBit;
}

/** Texts without the prefix get the lowest or the highest key. */
function textKey(from: usize, to: usize, prefix: usize, prefixLength: usize): u64 {
  for (let at: usize = 0; at < prefixLength; at += 1) {
    const expected = load<u8>(prefix + at) as i32;
    const byte = from + at < to ? (load<u8>(from + at) as i32) : -1;
    if (byte != expected) {
      return byte < expected ? 0 : -1;
    }
  }
  const start = from + prefixLength;
  const length = to - start;
  const bytes = bswap<u64>(load<u64>(start));
  return length >= 8 ? bytes : length == 0 ? 0 : bytes & ((-1 as u64) << ((8 - length) << 3));
}

const letterT: u8 = 0x54;
const letterZ: u8 = 0x5a;

/** Equal numbers that are plain are written the same: see `isPlain` of `columnData.ts`. */
function isPlainNumber(from: usize, to: usize): bool {
  const first = load<u8>(from) == minus ? from + 1 : from;
  const length = to - first;
  if (length > 15 || length == 0) {
    return false;
  }
  let hasPoint = false;
  for (let at = first; at < to; at += 1) {
    const byte = load<u8>(at);
    if (byte == point) {
      hasPoint = true;
    } else if (!isDigit(byte)) {
      return false;
    }
  }
  const last = load<u8>(to - 1);
  const isZero = length == 1 && load<u8>(first) == zero;
  return (
    load<u8>(first) != point &&
    last != point &&
    !(hasPoint && last == zero) &&
    !(isZero && first > from)
  );
}

/**
 * Whether a date is written as 2026-11-21T08:30:00Z.
 * @inline
 */
function isPlainDate(from: usize, to: usize): bool {
  return to - from == 20 && load<u8>(to - 1) == letterZ && load<u8>(from, 10) == letterT;
}
