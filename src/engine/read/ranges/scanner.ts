import type { YieldBudget } from '../../threads/yieldBudget';
import type { RangePart, RangeRequest } from './rangeReader';
import type { RangeThreads } from './rangeThreads';
import type { Range, ScanOptions, TableFile } from '../tableFile';
import type { Visitor } from '../records/visitor';

/** Work on all records of a file, in ranges or one by one, with the same result. */
export interface RangeJob {
  readonly task: string;
  /** This many rows are first read in this thread; a multiple of 64. */
  readonly firstRows?: number;
  /** The data that a thread needs now. */
  payload(): unknown;
  /** Adds the result of a thread. Called in the order of the file. */
  addResult(result: unknown, range: Range): void;
  /** Receives the records of a range that is read in this thread. */
  readonly visitor: Visitor;
}

/**
 * Reads all records of a file: range by range in threads if the file is large, otherwise in this
 * thread. The file knows neither the threads nor the order of the ranges.
 */
export class Scanner {
  constructor(
    readonly file: TableFile,
    private readonly threads?: RangeThreads,
  ) {}

  /** Starts the threads that `scan` will need. */
  startThreads(): void {
    this.usableThreads?.startAll();
  }

  async scan(budget: YieldBudget, job: RangeJob, options: ScanOptions = {}): Promise<void> {
    const threads = this.usableThreads;
    await (threads
      ? new RangeScan(this.file, threads, budget, job, options).run()
      : this.file.scan(budget, job.visitor, options));
  }

  /** Passes every record to a job that adds to the shape, which is complete then. */
  async checkAll(budget: YieldBudget, job: RangeJob, options: ScanOptions = {}): Promise<void> {
    await this.scan(budget, job, options);
    this.file.shape.isComplete = true;
  }

  private get usableThreads(): RangeThreads | undefined {
    const { available, size } = this.file.source;
    return this.threads?.canRead(Math.max(available, size)) ? this.threads : undefined;
  }
}

/** A range that a thread reads, and the state of the shape when it was sent. */
interface Flight extends Range {
  readonly version: number;
  readonly closings: number;
  readonly part: Promise<RangePart | undefined>;
}

let lastScan = 0;

function newScan(): number {
  lastScan += 1;
  return lastScan;
}

/** Ranges in flight for each thread, so that no thread waits for the scanning thread. */
const rangesPerThread = 2;
/** After this many ranges had to be read again, no more ranges are tried. */
const maxWastedReads = 16;

/**
 * Reads all records in threads, and adds the results in the order of the file. The result of a
 * range depends on the shape before it. If an earlier range changed this shape, the
 * range is read again.
 */
class RangeScan {
  private readonly flights: Flight[] = [];
  private readonly cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  private readonly maxBytes: number;
  /** The size of the next range in bytes, and its first row. */
  private size: number;
  private next: number;
  private wastedReads = 0;
  private readonly scan = newScan();

  constructor(
    private readonly file: TableFile,
    private readonly threads: RangeThreads,
    private readonly budget: YieldBudget,
    private readonly job: RangeJob,
    private readonly options: ScanOptions,
  ) {
    this.maxBytes = threads.sizes.bytes / threads.count;
    this.size = Math.min(threads.sizes.firstBytes, this.maxBytes);
    this.next = job.firstRows ?? 0;
  }

  async run(): Promise<void> {
    const { isEnough, more } = this.options;
    try {
      if (this.next > 0) {
        await this.readHere({ from: 0, to: this.next });
      }
      while (!isEnough?.()) {
        this.sendRanges();
        const [flight] = this.flights;
        if (flight) {
          await this.finish(flight);
        } else if (this.wastedReads >= maxWastedReads) {
          await this.readHere({ from: this.next, to: Infinity });
          return;
        } else if (this.file.index.done || !more) {
          return;
        } else {
          await more();
          await this.budget.pause();
        }
      }
    } finally {
      Atomics.store(this.cancelFlag, 0, 1);
    }
  }

  private sendRanges(): void {
    const { flights, threads, file } = this;
    const { index, shape } = file;
    while (flights.length < rangesPerThread * threads.count && this.wastedReads < maxWastedReads) {
      const from = this.next;
      const range = index.range(from, this.size);
      if (!range) {
        return;
      }
      const { to } = range;
      const part = threads.read(this.request(from, range));
      // The promise is handled when the results before it are added.
      part.catch(() => undefined);
      flights.push({ from, to, version: shape.version, closings: shape.closings, part });
      this.next = to;
      this.size = Math.min(2 * this.size, this.maxBytes);
    }
  }

  private request(
    row: number,
    { to, position, end }: { to: number; position: number; end: number },
  ): RangeRequest {
    const { file, job, cancelFlag } = this;
    const { descriptor, available, complete } = file.source;
    return {
      descriptor,
      available,
      complete,
      form: file.detected.form,
      shape: file.shape.state(),
      row,
      rows: to - row,
      position,
      end,
      cancelFlag,
      task: job.task,
      payload: job.payload(),
      series: `${this.scan}/${file.shape.version}`,
    };
  }

  /** Waits for the result of the first range in flight, and adds it. */
  private async finish(flight: Flight): Promise<void> {
    const { file, budget, job, flights } = this;
    const part = await budget.wait(flight.part);
    flights.shift();
    if (part && this.isValid(part, flight)) {
      if (part.shape) {
        file.shape.grow(part.shape);
      }
      job.addResult(part.result, flight);
    } else {
      this.wastedReads += part ? 1 : maxWastedReads;
      await this.readHere(flight);
    }
    await budget.pause(flight.to / Math.max(1, file.index.expectedRows));
  }

  private isValid(part: RangePart, { version, closings }: Flight): boolean {
    const { shape } = this.file;
    return (
      !part.shape || version === shape.version || (!part.isGrown && closings === shape.closings)
    );
  }

  private readHere(range: Range): Promise<void> {
    return this.file.scan(this.budget, this.job.visitor, { ...this.options, range });
  }
}
