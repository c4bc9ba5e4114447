import { hashShift, noKey, noRecord } from './recordHashes';
import { setResult } from '../memory';

/*
 * Pairs the records of two files by the hashes of their keys and contents. The rows of the newer file are numbered
 * after those of the older one.
 *
 * Rows are sorted by hashes: first into buckets, then within each bucket. What is read of a bucket
 * stays in the nearest caches until its rows are paired.
 */

/** Special partners; any other is a row of the other file. */
const isAlone: i32 = -1;
const isUnchanged: i32 = -2;
const isInvalid: i32 = -3;

@unmanaged
export class Pairing {
  recordHashes: usize = 0;
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

/** @inline */
function wordAt(words: usize, at: i32): usize {
  return words + ((at as usize) << 2);
}

/** @inline */
function rowAt(at: i32): i32 {
  return load<i32>(wordAt(pairing.rows, at));
}

/** @inline */
function partnerOf(row: i32): usize {
  return wordAt(pairing.partners, row);
}

/** @inline */
function keyOf(row: i32): u64 {
  return load<u64>(pairing.recordHashes + ((row as usize) << hashShift));
}

/** @inline */
function contentOf(row: i32): u64 {
  return load<u64>(pairing.recordHashes + ((row as usize) << hashShift), 8);
}

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
export function newPairing(recordHashes: usize, rows: i32, older: i32): Pairing {
  pairing = new Pairing();
  pairing.recordHashes = recordHashes;
  pairing.older = older;
  pairing.partners = heap.alloc((rows as usize) << 2);
  pairing.rows = heap.alloc((rows as usize) << 2);
  invalidOlder = 0;
  inSteps(rows, addRows);
  setResult(3, invalidOlder);
  setResult(4, rows - pairing.count - invalidOlder);
  beginRuns(false, false);
  sortRows(recordHashes, matchRuns);
  endRuns();
  return pairing;
}

let invalidOlder: i32 = 0;

function addRows(from: i32, to: i32): void {
  for (let row = from; row < to; row += 1) {
    const isRecord = keyOf(row) != noRecord;
    store<i32>(partnerOf(row), isRecord ? isAlone : isInvalid);
    store<i32>(wordAt(pairing.rows, pairing.count), row);
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

/**
 * Pairs records that are alone with their key in each file. Left are those with keys that both files
 * have, and one of them several times. Results: how many records have the key of an earlier record of
 * their file, and how many of the older and of the newer file have no key.
 */
export function matchSingle(chosen: Pairing): void {
  pairing = chosen;
  beginRuns(false, false);
  inSteps(pairing.count, matchRuns);
  endRuns();
}

/** Pairs records with equal keys, the first with the first. */
export function matchInOrder(chosen: Pairing): void {
  pairing = chosen;
  beginRuns(false, true);
  inSteps(pairing.count, matchRuns);
}

/** Pairs records with equal keys and contents, also without a key. The others are left. */
export function matchEqual(chosen: Pairing): void {
  pairing = chosen;
  const rows = pairing.rows;
  const bytes = (pairing.count as usize) << 2;
  pairing.rows = heap.alloc(bytes);
  memory.copy(pairing.rows, rows, bytes);
  sortRows(pairing.recordHashes + 8, nothing);
  beginRuns(true, true);
  sortRows(pairing.recordHashes, matchRuns);
  heap.free(pairing.rows);
  pairing.rows = rows;
  left = 0;
  inSteps(pairing.count, keepAlone);
  pairing.count = left;
}

function nothing(_: i32, __: i32): void {}

function keepAlone(from: i32, to: i32): void {
  for (let at = from; at < to; at += 1) {
    const row = rowAt(at);
    store<i32>(wordAt(pairing.rows, left), row);
    left += (load<i32>(partnerOf(row)) == isAlone) as i32;
  }
}

/**
 * Makes the rows those of all differences: first those of the newer file, then those that are gone, in
 * the order of the files.
 * @param rows how many there are in both files.
 */
export function listDifferences(chosen: Pairing, rows: i32): void {
  pairing = chosen;
  pairing.count = 0;
  newerRows = rows - pairing.older;
  inSteps(rows, addDifferences);
}

let newerRows: i32 = 0;

function addDifferences(from: i32, to: i32): void {
  for (let at = from; at < to; at += 1) {
    const isNewer = at < newerRows;
    const row = isNewer ? at + pairing.older : at - newerRows;
    const partner = load<i32>(partnerOf(row));
    store<i32>(wordAt(pairing.rows, pairing.count), row);
    pairing.count += (partner == isAlone || (isNewer && partner >= 0)) as i32;
  }
}

/* Runs of rows with equal keys, and with equal contents if these count. */

let byContents: bool = false;
/** Whether all rows of a run are paired, or only those that are alone in their file. */
let pairsAll: bool = false;
/** Where the next run starts. */
let nextRun: i32 = 0;
/** Where the rows that are left end. */
let left: i32 = 0;
let duplicates: i32 = 0;

function beginRuns(contentsCount: bool, all: bool): void {
  byContents = contentsCount;
  pairsAll = all;
  nextRun = 0;
  left = 0;
  duplicates = 0;
  setResult(1, 0);
  setResult(2, 0);
}

function endRuns(): void {
  setResult(0, duplicates);
  pairing.count = left;
}

/** Pairs the rows of the runs that start before an index. */
function matchRuns(_: i32, to: i32): void {
  while (nextRun < to) {
    const from = nextRun;
    const first = rowAt(from);
    const key = keyOf(first);
    let middle = from + ((first < pairing.older) as i32);
    let end = from + 1;
    for (; end < pairing.count; end += 1) {
      const row = rowAt(end);
      if (keyOf(row) != key || (byContents && contentOf(row) != contentOf(first))) {
        break;
      }
      middle += (row < pairing.older) as i32;
    }
    nextRun = end;
    const older = middle - from;
    const newer = end - middle;
    if (key == noKey) {
      setResult(1, older);
      setResult(2, newer);
    } else {
      duplicates += max(older - 1, 0) + max(newer - 1, 0);
    }
    if ((key != noKey || byContents) && (pairsAll || (older == 1 && newer == 1))) {
      for (let at = 0; at < min(older, newer); at += 1) {
        match(rowAt(from + at), rowAt(middle + at));
      }
    } else if (older > 0 && newer > 0 && !pairsAll) {
      memory.copy(
        wordAt(pairing.rows, left),
        wordAt(pairing.rows, from),
        ((end - from) as usize) << 2,
      );
      left += end - from;
    }
  }
}

/** @inline */
function match(older: i32, newer: i32): void {
  const areEqual = contentOf(older) == contentOf(newer);
  store<i32>(partnerOf(older), areEqual ? isUnchanged : newer);
  store<i32>(partnerOf(newer), areEqual ? isUnchanged : older);
}

/* The sort. */

const bucketCount: i32 = 1 << 11;
const bucketShift: u64 = 64 - 11;
const partCount: i32 = 1 << 10;
const partShift: u64 = bucketShift - 10;
/** By the first bits of a hash: where the next row of its bucket goes, and at last where the bucket ends. */
const buckets: usize = memory.data(4 << 11, 8);
/** In a bucket, the same by the next bits. */
const parts: usize = memory.data(4 << 10, 8);
/** Where the hash of row 0 is. */
let hashes: usize = 0;
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
  memory.fill(buckets, 0, 4 << 11);
  inSteps(pairing.count, countBuckets);
  toStarts(buckets, bucketCount, 0);
  inSteps(pairing.count, fillBuckets);
  let from = 0;
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    const to = load<i32>(wordAt(buckets, bucket));
    sortBucket(from, to);
    step(from, to);
    from = to;
  }
  heap.free(unsorted);
}

/** @inline */
function hashOfRow(row: i32): u64 {
  return load<u64>(hashes + ((row as usize) << hashShift));
}

/** @inline */
function bucketOf(row: i32): usize {
  return wordAt(buckets, (hashOfRow(row) >> bucketShift) as i32);
}

/** @inline */
function partOf(row: i32): usize {
  return wordAt(parts, ((hashOfRow(row) >> partShift) as i32) & (partCount - 1));
}

/** Makes starts of counts. */
function toStarts(counts: usize, count: i32, first: i32): void {
  let start = first;
  for (let at = 0; at < count; at += 1) {
    const size = load<i32>(wordAt(counts, at));
    store<i32>(wordAt(counts, at), start);
    start += size;
  }
}

/** @inline */
function addOne(count: usize): i32 {
  const before = load<i32>(count);
  store<i32>(count, before + 1);
  return before;
}

function countBuckets(from: i32, to: i32): void {
  for (let at = from; at < to; at += 1) {
    addOne(bucketOf(rowAt(at)));
  }
}

function fillBuckets(from: i32, to: i32): void {
  const rows = pairing.rows;
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(wordAt(unsorted, at));
    store<i32>(wordAt(rows, addOne(bucketOf(row))), row);
  }
}

function sortBucket(from: i32, to: i32): void {
  const rows = pairing.rows;
  memory.fill(parts, 0, 4 << 10);
  memory.copy(wordAt(unsorted, from), wordAt(rows, from), ((to - from) as usize) << 2);
  for (let at = from; at < to; at += 1) {
    addOne(partOf(load<i32>(wordAt(rows, at))));
  }
  toStarts(parts, partCount, from);
  for (let at = from; at < to; at += 1) {
    const row = load<i32>(wordAt(unsorted, at));
    store<i32>(wordAt(rows, addOne(partOf(row))), row);
  }
  // Few rows are not in order now.
  for (let at = from + 1; at < to; at += 1) {
    const row = load<i32>(wordAt(rows, at));
    const hash = hashOfRow(row);
    let target = at;
    for (; target > from; target -= 1) {
      const other = load<i32>(wordAt(rows, target - 1));
      if (hashOfRow(other) <= hash) {
        break;
      }
      store<i32>(wordAt(rows, target), other);
    }
    store<i32>(wordAt(rows, target), row);
  }
}
