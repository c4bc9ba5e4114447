import { threadKernel } from '../threads/kernel';
import type { RecordReader } from '../read/records/recordReader';
import type { Ages } from '../data/overview';

const day = 86_400_000;
/** The most days with dates, 270 years; columns with more are not counted. */
const maxDays = 100_000;

/** Counts the dates of a column. The kernel stores all of them, so that ages are exact at any time. */
export class TimeCounts {
  private readonly kernel = threadKernel();
  /** The address in the kernel; 0 when the memory is freed. */
  private address: number;

  /** @param isPart whether only `part` is called for the result. */
  constructor(isPart: boolean) {
    this.address = this.kernel.exports.newDates(isPart ? 1 : 0, maxDays);
  }

  /** Rows with a date. */
  get count(): number {
    return this.state(0);
  }

  /** Whether there are few enough days to show. */
  get hasFewDays(): boolean {
    return this.state(3) <= maxDays;
  }

  /** The address in the kernel of the times of the last records that were added; NaN without a date. */
  get timesInKernel(): number {
    return this.state(4);
  }

  /** Adds the dates of some records. @returns true: any date fits. */
  add(records: RecordReader, slot: number): boolean {
    this.kernel.exports.addDates(this.address, records.inKernel, records.count, slot);
    return true;
  }

  /** All dates. */
  part(): Float64Array {
    const count = this.state(0);
    return new Float64Array(this.kernel.exports.memory.buffer, this.state(1), count).slice();
  }

  /** Adds dates of other rows. */
  merge(times: Float64Array): void {
    this.kernel.withCopies([times], (address = 0) => {
      this.kernel.exports.addTimes(this.address, address, times.length);
    });
  }

  release(): void {
    if (this.address !== 0) {
      this.kernel.exports.freeDates(this.address);
      this.address = 0;
    }
  }

  /** In chronological order, only months with rows. */
  months(): { month: string; count: number }[] {
    const months = new Map<string, number>();
    for (const { date, count } of this.days().sort((one, other) => one.date - other.date)) {
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
    // A day without a zone may have begun elsewhere.
    const future = this.since(now + day);
    return {
      under7: since7 - future,
      from7To30: since30 - since7,
      from30To90: since90 - since30,
      over90: this.count - since90,
      ...(future > 0 && { future }),
    };
  }

  /** Rows with this time or a later one. @param time whole milliseconds since the epoch */
  since(time: number): number {
    const date = Math.floor(time / day);
    return this.days().reduce((sum, each, at) => {
      const isLater = each.date > date;
      const isThis = each.date === date;
      const { exports } = this.kernel;
      return (
        sum +
        (isLater ? each.count : isThis ? exports.countFrom(this.address, at, time - date * day) : 0)
      );
    }, 0);
  }

  /** Days since the epoch, and how many dates each has. */
  private days(): { date: number; count: number }[] {
    const { words } = this.kernel;
    const [first, count] = [this.state(2) >>> 2, this.state(3)];
    return Array.from({ length: count }, (_, at) => ({
      date: words[first + 4 * at]!,
      count: words[first + 4 * at + 1]!,
    }));
  }

  /** See `readDates` of the kernel. */
  private state(at: number): number {
    this.kernel.exports.readDates(this.address);
    return this.kernel.result(at);
  }
}
