import { maxInFlight } from '../../api/budget/requestQueue';
import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import { RateLimitedError } from '../../api/http/errors';
import { onAbort } from '../../api/http/signals';
import type { Page } from '../../api/paging/collectionPages';
import { fetchPages } from '../../api/paging/fetchPages';
import type { CallOptions, FindingsPage, Wait } from '../../api/types';
import { CharacterIndex } from './characterIndex';
import { type Gap, type KeyOf, RowsByKey, type ListRow } from './listRows';
import type { LoadResult } from '../../commands';

/** A range of a list: from `offset` to `end`, exclusive. */
export interface ListRange {
  readonly offset: number;
  readonly end: number;
}

export interface ListPage extends FindingsPage {
  /** What leads to the next page of a collection. */
  readonly source?: Page;
}

interface LoadedPage extends ListPage {
  /** Wall-clock time in milliseconds at which it arrived. */
  readonly loadedAt: number;
}

/** Adjacent pages, merged. */
interface Run {
  readonly offset: number;
  /** Exclusive. */
  end: number;
  /** `hasMore` of the last page. */
  hasMore: boolean;
  rows: ListRow[];
  /** Rows that the list has under another number, by the number under which the service sent them again. */
  readonly merged: Map<number, ListRow>;
}

/**
 * The loaded pages of a list, in any order, and the gaps between them. Appending a page, and then reading
 * rows and gaps, takes the same time however many rows are loaded.
 */
export class SparseRows {
  private readonly runs: Run[] = [];
  private readonly rowsByKey = new RowsByKey();
  private flatRows: readonly ListRow[] | undefined;
  /** The list ends here or earlier: the service returned nothing from here on. */
  private endsBy = Infinity;
  private firstTotal: number | undefined;

  /** The latest page. */
  lastPage: LoadedPage | undefined;
  duplicates = 0;
  /** The latest count from the service. For information only: it may be wrong. */
  total: number | undefined;
  /** When the oldest page arrived, in milliseconds since the epoch. */
  loadedAt: number | undefined;
  /** The offset after the last entry that was ever served. */
  servedTo = 0;

  constructor(private readonly keyOf: KeyOf) {}

  /** The array grows while pages are appended to a list without gaps; else, a page makes a new array. */
  get rows(): readonly ListRow[] {
    const [first, ...others] = this.runs;
    return (this.flatRows ??=
      others.length > 0 ? this.runs.flatMap(({ rows }) => rows) : (first?.rows ?? []));
  }

  get isEmpty(): boolean {
    return this.runs.length === 0;
  }

  /** Whether the latest page was empty although more remain. */
  get lastPageEmpty(): boolean {
    return this.lastPage?.entries.length === 0 && this.lastPage.hasMore;
  }

  get result(): LoadResult {
    const { total } = this;
    return {
      loaded: this.rowsByKey.size,
      hasMore: this.nextMissing(0) !== undefined,
      ...defined({ total }),
    };
  }

  /** The ranges that are not loaded. Only `has_more` decides whether something follows a page. */
  get gaps(): readonly ListRange[] {
    const gaps: ListRange[] = [];
    for (let gap = this.nextMissing(0); gap; gap = this.nextMissing(gap.end)) {
      gaps.push(gap);
    }
    return gaps;
  }

  /** The loaded ranges. Pages after the end of the list are left out. */
  get ranges(): readonly ListRange[] {
    return this.runs
      .filter(({ offset, rows, hasMore }) => rows.length > 0 || hasMore || offset === 0)
      .map(({ offset, end }) => ({ offset, end }));
  }

  /**
   * Adds a page. Rows that are already loaded stay as they are.
   * @returns the number of its entries that were not loaded before.
   */
  add(page: LoadedPage): number {
    this.lastPage = page;
    this.total = page.totalCount ?? this.total;
    this.firstTotal ??= page.totalCount;
    this.loadedAt = Math.min(this.loadedAt ?? Infinity, page.loadedAt);
    const index = indexAt(this.runs, page.offset) + 1;
    const next = this.runs[index];
    if (page.entries.length === 0 && !page.hasMore && !next && page.offset > 0) {
      // The offsets before it remain unknown: the list may end long before.
      this.endsBy = Math.min(this.endsBy, page.offset);
      return 0;
    }
    // A service may send more than requested: the excess comes again with the next page.
    const expected = page.hasMore ? page.limit : Math.max(page.limit, page.entries.length);
    const end = Math.min(page.offset + expected, next?.offset ?? Infinity);
    if (end >= this.endsBy && (page.hasMore || end > this.endsBy)) {
      this.endsBy = Infinity;
    }
    const { rows, merged } = this.rowsOf(page, end - page.offset);
    if (page.entries.length > 0) {
      this.servedTo = Math.max(this.servedTo, page.offset + page.entries.length);
    }
    const added = rows.length;
    this.join(index, { offset: page.offset, end, hasMore: page.hasMore, rows, merged });
    return added;
  }

