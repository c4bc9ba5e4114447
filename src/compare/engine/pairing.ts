import type { Pace } from '../../table/engine/pace';
import { hashWords } from './recordHash';
import type { Prints } from './recordPrints';

/** What a record of the newer file is beside the older one; else the row of the one it may have been. */
export const isNew = -1;
export const isUnchanged = -2;
export const isInvalid = -3;

/** Which records of two files belong together. */
export interface Pairs {
  /** By row of the newer file: `isNew`, `isUnchanged`, `isInvalid`, or a row of the older file. */
  readonly partners: Int32Array;
  /** By row of the older file: 1 where a record of the newer file is its partner, or it could not be read. */
  readonly taken: Uint8Array;
  /** Records whose key an earlier record of the same file has. */
  readonly duplicates: number;
}

/**
 * Hashes what some records mean.
 * @returns the words of each row, in the order of the rows.
 */
export type HashMeaning = (rows: Uint32Array, isOlder: boolean) => Promise<Int32Array>;

/** Rows between two pauses, in the bytes that a pace counts. */
const bytesPerRow = 16;

/**
 * Finds for each record of the newer file the one of the older file with the same key.
 *
 * Several records may have one key. Of these, records that are equal are pairs first, whatever their order:
 * they are unchanged. The others are pairs in the order of the files, the first with the first: they are
 * changed. What is left over is new or gone. Records without a key are unchanged where the other file has an
 * equal one without a key for each; else they are new or gone, never changed.
 * @param meaning hashes what records mean where their bytes differ; absent where prints are of that already.
 */
export async function pair(
  before: Prints,
  after: Prints,
  pace: Pace,
  meaning?: HashMeaning,
): Promise<Pairs> {
  const partners = new Int32Array(after.invalid.length).fill(isNew);
  const taken = Uint8Array.from(before.invalid);
  after.invalid.forEach((invalid, row) => {
    if (invalid === 1) {
      partners[row] = isInvalid;
    }
  });
  const groups = new KeyGroups(before, after);
  const takeEqual = (older: Uint32Array, newer: Uint32Array, isEqual: [Int32Array, Int32Array]) =>
    matchEqual(older, newer, isEqual, (olderRow, newerRow) => {
      partners[newerRow] = isUnchanged;
      taken[olderRow] = 1;
    });
  for (let row = 0; row < partners.length; row += 1) {
    if (pace.isDue(bytesPerRow)) {
      await pace.pause();
    }
    const slot = groups.slotOfNewer[row]!;
    const older = groups.olderOf(slot);
    if (older < 0 || partners[row] === isInvalid) {
      continue;
    }
    const isKey = slot !== groups.withoutKey;
    if (isKey && groups.isSingle(slot)) {
      partners[row] = areEqual(before.contents, older, after.contents, row) ? isUnchanged : older;
      taken[older] = 1;
      continue;
    }
    if (groups.newerOf(slot) !== row) {
      // Its group was looked at with its first row.
      continue;
    }
    const all = groups.rowsOf(slot);
    let left = takeEqual(all.older, all.newer, [
      wordsOf(before.contents, all.older),
      wordsOf(after.contents, all.newer),
    ]);
    const mayBeEqual = left.older.length > 0 && left.newer.length > 0;
    const isOne = isKey && left.older.length === 1 && left.newer.length === 1;
    if (meaning && mayBeEqual && !isOne) {
      left = takeEqual(left.older, left.newer, [
        await meaning(left.older, true),
        await meaning(left.newer, false),
      ]);
    }
    if (isKey) {
      const count = Math.min(left.older.length, left.newer.length);
      for (let at = 0; at < count; at += 1) {
        partners[left.newer[at]!] = left.older[at]!;
        taken[left.older[at]!] = 1;
      }
    }
  }
  return { partners, taken, duplicates: groups.duplicates };
}

/** The rows of both files by their keys: a hash table of open addresses, and a list of rows for each key. */
class KeyGroups {
  /** Records whose key another record of the same file has, but for one of them. */
  duplicates = 0;
  /** The slot of what has no key. */
  readonly withoutKey: number;
  readonly slotOfNewer: Uint32Array;
  /** By slot: the number of the first row, from 1 on; 0 where there is none. */
  private readonly older: Uint32Array;
  private readonly newer: Uint32Array;
  /** By row: the number of the next row of that key. */
  private readonly nextOlder: Uint32Array;
  private readonly nextNewer: Uint32Array;

  constructor(
    private readonly before: Prints,
    private readonly after: Prints,
  ) {
    const rows = before.invalid.length + after.invalid.length;
    this.withoutKey = 2 ** Math.ceil(Math.log2(Math.max(8, rows * 1.4)));
    this.older = new Uint32Array(this.withoutKey + 1);
    this.newer = new Uint32Array(this.withoutKey + 1);
    this.nextOlder = new Uint32Array(before.invalid.length);
    this.nextNewer = new Uint32Array(after.invalid.length);
    this.slotOfNewer = new Uint32Array(after.invalid.length);
    this.add(before, this.older, this.nextOlder);
    this.add(after, this.newer, this.nextNewer, this.slotOfNewer);
  }

