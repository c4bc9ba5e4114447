import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../../base/events/clock';
import { TableError } from '../../values/tableError';
import type {
  RangeCall,
  RangePart,
  RangeRequest,
  RangeResponse,
  RangeThreadData,
} from './rangeReader';

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

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, (response: RangeResponse) => void>;
}

/**
 * Threads that read ranges of a file. They start when they are needed, and end when they are idle
 * for a while, or with their parent thread.
 */
export class RangeThreads {
  /** How many ranges were read. */
  rangesRead = 0;
  private threads: Thread[] = [];
  private lastId = 0;
  private isDisabled = false;
  private cancelIdle: () => void = () => undefined;

  /**
   * @param script a bundle that calls `serveRanges`.
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
    const { worker, pending } = thread;
    this.cancelIdle();
    this.lastId += 1;
    const id = this.lastId;
    worker.ref();
    const { part, failed } = await new Promise<RangeResponse>((resolve) => {
      pending.set(id, resolve);
      worker.postMessage({ id, request } satisfies RangeCall);
    });
    if (failed) {
      throw new TableError(failed.code, failed.message);
    }
    this.rangesRead += part ? 1 : 0;
    return part;
  }

  close(): void {
    this.isDisabled = true;
    this.endThreads();
  }

  private nextThread(): Thread | undefined {
    const [least] = [...this.threads].sort((one, other) => one.pending.size - other.pending.size);
    if (least && (least.pending.size === 0 || this.threads.length === this.count)) {
      return least;
    }
    return this.start();
  }

  private start(): Thread | undefined {
    const workerData: RangeThreadData = { readsRanges: true };
    let worker: Worker;
    try {
      worker = new Worker(this.script, { workerData, resourceLimits, name: 'Ranges' });
    } catch {
      // The system cannot start more threads.
      this.isDisabled = true;
      return undefined;
    }
    const pending: Thread['pending'] = new Map();
    const thread = { worker, pending };
    worker.on('message', (response: RangeResponse) => {
      pending.get(response.id)?.(response);
      pending.delete(response.id);
      if (pending.size === 0) {
        worker.unref();
        this.endWhenIdle();
      }
    });
    const onLost = () => {
      if (this.threads.includes(thread)) {
        // For example, the thread ran out of memory. Its ranges are read without threads.
        this.isDisabled = true;
        this.threads = this.threads.filter((other) => other !== thread);
        end(pending);
        this.endWhenIdle();
      }
    };
    worker.on('error', onLost);
    worker.on('messageerror', onLost);
    worker.on('exit', onLost);
    this.threads.push(thread);
    return thread;
  }

  private endWhenIdle(): void {
    this.cancelIdle();
    if (this.threads.length > 0 && this.threads.every(({ pending }) => pending.size === 0)) {
      this.cancelIdle = this.clock.setTimeout(() => {
        this.endThreads();
      }, idleMs);
    }
  }

  private endThreads(): void {
    this.cancelIdle();
    const { threads } = this;
    this.threads = [];
    for (const { worker, pending } of threads) {
      end(pending);
      void worker.terminate();
    }
  }
}

function end(pending: Thread['pending']): void {
  for (const [id, resolve] of pending) {
    resolve({ id });
  }
  pending.clear();
}
