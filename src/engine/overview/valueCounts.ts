import { compareValues } from '../columns/columnData';
import { kindNull } from '../values/kinds';
import { releaseBuffers } from '../values/memory';
import { ByteTexts, type TextsPart } from '../values/byteTexts';
import type { Value } from '../read/walker';

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
  /** The last row that was added, and the number of its value; -1 if that is null. */
  row = -1;
  number = -1;
  nulls = 0;
  /** Rows with a value. */
  present = 0;
  private readonly texts = new ByteTexts();
  private readonly counts: number[] = [];
  private readonly firsts: number[] = [];

  /** @param most the most distinct values; a column with more is not counted. */
  constructor(private readonly most: number) {}

  /** The number of distinct values. Their own numbers are below it. */
  get distinct(): number {
    return this.counts.length;
  }

  part(): ValuesPart {
    const { nulls, present, counts, firsts } = this;
    return {
      texts: this.texts.part(),
      nulls,
      present,
      counts: Uint32Array.from(counts),
      firsts: Uint32Array.from(firsts),
    };
  }

  /**
   * Adds the counts of later rows.
   * @returns the numbers that the values of the part have here; `undefined` if there are too many
   *   values.
   */
  merge({ texts, counts, firsts, nulls, present }: ValuesPart): Int32Array | undefined {
    const numbers = new Int32Array(counts.length);
    const bytes = Buffer.from(texts.bytes.buffer, texts.bytes.byteOffset, texts.bytes.length);
    for (let at = 0; at < counts.length; at += 1) {
      const [from, to] = [texts.offsets[at]!, texts.offsets[at + 1]!];
      const number = this.numberOf(texts.kinds[at]!, bytes, from, to, firsts[at]!);
      if (number < 0) {
        return undefined;
      }
      this.counts[number]! += counts[at]!;
      numbers[at] = number;
    }
    this.nulls += nulls;
    this.present += present;
    return numbers;
  }

  /** @returns whether counting can continue. If not, all counts are gone. */
  add(row: number, { kind, bytes, from, to }: Value): boolean {
    this.row = row;
    this.number = -1;
    if (kind === kindNull) {
      this.nulls += 1;
      return true;
    }
    const number = this.numberOf(kind, bytes, from, to, row);
    if (number < 0) {
      return false;
    }
    this.counts[number]! += 1;
    this.present += 1;
    this.number = number;
    return true;
  }

  /** @returns -1 if there are too many values. All counts are gone then. */
  private numberOf(kind: number, bytes: Buffer, from: number, to: number, row: number): number {
    const { counts } = this;
    const number = this.texts.add(kind, bytes, from, to);
    if (number === counts.length) {
      if (number === this.most || this.texts.textBytes > maxTextBytes) {
        this.release();
        return -1;
      }
      counts.push(0);
      this.firsts.push(row);
    }
    return number;
  }

  release(): void {
    releaseBuffers(...this.texts.arrays);
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