  /** The first and the latest count from the service, if they differ: the list changed in between. */
  get totalChange(): { from: number; to: number } | undefined {
    const { firstTotal: from, total: to } = this;
    return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
  }

  /**
   * The number of requests needed to load the rest; `undefined` if the service gives no total.
   * @param size entries per page.
   */
  missingPages(size: number): number | undefined {
    const { gaps, total } = this;
    if (gaps.at(-1)?.end === Infinity && total === undefined) {
      return undefined;
    }
    // At least one for the last gap: only a response ends the list.
    return gaps.reduce((sum, { offset, end }) => {
      const entries = (end === Infinity ? (total ?? 0) : end) - offset;
      return sum + Math.max(1, Math.ceil(entries / size));
    }, 0);
  }

  /** Whether an offset is in a loaded page, or known to be after the end of the list. */
  isCovered(offset: number): boolean {
    const run = this.runs[indexAt(this.runs, offset)];
    return (run !== undefined && offset < run.end) || offset >= this.endsBy;
  }

  /** The row that was served under a number, even if the list has it under another one. */
  rowAt(number: number): ListRow | undefined {
    const run = this.runs[indexAt(this.runs, number - 1)];
    const row = run?.rows[indexOfNumber(run.rows, number)];
    return row?.number === number ? row : run?.merged.get(number);
  }

  rowOf(key: string): ListRow | undefined {
    return this.rowsByKey.get(key);
  }

  /** The first range at or after an offset that is not loaded; `undefined` if the list ends before it. */
  nextMissing(from: number): ListRange | undefined {
    let offset = from;
    for (let index = indexAt(this.runs, from); ; index += 1) {
      const run = this.runs[index];
      const next = this.runs[index + 1];
      offset = Math.max(offset, run?.end ?? 0);
      if (next && (next.offset <= offset || run?.hasMore === false)) {
        // There is no gap between them: they touch, or the service said that nothing follows the first.
        offset = Math.max(offset, next.offset);
        continue;
      }
      if (!next && (run?.hasMore === false || offset >= this.endsBy)) {
        return undefined;
      }
      return offset === Infinity ? undefined : { offset, end: next?.offset ?? Infinity };
    }
  }

  /** The gap around an offset that is not loaded. */
  gapAround(offset: number): ListRange {
    const index = indexAt(this.runs, offset);
    return {
      offset: this.runs[index]?.end ?? 0,
      end: this.runs[index + 1]?.offset ?? Infinity,
    };
  }

  /** The rows of a page that are not loaded yet, and those that are. */
  private rowsOf(page: LoadedPage, length: number): Pick<Run, 'rows' | 'merged'> {
    const characters = new CharacterIndex(page.entries);
    const rows: ListRow[] = [];
    const merged = new Map<number, ListRow>();
    page.entries.slice(0, length).forEach((entry, at) => {
      const number = page.offset + at + 1;
      const key = this.keyOf(entry, this.rowsByKey);
      const loaded = this.rowsByKey.get(key);
      if (loaded) {
        this.duplicates += 1;
        merged.set(number, loaded);
        return;
      }
      const row = { key, number, entry, characters, searchedFor: undefined, isMatch: false };
      this.rowsByKey.set(key, row);
      rows.push(row);
    });
    return { rows, merged };
  }

  /** Inserts a run, and merges it with those that it touches. */
  private join(index: number, run: Run): void {
    const hasGaps = this.runs.length > 1;
    this.runs.splice(index, 0, run);
    this.mergeWithNext(index);
    this.mergeWithNext(index - 1);
    if (hasGaps || this.runs.length > 1 || run === this.runs[0]) {
      this.flatRows = undefined;
    }
  }

  private mergeWithNext(index: number): void {
    const [run, next] = [this.runs[index], this.runs[index + 1]];
    if (!run || !next || next.offset > run.end) {
      return;
    }
    if (next.offset < run.end) {
      // The last page sent more than was requested, and another page has its numbers.
      run.rows = [...run.rows, ...next.rows].sort((one, other) => one.number - other.number);
      this.flatRows = undefined;
    } else {
      for (const row of next.rows) {
        run.rows.push(row);
      }
    }
    next.merged.forEach((row, number) => run.merged.set(number, row));
    run.end = Math.max(run.end, next.end);
    run.hasMore = next.hasMore;
    this.runs.splice(index + 1, 1);
  }
}

