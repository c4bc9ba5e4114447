import { kindDate, kindNumber, numberValue } from '../columns/kinds';
import type { Value } from '../read/walker';

/** The most values that are kept; more would not be seen in a small chart. */
const mostKept = 2048;

/** How numbers, or dates in milliseconds since the epoch, are spread. */
export interface Spread {
  readonly from: number;
  readonly to: number;
  /** How many values are in each of equal steps. */
  readonly steps: readonly number[];
}

/** Numbers or dates of a column: of each row, or of every second, fourth and so on as rows get more. */
export class RangeSample {
  private values = new Float64Array();
  private rows = new Uint32Array();
  private count = 0;
  private every = 1;

  wants(row: number): boolean {
    return (row & (this.every - 1)) === 0;
  }

  add(row: number, { kind, bytes, from, to, time }: Value): void {
    if (kind > kindDate || !this.wants(row)) {
      return;
    }
    if (this.count === 0) {
      this.values = new Float64Array(mostKept);
      this.rows = new Uint32Array(mostKept);
    }
    const value = kind === kindNumber ? numberValue(bytes, from, to) : time;
    if (!Number.isFinite(value)) {
      return;
    }
    while (this.count === mostKept && this.wants(row)) {
      this.thin();
    }
    if (this.wants(row)) {
      this.values[this.count] = value;
      this.rows[this.count] = row;
      this.count += 1;
    }
  }

  /** Absent unless there are different values. */
  spread(steps: number): Spread | undefined {
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

  /** Rows without a value make it keep fewer: it may take several turns. */
  private thin(): void {
    this.every *= 2;
    let kept = 0;
    for (let at = 0; at < this.count; at += 1) {
      if (this.wants(this.rows[at]!)) {
        this.rows[kept] = this.rows[at]!;
        this.values[kept] = this.values[at]!;
        kept += 1;
      }
    }
    this.count = kept;
  }
}
