import { fingerprintShift, noKey, noRecord } from './fingerprints';
import { setResult } from './memory';

/*
 * Pairs the records of two files by their fingerprints. The rows of the newer file are numbered after
 * those of the older one.
 */

/** Special partners; any other is a row of the other file. */
const isAlone: i32 = -1;
const isUnchanged: i32 = -2;
const isInvalid: i32 = -3;

@unmanaged
export class Pairing {
  fingerprints: usize = 0;
  /** How many rows the older file has. */
  older: u32 = 0;
  /** By row, words of 32 bits. */
  partners: usize = 0;
  /** The rows that may still be paired, words of 32 bits, in the order of keys. */
  rows: usize = 0;
  count: i32 = 0;
}

/**
 * Results: how many records of the older and of the newer file could not be read.
 * @param rows how many there are in both files.
 */
export function newPairing(fingerprints: usize, rows: i32, older: i32): Pairing {
  const pairing = new Pairing();
  pairing.fingerprints = fingerprints;
  pairing.older = older;
  pairing.partners = heap.alloc((rows as usize) << 2);
  pairing.rows = heap.alloc((rows as usize) << 2);
  let invalidOlder = 0;
  for (let row = 0; row < rows; row += 1) {
    const isRecord = keyOf(pairing, row) != noRecord;
    store<i32>(partnerOf(pairing, row), isRecord ? isAlone : isInvalid);
    store<u32>(rowAt(pairing, pairing.count), row);
    pairing.count += isRecord as i32;
    invalidOlder += (!isRecord && row < older) as i32;
  }
  setResult(0, invalidOlder);
  setResult(1, rows - pairing.count - invalidOlder);
  sortRows(fingerprints, pairing.rows, pairing.count);
  return pairing;
}

export function freePairing(pairing: Pairing): void {
  heap.free(pairing.partners);
  heap.free(pairing.rows);
  heap.free(changetype<usize>(pairing));
}

export function partnersOf(pairing: Pairing): usize {
  return pairing.partners;
}

export function rowsOf(pairing: Pairing): usize {
  return pairing.rows;
}

/** @inline */
function rowAt(pairing: Pairing, at: i32): usize {
  return pairing.rows + ((at as usize) << 2);
}

/** @inline */
function partnerOf(pairing: Pairing, row: u32): usize {
  return pairing.partners + ((row as usize) << 2);
}

/** @inline */
function keyOf(pairing: Pairing, row: u32): u64 {
  return load<u64>(pairing.fingerprints + ((row as usize) << fingerprintShift));
}

/** @inline */
function contentOf(pairing: Pairing, row: u32): u64 {
  return load<u64>(pairing.fingerprints + ((row as usize) << fingerprintShift), 8);
}

/* The run that `nextRun` found: where the newer rows start, and where it ends. */
let firstNewer: i32 = 0;
let runEnd: i32 = 0;

/**
 * Finds the rows from an index on that have the same key, and the same contents if they count.
 * @inline
 */
function nextRun(pairing: Pairing, from: i32, byContents: bool): void {
  const row = load<u32>(rowAt(pairing, from));
  const key = keyOf(pairing, row);
  let newer = from + ((row < pairing.older) as i32);
  let at = from + 1;
  for (; at < pairing.count; at += 1) {
    const next = load<u32>(rowAt(pairing, at));
    if (
      keyOf(pairing, next) != key ||
      (byContents && contentOf(pairing, next) != contentOf(pairing, row))
    ) {
      break;
    }
    newer += (next < pairing.older) as i32;
  }
  firstNewer = newer;
  runEnd = at;
}

/** Makes the rows at two indexes partners. @inline */
function match(pairing: Pairing, older: i32, newer: i32, areEqual: bool): void {
  const one = load<u32>(rowAt(pairing, older));
  const other = load<u32>(rowAt(pairing, newer));
  store<i32>(partnerOf(pairing, one), areEqual ? isUnchanged : other);
  store<i32>(partnerOf(pairing, other), areEqual ? isUnchanged : one);
}

/**
 * Pairs records that are alone with their key in each file. Left are those with keys that both files
 * have, and one of them several times. Results: how many records have the key of an earlier record of
 * their file, and how many of the older and of the newer file have no key.
 * @returns how many rows are left.
 */
export function matchSingle(pairing: Pairing): i32 {
  let left = 0;
  let duplicates = 0;
  setResult(1, 0);
  setResult(2, 0);
  for (let from = 0; from < pairing.count; from = runEnd) {
    nextRun(pairing, from, false);
    const older = firstNewer - from;
    const newer = runEnd - firstNewer;
    const row = load<u32>(rowAt(pairing, from));
    const hasKey = keyOf(pairing, row) != noKey;
    if (hasKey) {
      duplicates += max(older - 1, 0) + max(newer - 1, 0);
    } else {
      setResult(1, older);
      setResult(2, newer);
    }
    if (older == 1 && newer == 1 && hasKey) {
      const other = load<u32>(rowAt(pairing, firstNewer));
      match(pairing, from, firstNewer, contentOf(pairing, row) == contentOf(pairing, other));
    } else if (older > 0 && newer > 0) {
      memory.copy(rowAt(pairing, left), rowAt(pairing, from), ((runEnd - from) as usize) << 2);
      left += runEnd - from;
    }
  }
  setResult(0, duplicates);
  pairing.count = left;
  return left;
}

