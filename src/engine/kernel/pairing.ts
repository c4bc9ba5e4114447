import { fingerprintShift, noKey, noRecord } from './fingerprints';
import { setResult } from './memory';

/*
 * Pairs the records of two files by their fingerprints. The rows of the newer file are numbered after
 * those of the older one.
 *
 * Rows are sorted by the hashes of their keys: first into buckets, then within each bucket. What is
 * read of a bucket stays in the nearest caches until its rows are paired.
 */

/** Special partners; any other is a row of the other file. */
const isAlone: i32 = -1;
const isUnchanged: i32 = -2;
const isInvalid: i32 = -3;

@unmanaged
export class Pairing {
  fingerprints: usize = 0;
  /** How many rows the older file has. */
  older: i32 = 0;
  /** By row, words of 32 bits. */
  partners: usize = 0;
  /** The rows that may still be paired, words of 32 bits, in the order of the hashes of their keys. */
  rows: usize = 0;
  count: i32 = 0;
}

/** The pairing of the current call. */
let pairing: Pairing = changetype<Pairing>(0);

/** Work on the rows of a range of indexes. */
type Step = (from: i32, to: i32) => void;
const stepRows: i32 = 8192;

/** Does work in steps: V8 optimizes a function between its calls only, however long one of them takes. */
function inSteps(count: i32, step: Step): void {
  for (let from = 0; from < count; from += stepRows) {
    step(from, min(from + stepRows, count));
  }
}

/**
 * Begins with `matchSingle`. Results 3 and 4: how many records of the older and of the newer file could
 * not be read.
 * @param rows how many there are in both files.
 */
export function newPairing(fingerprints: usize, rows: i32, older: i32): Pairing {
  pairing = new Pairing();
  pairing.fingerprints = fingerprints;
  pairing.older = older;
  pairing.partners = heap.alloc((rows as usize) << 2);
  pairing.rows = heap.alloc((rows as usize) << 2);
  invalidOlder = 0;
  inSteps(rows, addRows);
  setResult(3, invalidOlder);
  setResult(4, rows - pairing.count - invalidOlder);
  beginMatches();
  sortRows(fingerprints, matchSingleOf);
  endMatches();
  return pairing;
}

let invalidOlder: i32 = 0;

function addRows(from: i32, to: i32): void {
  for (let row = from; row < to; row += 1) {
    const isRecord = keyOf(row) != noRecord;
    store<i32>(partnerOf(row), isRecord ? isAlone : isInvalid);
    store<i32>(rowAt(pairing.count), row);
    pairing.count += isRecord as i32;
    invalidOlder += (!isRecord && row < pairing.older) as i32;
  }
}

export function freePairing(chosen: Pairing): void {
  heap.free(chosen.partners);
  heap.free(chosen.rows);
  heap.free(changetype<usize>(chosen));
}

export function partnersOf(chosen: Pairing): usize {
  return chosen.partners;
}

export function rowsOf(chosen: Pairing): usize {
  return chosen.rows;
}

export function countOf(chosen: Pairing): i32 {
  return chosen.count;
}

/** @inline */
function rowAt(at: i32): usize {
  return pairing.rows + ((at as usize) << 2);
}

/** @inline */
function partnerOf(row: i32): usize {
  return pairing.partners + ((row as usize) << 2);
}

/** @inline */
function keyOf(row: i32): u64 {
  return load<u64>(pairing.fingerprints + ((row as usize) << fingerprintShift));
}

/** @inline */
function contentOf(row: i32): u64 {
  return load<u64>(pairing.fingerprints + ((row as usize) << fingerprintShift), 8);
}

/* The last run of rows: where its newer rows start, and where it ends. */
let firstNewer: i32 = 0;
let runEnd: i32 = 0;

/**
 * Finds the rows from an index on that have the same key, and the same contents if they count.
 * @inline
 */
