import { setResult } from '../memory';
import { enlarged, freeIfAny, Reader } from '../reader';
import { codesOf, firstValueCode, freeTexts, newTexts, nullCode, Texts } from '../columns/texts';

/* How often each value of a column occurs. */

@unmanaged
export class Counts {
  texts: Texts = newTexts();
  /** By the number of a value, words of 32 bits: how often it occurs, and the first row with it. */
  counts: usize = 0;
  firsts: usize = 0;
  room: i32 = 0;
  /** Rows with null, and rows with a value. */
  nulls: u32 = 0;
  present: u32 = 0;
  /** The codes of the last records that were counted. */
  codes: usize = 0;
  codesRoom: i32 = 0;
}

export function newCounts(): Counts {
  return new Counts();
}

export function freeCounts(counts: Counts): void {
  freeTexts(counts.texts);
  freeIfAny(counts.counts);
  freeIfAny(counts.firsts);
  freeIfAny(counts.codes);
  heap.free(changetype<usize>(counts));
}

/**
 * Results 0 to 5: the dictionary of the values, the addresses of `counts` and `firsts`, how many rows
 * have null and a value, and the address of the codes of the last records that were counted.
 */
export function readCounts(counts: Counts): void {
  makeRoom(counts);
  setResult(0, changetype<usize>(counts.texts));
  setResult(1, counts.counts);
  setResult(2, counts.firsts);
  setResult(3, counts.nulls as usize);
  setResult(4, counts.present as usize);
  setResult(5, counts.codes);
}

/** Forgets how often the values occur, but not the values. */
export function clearCounts(counts: Counts): void {
  counts.nulls = 0;
  counts.present = 0;
  memory.fill(counts.counts, 0, (counts.room as usize) << 2);
}

function makeRoom(counts: Counts): void {
  const needed = counts.texts.count;
  if (needed > counts.room || counts.room == 0) {
    const before = (counts.room as usize) << 2;
    counts.room = max(64, max(needed, counts.room * 2));
    const bytes = (counts.room as usize) << 2;
    counts.counts = enlarged(counts.counts, bytes);
    counts.firsts = enlarged(counts.firsts, bytes);
    memory.fill(counts.counts + before, 0, bytes - before);
  }
}

/**
 * Counts the values of the records that the last `find` of a reader found.
 * @param row the row of the first of them.
 * @returns how many records were counted: it stops right after a new value that exceeds a limit; see
 *   `codesOf`.
 */
export function countValues(
  counts: Counts,
  reader: Reader,
  count: i32,
  slot: i32,
  row: u32,
  maxValues: i32,
  maxBytes: i32,
): i32 {
  if (count > counts.codesRoom) {
    counts.codesRoom = count;
    counts.codes = enlarged(counts.codes, (count as usize) << 2);
  }
  const done = codesOf(reader, count, slot, counts.texts, counts.codes, maxValues, maxBytes);
  makeRoom(counts);
  const codes = counts.codes;
  let present = counts.present;
  let nulls = counts.nulls;
  for (let record = 0; record < done; record += 1) {
    const code = load<u32>(codes + ((record as usize) << 2));
    if (code >= firstValueCode) {
      addCount(counts, code - firstValueCode, 1, row + record);
      present += 1;
    } else if (code == nullCode) {
      nulls += 1;
    }
  }
  counts.present = present;
  counts.nulls = nulls;
  return done;
}

/** @inline */
function addCount(counts: Counts, number: u32, count: u32, row: u32): void {
  const at = (number as usize) << 2;
  const before = load<u32>(counts.counts + at);
  if (before == 0) {
    store<u32>(counts.firsts + at, row);
  }
  store<u32>(counts.counts + at, before + count);
}

/**
 * Adds the counts of later rows.
 * @param numbers the number here of each value of these rows; the arrays are words of 32 bits.
 */
export function mergeCounts(
  counts: Counts,
  numbers: usize,
  others: usize,
  firsts: usize,
  count: i32,
  nulls: u32,
  present: u32,
): void {
  makeRoom(counts);
  for (let other = 0; other < count; other += 1) {
    const at = (other as usize) << 2;
    const added = load<u32>(others + at);
    if (added > 0) {
      addCount(counts, load<u32>(numbers + at), added, load<u32>(firsts + at));
    }
  }
  counts.nulls += nulls;
  counts.present += present;
}