/** Pairs records with equal keys and contents. @returns how many rows are left. */
export function matchEqual(pairing: Pairing): i32 {
  const rows = pairing.rows;
  const bytes = (pairing.count as usize) << 2;
  pairing.rows = heap.alloc(bytes);
  memory.copy(pairing.rows, rows, bytes);
  sortRows(pairing.fingerprints + 8, pairing.rows, pairing.count);
  sortRows(pairing.fingerprints, pairing.rows, pairing.count);
  for (let from = 0; from < pairing.count; from = runEnd) {
    nextRun(pairing, from, true);
    const middle = firstNewer;
    for (let at = 0; at < min(middle - from, runEnd - middle); at += 1) {
      match(pairing, from + at, middle + at, true);
    }
  }
  heap.free(pairing.rows);
  pairing.rows = rows;
  let left = 0;
  for (let at = 0; at < pairing.count; at += 1) {
    const row = load<u32>(rowAt(pairing, at));
    store<u32>(rowAt(pairing, left), row);
    left += (load<i32>(partnerOf(pairing, row)) == isAlone) as i32;
  }
  pairing.count = left;
  return left;
}

/** Pairs records with equal keys, the first with the first. */
export function matchInOrder(pairing: Pairing): void {
  for (let from = 0; from < pairing.count; from = runEnd) {
    nextRun(pairing, from, false);
    const middle = firstNewer;
    const hasKey = keyOf(pairing, load<u32>(rowAt(pairing, from))) != noKey;
    for (let at = 0; hasKey && at < min(middle - from, runEnd - middle); at += 1) {
      match(pairing, from + at, middle + at, false);
    }
  }
}

/* The sort: by the highest bits first, which tell almost all hashes apart. */

const digitBits: u64 = 11;
const digitCounts: usize = memory.data(2048 * 4, 8);

/**
 * Sorts rows by hashes. Rows with the same hash stay in their order.
 * @param hashes those of row 0 are there.
 */
function sortRows(hashes: usize, rows: usize, count: i32): void {
  const bytes = (count as usize) << 3;
  const entries = heap.alloc(bytes);
  const spare = heap.alloc(bytes);
  for (let at: usize = 0; at < bytes; at += 8) {
    const row = load<u32>(rows + (at >> 1));
    const hash = load<u64>(hashes + ((row as usize) << fingerprintShift));
    store<u64>(entries + at, (hash & 0xffff_ffff_0000_0000) | (row as u64));
  }
  sortByDigit(entries, spare, bytes, 64 - 2 * digitBits);
  sortByDigit(spare, entries, bytes, 64 - digitBits);
  let highest: u64 = 0;
  for (let at: usize = 0; at < bytes; at += 8) {
    const row = load<u32>(entries + at);
    const hash = load<u64>(hashes + ((row as usize) << fingerprintShift));
    let target = rows + (at >> 1);
    if (hash >= highest) {
      highest = hash;
    } else {
      for (; target > rows; target -= 4) {
        const other = load<u32>(target - 4);
        if (load<u64>(hashes + ((other as usize) << fingerprintShift)) <= hash) {
          break;
        }
        store<u32>(target, other);
      }
    }
    store<u32>(target, row);
  }
  heap.free(entries);
  heap.free(spare);
}

/** Copies entries in the order of some of their bits. */
function sortByDigit(source: usize, target: usize, bytes: usize, shift: u64): void {
  const mask: u64 = (1 << digitBits) - 1;
  memory.fill(digitCounts, 0, 2048 * 4);
  for (let at: usize = 0; at < bytes; at += 8) {
    const count = digitCounts + ((((load<u64>(source + at) >> shift) & mask) as usize) << 2);
    store<u32>(count, load<u32>(count) + 8);
  }
  let next: u32 = 0;
  for (let at: usize = 0; at < 2048 * 4; at += 4) {
    const count = load<u32>(digitCounts + at);
    store<u32>(digitCounts + at, next);
    next += count;
  }
  for (let at: usize = 0; at < bytes; at += 8) {
    const entry = load<u64>(source + at);
    const place = digitCounts + ((((entry >> shift) & mask) as usize) << 2);
    const offset = load<u32>(place);
    store<u64>(target + offset, entry);
    store<u32>(place, offset + 8);
  }
}
