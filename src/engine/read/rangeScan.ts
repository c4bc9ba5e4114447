import type { YieldBudget } from '../values/yieldBudget';
import type { RangePart } from './rangeReader';
import type { RangeThreads } from './rangeThreads';
import type { ScanOptions, TableFile, Visitor } from './tableFile';

/** Work on all records of a file, in ranges or one by one, with the same result. */
export interface RangeJob {
  readonly task: string;
  readonly learns: boolean;
  /** This many rows are first read in this thread; a multiple of 64. */
  readonly firstRows?: number;
  /** The data that a thread needs now. */
  question(): unknown;
  /** Takes the answer of a thread. Called in the order of the file. */
  take(answer: unknown, range: Range): void;
  /** Takes the records of a range that is read in this thread. */
  readonly visitor: Visitor;
  /** Takes how many records of a range are invalid. */
  addInvalid?(count: number): void;
}

/** Rows from (inclusive) to (exclusive). */
export interface Range {
  readonly from: number;
  readonly to: number;
}

interface Flight extends Range {
  readonly version: number;
  readonly closings: number;
  readonly part: Promise<RangePart | undefined>;
}

/** Ranges in flight for each thread, so that no thread waits for the scanning thread. */
const rangesPerThread = 2;
/** After this many ranges had to be read again, no more ranges are tried. */
const maxWastedReads = 16;

/**
 * Reads all records in threads, range by range, and takes the results in the order of the file. The
 * result of a range depends on the shape that was known before it. If an earlier range changed this
 * shape, the range is read again.
 */
export async function scanRanges(
  file: TableFile,
  threads: RangeThreads,
  budget: YieldBudget,
  job: RangeJob,
  options: ScanOptions = {},
): Promise<void> {
  const { index, shape } = file;
  const { atPause, isEnough, more, whenBusy } = options;
  const most = threads.sizes.bytes / threads.count;
  let flights: Flight[] = [];
  let stop = newStop();
  let size = Math.min(threads.sizes.firstBytes, most);
  let next = job.firstRows ?? 0;
  let wastedReads = 0;
  const dispatch = (): boolean => {
    const range = index.range(next, size);
    if (!range) {
      return false;
    }
    const { to, position, end } = range;
    const part = threads.read({
      ...file.orderParts(),
      row: next,
      rows: to - next,
      position,
      end,
      stop,
      learns: job.learns,
      task: job.task,
      question: job.question(),
    });
    // The promise is handled when it is this range's turn.
    part.catch(() => undefined);
    flights.push({ from: next, to, version: shape.version, closings: shape.closings, part });
    next = to;
    size = Math.min(2 * size, most);
    return true;
  };
  const cancelUnread = async (): Promise<void> => {
    Atomics.store(stop, 0, 1);
    const parts = await budget.wait(Promise.allSettled(flights.map(({ part }) => part)));
    stop = newStop();
    const unread = parts.findIndex((part) => part.status === 'fulfilled' && !part.value);
    if (unread >= 0) {
      next = flights[unread]!.from;
      flights = flights.slice(0, unread);
    }
  };
  const isValid = (part: RangePart, { version, closings }: Flight) =>
    !job.learns || version === shape.version || (!part.isGrown && closings === shape.closings);
  try {
    if (next > 0) {
      await file.scanHere(budget, job, { from: 0, to: next }, options);
      if (isEnough?.()) {
        return;
      }
    }
    for (;;) {
      while (flights.length < rangesPerThread * threads.count && wastedReads < maxWastedReads) {
        if (!dispatch()) {
          break;
        }
      }
      const [flight] = flights;
      if (flight) {
        const part = await budget.wait(
          whenBusy
            ? Promise.race([flight.part, whenBusy().then(() => 'busy' as const)])
            : flight.part,
        );
        if (part === 'busy') {
          await cancelUnread();
          await atPause?.();
          continue;
        }
        flights.shift();
        if (part && isValid(part, flight)) {
          if (part.growth) {
            shape.grow(part.growth);
          }
          job.addInvalid?.(part.invalid);
          job.take(part.answer, flight);
        } else {
          wastedReads += part ? 1 : maxWastedReads;
          await file.scanHere(budget, job, flight, options);
        }
        await budget.pause(flight.to / Math.max(1, index.expectedRows));
        await atPause?.();
        if (isEnough?.()) {
          return;
        }
      } else if (wastedReads >= maxWastedReads) {
        await file.scanHere(budget, job, { from: next, to: Infinity }, options);
        return;
      } else if (index.done || !more) {
        return;
      } else {
        await more();
        await atPause?.();
      }
    }
  } finally {
    Atomics.store(stop, 0, 1);
  }
}

function newStop(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}
