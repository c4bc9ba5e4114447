import { maxInFlight } from '../../api/budget/requestQueue';
import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import {
  NotFoundError,
  ProtocolError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../../api/http/errors';
import { EndlessPages } from '../../api/paging/endlessPages';
import { fetchPages, type PageRun } from '../../api/paging/fetchPages';
import { largestPage, type Wait } from '../../api/types';
import type { Disposable } from '../../base/events/disposable';
import { message } from '../../base/message';
import { ListFilter } from '../lists/listFilter';
import {
  type AddedPage,
  type FetchPage,
  type ListPages,
  type ListRange,
  type SparseRows,
} from '../lists/listPages';
import { findingKey, isFindingOf, type ListRow } from '../lists/listRows';
import { type ListState, LoadedList, loading } from '../lists/loadedList';
import type { LoadResult } from '../../commands';

/** One finding of a list, as it was served; its number is the served offset plus one. */
export type FindingRow = ListRow;

interface FindingsListDeps {
  fetchPage: FetchPage;
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

/**
 * The findings of one issue type of one scorecard. Its pages can be loaded in any order.
 */
export class FindingsList extends LoadedList {
  readonly filter: ListFilter;
  private readonly filterListener: Disposable;
  private readonly loadAllPageSize: number;
  private all: LoadAll | undefined;
  /** Whether it waits for the rate limit, with its rows drawn. */
  private isPaused = false;

  constructor(
    readonly scorecardId: string,
    readonly issueType: string,
    private readonly deps: FindingsListDeps,
  ) {
    super(`${scorecardId}/${issueType}`, findingKey, () => deps.now());
    this.loadAllPageSize = deps.loadAllPageSize ?? largestPage;
    this.filter = deps.filter ?? new ListFilter();
    this.filterListener = this.filter.onDidChange((shouldDraw) => {
      if (shouldDraw) {
        this.draw();
      } else {
        this.changed.fire();
      }
    });
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
    const isIdle = this.state.type === 'idle' && !this.isDisposed;
    if (loadedAt === undefined || this.result.hasMore || !isUnchanged || !isSameClient || !isIdle) {
      return undefined;
    }
    return this.deps.now() - loadedAt > freshMs
      ? undefined
      : { rows, loadedAt, ...defined({ total }) };
  }

  override get state(): ListState {
    return this.isLoadingAll ? loading('all', this.bulkWait) : super.state;
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

  /** Like loadFirst, for a caller that then loads everything: its first page has the size of the others. */
  async loadFirstOfAll(): Promise<LoadResult> {
    return this.isLoaded ? this.result : this.loadMore(undefined, this.loadAllPageSize);
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
      return pages.requestAround(offset, this.deps.pageSize(), { showsFailure: false });
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
        : pages.requestAround(missing.offset, largestPage, { showsFailure: false });
    });
    return loaded(this.pages);
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

  override async refresh(): Promise<LoadResult> {
    const refreshed = super.refresh();
    this.endLoadAll();
    return refreshed;
  }

  override dispose(): void {
    this.endLoadAll();
    this.filterListener.dispose();
    super.dispose();
  }

  protected override fetchPage(
    pages: ListPages,
    ...query: Parameters<FetchPage>
  ): ReturnType<FetchPage> {
    pages.client ??= this.deps.client?.();
    return this.deps.fetchPage(...query);
  }

  protected override reloadPages(pages: ListPages, { result, ranges }: SparseRows): Promise<void> {
    // Users rarely browse this far; most rows came from Load All.
    const isFromLoadAll = !result.hasMore || result.loaded > this.loadAllPageSize;
    return pages.reload(ranges, isFromLoadAll ? this.loadAllPageSize : this.deps.pageSize());
  }

  /** Draws the rows when a Load All begins to wait for the rate limit. */
  protected override onWait(): void {
    const wasPaused = this.isPaused;
    const wait = this.all && this.bulkWait;
    this.isPaused = wait !== undefined && wait.until - this.deps.now() > shortWaitMs;
    if (this.isPaused && !wasPaused) {
      this.draw();
    } else {
      super.onWait();
    }
  }
}

/** There is no finding under a number of a list. */
export class NoSuchFindingError extends NotFoundError {
  /** @param total that of the list, as the service counts it. */
  constructor(number: number, total: number | undefined) {
    super(
      total === undefined
        ? message('The list has no finding {0}.', number)
        : message('The list has no finding {0}, only {1}.', number, total),
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
    fetch: (range) => pages.request(range, { bulk: signal }).promise,
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
    (error instanceof ServerError &&
      error.status !== 503 &&
      !(error instanceof ReportFailedError)) ||
    error instanceof ProtocolError ||
    error instanceof TimeoutError
  );
}