  /** The first row of a key; -1 where there is none. */
  olderOf(slot: number): number {
    return this.older[slot]! - 1;
  }

  newerOf(slot: number): number {
    return this.newer[slot]! - 1;
  }

  /** Whether no file has two records of a key that both files have. */
  isSingle(slot: number): boolean {
    return (
      this.nextOlder[this.older[slot]! - 1] === 0 && this.nextNewer[this.newer[slot]! - 1] === 0
    );
  }

  rowsOf(slot: number): { older: Uint32Array; newer: Uint32Array } {
    return {
      older: listed(this.older[slot]!, this.nextOlder),
      newer: listed(this.newer[slot]!, this.nextNewer),
    };
  }

  /** From the last row on, so that each list is in the order of the file. */
  private add(
    { keys, invalid }: Prints,
    heads: Uint32Array,
    next: Uint32Array,
    slots?: Uint32Array,
  ): void {
    for (let row = invalid.length - 1; row >= 0; row -= 1) {
      if (invalid[row] === 0) {
        const slot = this.slotOf(keys, row);
        const head = heads[slot]!;
        if (head > 0 && slot !== this.withoutKey) {
          this.duplicates += 1;
        }
        next[row] = head;
        heads[slot] = row + 1;
        if (slots) {
          slots[row] = slot;
        }
      }
    }
  }

  private slotOf(keys: Int32Array, row: number): number {
    const at = row * hashWords;
    if (keys[at + hashWords - 1] === 0) {
      return this.withoutKey;
    }
    const mask = this.withoutKey - 1;
    for (let slot = keys[at]! & mask; ; slot = (slot + 1) & mask) {
      const older = this.older[slot]!;
      const newer = this.newer[slot]!;
      if (
        older > 0
          ? areEqual(this.before.keys, older - 1, keys, row)
          : newer === 0 || areEqual(this.after.keys, newer - 1, keys, row)
      ) {
        return slot;
      }
    }
  }
}

/** @param first the number of a row, from 1 on; 0: there is none. */
function listed(first: number, next: Uint32Array): Uint32Array {
  let count = 0;
  for (let row = first; row > 0; row = next[row - 1]!) {
    count += 1;
  }
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = first; row > 0; row = next[row - 1]!) {
    rows[at] = row - 1;
    at += 1;
  }
  return rows;
}

function areEqual(one: Int32Array, row: number, other: Int32Array, otherRow: number): boolean {
  const at = row * hashWords;
  const otherAt = otherRow * hashWords;
  return one[at] === other[otherAt] && one[at + 1] === other[otherAt + 1];
}

function compareWords(one: Int32Array, row: number, other: Int32Array, otherRow: number): number {
  for (let word = 0; word < hashWords; word += 1) {
    const difference = one[row * hashWords + word]! - other[otherRow * hashWords + word]!;
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function wordsOf(words: Int32Array, rows: Uint32Array): Int32Array {
  const found = new Int32Array(rows.length * hashWords);
  rows.forEach((row, at) => {
    for (let word = 0; word < hashWords; word += 1) {
      found[at * hashWords + word] = words[row * hashWords + word]!;
    }
  });
  return found;
}

/**
 * Pairs rows with equal words, each row once, in the order of the files.
 * @returns the rows that are left over, in the order of the files.
 */
function matchEqual(
  older: Uint32Array,
  newer: Uint32Array,
  [olderWords, newerWords]: readonly [Int32Array, Int32Array],
  take: (older: number, newer: number) => void,
): { older: Uint32Array; newer: Uint32Array } {
  const inOrder = (words: Int32Array, count: number) =>
    Uint32Array.from({ length: count }, (_, at) => at).sort(
      (one, other) => compareWords(words, one, words, other) || one - other,
    );
  const olderOrder = inOrder(olderWords, older.length);
  const newerOrder = inOrder(newerWords, newer.length);
  const olderLeft: number[] = [];
  const newerLeft: number[] = [];
  let one = 0;
  let other = 0;
  while (one < older.length || other < newer.length) {
    const order =
      one === older.length
        ? 1
        : other === newer.length
          ? -1
          : compareWords(olderWords, olderOrder[one]!, newerWords, newerOrder[other]!);
    if (order === 0) {
      take(older[olderOrder[one]!]!, newer[newerOrder[other]!]!);
      one += 1;
      other += 1;
    } else if (order < 0) {
      olderLeft.push(older[olderOrder[one]!]!);
      one += 1;
    } else {
      newerLeft.push(newer[newerOrder[other]!]!);
      other += 1;
    }
  }
  return { older: Uint32Array.from(olderLeft).sort(), newer: Uint32Array.from(newerLeft).sort() };
}
