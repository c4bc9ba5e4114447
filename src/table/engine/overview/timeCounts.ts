import { kindDate, parseDate } from '../columns/kinds';
import type { Value } from '../read/walker';
import type { Ages } from '../overviewTypes';

const day = 86_400_000;
const chunkLength = 65_536;

/** Counts the dates of a column. It keeps all of them, 8 bytes each, so that ages are exact at any time. */
export class TimeCounts {
  /** The row that was added last, and its time in milliseconds since the epoch; NaN for what is no date. */
  row = -1;
  time = NaN;
  /** Rows with a date. */
  count = 0;
  private readonly chunks: Float64Array[] = [];
  /** By day since the epoch. */
  private readonly days = new Map<number, number>();

  add(row: number, { kind, bytes, from, to }: Value): true {
    this.row = row;
    if (kind !== kindDate) {
      this.time = NaN;
      return true;
    }
    const time = parseDate(bytes, from, to);
    const at = this.count % chunkLength;
    if (at === 0) {
      this.chunks.push(new Float64Array(chunkLength));
    }
    this.chunks[this.chunks.length - 1]![at] = time;
    const date = Math.floor(time / day);
    this.days.set(date, (this.days.get(date) ?? 0) + 1);
    this.count += 1;
    this.time = time;
    return true;
  }

  /** In order of time, only months with rows. */
  months(): { month: string; count: number }[] {
    const months = new Map<string, number>();
    for (const [date, count] of [...this.days].sort(([one], [other]) => one - other)) {
      // The year may have a sign and more than four digits, by its time zone.
      const month = new Date(date * day).toISOString().replace(/-\d\dT.*$/, '');
      months.set(month, (months.get(month) ?? 0) + count);
    }
    return Array.from(months, ([month, count]) => ({ month, count }));
  }

  /** A row of exactly 7 days is of the younger ones, as in a filter from that time on. */
  ages(now: number): Ages {
    const [since7 = 0, since30 = 0, since90 = 0] = [7, 30, 90].map((days) =>
      this.since(now - days * day),
    );
    return {
      under7: since7,
      from7To30: since30 - since7,
      from30To90: since90 - since30,
      over90: this.count - since90,
    };
  }

  /** Rows with this time or a later one. */
  since(time: number): number {
    let count = 0;
    for (let chunk = 0; chunk < this.chunks.length; chunk += 1) {
      const times = this.chunks[chunk]!;
      const length = Math.min(chunkLength, this.count - chunk * chunkLength);
      for (let at = 0; at < length; at += 1) {
        count += times[at]! >= time ? 1 : 0;
      }
    }
    return count;
  }
}
