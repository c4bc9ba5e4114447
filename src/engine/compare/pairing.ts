import type { YieldBudget } from '../values/yieldBudget';
import { hashWords } from './recordHash';
import type { Fingerprints } from './fingerprints';

/** Special values of `Pairs.partners`; any other value is a row of the older file. */
export const isNew = -1;
export const isUnchanged = -2;
export const isInvalid = -3;

/** The matching records of two files. */
export interface Pairs {
  /** By row of the newer file: `isNew`, `isUnchanged`, `isInvalid`, or a row of the older file. */
  readonly partners: Int32Array;
  /** By row of the older file: 1 if it is the partner of a newer record, or could not be read. */
  readonly matched: Uint8Array;
  /** The number of records with the key of an earlier record of the same file. */
  readonly duplicates: number;
}

/**
 * Hashes the meaning of records.
 * @returns the words of each row, in the order of `rows`.
 */
export type HashMeaning = (rows: Uint32Array, isOlder: boolean) => Promise<Int32Array>;

/** The work for one row, in the bytes that a budget counts. */
const bytesPerRow = 16;

/**
 * Finds the record of the older file with the same key for each record of the newer file.
 *
 * Several records may have the same key. Of these, equal records are matched first, in any order: they are
 * unchanged. The others are matched in the order of the files, the first with the first: they are changed.
 * Records that remain are new or gone. A record without a key is unchanged if the other file has an equal
 * record without a key that is not matched yet. If not, it is new or gone, never changed.
 * @param meaning hashes the meaning of records whose bytes differ; absent if the prints are already hashes of
 * the meaning.
 */
export async function pair(
  before: Fingerprints,
  after: Fingerprints,
  budget: YieldBudget,
  meaning?: HashMeaning,
): Promise<Pairs> {
  const partners = new Int32Array(after.invalid.length).fill(isNew);
  const matched = Uint8Array.from(before.invalid);
  after.invalid.forEach((invalid, row) => {
    if (invalid === 1) {
      partners[row] = isInvalid;
    }
  });
  const groups = new KeyGroups(before, after);
  const pairEqual = (older: Uint32Array, newer: Uint32Array, isEqual: [Int32Array, Int32Array]) =>
    matchEqual(older, newer, isEqual, (olderRow, newerRow) => {
      partners[newerRow] = isUnchanged;
      matched[olderRow] = 1;
    });
  for (let row = 0; row < partners.length; row += 1) {
    if (budget.shouldYield(bytesPerRow)) {
      await budget.pause();
    }
    const slot = groups.slotOfNewer[row]!;
    const older = groups.olderOf(slot);
    if (older < 0 || partners[row] === isInvalid) {
      continue;
    }
    const isKey = slot !== groups.withoutKey;
    if (isKey && groups.isSingle(slot)) {
      partners[row] = areEqual(before.contents, older, after.contents, row) ? isUnchanged : older;
      matched[older] = 1;
      continue;
    }
    if (groups.newerOf(slot) !== row) {
      // The group of this row was handled at its first row.
      continue;
    }
    const all = groups.rowsOf(slot);
    let left = pairEqual(all.older, all.newer, [
      wordsOf(before.contents, all.older),
      wordsOf(after.contents, all.newer),
    ]);
    const mayBeEqual = left.older.length > 0 && left.newer.length > 0;
    const isOne = isKey && left.older.length === 1 && left.newer.length === 1;
    if (meaning && mayBeEqual && !isOne) {
      left = pairEqual(left.older, left.newer, [
        await meaning(left.older, true),
        await meaning(left.newer, false),
      ]);
    }
    if (isKey) {
      const count = Math.min(left.older.length, left.newer.length);
      for (let at = 0; at < count; at += 1) {
        partners[left.newer[at]!] = left.older[at]!;
        matched[left.older[at]!] = 1;
      }
    }
  }
  return { partners, matched, duplicates: groups.duplicates };
}

/** The rows of both files by key: a hash table with open addressing, and a linked list of rows for each key. */
class KeyGroups {
  /**
   * The number of records with the key of another record of the same file, not counting one record of each
   * key.
   */
  duplicates = 0;
  /** The slot of records without a key. */
  readonly withoutKey: number;
  readonly slotOfNewer: Uint32Array;
  /** By slot: the number of the first row, starting at 1; 0 if there is none. */
  private readonly older: Uint32Array;
  private readonly newer: Uint32Array;
  /** By row: the number of the next row with the same key; 0 if there is none. */
  private readonly nextOlder: Uint32Array;
  private readonly nextNewer: Uint32Array;

  constructor(
    private readonly before: Fingerprints,
    private readonly after: Fingerprints,
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

  /** The first row of a key; -1 if there is none. */
  olderOf(slot: number): number {
    return this.older[slot]! - 1;
  }

  newerOf(slot: number): number {
    return this.newer[slot]! - 1;
  }

  /** Whether each of the files has exactly one record with a key that both files have. */
  isSingle(slot: number): boolean {
    return (
      this.nextOlder[this.older[slot]! - 1] === 0 && this.nextNewer[this.newer[slot]! - 1] === 0
    );
  }

  rowsOf(slot: number): { older: Uint32Array; newer: Uint32Array } {
    return {
      older: rowList(this.older[slot]!, this.nextOlder),
      newer: rowList(this.newer[slot]!, this.nextNewer),
    };
  }

  /** Adds rows from last to first, so that each list is in the order of the file. */
  private add(
    { keys, invalid }: Fingerprints,
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

/** @param first the number of a row, starting at 1; 0 if there is none. */
function rowList(first: number, next: Uint32Array): Uint32Array {
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
 * @returns the remaining rows, in the order of the files.
 */
function matchEqual(
  older: Uint32Array,
  newer: Uint32Array,
  [olderWords, newerWords]: readonly [Int32Array, Int32Array],
  onMatch: (older: number, newer: number) => void,
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
      onMatch(older[olderOrder[one]!]!, newer[newerOrder[other]!]!);
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
