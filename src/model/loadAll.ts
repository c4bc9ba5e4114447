import type { Wait } from '../api/types';
import type { KeptPages } from './keptPages';
import { LoadAllRun } from './loadAllRun';
import type { PageFlights } from './pageFlights';
import { addKept, PutBack } from './putBack';
import type { LoadedPage } from './sparseRows';

export interface LoadAllDeps {
  /** Entries per page, 1 to 500, as it is set now. */
  pageSize(): number;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
  /** Where the pages of a Load All outlive a reload of the window; absent: nowhere. */
  kept?: KeptPages;
}

/** The list that a Load All fills. */
export interface FilledList {
  /** Its pages as of now: a refresh puts others in their place. */
  pages(): PageFlights;
  /** Told when the state of its Load All has changed. */
  onChange(): void;
  /** Told when its rows should be drawn: the run pauses or ends, or pages were put back. */
  onDraw(): void;
}

/** A wait that is no pause, in milliseconds: the rows are not drawn for it. */
const shortWaitMs = 2_000;

/**
 * The Load All of a list: one run at a time, and its pages on disk until the list is complete or
 * refreshed, so that a reload of the window costs no request twice.
 */
export class LoadAll {
  private current: { run: LoadAllRun; promise: Promise<void> } | undefined;
  private isPaused = false;
  private interrupted = false;
  private readonly putBack: PutBack;

  constructor(
    private readonly deps: LoadAllDeps,
    private readonly list: FilledList,
  ) {
    this.putBack = new PutBack(
      deps.kept,
      (kept, isOver) => this.takeUp(kept, isOver),
      () => {
        list.onChange();
      },
    );
  }

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  /** What the run waits for. */
  get wait(): Wait | undefined {
    return this.current?.run.wait;
  }

  /** Whether a run was ended by a reload of the window, and its pages were put back. */
  get isInterrupted(): boolean {
    return this.interrupted;
  }

  /** Whether what an earlier run had loaded is being read. */
  get isReadingKept(): boolean {
    return this.putBack.isReading;
  }

  /** Whether something may be kept that was not taken up. */
  get isKeptDue(): boolean {
    return this.putBack.isDue;
  }

  /** Takes up what a run had loaded when the window was reloaded; asks the service for nothing. */
  async takeUpKept(): Promise<void> {
    if (this.isKeptDue) {
      await this.putBack.run();
    }
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
      const wasInterrupted = this.interrupted;
      this.current = { run, promise };
      this.interrupted = false;
      this.putBack.end();
      deps.kept?.begin(list.pages().rows.pages);
      // No row is new. To draw tens of thousands again takes seconds, in which nothing can be cancelled.
      if (wasInterrupted) {
        list.onDraw();
      } else {
        list.onChange();
      }
    }
    return this.current.promise;
  }

  /** Ends the run; what it has loaded stays, also on disk. */
  cancel(): void {
    this.current?.run.cancel();
  }

  /** The list is loaded anew: the run ends, and nothing of it is kept any more. */
  giveUp(): void {
    this.interrupted = false;
    this.deps.kept?.discard();
    this.leave();
  }

  /** The list goes; what is kept on disk stays for the next window. */
  dispose(): void {
    this.leave();
    this.deps.kept?.release();
  }

  /** Notes a page that has arrived, for whomever it was asked. */
  onPage(page: LoadedPage): void {
    if (this.current) {
      this.deps.kept?.add(page);
    } else if (!this.list.pages().rows.result.hasMore) {
      // What an earlier run has left to go on with is whole now.
      this.interrupted = false;
      this.deps.kept?.discard();
    }
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

  private leave(): void {
    this.putBack.end();
    this.cancel();
    this.current = undefined;
    this.isPaused = false;
  }

  private async toEnd(run: LoadAllRun): Promise<void> {
    let isComplete = false;
    try {
      await run.run();
      isComplete = true;
    } finally {
      if (this.current?.run === run) {
        this.current = undefined;
        this.isPaused = false;
        // Also what was cancelled is gone on with after a reload, without asking again.
        if (isComplete) {
          this.deps.kept?.discard();
        } else {
          this.deps.kept?.release();
        }
        this.list.onDraw();
      }
    }
  }

  private async takeUp(kept: readonly LoadedPage[], isOver: () => boolean): Promise<void> {
    if (kept.length > 0) {
      await addKept(this.list.pages(), kept, isOver);
      if (isOver()) {
        return;
      }
      this.interrupted = this.list.pages().rows.result.hasMore;
      this.list.onDraw();
    }
  }
}