/** The index of the last part that begins at or before an offset; -1 if there is none. */
function indexAt(parts: readonly { readonly offset: number }[], offset: number): number {
  return firstIndex(parts, (part) => part.offset > offset) - 1;
}

/** The index of the first row with this number or a greater one; the number of rows if there is none. */
export function indexOfNumber(rows: readonly ListRow[], number: number): number {
  return firstIndex(rows, (row) => row.number >= number);
}

/** The index of the first item that passes a test. All items after it must pass, too. */
function firstIndex<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item === undefined || passes(item)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** Fetches one page; the list sets its offset and size. */
export type FetchPage = (
  query: { offset: number; limit: number },
  options: Required<Pick<CallOptions, 'signal' | 'priority' | 'onWait'>>,
) => Promise<ListPage>;

export interface AddedPage {
  readonly page: LoadedPage;
  /** The number of its entries that were not loaded before. */
  readonly added: number;
}

export interface PageRequest extends ListRange {
  /** Resolves when the page is added. Rejects with CancelledError as soon as the request is given up. */
  readonly promise: Promise<AddedPage>;
  readonly isBulk: boolean;
  readonly wait: Wait | undefined;
  readonly onWait: Set<(wait: Wait | undefined) => void>;
}

interface PageFailure extends ListRange {
  readonly error: unknown;
}

interface ListPagesDeps {
  readonly fetchPage: FetchPage;
  readonly keyOf: KeyOf;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
  /** Called when the request for a page starts or ends. */
  onRequestChange(request: PageRequest): void;
  onWait(): void;
}

/** The longest time that one page may wait for the rate limit, in milliseconds. */
const maxWaitMs = 30_000;

interface RequestOptions {
  /** Cancels the call, and makes it a bulk call, which yields to others; without it, the call is interactive. */
  readonly bulk?: AbortSignal;
  /** Whether a failure is remembered and shown in place of the page. Default: yes. */
  readonly showsFailure?: boolean;
}

/** The pages of one generation of a list: loaded, in flight, or failed. No offset is ever in flight twice. */
export class ListPages {
  readonly rows: SparseRows;
  readonly requests = new Set<PageRequest>();
  /** The client that requested the first page, if known. */
  client: unknown;
  private allFailures: readonly PageFailure[] = [];
  private abort = new AbortController();
  private isDisposed = false;

  constructor(private readonly deps: ListPagesDeps) {
    this.rows = new SparseRows(deps.keyOf);
  }

  /** The pages that failed. What the service refuses after the end of the list is no failure. */
  get failures(): readonly PageFailure[] {
    return this.allFailures.filter((failure) => !this.isAfterEnd(failure));
  }

  /** Whether a page said that the list ends before an offset. */
  isAfterEnd({ offset }: ListRange): boolean {
    return this.rows.nextMissing(offset) === undefined;
  }

  /** The ranges that are not loaded, with whether their next page is in flight and why it failed. */
  get gaps(): readonly Gap[] {
    const { failures } = this;
    return this.rows.gaps.map(({ offset, end }) => {
      const failure = failures.find((failed) => failed.offset >= offset && failed.offset < end);
      const isLoading = this.requestAt(offset) !== undefined;
      return { offset, end, isLoading, ...(failure ? { error: failure.error } : {}) };
    });
  }

  requestAt(offset: number): PageRequest | undefined {
    return [...this.requests].find((request) => request.offset <= offset && offset < request.end);
  }

  /**
   * The first range at or after an offset that is neither loaded nor in flight.
   * @param skipped other ranges to skip.
   */
  nextUnrequested(from: number, skipped: readonly ListRange[] = []): ListRange | undefined {
    const excluded = [...this.requests, ...skipped];
    let free = this.rows.nextMissing(from);
    for (;;) {
      if (!free) {
        return undefined;
      }
      const { offset } = free;
      const overlap = excluded.find((range) => range.offset <= offset && offset < range.end);
      if (!overlap) {
        const next = excluded.map((range) => range.offset).filter((at) => at > offset);
        return { offset, end: Math.min(free.end, ...next) };
      }
      free = this.rows.nextMissing(overlap.end);
    }
  }

  /**
   * The page in flight that contains an offset, or else a request for one. Its page starts a multiple of `size` after the
   * page before it, and overlaps nothing that is loaded or in flight.
   * @param size entries per page, as set now. Default: only the service knows.
   * @param options see `request`.
   */
  requestAround(offset: number, size = Infinity, options: RequestOptions = {}): PageRequest {
    const free = this.rows.gapAround(offset);
    const requests = [...this.requests];
    const ends = requests.map(({ end }) => end).filter((end) => end <= offset);
    const starts = requests.map((request) => request.offset).filter((at) => at > offset);
    const from = Math.max(free.offset, ...ends);
    const start = offset - ((offset - from) % size);
    const range = { offset: start, end: Math.min(start + size, free.end, ...starts) };
    return this.requestAt(offset) ?? this.request(range, options);
  }

