import { compareValues } from '../columns/columnData';
import { kindNull } from '../columns/kinds';
import { releaseBuffers } from '../columns/memory';
import { ByteTexts } from '../read/byteTexts';
import type { Value } from '../read/walker';

/** Bytes of distinct values above which a column is given up. */
const maxTextBytes = 64 * 1024 ** 2;

/** Counts the distinct values of a column, while there are few enough of them. */
export class ValueCounts {
  /** The row that was added last, and the number of its value; -1 where that is null. */
  row = -1;
  number = -1;
  nulls = 0;
  /** Rows with a value. */
  present = 0;
  private readonly texts = new ByteTexts();
  private readonly counts: number[] = [];
  private readonly firsts: number[] = [];

  /** @param most distinct values; of a column with more nothing is kept. */
  constructor(private readonly most: number) {}

  /** How many distinct values there are; their numbers are below it. */
  get distinct(): number {
    return this.counts.length;
  }

  /** @returns whether the column can be counted on; else all that was counted is gone. */
  add(row: number, { kind, bytes, from, to }: Value): boolean {
    this.row = row;
    this.number = -1;
    if (kind === kindNull) {
      this.nulls += 1;
      return true;
    }
    const { counts } = this;
    const number = this.texts.add(kind, bytes, from, to);
    if (number === counts.length) {
      if (number === this.most || this.texts.textBytes > maxTextBytes) {
        releaseBuffers(...this.texts.arrays);
        return false;
      }
      counts.push(0);
      this.firsts.push(row);
    }
    counts[number]! += 1;
    this.present += 1;
    this.number = number;
    return true;
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

  /** The numbers of the values with the most rows, at most so many; equally frequent ones as in a sort. */
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
        ...([texts.kind(one), texts.bytes, texts.from(one), texts.to(one)] as const),
        ...([texts.bytes, texts.from(other), texts.to(other)] as const),
      )
    );
  }
}
