import { maxInFlight } from '../api/budget/requestQueue';
import {
  CancelledError,
  NotFoundError,
  ProtocolError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../api/http/errors';
import { EndlessPages, fetchPages, type PageRun } from '../api/paging/fetchPages';
import { largestPage, type Wait } from '../api/types';
import type { Disposable } from '../base/events/disposable';
import { Emitter } from '../base/events/emitter';
import { ListFilter } from '../lists/listFilter';
import {
  type AddedPage,
  type FetchFindings,
  type ListRange,
  type PageRequest,
  ListPages,
} from '../lists/listPages';
import {
  type Gap,
  isFindingOf,
  type ListRow,
  type ListState,
  type LoadedList,
  loading,
  type LoadResult,
} from '../lists/loadedList';

/** One finding of a list, as it was served; its number is the served offset plus one. */
export type FindingRow = ListRow;

interface FindingsListDeps {
  fetchPage: FetchFindings;
  /** Entries per page while browsing, 1 to 500, as set now. */
  pageSize(): number;
  /** Entries per page when all are loaded. Default: the maximum of the service. */
  loadAllPageSize?: number;
  /** The client in use now; a change of the key makes another one. */
  client?(): unknown;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
  /** The filter that hides some of its rows; it may outlive the list. Default: a new one. */
  filter?: ListFilter;
}

/** All findings of a list, loaded and unchanged as far as is known. */
export interface CompleteList {
  readonly rows: readonly FindingRow[];
  /** The total as the service counted it; absent if it gives none. */
  readonly total?: number;
  /** When the oldest of them was loaded, in milliseconds since the epoch. */
  readonly loadedAt: number;
}

/** The maximum age of findings that replace a request, in milliseconds. */
const freshMs = 60 * 60 * 1000;

/** The longest wait that does not count as a pause, in milliseconds: rows are not drawn for it. */
const shortWaitMs = 2_000;

/** A Load All in progress. A later one requests only what is missing by then. */
interface LoadAll {
  readonly abort: AbortController;
  readonly promise: Promise<void>;
}

/** A refresh in progress, with the pages that will replace the present ones. */
interface Refresh {
  readonly pages: ListPages;
  readonly promise: Promise<LoadResult>;
}

/**
 * The findings of one issue type of one scorecard. Its pages can be loaded in any order. No offset is
 * requested twice until a refresh, which makes older responses stale. The pages decide whether more remains;
 * the total is for information only.
 */
export class FindingsList implements LoadedList {
  readonly id: string;
  readonly filter: ListFilter;
  private readonly filterListeners: readonly Disposable[];
  private readonly changed = new Emitter<void>();
  private pages: ListPages;
  private refreshing: Refresh | undefined;
  private refreshes = 0;
  private refreshError: { error: unknown } | undefined;
  private readonly loadAllPageSize: number;
  private all: LoadAll | undefined;
  /** Whether it waits for the rate limit, with its rows drawn. */
  private isPaused = false;
  private disposed = false;
  private currentRevision = 0;

  readonly onDidChange = this.changed.event;

  constructor(
    readonly scorecardId: string,
    readonly issueType: string,
    private readonly deps: FindingsListDeps,
  ) {
    this.pages = this.newPages();
    this.id = `${scorecardId}/${issueType}`;
    this.loadAllPageSize = deps.loadAllPageSize ?? largestPage;
    this.filter = deps.filter ?? new ListFilter();
    this.filterListeners = [
      this.filter.onDidChange(() => {
        this.draw();
      }),
      this.filter.onDidSearch((shouldDraw) => {
        if (shouldDraw) {
          this.draw();
        } else {
          this.changed.fire();
        }
      }),
    ];
  }

  get rows(): readonly FindingRow[] {
    return this.pages.rows.rows;
  }

  get gaps(): readonly Gap[] {
    return this.pages.gaps;
  }

  get isLoaded(): boolean {
    return !this.pages.rows.isEmpty;
  }

  get lastPageEmpty(): boolean {
    return this.pages.rows.lastPageEmpty;
  }

  get result(): LoadResult {
    return this.pages.rows.result;
  }

  get pageSize(): number {
    return this.deps.pageSize();
  }

  get loadedAt(): number | undefined {
    return this.pages.rows.loadedAt;
  }

  /** The number of received findings that were already loaded: the list has shifted between two pages. */
  get duplicates(): number {
    return this.pages.rows.duplicates;
  }

  get totalChange(): { from: number; to: number } | undefined {
    return this.pages.rows.totalChange;
  }

  /** The number of requests needed to load the rest; `undefined` if the service gives no total. */
  get missingPages(): number | undefined {
    return this.pages.rows.missingPages(this.loadAllPageSize);
  }

  /**
   * The loaded findings, if they can replace another load of the list: all of them, at most an hour old, loaded
   * with the present key, and without a sign that the list has changed since.
   */
  get complete(): CompleteList | undefined {
    const { rows, total, loadedAt, duplicates, totalChange } = this.pages.rows;
    const isUnchanged =
      duplicates === 0 &&
      totalChange === undefined &&
      (total ?? rows.length) === rows.length &&
      (rows.at(-1)?.number ?? 0) === rows.length;
    const isSameClient = this.pages.client === this.deps.client?.();
    const isIdle = this.state.type === 'idle' && !this.disposed;
    if (loadedAt === undefined || this.result.hasMore || !isUnchanged || !isSameClient || !isIdle) {
      return undefined;
    }
    return this.deps.now() - loadedAt > freshMs
      ? undefined
      : { rows, loadedAt, ...(total === undefined ? {} : { total }) };
  }

  /** Stays the same during a Load All, until that pauses or ends: rows arrive by the thousand. */
  get revision(): number {
    return this.currentRevision;
  }

  get state(): ListState {
    const [request] = this.pages.requests;
    const [failure] = this.pages.failures;
    if (this.refreshing) {
      return loading('refresh', [...this.refreshing.pages.requests][0]?.wait);
    }
    if (this.all) {
      return loading('all', this.bulkWait);
    }
    if (request) {
      return loading('more', request.wait);
    }
    if (this.refreshError) {
      return { type: 'failed', task: 'refresh', error: this.refreshError.error };
    }
    return failure ? { type: 'failed', task: 'more', error: failure.error } : { type: 'idle' };
  }

  get isLoadingAll(): boolean {
    return this.all !== undefined && !this.refreshing;
  }

  /** The wait of the oldest page of a Load All. */
  private get bulkWait(): Wait | undefined {
    return [...this.pages.requests].find(({ isBulk }) => isBulk)?.wait;
  }

  get isFiltered(): boolean {
    return this.filter.isOn;
  }

  get shownRows(): readonly FindingRow[] {
    return this.filter.shown(this.rows);
  }

  /** The same for drawing: the rows found so far. The list fires a change when there are more. */
  get foundRows(): readonly FindingRow[] {
    return this.filter.found(this.rows);
  }

  get isSearching(): boolean {
    return this.filter.isSearching;
  }

  /** Resolves with the shown rows when all are found. The search leaves room for other work. */
  searchAll(): Promise<readonly FindingRow[]> {
    return this.filter.searchAll(() => this.rows);
  }

  rowOf(key: string): FindingRow | undefined {
    return this.pages.rows.rowOf(key);
  }

  async loadFirst(): Promise<LoadResult> {
    return this.isLoaded ? this.result : this.loadMore();
  }

  /** Like loadFirst, for a caller that then loads everything: its first page has the size of the others. */
  async loadFirstOfAll(): Promise<LoadResult> {
    return this.isLoaded ? this.result : this.loadMore(undefined, this.loadAllPageSize);
  }

  /**
   * Loads the next page of a gap; does nothing if nothing is missing. A call for a page in flight joins that
   * request; a call during a refresh loads the page after it.
   * @param from the offset at which the gap begins. Default: the first gap from the top.
   * @param pageSize the maximum number of entries. Default: as set for browsing.
   * @throws ApiError; loaded rows stay, and the next call requests the same page again.
   */
  async loadMore(from?: number, pageSize = this.deps.pageSize()): Promise<LoadResult> {
    const wasLoaded = this.isLoaded;
    await this.load((pages) => {
      const { gaps, isEmpty } = pages.rows;
      const gap = from === undefined ? gaps[0] : gaps.find(({ offset }) => offset >= from);
      if (!gap || (!wasLoaded && !isEmpty)) {
        // Nothing is missing, or a refresh has brought the first page.
        return undefined;
      }
      this.refreshError = undefined;
      return pages.requestAround(gap.offset, pageSize);
    });
    return this.result;
  }

  /**
   * The finding under a number: one request for the page that contains it, none if it is loaded.
   * @returns its row, which has another number if the list served the finding twice.
   * @throws NoSuchFindingError if there is no such finding; ApiError.
   */
  async goTo(number: number): Promise<FindingRow> {
    const offset = number - 1;
    await this.load((pages) => {
      const { rows } = pages;
      if (rows.rowAt(number)) {
        return undefined;
      }
      if (rows.isCovered(offset)) {
        throw new NoSuchFindingError(number, rows.total);
      }
      // The thrown error reports a failure; the gap is not marked as failed.
      return pages.requestAround(offset, this.deps.pageSize(), false);
    });
    return this.pages.rows.rowAt(number) ?? this.goTo(number);
  }

  /**
   * A finding that has a key or an id, or had that key in an earlier list: the loaded row, or else at most one request,
   * for the page where it may be.
   * @param expectedNumber the number that it may have; chooses between findings with the same id.
   * @returns `undefined` if it is not on that page either.
   * @throws ApiError
   */
  async find(key: string, expectedNumber: number): Promise<FindingRow | undefined> {
    const loaded = ({ rows }: ListPages) => {
      const expected = rows.rowAt(expectedNumber);
      return expected && isFindingOf(expected.entry, key) ? expected : rows.rowOf(key);
    };
    const present = loaded(this.pages);
    if (present) {
      // A refresh may take long.
      return present;
    }
    await this.load((pages) => {
      // If another finding is loaded there, the list has shifted: the finding is near.
      const missing = pages.rows.nextMissing(expectedNumber - 1) ?? pages.rows.gaps.at(-1);
      return loaded(pages) || !missing
        ? undefined
        : pages.requestAround(missing.offset, largestPage, false);
    });
    return loaded(this.pages);
  }

  /**
   * Waits for a page.
   * @param choose returns the request to wait for, if any. It is called again if a refresh or the end of a Load All
   * gives the request up.
   */
  private async load(choose: (pages: ListPages) => PageRequest | undefined): Promise<void> {
    for (;;) {
      if (this.refreshing) {
        await this.refreshed();
      }
      this.refuseDisposed();
      const { pages, refreshes } = this;
      const request = choose(pages);
      try {
        await (request && pages.waitFor(request));
        return;
      } catch (error) {
        const isGivenUp = request?.isBulk === true || refreshes !== this.refreshes;
        if (!isGivenUp || !(error instanceof CancelledError)) {
          throw error;
        }
      }
    }
  }

  /** Waits for the end of a refresh. Its failure is reported to its caller; the old rows stay. */
  private async refreshed(): Promise<void> {
    while (this.refreshing) {
      await this.refreshing.promise.catch(() => undefined);
    }
  }

  /**
   * Loads everything that is missing, as bulk calls that wait for the rate limit. A call during a run joins
   * it.
   * @param signal prevents the run, if it is aborted before the run starts.
   * @throws ApiError, see LoadAll; CancelledError after `cancelLoadAll` or a refresh.
   */
  async loadAll(signal?: AbortSignal): Promise<LoadResult> {
    if (this.refreshing) {
      await this.refreshed();
    }
    this.refuseDisposed();
    if (signal?.aborted) {
      throw new CancelledError();
    }
    if (this.all || this.result.hasMore) {
      if (this.refreshError) {
        // The error has its own row, which must disappear.
        this.refreshError = undefined;
        this.draw();
      }
      if (!this.all) {
        this.all = this.startLoadAll();
        // No row is new. Redrawing tens of thousands takes seconds, during which nothing can be cancelled.
        this.changed.fire();
      }
      await this.all.promise;
    }
    return this.result;
  }

  private startLoadAll(): LoadAll {
    const { pages } = this;
    const abort = new AbortController();
    const promise = Promise.resolve()
      .then(() => loadMissing(pages, this.loadAllPageSize, abort))
      .finally(() => {
        if (this.all === all) {
          this.endLoadAll();
          this.draw();
        }
      });
    const all = { abort, promise };
    return all;
  }

  cancelLoadAll(): void {
    this.all?.abort.abort(new CancelledError());
  }

  /** Ends a Load All without a change: the list is disposed or reloaded, or draws itself. */
  private endLoadAll(): void {
    this.cancelLoadAll();
    this.all = undefined;
    this.isPaused = false;
  }

  /**
   * Reloads the loaded pages, at least the first, and replaces the old rows when all have arrived. Cancels
   * everything in flight, also a Load All.
   * @throws ApiError; the old rows stay.
   */
  async refresh(): Promise<LoadResult> {
    this.refuseDisposed();
    const before = this.refreshing;
    const pages = this.newPages();
    const promise = Promise.resolve().then(() => this.reload(pages));
    this.refreshing = { pages, promise };
    this.refreshes += 1;
    before?.pages.dispose();
    this.endLoadAll();
    this.pages.cancelInteractive();
    this.changed.fire();
    return promise;
  }

  dispose(): void {
    this.disposed = true;
    this.refreshing?.pages.dispose();
    this.refreshing = undefined;
    this.endLoadAll();
    this.pages.dispose();
    this.filterListeners.forEach((listener) => {
      listener.dispose();
    });
    this.changed.dispose();
  }

  private refuseDisposed(): void {
    if (this.disposed) {
      // The account or the query of this list is gone: a load would return the rows of another one.
      throw new CancelledError();
    }
  }

  private newPages(): ListPages {
    const isCurrent = () => pages === this.pages && !this.disposed;
    const pages: ListPages = new ListPages(
      (query, options) => {
        pages.client ??= this.deps.client?.();
        return this.deps.fetchPage(query, options);
      },
      () => this.deps.now(),
      {
        onRequestChange: (request) => {
          if (isCurrent()) {
            this.onRequestChange(request);
          }
        },
        onWait: () => {
          this.onWait();
        },
      },
    );
    return pages;
  }

  private onRequestChange(request: PageRequest): void {
    // Rows that are loaded in the background are drawn when the load pauses or ends.
    if (request.isBulk || this.pages.requests.has(request)) {
      this.changed.fire();
    } else if (!this.refreshing) {
      this.draw();
    }
  }

  /** Draws the rows when a Load All begins to wait for the rate limit. */
  private onWait(): void {
    const wasPaused = this.isPaused;
    const wait = this.all && this.bulkWait;
    this.isPaused = wait !== undefined && wait.until - this.deps.now() > shortWaitMs;
    if (this.isPaused && !wasPaused) {
      this.draw();
    } else {
      this.changed.fire();
    }
  }

  private async reload(pages: ListPages): Promise<LoadResult> {
    const isCurrent = () => this.refreshing?.pages === pages;
    let failure: { error: unknown } | undefined;
    try {
      if (isCurrent()) {
        const { result, ranges } = this.pages.rows;
        // Users rarely browse this far; most rows came from Load All.
        const isFromLoadAll = !result.hasMore || result.loaded > this.loadAllPageSize;
        await pages.reload(ranges, isFromLoadAll ? this.loadAllPageSize : this.deps.pageSize());
      }
    } catch (error) {
      pages.dispose();
      failure = { error };
    }
    this.refuseDisposed();
    if (!isCurrent()) {
      // Replaced by a later refresh, whose result is also that of this call.
      return this.refreshing?.promise ?? this.result;
    }
    this.refreshing = undefined;
    this.refreshError = failure;
    this.pages = failure ? this.pages : pages;
    this.draw();
    if (failure) {
      throw failure.error;
    }
    return this.result;
  }

  private draw(): void {
    this.currentRevision += 1;
    this.changed.fire();
  }
}

/** There is no finding under a number of a list. */
export class NoSuchFindingError extends NotFoundError {
  constructor(
    readonly number: number,
    /** The total of the list, as the service counts it. */
    readonly total: number | undefined,
  ) {
    super(
      `The list has no finding ${number}${total === undefined ? '' : `: it has ${total}`}; it may have become shorter.`,
    );
  }
}

/** This many failures in a row count as a failure of the service. */
const maxConsecutiveFailures = 12;

/**
 * Loads everything of a list that is missing. Up to the service's count, it loads several pages at once;
 * beyond it, one after another, until `has_more` ends the list. It requests no page that is loaded or in flight,
 * and none twice.
 *
 * @param pageSize entries per page.
 * @param abort ends the load; what has arrived stays.
 * @throws ApiError: at once for a failure that affects every page; at the end, with the rest loaded, if only
 * some pages failed.
 */
async function loadMissing(
  pages: ListPages,
  pageSize: number,
  abort: AbortController,
): Promise<void> {
  const { rows, requests } = pages;
  const { signal } = abort;
  const endless = new EndlessPages();
  const failed: (ListRange & { error: unknown })[] = [];
  let consecutiveFailures = 0;
  let cursor: number;
  const run: PageRun<ListRange, AddedPage> = {
    concurrency: maxInFlight,
    next: () => {
      const free = signal.aborted ? undefined : pages.nextUnrequested(cursor, failed);
      const isCounted = free && (free.end !== Infinity || free.offset < (rows.total ?? 0));
      if (!free || (!isCounted && requests.size > 0)) {
        // Beyond the count, only the response in flight shows whether there is anything.
        return undefined;
      }
      cursor = Math.min(free.offset + pageSize, free.end);
      return { offset: free.offset, end: cursor };
    },
    fetch: (range) => pages.request(range, signal).promise,
    cancel: () => {
      abort.abort(new CancelledError());
    },
  };
  let isDone = false;
  while (!isDone) {
    // Start again from the top if anything was missing, for pages that other calls failed to load.
    cursor = 0;
    for await (const outcome of fetchPages(run)) {
      if ('error' in outcome) {
        if (pages.isAfterEnd(outcome.range)) {
          continue;
        }
        consecutiveFailures += 1;
        // If no page has ever arrived, nothing shows that there are any after this one.
        const isIsolated = isPageFailure(outcome.error) && !rows.isEmpty;
        if (!isIsolated || consecutiveFailures >= maxConsecutiveFailures) {
          throw outcome.error;
        }
        failed.push({ ...outcome.range, error: outcome.error });
      } else {
        consecutiveFailures = 0;
        const { page, added } = outcome.page;
        const { servedTo, total } = rows;
        const error = endless.errorAfter(page, { added, servedTo, total });
        if (error) {
          throw error;
        }
      }
    }
    signal.throwIfAborted();
    isDone = cursor === 0 && requests.size === 0;
    if (requests.size > 0) {
      // Requests of other callers: if one fails, its gap is missing here.
      await Promise.race([...requests].map(({ promise }) => promise.catch(() => undefined)));
    }
  }
  const [first] = failed;
  if (first) {
    throw first.error;
  }
}

/** Whether a failure affects only one page; otherwise the other pages would fail, too. */
function isPageFailure(error: unknown): boolean {
  return (
    (error instanceof ServerError && !(error instanceof ReportFailedError)) ||
    error instanceof ProtocolError ||
    error instanceof TimeoutError
  );
}