  /**
   * Requests a page.
   * @throws CancelledError immediately if `dispose` was called.
   */
  request(range: ListRange, { bulk, showsFailure = true }: RequestOptions = {}): PageRequest {
    if (this.isDisposed) {
      throw new CancelledError();
    }
    const { offset, end } = range;
    const isBulk = bulk !== undefined;
    const request: Writable<PageRequest> = {
      offset,
      end,
      isBulk,
      onWait: new Set(),
      wait: undefined,
      promise: Promise.resolve().then(() => this.load(request, { signal, showsFailure })),
    };
    const signal = bulk ?? this.abort.signal;
    this.allFailures = this.allFailures.filter(
      (failure) => failure.end <= offset || failure.offset >= end,
    );
    this.requests.add(request);
    // The caller may be gone; `failures` has the error.
    request.promise.catch(() => undefined);
    this.deps.onRequestChange(request);
    return request;
  }

  private async load(
    request: Writable<PageRequest>,
    { signal, showsFailure }: { signal: AbortSignal; showsFailure: boolean },
  ): Promise<AddedPage> {
    const { offset, end, isBulk } = request;
    const limit = end - offset;
    const onWait = (wait: Wait | undefined) => {
      if (this.requests.has(request)) {
        request.wait = wait;
        request.onWait.forEach((listener) => {
          listener(wait);
        });
        this.deps.onWait();
      }
    };
    try {
      const priority = isBulk ? 'bulk' : 'interactive';
      const fetched = this.deps.fetchPage({ offset, limit }, { signal, priority, onWait });
      const page = { ...(await unlessAborted(fetched, signal)), loadedAt: this.deps.now() };
      return { page, added: this.rows.add(page) };
    } catch (error) {
      if (showsFailure && !signal.aborted) {
        this.allFailures = [...this.allFailures, { offset, end, error }];
      }
      throw error;
    } finally {
      this.requests.delete(request);
      this.deps.onRequestChange(request);
    }
  }

  /**
   * Loads the ranges that another generation had, at least the first page, as interactive calls. The first
   * failure ends everything for good.
   * @param size entries per page.
   */
  async reload(ranges: readonly ListRange[], size: number): Promise<void> {
    const missing = divideIntoPages(
      ranges.length === 0 ? [{ offset: 0, end: size }] : ranges,
      size,
    );
    const run = {
      concurrency: maxInFlight,
      next: () => {
        let page = missing.shift();
        // There is nothing to request after the end of a list that has become shorter.
        while (page && this.nextUnrequested(page.offset)?.offset !== page.offset) {
          page = missing.shift();
        }
        return page;
      },
      fetch: (page: ListRange) => this.request(page).promise,
      cancel: () => {
        this.dispose();
      },
    };
    for await (const outcome of fetchPages(run)) {
      if ('error' in outcome && !this.isAfterEnd(outcome.range)) {
        throw outcome.error;
      }
    }
  }

  /**
   * Waits for a page, which another caller may have requested.
   * @throws RateLimitedError if the service's limit delays a bulk call by more than 30 seconds.
   */
  async waitFor(request: PageRequest): Promise<void> {
    let listener: (wait: Wait | undefined) => void = () => undefined;
    const tooLong = new Promise<never>((_, reject) => {
      listener = (wait) => {
        if (request.isBulk && wait && wait.until - this.deps.now() > maxWaitMs) {
          reject(new RateLimitedError(wait.until));
        }
      };
    });
    listener(request.wait);
    request.onWait.add(listener);
    try {
      await Promise.race([request.promise, tooLong]);
    } finally {
      request.onWait.delete(listener);
    }
  }

  /** Cancels the interactive calls in flight; bulk calls end with their own signal. */
  cancelInteractive(): void {
    const { abort } = this;
    this.abort = new AbortController();
    abort.abort();
  }

  /** Cancels all pages for good: no further page is requested. */
  dispose(): void {
    this.isDisposed = true;
    this.cancelInteractive();
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Rejects with CancelledError as soon as a signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => {
      reject(new CancelledError());
    });
    promise.then(resolve, reject).finally(stop);
  });
}

/** The pages of ranges. The last one may reach beyond its range: the list may have grown. */
function divideIntoPages(ranges: readonly ListRange[], size: number): ListRange[] {
  return ranges.flatMap(({ offset, end }, at) =>
    Array.from({ length: Math.ceil((end - offset) / size) }, (_, index) => ({
      offset: offset + index * size,
      end: Math.min(offset + (index + 1) * size, ranges[at + 1] ? end : Infinity),
    })),
  );
}
