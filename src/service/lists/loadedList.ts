import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import { AuthError } from '../../api/http/errors';
import { SignedOutError } from '../account/signedOutError';
import type { Wait } from '../../api/types';
import type { Disposable } from '../../base/events/disposable';
import { type Event, Emitter } from '../../base/events/emitter';
import type { SignedIn } from '../account/session';
import { type FetchPage, ListPages, type PageRequest, type SparseRows } from './listPages';
import type { Gap, KeyOf, ListRow } from './listRows';
import type { LoadResult } from '../../commands';

/** What a list does now, or why it stopped. Loaded rows stay in every state. */
export type ListState =
  | { type: 'idle' }
  | { type: 'loading'; task: ListTask; wait?: Wait }
  | { type: 'failed'; task: ListTask; error: unknown };

/** `more` is the next page, also the first one; `all` is everything that is missing. */
export type ListTask = 'more' | 'refresh' | 'all';

/** A refresh in progress, with the pages that will replace the present ones. */
interface Refresh {
  readonly pages: ListPages;
  readonly promise: Promise<LoadResult>;
}

/**
 * A list of the service, possibly loaded only in part, however its pages are linked. No offset is requested twice
 * until a refresh, which makes older responses stale. The pages decide whether more remains; the total is for
 * information only.
 */
export abstract class LoadedList implements Disposable {
  protected readonly changed = new Emitter<void>();
  protected pages: ListPages;
  protected refreshing: Refresh | undefined;
  protected refreshError: { error: unknown } | undefined;
  protected isDisposed = false;
  private generation = 0;
  private countedChanges = 0;

  /** Fires after every change of rows or state. */
  readonly onDidChange = this.changed.event;

  /**
   * @param id identifies it among all lists of the account.
   * @param now wall-clock time in milliseconds since the epoch.
   */
  constructor(
    readonly id: string,
    private readonly keyOf: KeyOf,
    protected readonly now: () => number,
  ) {
    this.pages = this.newPages();
  }

  /** The maximum number of entries in its next page; absent if only the service knows. */
  abstract readonly pageSize: number | undefined;

  /** Whether loaded rows that do not match a text are hidden. Only loaded rows are searched. */
  abstract readonly isFiltered: boolean;

  /** Requests a page of a generation. */
  protected abstract fetchPage(
    pages: ListPages,
    ...[range, options]: Parameters<FetchPage>
  ): ReturnType<FetchPage>;

  /** Loads into new pages what the old ones had, at least the first page. @throws ApiError */
  protected abstract reloadPages(pages: ListPages, old: SparseRows): Promise<void>;

  /** In the order of their numbers. */
  get rows(): readonly ListRow[] {
    return this.pages.rows.rows;
  }

  /** In list order; empty when everything is loaded. */
  get gaps(): readonly Gap[] {
    return this.pages.gaps;
  }

  /** Whether a page was ever loaded. */
  get isLoaded(): boolean {
    return !this.pages.rows.isEmpty;
  }

  /** Whether the last page was empty although more remain. Shown, because Load More would seem to do nothing. */
  get lastPageEmpty(): boolean {
    return this.pages.rows.lastPageEmpty;
  }

  get result(): LoadResult {
    return this.pages.rows.result;
  }

  /** Counts the changes that require rows and gaps to be redrawn, as opposed to mere progress. */
  get rowChanges(): number {
    return this.countedChanges;
  }

  get state(): ListState {
    const [request] = this.pages.requests;
    const [failure] = this.pages.failures;
    if (this.refreshing) {
      return loading('refresh', [...this.refreshing.pages.requests][0]?.wait);
    }
    if (request) {
      return loading('more', request.wait);
    }
    if (this.refreshError) {
      return { type: 'failed', task: 'refresh', error: this.refreshError.error };
    }
    return failure ? { type: 'failed', task: 'more', error: failure.error } : { type: 'idle' };
  }

  /** Loads the first page, unless a page is loaded or in flight. Can be called repeatedly. */
  async loadFirst(): Promise<LoadResult> {
    return this.isLoaded ? this.result : this.loadMore();
  }

