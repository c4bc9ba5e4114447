import { threadKernel } from '../values/kernel';
import { enlarged, releaseBuffers } from '../values/memory';
import type { RecordReader } from '../read/recordReader';
import type { Ages } from '../overviewTypes';

const day = 86_400_000;
/** The most days with dates, 270 years; columns with more are not counted. */
const maxDays = 100_000;

/** The dates of a day, unordered. */
interface Day {
  /** Days since the epoch. */
  readonly date: number;
  times: Float64Array;
  count: number;
}

/** The most dates that are collected before they are moved to their days. */
const maxPendingDates = 256 * 1024;
const firstPending = 1024;
/** A power of two: 11 years. */
const recentDays = 4096;

/** Counts the dates of a column. It stores all of them, 8 bytes each, so that ages are exact at any time. */
export class TimeCounts {
  /** Rows with a date. */
  count = 0;
  /** By day since the epoch. */
  private readonly days = new Map<number, Day>();
  /** Some of the days, by the last bits of their dates: a map is several times slower. */
  private readonly recent: (Day | undefined)[] = Array.from({ length: recentDays });
  /** Dates that have not been moved to their days yet. */
  private pending = new Float64Array(firstPending);
  private pendingCount = 0;

  private readonly kernel = threadKernel();
  /** The address and the number of the times of the last records in the kernel; NaN without a date. */
  private address = 0;
  private room = 0;

  /** @param isPart whether only `part` is called for the result. */
  constructor(private readonly isPart: boolean) {}

  /** Whether there are few enough days to show. */
  get hasFewDays(): boolean {
    this.moveToDays();
    return this.days.size <= maxDays;
  }

  /** Adds the dates of some records. @returns true: any date fits. */
  add(records: RecordReader, slot: number): boolean {
    if (this.room < records.count) {
      this.releaseTimes();
      this.room = records.count;
      this.address = this.kernel.exports.allocate(8 * this.room);
    }
    const times = records.times(slot, this.address);
    for (const time of times) {
      if (!Number.isNaN(time)) {
        this.addDate(time);
      }
    }
    return true;
  }

  /** All dates. Call it only before `isKept`, `months`, `ages` and `since`. */
  part(): Float64Array {
    return this.pending.slice(0, this.count);
  }

  /** Adds dates of other rows. */
  merge(times: Float64Array): void {
    if (this.pendingCount + times.length > this.pending.length) {
      this.moveToDays();
    }
    if (times.length > this.pending.length) {
      releaseBuffers(this.pending);
      this.pending = new Float64Array(times.length);
    }
    this.pending.set(times, this.pendingCount);
    this.pendingCount += times.length;
    this.count += times.length;
  }

  /** The address in the kernel of the times of the last records that were added. */
  get inKernel(): number {
    return this.address;
  }

  release(): void {
    releaseBuffers(this.pending);
    this.releaseTimes();
  }

  private releaseTimes(): void {
    if (this.address !== 0) {
      this.kernel.exports.release(this.address);
      this.address = 0;
    }
  }

  private addDate(time: number): void {
    const { pending, pendingCount } = this;
    if (pendingCount === pending.length) {
      if (pendingCount >= maxPendingDates && !this.isPart) {
        this.moveToDays();
      } else {
        this.pending = enlarged(pending, 2 * pendingCount);
      }
    }
    this.pending[this.pendingCount] = time;
    this.pendingCount += 1;
    this.count += 1;
  }

  private moveToDays(): void {
    const { pending, pendingCount, recent } = this;
    for (let at = 0; at < pendingCount; at += 1) {
      const time = pending[at]!;
      const date = Math.floor(time / day);
      let dates = recent[date & (recentDays - 1)];
      if (dates?.date !== date) {
        dates = this.dayOf(date);
      }
      if (dates.count === dates.times.length) {
        dates.times = enlarged(dates.times, 2 * dates.count);
      }
      dates.times[dates.count] = time;
      dates.count += 1;
    }
    this.pendingCount = 0;
  }

  private dayOf(date: number): Day {
    let dates = this.days.get(date);
    if (!dates) {
      dates = { date, times: new Float64Array(8), count: 0 };
      this.days.set(date, dates);
    }
    this.recent[date & (recentDays - 1)] = dates;
    return dates;
  }

  /** In chronological order, only months with rows. */
  months(): { month: string; count: number }[] {
    this.moveToDays();
    const months = new Map<string, number>();
    for (const [date, { count }] of [...this.days].sort(([one], [other]) => one - other)) {
      // A time zone may move a date to a year with a sign and more than four digits.
      const month = new Date(date * day).toISOString().replace(/-\d\dT.*$/, '');
      months.set(month, (months.get(month) ?? 0) + count);
    }
    return Array.from(months, ([month, count]) => ({ month, count }));
  }

  /** A row that is exactly 7 days old counts as younger, as in a filter that starts at that time. */
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
    this.moveToDays();
    const date = Math.floor(time / day);
    let count = 0;
    for (const [each, dates] of this.days) {
      count += each > date ? dates.count : 0;
    }
    const { times, count: length } = this.days.get(date) ?? { times: [], count: 0 };
    for (let at = 0; at < length; at += 1) {
      count += times[at]! >= time ? 1 : 0;
    }
    return count;
  }
}
