import { isMeasured, kindNumber } from '../values/kinds';
import { numberValue } from '../values/measures';
import { newValue, type RecordReader } from '../read/records/recordReader';

/** The most values in a sample; a small chart does not show more. */
const maxSampled = 2048;

/** How numbers, or dates in milliseconds since the epoch, are spread. */
export interface Histogram {
  readonly from: number;
  readonly to: number;
  /** How many values are in each of equal steps. */
  readonly steps: readonly number[];
}

/** A sample of some rows: the values of one of `every` rows. */
export interface SamplePart {
  readonly every: number;
  readonly rows: Uint32Array;
  readonly values: Float64Array;
}

/**
 * A sample of the numbers or dates of a column: of each row, and as there are more rows, of every
 * second, fourth and so on.
 */
export class RangeSample {
  private values = new Float64Array();
  private rows = new Uint32Array();
  private count = 0;
  private readonly value = newValue();

  /** @param every sample only one of this many rows from the start. */
  constructor(private every = 1) {}

  /** One of this many rows is in the sample. */
  get step(): number {
    return this.every;
  }

  includes(row: number): boolean {
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
        const found = !isMeasured(kind)
          ? NaN
          : kind === kindNumber
            ? numberValue(bytes, from, to)
            : time;
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
  part(): SamplePart {
    const { every, count } = this;
    return { every, rows: this.rows.slice(0, count), values: this.values.slice(0, count) };
  }

  /** Adds the sample of other rows. The result is the same as if all rows had been added here. */
  merge({ every, rows, values }: SamplePart): void {
    while (this.every < every) {
      this.thin();
    }
    rows.forEach((row, at) => {
      if (this.includes(row)) {
        this.store(row, values[at]!);
      }
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
  spread(steps: number): Histogram | undefined {
    const values = this.values.subarray(0, this.count);
    const from = values.reduce((least, value) => Math.min(least, value), Infinity);
    const to = values.reduce((most, value) => Math.max(most, value), -Infinity);
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