function findRun(from: i32, byContents: bool): void {
  const row = load<i32>(rowAt(from));
  const key = keyOf(row);
  let middle = from + ((row < pairing.older) as i32);
  let at = from + 1;
  for (; at < pairing.count; at += 1) {
    const next = load<i32>(rowAt(at));
    if (keyOf(next) != key || (byContents && contentOf(next) != contentOf(row))) {
      break;
    }
    middle += (next < pairing.older) as i32;
  }
  firstNewer = middle;
  runEnd = at;
}

/**
 * Whether the row at an index has a key.
 * @inline
 */
function hasKey(at: i32): bool {
  return keyOf(load<i32>(rowAt(at))) != noKey;
}

/**
 * Makes the rows at two indexes partners.
 * @inline
 */
function match(older: i32, newer: i32, areEqual: bool): void {
  const one = load<i32>(rowAt(older));
  const other = load<i32>(rowAt(newer));
  store<i32>(partnerOf(one), areEqual ? isUnchanged : other);
  store<i32>(partnerOf(other), areEqual ? isUnchanged : one);
}

/** Where the rows that are left end. */
let left: i32 = 0;
let duplicates: i32 = 0;

function beginMatches(): void {
  left = 0;
  duplicates = 0;
  runEnd = 0;
  setResult(1, 0);
  setResult(2, 0);
}

function endMatches(): void {
  setResult(0, duplicates);
  pairing.count = left;
}

/**
 * Pairs records that are alone with their key in each file. Left are those with keys that both files
 * have, and one of them several times. Results: how many records have the key of an earlier record of
 * their file, and how many of the older and of the newer file have no key.
 */
export function matchSingle(chosen: Pairing): void {
  pairing = chosen;
  beginMatches();
  inSteps(pairing.count, matchSingleOf);
  endMatches();
}

function matchSingleOf(_: i32, to: i32): void {
  while (runEnd < to) {
    const from = runEnd;
    findRun(from, false);
    const older = firstNewer - from;
    const newer = runEnd - firstNewer;
    const isKey = hasKey(from);
    if (isKey) {
      duplicates += max(older - 1, 0) + max(newer - 1, 0);
    } else {
      setResult(1, older);
      setResult(2, newer);
    }
    if (older == 1 && newer == 1 && isKey) {
      const content = contentOf(load<i32>(rowAt(from)));
      match(from, firstNewer, content == contentOf(load<i32>(rowAt(firstNewer))));
    } else if (older > 0 && newer > 0) {
      memory.copy(rowAt(left), rowAt(from), ((runEnd - from) as usize) << 2);
      left += runEnd - from;
    }
  }
}

/** Pairs records with equal keys and contents. The others are left. */
export function matchEqual(chosen: Pairing): void {
  pairing = chosen;
  const rows = pairing.rows;
  const bytes = (pairing.count as usize) << 2;
  pairing.rows = heap.alloc(bytes);
  memory.copy(pairing.rows, rows, bytes);
  runEnd = 0;
  sortRows(pairing.fingerprints + 8, nothing);
  sortRows(pairing.fingerprints, matchEqualOf);
  heap.free(pairing.rows);
  pairing.rows = rows;
  left = 0;
  inSteps(pairing.count, keepAlone);
  pairing.count = left;
}

function nothing(_: i32, __: i32): void {}

function matchEqualOf(_: i32, to: i32): void {
  while (runEnd < to) {
    const from = runEnd;
    findRun(from, true);
    const pairs = min(firstNewer - from, runEnd - firstNewer);
    for (let at = 0; at < pairs; at += 1) {
      match(from + at, firstNewer + at, true);
    }
  }
}

function keepAlone(from: i32, to: i32): void {
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(rowAt(at));
    store<i32>(rowAt(left), row);
    left += (load<i32>(partnerOf(row)) == isAlone) as i32;
  }
}

/** Pairs records with equal keys, the first with the first. */
export function matchInOrder(chosen: Pairing): void {
  pairing = chosen;
  runEnd = 0;
  inSteps(pairing.count, matchInOrderOf);
}

