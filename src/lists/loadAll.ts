import { EndlessPages, fetchPages, type PageRun } from '../api/paging/fetchPages';
import {
  CancelledError,
  ProtocolError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../api/http/errors';
import { mostInFlight } from '../api/budget/requestQueue';
import type { Wait } from '../api/types';
import type { Arrival, ListRange, PageFlights } from './listPages';

interface LoadAllDeps {
  /** Entries per page, 1 to 500. */
  readonly pageSize: number;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
}

interface FilledList {
  /** Its pages as of now: a refresh puts others in their place. */
  pages(): PageFlights;
  onChange(): void;
  /** Called when its rows should be drawn: the run pauses or ends. */
  onDraw(): void;
}

/** The number of failures in a row that counts as a failure of the service. */
const mostFailuresInARow = 12;

/** The longest wait that is no pause, in milliseconds: rows are not drawn for it. */
const shortWaitMs = 2_000;

/** The Load All of a list: one run at a time. The next one asks only for what is missing then. */
export class LoadAll {
  private current:
    { pages: PageFlights; abort: AbortController; promise: Promise<void> } | undefined;
  private isPaused = false;

  constructor(
    private readonly deps: LoadAllDeps,
    private readonly list: FilledList,
  ) {}

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  /** What the oldest page of the run waits for. */
  get wait(): Wait | undefined {
    const flights = this.current?.pages.flights ?? [];
    return [...flights].find(({ isBulk }) => isBulk)?.wait;
  }

  /**
   * Loads everything that is missing; a call during a run joins it.
   * @throws ApiError, see loadMissing; CancelledError after `cancel` or `giveUp`.
   */
  run(): Promise<void> {
    if (!this.current) {
      const pages = this.list.pages();
      const abort = new AbortController();
      const promise = Promise.resolve().then(() => this.toEnd(pages, abort));
      this.current = { pages, abort, promise };
      // No row is new. To draw tens of thousands again takes seconds, in which nothing can be cancelled.
      this.list.onChange();
    }
    return this.current.promise;
  }

  cancel(): void {
    this.current?.abort.abort(new CancelledError());
  }

  /** Ends the run without notifying the list, which is disposed or reloaded. */
  giveUp(): void {
    this.cancel();
    this.current = undefined;
    this.isPaused = false;
  }

  /** Updates the state when the wait has changed. */
  onWait(): void {
    const { wait } = this;
    const wasPaused = this.isPaused;
    this.isPaused = wait !== undefined && wait.until - this.deps.now() > shortWaitMs;
    if (this.isPaused && !wasPaused) {
      this.list.onDraw();
    } else {
      this.list.onChange();
    }
  }

  private async toEnd(pages: PageFlights, abort: AbortController): Promise<void> {
    try {
      await loadMissing(pages, this.deps.pageSize, abort);
    } finally {
      if (this.current?.abort === abort) {
        this.current = undefined;
        this.isPaused = false;
        this.list.onDraw();
      }
    }
  }
}

/**
 * Loads everything of a list that is missing: as far as the service's count goes several pages at
 * once, after it one after the other, until `has_more` ends it. No page is asked for that is held
 * or on its way, and none twice.
 *
 * @param pageSize entries of a page.
 * @param abort ends it; what has arrived stays.
 * @throws ApiError at once for what concerns every page; at the end, with the rest loaded, for pages
 *   that failed by themselves.
 */
async function loadMissing(
  pages: PageFlights,
  pageSize: number,
  abort: AbortController,
): Promise<void> {
  const { rows, flights } = pages;
  const { signal } = abort;
  const endless = new EndlessPages();
  const failed: (ListRange & { error: unknown })[] = [];
  let failuresInARow = 0;
  let cursor: number;
  const run: PageRun<ListRange, Arrival> = {
    concurrency: mostInFlight,
    next: () => {
      const free = signal.aborted ? undefined : pages.free(cursor, failed);
      const isCounted = free && (free.end !== Infinity || free.offset < (rows.total ?? 0));
      if (!free || (!isCounted && flights.size > 0)) {
        // Beyond the count only the response on its way says whether there is anything.
        return undefined;
      }
      cursor = Math.min(free.offset + pageSize, free.end);
      return { offset: free.offset, end: cursor };
    },
    ask: (range) => pages.request(range, signal).promise,
    giveUp: () => {
      abort.abort(new CancelledError());
    },
  };
  let isOver = false;
  while (!isOver) {
    // Once more from the top where there was anything, for what others did not get.
    cursor = 0;
    for await (const outcome of fetchPages(run)) {
      if ('error' in outcome) {
        failuresInARow += 1;
        // Where no page ever came, nothing says that there are any after it.
        const isAlone = isPageFailure(outcome.error) && !rows.isEmpty;
        if (!isAlone || failuresInARow >= mostFailuresInARow) {
          throw outcome.error;
        }
        failed.push({ ...outcome.range, error: outcome.error });
      } else {
        failuresInARow = 0;
        const { page, added } = outcome.page;
        const { servedTo, total } = rows;
        const error = endless.errorAfter(page, { added, servedTo, total });
        if (error) {
          throw error;
        }
      }
    }
    signal.throwIfAborted();
    isOver = cursor === 0 && flights.size === 0;
    if (flights.size > 0) {
      // Those of others: their failure leaves a gap that is missing here.
      await Promise.race([...flights].map(({ promise }) => promise.catch(() => undefined)));
    }
  }
  const [first] = failed;
  if (first) {
    throw first.error;
  }
}

/** Whether a failure concerns one page only; otherwise the other pages would fail, too. */
function isPageFailure(error: unknown): boolean {
  return (
    (error instanceof ServerError && !(error instanceof ReportFailedError)) ||
    error instanceof ProtocolError ||
    error instanceof TimeoutError
  );
}
