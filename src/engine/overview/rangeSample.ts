import type { ColumnChart } from '../overviewTypes';
import { kindDate, kindNumber } from '../values/kinds';
import { numberValue } from '../values/measures';
import { newValue, type RecordReader } from '../read/records/recordReader';

/** The most values in a sample; a small chart does not show more. */
const maxSampled = 2048;

export type SamplePart = ReturnType<RangeSample['part']>;

/**
 * A sample of the numbers or dates of a column: of each row, and as there are more rows, of every
 * second, fourth and so on.
 */
export class RangeSample {
  private values = new Float64Array();
  private rows = new Uint32Array();
  private count = 0;
  private readonly value = newValue();

  /** @param every one of this many rows is in the sample, a power of two. */
  constructor(public every = 1) {}

  private includes(row: number): boolean {
    return (row & (this.every - 1)) === 0;
  }

  /** Adds the values of some records. */
  add(records: RecordReader, slot: number, row: number): void {
    const { value } = this;
    const end = row + records.count;
    for (let at = this.nextFrom(row); at < end; at = this.nextFrom(at + 1)) {
      if (records.has(at - row, slot)) {
        records.read(at - row, slot, value);
        const { kind, bytes, from, to, time } = value;
        const found =
          kind === kindNumber ? numberValue(bytes, from, to) : kind === kindDate ? time : NaN;
        if (Number.isFinite(found)) {
          this.store(at, found);
        }
      }
    }
  }

  /** The first row from here on that is in the sample. */
  private nextFrom(row: number): number {
    return Math.ceil(row / this.every) * this.every;
  }

  /** The sample as plain data. */
  part() {
    const { every, count } = this;
    return { every, rows: this.rows.slice(0, count), values: this.values.slice(0, count) };
  }

  /** Adds the sample of other rows. The result is the same as if all rows had been added here. */
  merge({ every, rows, values }: SamplePart): void {
    while (this.every < every) {
      this.thin();
    }
    rows.forEach((row, at) => {
      this.store(row, values[at]!);
    });
  }

  private store(row: number, value: number): void {
    if (this.values.length === 0) {
      this.values = new Float64Array(maxSampled);
      this.rows = new Uint32Array(maxSampled);
    }
    while (this.count === maxSampled && this.includes(row)) {
      this.thin();
    }
    if (this.includes(row)) {
      this.values[this.count] = value;
      this.rows[this.count] = row;
      this.count += 1;
    }
  }

  /** How the values are spread; `undefined` unless there are different values. */
  spread(steps: number): ColumnChart['spread'] {
    const values = this.values.subarray(0, this.count);
    const from = Math.min(...values);
    const to = Math.max(...values);
    if (!(from < to) || !Number.isFinite(to - from)) {
      return undefined;
    }
    const counts = Array.from({ length: steps }, () => 0);
    for (const value of values) {
      counts[Math.min(steps - 1, Math.floor(((value - from) / (to - from)) * steps))]! += 1;
    }
    return { from, to, steps: counts };
  }

  /**
   * Keeps only the values of half as many rows. All sampled values may be in these rows, so
   * several calls may be needed.
   */
  private thin(): void {
    this.every *= 2;
    let left = 0;
    for (let at = 0; at < this.count; at += 1) {
      if (this.includes(this.rows[at]!)) {
        this.rows[left] = this.rows[at]!;
        this.values[left] = this.values[at]!;
        left += 1;
      }
    }
    this.count = left;
  }
}
