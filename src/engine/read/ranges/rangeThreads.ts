import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '../../../base/events/clock';
import { CallThread } from '../../threads/callThread';
import { TableError } from '../../data/tableError';
import type { RangeCalls, RangePart, RangeRequest } from './rangeReader';

const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };
const maxThreads = 4;
/** All threads end after this time without work, in milliseconds. */
const idleMs = 30_000;

export interface RangeSizes {
  /** Smaller files are not read in ranges: starting the threads would take longer. */
  readonly minBytes: number;
  /** The size of the first range; small, so that there is a result soon. */
  readonly firstBytes: number;
  /** The most bytes of ranges that are read at the same time: their results also take memory. */
  readonly bytes: number;
}

const defaultSizes: RangeSizes = {
  minBytes: 24 * 1024 ** 2,
  firstBytes: 1024 ** 2,
  bytes: 64 * 1024 ** 2,
};

class Thread extends CallThread<RangeCalls> {
  /** How many ranges it reads, or will read next. */
  pending = 0;
}

/**
 * Threads that read ranges of a file. They start when they are needed, and end when they are idle
 * for a while, or with their parent thread.
 */
export class RangeThreads {
  /** How many ranges were read. */
  rangesRead = 0;
  private threads: Thread[] = [];
  private isDisabled = false;
  private cancelIdle: () => void = () => undefined;

  /**
   * @param script a bundle that answers `RangeCalls`.
   * @param count by default one for each core, at most four. If it is below two, no thread is
   *   started.
   */
  constructor(
    private readonly script: string,
    readonly count = Math.min(maxThreads, availableParallelism()),
    readonly sizes = defaultSizes,
    private readonly clock: Clock = systemClock,
  ) {}

  /** How many threads are running. */
  get running(): number {
    return this.threads.length;
  }

  /** Whether a file of this many bytes is read in ranges. */
  canRead(bytes: number): boolean {
    return this.count > 1 && !this.isDisabled && bytes >= this.sizes.minBytes;
  }

  /** Starts the threads that are not running. They are needed soon, and starting them takes a while. */
  startAll(): void {
    while (!this.isDisabled && this.threads.length < this.count) {
      this.start()?.worker.unref();
    }
    this.endWhenIdle();
  }

  /**
   * Reads a range in the thread with the least to do.
   * @returns `undefined` if the range was not read because it is no longer needed or the thread
   *   ended. @throws TableError
   */
  async read(request: RangeRequest): Promise<RangePart | undefined> {
    const thread = this.isDisabled ? undefined : this.nextThread();
    if (!thread) {
      return undefined;
    }
    this.cancelIdle();
    thread.pending += 1;
    thread.worker.ref();
    try {
      const part = await thread.call('read', request);
      this.rangesRead += part ? 1 : 0;
      return part;
    } catch (error) {
      if (!isOfThread(error)) {
        throw error;
      }
      this.drop(thread);
      return undefined;
    } finally {
      thread.pending -= 1;
      if (thread.pending === 0) {
        thread.worker.unref();
        this.endWhenIdle();
      }
    }
  }

  /** Ends the threads without waiting, unless they read: other work takes long, and needs memory. */
  endIdle(): void {
    if (this.threads.every(({ pending }) => pending === 0)) {
      this.endThreads();
    }
  }

  close(): void {
    this.isDisabled = true;
    this.endThreads();
  }

  private nextThread(): Thread | undefined {
    const [least] = [...this.threads].sort((one, other) => one.pending - other.pending);
    if (least && (least.pending === 0 || this.threads.length === this.count)) {
      return least;
    }
    return this.start();
  }

  private start(): Thread | undefined {
    try {
      const thread: Thread = new Thread(this.script, { resourceLimits, name: 'Ranges' }, () => {
        this.drop(thread);
      });
      this.threads.push(thread);
      return thread;
    } catch {
      // The system cannot start more threads.
      this.isDisabled = true;
      return undefined;
    }
  }

  /** Ends a thread that failed, for example because it ran out of memory. Ranges are read without threads from now on. */
  private drop(thread: Thread): void {
    if (this.threads.includes(thread)) {
      this.isDisabled = true;
      this.threads = this.threads.filter((other) => other !== thread);
      end(thread);
      this.endWhenIdle();
    }
  }

  private endWhenIdle(): void {
    this.cancelIdle();
    if (this.threads.length > 0 && this.threads.every(({ pending }) => pending === 0)) {
      this.cancelIdle = this.clock.setTimeout(() => {
        this.endThreads();
      }, idleMs);
    }
  }

  private endThreads(): void {
    this.cancelIdle();
    const { threads } = this;
    this.threads = [];
    threads.forEach(end);
  }
}

function end(thread: Thread): void {
  void thread.end(new TableError('closed', 'The thread has ended.'));
}

/** Whether a range was not read because of its thread. */
function isOfThread(error: unknown): boolean {
  return error instanceof TableError && ['closed', 'memory', 'internal'].includes(error.code);
}
