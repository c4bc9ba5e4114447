import type { Wait } from '../api/types';
import { LoadAllRun } from './loadAllRun';
import type { PageFlights } from './pageFlights';

export interface LoadAllDeps {
  /** Entries per page, 1 to 500, as it is set now. */
  pageSize(): number;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
}

/** The list that a Load All fills. */
export interface FilledList {
  /** Its pages as of now: a refresh puts others in their place. */
  pages(): PageFlights;
  /** Told when the state of its Load All has changed. */
  onChange(): void;
  /** Told when its rows should be drawn: the run pauses or ends. */
  onDraw(): void;
}

/** A wait that is no pause, in milliseconds: the rows are not drawn for it. */
const shortWaitMs = 2_000;

/** The Load All of a list: one run at a time. The next one asks only for what is missing then. */
export class LoadAll {
  private current: { run: LoadAllRun; promise: Promise<void> } | undefined;
  private isPaused = false;

  constructor(
    private readonly deps: LoadAllDeps,
    private readonly list: FilledList,
  ) {}

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  /** What the run waits for. */
  get wait(): Wait | undefined {
    return this.current?.run.wait;
  }

  /**
   * Loads everything that is missing; who asks while it runs gets the same run.
   * @throws ApiError, see LoadAllRun; CancelledError after `cancel` or `giveUp`.
   */
  run(): Promise<void> {
    if (!this.current) {
      const { deps, list } = this;
      const run = new LoadAllRun(list.pages(), () => deps.pageSize());
      const promise = Promise.resolve().then(() => this.toEnd(run));
      this.current = { run, promise };
      // No row is new. To draw tens of thousands again takes seconds, in which nothing can be cancelled.
      list.onChange();
    }
    return this.current.promise;
  }

  /** Ends the run; what it has loaded stays. */
  cancel(): void {
    this.current?.run.cancel();
  }

  /** Ends the run without a word to the list, which goes or is loaded anew. */
  giveUp(): void {
    this.cancel();
    this.current = undefined;
    this.isPaused = false;
  }

  /** Notes that what is waited for has changed. */
  onWait(): void {
    const wait = this.current?.run.wait;
    const wasPaused = this.isPaused;
    this.isPaused = wait !== undefined && wait.until - this.deps.now() > shortWaitMs;
    if (this.isPaused && !wasPaused) {
      this.list.onDraw();
    } else {
      this.list.onChange();
    }
  }

  private async toEnd(run: LoadAllRun): Promise<void> {
    try {
      await run.run();
    } finally {
      if (this.current?.run === run) {
        this.current = undefined;
        this.isPaused = false;
        this.list.onDraw();
      }
    }
  }
}
