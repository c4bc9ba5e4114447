import { Counts } from './counts';
import { setResult } from '../memory';
import { enlarged, freeIfAny } from '../reader';
import { firstValueCode } from '../columns/texts';

/*
 * What the issues of each type have: their severities, the newest date, and the distinct assets.
 * Types, severities and assets are numbers from 0.
 */

/** Issue types and assets are below these numbers, so that a pair of them has 32 bits. */
const assetBits: u32 = 20;

@unmanaged
export class Issues {
  types: i32 = 0;
  room: i32 = 0;
  /** By type, `severityRoom` words: how many issues have each severity. */
  severities: usize = 0;
  severityRoom: i32 = 16;
  /** By type: the newest date, a double; NaN if there is none. */
  newest: usize = 0;
  /** By type, a word: how many assets it has. */
  assets: usize = 0;
  /** How many pairs of a type and an asset there are; -1 if there are too many. */
  pairs: i32 = 0;
  maxPairs: i32 = 0;
  /**
   * A hash table of the pairs: bits in words of 32 bits, which are found by their number. Pairs that
   * are close share a word, so that the word is mostly in the cache of the processor. An entry is the
   * word, and its number plus 1, or 0.
   */
  table: usize = 0;
  tableShift: u32 = 32 - 10;
  used: u32 = 0;
  /** The pairs since `clearIssues`, for another thread; 0 if nobody needs them. */
  added: usize = 0;
  addedCount: i32 = 0;
  addedRoom: i32 = 0;
}

/** @param listsPairs whether another thread needs the pairs. */
export function newIssues(maxPairs: i32, listsPairs: i32): Issues {
  const issues = new Issues();
  issues.maxPairs = maxPairs;
  issues.table = newTable(issues.tableShift);
  if (listsPairs != 0) {
    issues.addedRoom = 1024;
    issues.added = heap.alloc(4 * 1024);
  }
  return issues;
}

export function freeIssues(issues: Issues): void {
  freeIfAny(issues.severities);
  freeIfAny(issues.newest);
  freeIfAny(issues.assets);
  freeIfAny(issues.table);
  freeIfAny(issues.added);
  heap.free(changetype<usize>(issues));
}

/**
 * Results 0 to 7: the number of types, the addresses of `severities`, `newest` and `assets`, the room
 * for severities, the number of pairs, and the address and the number of those in `added`.
 */
export function readIssues(issues: Issues): void {
  setResult(0, issues.types as usize);
  setResult(1, issues.severities);
  setResult(2, issues.newest);
  setResult(3, issues.assets);
  setResult(4, issues.severityRoom as usize);
  setResult(5, issues.pairs as usize);
  setResult(6, issues.added);
  setResult(7, issues.addedCount as usize);
}

/** Counts no assets from now on. */
export function dropAssets(issues: Issues): void {
  issues.pairs = -1;
  issues.addedCount = 0;
  freeIfAny(issues.table);
  issues.table = 0;
}

/** Forgets the severities, dates and listed pairs, but not which pairs there are. */
export function clearIssues(issues: Issues): void {
  clearTypes(issues, 0);
  issues.addedCount = 0;
}

function clearTypes(issues: Issues, from: i32): void {
  const rows = (issues.room - from) as usize;
  const severityBytes = (issues.severityRoom as usize) << 2;
  memory.fill(issues.severities + (from as usize) * severityBytes, 0, rows * severityBytes);
  for (let type = from; type < issues.room; type += 1) {
    store<f64>(issues.newest + ((type as usize) << 3), NaN);
  }
}

function addTypes(issues: Issues, count: i32): void {
  if (count > issues.room) {
    const before = issues.room;
    issues.room = max(64, max(count, before * 2));
    const room = issues.room as usize;
    issues.severities = enlarged(issues.severities, (room * (issues.severityRoom as usize)) << 2);
    issues.newest = enlarged(issues.newest, room << 3);
    issues.assets = enlarged(issues.assets, room << 2);
    memory.fill(issues.assets + ((before as usize) << 2), 0, (room - (before as usize)) << 2);
    clearTypes(issues, before);
  }
  issues.types = max(issues.types, count);
}

/** Makes room for more severities: each type gets twice as many words. */
function addSeverities(issues: Issues): void {
  const before = (issues.severityRoom as usize) << 2;
  const old = issues.severities;
  issues.severityRoom *= 2;
  issues.severities = heap.alloc((issues.room as usize) * before * 2);
  memory.fill(issues.severities, 0, (issues.room as usize) * before * 2);
  for (let type: usize = 0; type < (issues.room as usize); type += 1) {
    memory.copy(issues.severities + type * before * 2, old + type * before, before);
  }
  freeIfAny(old);
}

/** @inline */
function addSeverity(issues: Issues, type: i32, severity: i32, count: u32): void {
  while (severity >= issues.severityRoom) {
    addSeverities(issues);
  }
  const at = issues.severities + (((type * issues.severityRoom + severity) as usize) << 2);
  store<u32>(at, load<u32>(at) + count);
}

/** @inline */
function addDate(issues: Issues, type: i32, time: f64): void {
  const at = issues.newest + ((type as usize) << 3);
  const before = load<f64>(at);
  if (time > before || isNaN(before)) {
    store<f64>(at, time);
  }
}