  /**
   * Loads the next page of a gap; does nothing if nothing is missing. A call for a page in flight joins that
   * request; a call during a refresh loads the page after it.
   * @param from the offset at which the gap begins. Default: the first gap from the top.
   * @param pageSize the maximum number of entries. Default: as set for browsing.
   * @throws ApiError; loaded rows stay, and the next call requests the same page again.
   */
  async loadMore(from?: number, pageSize = this.pageSize): Promise<LoadResult> {
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
   * Reloads the loaded pages, at least the first, and replaces the old rows when all have arrived. Cancels
   * everything in flight.
   * @throws ApiError; the old rows stay.
   */
  async refresh(): Promise<LoadResult> {
    this.refuseDisposed();
    const before = this.refreshing;
    const pages = this.newPages();
    const promise = Promise.resolve().then(() => this.reload(pages));
    this.refreshing = { pages, promise };
    this.generation += 1;
    before?.pages.dispose();
    this.pages.cancelInteractive();
    this.changed.fire();
    return promise;
  }

  dispose(): void {
    this.isDisposed = true;
    this.refreshing?.pages.dispose();
    this.refreshing = undefined;
    this.pages.dispose();
    this.changed.dispose();
  }

  /**
   * Waits for a page.
   * @param choose returns the request to wait for, if any. It is called again if a refresh or the end of a Load All
   * gives the request up.
   */
  protected async load(choose: (pages: ListPages) => PageRequest | undefined): Promise<void> {
    for (;;) {
      if (this.refreshing) {
        await this.refreshed();
      }
      this.refuseDisposed();
      const { pages, generation } = this;
      const request = choose(pages);
      try {
        await (request && pages.waitFor(request));
        return;
      } catch (error) {
        const isGivenUp = request?.isBulk === true || generation !== this.generation;
        if (!isGivenUp || !(error instanceof CancelledError)) {
          throw error;
        }
      }
    }
  }

  /** Waits for the end of a refresh. Its failure is reported to its caller; the old rows stay. */
  protected async refreshed(): Promise<void> {
    while (this.refreshing) {
      await this.refreshing.promise.catch(() => undefined);
    }
  }

  protected refuseDisposed(): void {
    if (this.isDisposed) {
      // The account or the query of this list is gone: a load would return the rows of another one.
      throw new CancelledError();
    }
  }

  /** Called when a request begins or ends to wait for the rate limit. */
  protected onWait(): void {
    this.changed.fire();
  }

  protected draw(): void {
    this.countedChanges += 1;
    this.changed.fire();
  }

  private newPages(): ListPages {
    const pages: ListPages = new ListPages({
      fetchPage: (...query) => this.fetchPage(pages, ...query),
      keyOf: this.keyOf,
      now: this.now,
      onRequestChange: (request) => {
        if (pages === this.pages && !this.isDisposed) {
          this.onRequestChange(request);
        }
      },
      onWait: () => {
        this.onWait();
      },
    });
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

  private async reload(pages: ListPages): Promise<LoadResult> {
    const isCurrent = () => this.refreshing?.pages === pages;
    let failure: { error: unknown } | undefined;
    try {
      if (isCurrent()) {
        await this.reloadPages(pages, this.pages.rows);
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
}

export function loading(task: ListTask, wait: Wait | undefined): ListState {
  return { type: 'loading', task, ...defined({ wait }) };
}

export interface ListSession {
  readonly signedIn: SignedIn | undefined;
  /** Fires when another account, or none, is shown; not for a new key of the same account. */
  readonly onDidChangeAccount: Event<void>;
  /** Fires for a new key, too. */
  readonly onDidChange: Event<void>;
  requireSignedIn(): SignedIn;
}

/** The lists of the signed-in account, each created when it is first needed. */
export abstract class AccountLists<L extends LoadedList> implements Disposable {
  protected readonly changed = new Emitter<L | undefined>();
  /** Each list with its query; another query makes it another list. */
  private readonly lists = new Map<string, { list: L; query: string }>();
  private readonly sessionListeners: readonly Disposable[];

  /** Fires the list that changed, or `undefined` when more than one did. */
  readonly onDidChange = this.changed.event;

  constructor(session: ListSession) {
    let client = session.signedIn?.api;
    this.sessionListeners = [
      session.onDidChangeAccount(() => {
        // They belong to the previous account.
        this.discard(() => true);
        this.changed.fire(undefined);
      }),
      session.onDidChange(() => {
        const before = client;
        client = session.signedIn?.api;
        if (client && client !== before) {
          this.retryRefused();
        }
      }),
    ];
  }

  dispose(): void {
    for (const listener of this.sessionListeners) {
      listener.dispose();
    }
    this.discard(() => true);
    this.changed.dispose();
  }

  /** The list with this id and query, or else a new one, which replaces the list with this id. */
  protected listFor(id: string, query: string, make: (replaced?: L) => L): L {
    const existing = this.lists.get(id);
    if (existing?.query === query) {
      return existing.list;
    }
    existing?.list.dispose();
    const list = make(existing?.list);
    list.onDidChange(() => {
      this.changed.fire(list);
    });
    this.lists.set(id, { list, query });
    return list;
  }

  /** The lists that are loaded, loading or failed. */
  active(): L[] {
    return this.allLists.filter(({ isLoaded, state }) => isLoaded || state.type !== 'idle');
  }

  protected get allLists(): L[] {
    return [...this.lists.values()].map(({ list }) => list);
  }

  /** Discards some lists, and ends their requests. */
  protected discard(isOld: (list: L) => boolean): void {
    for (const [id, { list }] of this.lists) {
      if (isOld(list)) {
        this.lists.delete(id);
        list.dispose();
      }
    }
  }

  /** Loads with the new key what failed because of the old one. */
  private retryRefused(): void {
    for (const { list } of this.lists.values()) {
      const { state } = list;
      if (state.type === 'failed' && isRefused(state.error)) {
        // The list keeps the failure.
        const retried = state.task === 'refresh' ? list.refresh() : list.loadMore();
        retried.catch(() => undefined);
      }
    }
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof AuthError || error instanceof SignedOutError;
}

/**
 * Refreshes lists. All of them are tried; each keeps its own failure.
 * @throws the first failure.
 */
export async function refreshAll(lists: readonly LoadedList[]): Promise<void> {
  const results = await Promise.allSettled(lists.map((list) => list.refresh()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
