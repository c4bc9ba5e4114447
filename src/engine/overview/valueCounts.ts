import { compareValues, firstValueCode } from '../columns/columnData';
import { enlarged } from '../values/memory';
import { TextSet, type TextsPart } from '../values/texts';
import type { RecordReader } from '../read/recordReader';

/** The most bytes of distinct values; columns with more are not counted. */
const maxTextBytes = 64 * 1024 ** 2;

/** The counts of a part of the rows, by the numbers that its values have there. */
export interface ValuesPart {
  readonly texts: TextsPart;
  readonly counts: Uint32Array;
  readonly firsts: Uint32Array;
  readonly nulls: number;
  readonly present: number;
}

/** Counts the distinct values of a column, as long as there are few enough. */
export class ValueCounts {
  nulls = 0;
  /** Rows with a value. */
  present = 0;
  /** The codes of the last records that were added: see `RecordReader.codes`. */
  codes = new Uint32Array();
  private readonly texts = new TextSet();
  private counts = new Uint32Array(64);
  private firsts = new Uint32Array(64);

  /** @param most the most distinct values; a column with more is not counted. */
  constructor(private readonly most: number) {}

  /** The number of distinct values. Their own numbers are below it. */
  get distinct(): number {
    return this.texts.count;
  }

  part(): ValuesPart {
    const { nulls, present, counts, firsts } = this;
    return {
      texts: this.texts.part(),
      nulls,
      present,
      counts: counts.slice(0, this.distinct),
      firsts: firsts.slice(0, this.distinct),
    };
  }

  /**
   * Adds the counts of later rows.
   * @returns the numbers that the values of the part have here; `undefined` if there are too many
   *   values.
   */
  merge({ texts, counts, firsts, nulls, present }: ValuesPart): Uint32Array | undefined {
    const before = this.distinct;
    const numbers = this.texts.merge(texts);
    if (!this.makeRoom()) {
      return undefined;
    }
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at]!;
      if (number >= before && this.counts[number] === 0) {
        this.firsts[number] = firsts[at]!;
      }
      this.counts[number]! += counts[at]!;
    }
    this.nulls += nulls;
    this.present += present;
    return numbers;
  }

  /**
   * Adds the values of some records.
   * @returns whether counting can continue. If not, all counts are gone.
   */
  add(records: RecordReader, slot: number, row: number): boolean {
    const codes = records.codes(slot, this.texts, this.most, maxTextBytes);
    if (!this.makeRoom()) {
      return false;
    }
    const { counts, firsts } = this;
    let { nulls, present } = this;
    if (this.codes.length < codes.length) {
      this.codes = new Uint32Array(codes.length);
    }
    this.codes.set(codes);
    for (let record = 0; record < codes.length; record += 1) {
      const code = codes[record]!;
      if (code >= firstValueCode) {
        const number = code - firstValueCode;
        if (counts[number] === 0) {
          firsts[number] = row + record;
        }
        counts[number]! += 1;
        present += 1;
      } else if (code === 0) {
        nulls += 1;
      }
    }
    this.nulls = nulls;
    this.present = present;
    return true;
  }

  /** @returns whether there are few enough values. Otherwise all counts are gone. */
  private makeRoom(): boolean {
    if (this.distinct > this.most || this.texts.textBytes > maxTextBytes) {
      this.release();
      return false;
    }
    if (this.distinct > this.counts.length) {
      const length = Math.max(this.distinct, 2 * this.counts.length);
      this.counts = enlarged(this.counts, length);
      this.firsts = enlarged(this.firsts, length);
    }
    return true;
  }

  release(): void {
    this.texts.release();
  }

  count(number: number): number {
    return this.counts[number] ?? 0;
  }

  /** The first row with a value. */
  first(number: number): number {
    return this.firsts[number] ?? 0;
  }

  text(number: number): string {
    return this.texts.text(number);
  }

  /**
   * The numbers of the values with the most rows, at most `most`. Equally frequent values are in
   * sort order.
   */
  mostFrequent(most: number): number[] {
    if (most >= this.distinct) {
      return Array.from({ length: this.distinct }, (_, number) => number).sort((one, other) =>
        this.compare(one, other),
      );
    }
    const found: number[] = [];
    for (let number = 0; number < this.distinct; number += 1) {
      if (found.length < most || this.compare(number, found[found.length - 1]!) < 0) {
        let at = found.length;
        while (at > 0 && this.compare(number, found[at - 1]!) < 0) {
          at -= 1;
        }
        found.splice(at, 0, number);
        if (found.length > most) {
          found.pop();
        }
      }
    }
    return found;
  }

  private compare(one: number, other: number): number {
    const { texts } = this;
    return (
      this.counts[other]! - this.counts[one]! ||
      texts.kind(one) - texts.kind(other) ||
      compareValues(
        texts.kind(one),
        texts.bytes,
        texts.from(one),
        texts.to(one),
        texts.bytes,
        texts.from(other),
        texts.to(other),
      )
    );
  }
}
