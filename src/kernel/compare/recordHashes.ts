import { longHashOf } from '../hash';
import { formOfSlot, missing, Reader, recordWords, valueAt } from '../reader';
import { hasNoValues, locate, valueFrom, valueTo } from '../columns/texts';

/* Hashes of 64 bits of the keys and of the contents of records. */

/** What takes the place of the hash of a key: there is none, or its meaning has to be hashed, or no record. */
export const noKey: u64 = 0;
const needsMeaning: u64 = 1;
export const noRecord: u64 = -1;

/** The hashes of a record have 16 bytes: that of the key, and that of the contents. */
export const hashShift: usize = 4;

/** @inline */
function keyHash(from: usize, length: usize): u64 {
  return min(max(longHashOf(from, length), needsMeaning + 1), noRecord - 1);
}

/** Writes the hash of bytes as that of a key. */
export function hashKey(from: usize, length: usize, target: usize): void {
  store<u64>(target, keyHash(from, length));
}

/**
 * Whether the bytes are an integer of at most 15 digits as it is usually written. No other JSON number with this
 * value is.
 */
function isShortInteger(from: usize, to: usize): bool {
  const first = load<u8>(from) == 0x2d ? from + 1 : from;
  if (first == to || to - first > 15) {
    return false;
  }
  if (load<u8>(first) == 0x30) {
    return to - from == 1;
  }
  for (let at = first; at < to; at += 1) {
    if (((load<u8>(at) - 0x30) as u8) > 9) {
      return false;
    }
  }
  return true;
}

/** Whether a text that starts with this byte may be a number, an object or an array. */
function mayMean(first: u8): bool {
  return (
    first == 0x7b ||
    first == 0x5b ||
    first == 0x20 ||
    first == 0x09 ||
    first == 0x0a ||
    first == 0x0d ||
    (first >= 0x2b && first <= 0x39 && first != 0x2f)
  );
}

/**
 * Writes the hashes of the keys of the records that the last `find` of a reader found, or what takes their
 * place.
 * @param isMixed whether a text may be the same key as a number or an object.
 * @returns for how many keys the caller has to hash their meaning.
 */
export function hashKeys(reader: Reader, count: i32, slot: i32, isMixed: i32, hashes: usize): i32 {
  let marked = 0;
  for (let record = 0; record < count; record += 1) {
    let hash = noKey;
    const words = valueAt(reader, record, slot);
    if (hasNoValues(reader, record)) {
      hash = noRecord;
    } else if (slot >= 0 && load<u32>(words) != missing) {
      const isText = locate(reader, words, formOfSlot(reader, slot));
      const first = load<u8>(valueFrom);
      if (valueFrom != valueTo && (isText || first != 0x6e)) {
        const mayDiffer = isText ? isMixed != 0 && mayMean(first) : first != 0x74 && first != 0x66;
        if (mayDiffer && !isShortInteger(valueFrom, valueTo)) {
          hash = needsMeaning;
          marked += 1;
        } else {
          hash = keyHash(valueFrom, valueTo - valueFrom);
        }
      }
    }
    store<u64>(hashes + ((record as usize) << hashShift), hash);
  }
  return marked;
}

/** Writes the hash of the bytes of each record that the last `find` of a reader found. */
export function hashRecords(reader: Reader, count: i32, hashes: usize): void {
  for (let record = 0; record < count; record += 1) {
    const words = reader.records + (((record * recordWords) as usize) << 2);
    const from = load<u32>(words) as usize;
    store<u64>(
      hashes + ((record as usize) << hashShift),
      longHashOf(from, (load<u32>(words, 4) as usize) - from),
    );
  }
}

/**
 * Writes a hash of the values of each record: the sum of their hashes, each times the factor of its
 * column, so that the order of columns does not matter. Null, an empty text and a value that is missing
 * do not count.
 * @param factors a factor of 64 bits for each slot up to `slots`.
 */
export function hashValues(
  reader: Reader,
  count: i32,
  slots: i32,
  factors: usize,
  hashes: usize,
): void {
  for (let record = 0; record < count; record += 1) {
    let hash: u64 = 0;
    for (let slot = 0; slot < slots; slot += 1) {
      const words = valueAt(reader, record, slot);
      if (load<u32>(words) != missing) {
        const isText = locate(reader, words, formOfSlot(reader, slot));
        if (valueFrom != valueTo && (isText || load<u8>(valueFrom) != 0x6e)) {
          hash +=
            longHashOf(valueFrom, valueTo - valueFrom) *
            load<u64>(factors + ((slot as usize) << 3));
        }
      }
    }
    store<u64>(hashes + ((record as usize) << hashShift), hash);
  }
}