/**
 * Adds records by the codes of their values.
 * @param severities, assets, times 0 if there is no such column; times are doubles.
 */
export function addIssues(
  issues: Issues,
  count: i32,
  types: Counts,
  severities: Counts | null,
  assets: Counts | null,
  times: usize,
): void {
  addTypes(issues, types.texts.count);
  for (let record = 0; record < count; record += 1) {
    const at = (record as usize) << 2;
    const type = (load<u32>(types.codes + at) - firstValueCode) as i32;
    if (type < 0) {
      continue;
    }
    if (severities) {
      const severity = (load<u32>(severities.codes + at) - firstValueCode) as i32;
      if (severity >= 0) {
        addSeverity(issues, type, severity, 1);
      }
    }
    if (times != 0) {
      addDate(issues, type, load<f64>(times + (at << 1)));
    }
    if (assets) {
      const asset = (load<u32>(assets.codes + at) - firstValueCode) as i32;
      if (asset >= 0 && issues.pairs >= 0) {
        addPair(issues, type, asset);
      }
    }
  }
}

/**
 * Adds the severities and dates of other issues.
 * @param numbers the number here of each of their types, and of each of their severities, or 0.
 */
export function mergeIssues(
  issues: Issues,
  count: i32,
  numbers: usize,
  severities: usize,
  severityRoom: i32,
  severityNumbers: usize,
  newest: usize,
): void {
  for (let other = 0; other < count; other += 1) {
    const type = load<i32>(numbers + ((other as usize) << 2));
    addTypes(issues, type + 1);
    addDate(issues, type, load<f64>(newest + ((other as usize) << 3)));
    if (severityNumbers == 0) {
      continue;
    }
    for (let each = 0; each < severityRoom; each += 1) {
      const added = load<u32>(severities + (((other * severityRoom + each) as usize) << 2));
      if (added > 0) {
        addSeverity(issues, type, load<i32>(severityNumbers + ((each as usize) << 2)), added);
      }
    }
  }
}

/** Adds pairs of other issues. @param types, assets the numbers that they have here. */
export function mergePairs(
  issues: Issues,
  pairs: usize,
  count: i32,
  types: usize,
  assets: usize,
): void {
  for (let other = 0; other < count && issues.pairs >= 0; other += 1) {
    const pair = load<u32>(pairs + ((other as usize) << 2));
    const type = load<i32>(types + ((pair >> assetBits) << 2));
    addTypes(issues, type + 1);
    addPair(issues, type, load<i32>(assets + ((pair & ((1 << assetBits) - 1)) << 2)));
  }
}

function newTable(shift: u32): usize {
  const bytes = (8 as usize) << (32 - shift);
  const table = heap.alloc(bytes);
  memory.fill(table, 0, bytes);
  return table;
}

/**
 * The entry of a word, or the free one where it belongs.
 * @inline
 */
function entryOf(table: usize, shift: u32, wordNumber: u32): usize {
  const last = (((8 as usize) << (32 - shift)) - 8) as usize;
  let at = (((wordNumber * 0x9e37_79b1) >> shift) as usize) << 3;
  while (load<u32>(table + at, 4) != wordNumber + 1 && load<u32>(table + at, 4) != 0) {
    at = (at + 8) & last;
  }
  return table + at;
}

function addPair(issues: Issues, type: i32, asset: i32): void {
  const pair = ((type as u32) << assetBits) | (asset as u32);
  const bit = (1 as u32) << (pair & 31);
  const wordNumber = pair >> 5;
  const entry = entryOf(issues.table, issues.tableShift, wordNumber);
  const word = load<u32>(entry);
  if ((word & bit) != 0) {
    return;
  }
  store<u32>(entry, word | bit);
  const isNewWord = load<u32>(entry, 4) == 0;
  store<u32>(entry, wordNumber + 1, 4);
  const counted = issues.assets + ((type as usize) << 2);
  store<u32>(counted, load<u32>(counted) + 1);
  issues.pairs += 1;
  if (issues.addedRoom > 0) {
    if (issues.addedCount == issues.addedRoom) {
      issues.addedRoom *= 2;
      issues.added = heap.realloc(issues.added, (issues.addedRoom as usize) << 2);
    }
    store<u32>(issues.added + ((issues.addedCount as usize) << 2), pair);
    issues.addedCount += 1;
  }
  if (issues.pairs > issues.maxPairs) {
    dropAssets(issues);
  } else if (isNewWord) {
    issues.used += 1;
    const entries = (1 as u32) << (32 - issues.tableShift);
    if (issues.used * 2 > entries) {
      growPairs(issues);
    }
  }
}

function growPairs(issues: Issues): void {
  const old = issues.table;
  const bytes = (8 as usize) << (32 - issues.tableShift);
  issues.tableShift -= 1;
  issues.table = newTable(issues.tableShift);
  for (let at = old; at < old + bytes; at += 8) {
    const entry = load<u64>(at);
    if (entry != 0) {
      const wordNumber = ((entry >> 32) as u32) - 1;
      store<u64>(entryOf(issues.table, issues.tableShift, wordNumber), entry);
    }
  }
  heap.free(old);
}