function matchInOrderOf(_: i32, to: i32): void {
  while (runEnd < to) {
    const from = runEnd;
    findRun(from, false);
    const pairs = hasKey(from) ? min(firstNewer - from, runEnd - firstNewer) : 0;
    for (let at = 0; at < pairs; at += 1) {
      match(from + at, firstNewer + at, false);
    }
  }
}

/* The sort. */

const bucketCount: i32 = 2048;
const bucketShift: u64 = 64 - 11;
/** By bucket: where its next row goes, and at last where it ends. */
const buckets: usize = memory.data(2048 * 4, 8);
/** In a bucket: the same by the next bits of the hash. */
const parts: usize = memory.data(1024 * 4, 8);
const partCount: i32 = 1024;
const partShift: u64 = bucketShift - 10;
/** Where the hash of row 0 is. */
let hashes: usize = 0;
/** A copy of the rows. */
let unsorted: usize = 0;

/**
 * Sorts the rows by hashes. Rows with the same hash stay in their order.
 * @param firstHash where the hash of row 0 is.
 * @param step is called for each bucket.
 */
function sortRows(firstHash: usize, step: Step): void {
  hashes = firstHash;
  unsorted = heap.alloc((pairing.count as usize) << 2);
  memory.copy(unsorted, pairing.rows, (pairing.count as usize) << 2);
  memory.fill(buckets, 0, (bucketCount as usize) << 2);
  inSteps(pairing.count, countBuckets);
  toStarts(buckets, bucketCount);
  inSteps(pairing.count, fillBuckets);
  let from = 0;
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    const to = load<i32>(buckets + ((bucket as usize) << 2));
    sortBucket(from, to);
    step(from, to);
    from = to;
  }
  heap.free(unsorted);
}

/** @inline */
function hashOfRow(row: i32): u64 {
  return load<u64>(hashes + ((row as usize) << fingerprintShift));
}

/** @inline */
function bucketOf(row: i32): usize {
  return (buckets + ((hashOfRow(row) >> bucketShift) << 2)) as usize;
}

/** @inline */
function partOf(row: i32): usize {
  return (parts + (((hashOfRow(row) >> partShift) & (partCount - 1)) << 2)) as usize;
}

/** Makes starts of counts. */
function toStarts(counts: usize, count: i32): void {
  let start = 0;
  for (let at = 0; at < count; at += 1) {
    const place = counts + ((at as usize) << 2);
    const size = load<i32>(place);
    store<i32>(place, start);
    start += size;
  }
}

function countBuckets(from: i32, to: i32): void {
  for (let at = from; at < to; at += 1) {
    const bucket = bucketOf(load<i32>(rowAt(at)));
    store<i32>(bucket, load<i32>(bucket) + 1);
  }
}

function fillBuckets(from: i32, to: i32): void {
  const rows = pairing.rows;
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(unsorted + ((at as usize) << 2));
    const bucket = bucketOf(row);
    const target = load<i32>(bucket);
    store<i32>(rows + ((target as usize) << 2), row);
    store<i32>(bucket, target + 1);
  }
}

function sortBucket(from: i32, to: i32): void {
  memory.fill(parts, 0, (partCount as usize) << 2);
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(rowAt(at));
    store<i32>(unsorted + ((at as usize) << 2), row);
    const part = partOf(row);
    store<i32>(part, load<i32>(part) + 1);
  }
  toStarts(parts, partCount);
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(unsorted + ((at as usize) << 2));
    const part = partOf(row);
    const target = load<i32>(part);
    store<i32>(rowAt(from + target), row);
    store<i32>(part, target + 1);
  }
  // Few rows are not in order now.
  let highest: u64 = 0;
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(rowAt(at));
    const hash = hashOfRow(row);
    if (hash >= highest) {
      highest = hash;
      continue;
    }
    let target = at;
    for (; target > from && hashOfRow(load<i32>(rowAt(target - 1))) > hash; target -= 1) {
      store<i32>(rowAt(target), load<i32>(rowAt(target - 1)));
    }
    store<i32>(rowAt(target), row);
  }
}
