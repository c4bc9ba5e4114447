import type { YieldBudget } from '../values/yieldBudget';
import type { BeforeAndAfter } from './comparison';
import type { Fingerprints } from './fingerprints';

/** Special values of `Pairs.partners`. */
export const isAlone = -1;
export const isUnchanged = -2;
export const isInvalid = -3;

/** The matching records of two files. The rows of the newer file are numbered after those of the older one. */
export interface Pairs {
  /** By row: `isAlone`, `isUnchanged`, `isInvalid`, or a row of the other file. */
  readonly partners: Int32Array;
  /** The number of records with the key of an earlier record of the same file. */
  readonly duplicates: number;
  readonly withoutKey: BeforeAndAfter;
  readonly invalid: BeforeAndAfter;
}

/**
 * Finds the record of the other file with the same key for each record.
 *
 * Several records may have the same key. Of these, equal records are matched first, in any order: they are
 * unchanged. The others are matched in the order of the files, the first with the first: they are changed.
 * Records that remain are new or gone. A record without a key is unchanged if the other file has an equal
 * record without a key that is not matched yet. If not, it is new or gone, never changed.
 * @param hashMeaning replaces the hash of the contents of a row by a hash of its meaning.
 */
export async function pair(
  fingerprints: Fingerprints,
  olderRows: number,
  budget: YieldBudget,
  hashMeaning: (row: number) => void,
): Promise<Pairs> {
  const pairing = new Pairing(fingerprints, olderRows);
  const several = pairing.matchSingle(pairing.validRows(), true);
  await budget.pause();
  const left = pairing.matchSingle(pairing.matchEqual(several));
  for (const row of left) {
    hashMeaning(row);
    if (budget.shouldYield(4096)) {
      await budget.pause();
    }
  }
  pairing.matchInOrder(pairing.matchEqual(left));
  return pairing;
}

class Pairing implements Pairs {
  readonly partners: Int32Array;
  duplicates = 0;
  readonly withoutKey = { before: 0, after: 0 };
  readonly invalid = { before: 0, after: 0 };
  /** The memory of the kernel, and where in it the hashes are. */
  private words: Int32Array = new Int32Array();
  private readonly keys: number;
  private readonly contents: number;

  constructor(
    private readonly fingerprints: Fingerprints,
    private readonly olderRows: number,
  ) {
    this.keys = fingerprints.keys >>> 2;
    this.contents = fingerprints.contents >>> 2;
    this.partners = new Int32Array(fingerprints.rows).fill(isAlone);
  }

  /** The rows that could be read. */
  validRows(): Uint32Array {
    const { partners, keys } = this;
    const { words } = this.fingerprints.kernel;
    const rows = new Uint32Array(partners.length);
    let count = 0;
    for (let row = 0; row < rows.length; row += 1) {
      if (words[keys + 2 * row] === -1 && words[keys + 2 * row + 1] === -1) {
        partners[row] = isInvalid;
        this.invalid[row < this.olderRows ? 'before' : 'after'] += 1;
      } else {
        rows[count] = row;
        count += 1;
      }
    }
    return rows.subarray(0, count);
  }

  /**
   * Matches records that are alone with their key in each file.
   * @param counts whether these are all rows.
   * @returns the rows with keys that both files have, at least one of them several times.
   */
  matchSingle(rows: Uint32Array, counts = false): Uint32Array {
    const { partners, contents } = this;
    const sorted = this.sorted(rows, this.keys);
    let kept = 0;
    for (let from = 0, to = 0; from < sorted.length; from = to) {
      to = this.endOfRun(sorted, from);
      const middle = this.firstNewer(sorted, from, to);
      const [older, newer] = [middle - from, to - middle];
      const isKey = this.isKey(sorted[from]!);
      if (counts && isKey) {
        this.duplicates += Math.max(0, older - 1) + Math.max(0, newer - 1);
      } else if (counts) {
        Object.assign(this.withoutKey, { before: older, after: newer });
      }
      if (older === 1 && newer === 1 && isKey) {
        const [was, is] = [sorted[from]!, sorted[middle]!];
        const isSame = this.areEqual(contents, was, is);
        partners[was] = isSame ? isUnchanged : is;
        partners[is] = isSame ? isUnchanged : was;
      } else if (older > 0 && newer > 0) {
        sorted.copyWithin(kept, from, to);
        kept += to - from;
      }
    }
    return sorted.subarray(0, kept);
  }

  /** Matches records with equal keys and contents. @returns the others, in the order of the files. */
  matchEqual(rows: Uint32Array): Uint32Array {
    const { partners } = this;
    const sorted = this.sorted(this.sorted(rows, this.contents), this.keys);
    for (let from = 0, to = 0; from < sorted.length; from = to) {
      to = this.endOfRun(sorted, from, true);
      const middle = this.firstNewer(sorted, from, to);
      for (let at = 0; at < Math.min(middle - from, to - middle); at += 1) {
        partners[sorted[from + at]!] = isUnchanged;
        partners[sorted[middle + at]!] = isUnchanged;
      }
    }
    return sorted.filter((row) => partners[row] === isAlone).sort();
  }

  /** Matches records with equal keys, the first with the first. */
  matchInOrder(rows: Uint32Array): void {
    const { partners } = this;
    const sorted = this.sorted(rows, this.keys);
    for (let from = 0, to = 0; from < sorted.length; from = to) {
      to = this.endOfRun(sorted, from);
      const middle = this.firstNewer(sorted, from, to);
      const count = this.isKey(sorted[from]!) ? Math.min(middle - from, to - middle) : 0;
      for (let at = 0; at < count; at += 1) {
        partners[sorted[from + at]!] = sorted[middle + at]!;
        partners[sorted[middle + at]!] = sorted[from + at]!;
      }
    }
  }

  /** Rows in the order of hashes. Rows with equal hashes stay in their order. */
  private sorted(rows: Uint32Array, hashes: number): Uint32Array {
    const sorted = this.fingerprints.sorted(rows, 4 * hashes);
    this.words = this.fingerprints.kernel.words;
    return sorted;
  }

  /** Where the rows end that have the key of the one at `from`, and its contents if they count. */
  private endOfRun(rows: Uint32Array, from: number, byContents = false): number {
    const row = rows[from]!;
    let to = from + 1;
    while (
      to < rows.length &&
      this.areEqual(this.keys, row, rows[to]!) &&
      (!byContents || this.areEqual(this.contents, row, rows[to]!))
    ) {
      to += 1;
    }
    return to;
  }

  private firstNewer(rows: Uint32Array, from: number, to: number): number {
    let at = from;
    while (at < to && rows[at]! < this.olderRows) {
      at += 1;
    }
    return at;
  }

  private areEqual(hashes: number, one: number, other: number): boolean {
    const { words } = this;
    const [at, otherAt] = [hashes + 2 * one, hashes + 2 * other];
    return words[at] === words[otherAt] && words[at + 1] === words[otherAt + 1];
  }

  private isKey(row: number): boolean {
    const at = this.keys + 2 * row;
    return this.words[at] !== 0 || this.words[at + 1] !== 0;
  }
}
