import { type Page, collectionPages } from '../api/paging/collectionPages';
import { EndlessPages } from '../api/paging/fetchPages';
import { CancelledError } from '../api/http/errors';
import type { Api } from '../api/client';
import type { CallOptions, CollectionStyle } from '../api/types';
import { Emitter } from '../base/events/emitter';
import {
  entryKey,
  type Gap,
  RowsByKey,
  type ListRow,
  type ListState,
  type ListTask,
  type LoadedList,
  loading,
  type LoadResult,
} from '../lists/loadedList';

/** A collection of the setting `scorecard.collections`. */
export interface Collection {
  /** Its name for users and programs; no other collection has this name. */
  readonly name: string;
  /**
   * Relative to the base address; see CollectionQuery. A path with `{id}` makes a collection for each entry
   * of the collection at the path before it.
   */
  readonly path: string;
  /** The path in the setting, of a collection that belongs to an entry. */
  readonly template?: string;
  readonly style: CollectionStyle;
  /** Entries per page. Default: that of the service. */
  readonly size?: number;
}

export interface ParentEntry {
  readonly list: CollectionList;
  readonly row: ListRow;
}

/** The pages of one generation; a refresh replaces them as a whole. */
class Pages {
  /** An array that grows as pages arrive. */
  readonly rows: ListRow[] = [];
  last: Page | undefined;
  total: number | undefined;
  private readonly rowsByKey = new RowsByKey();

  add(page: Page): void {
    const before = page.entriesBefore;
    page.items.forEach((entry, index) => {
      const key = entryKey(entry, this.rowsByKey);
      if (!this.rowsByKey.has(key)) {
        const row = { key, number: before + index + 1, entry };
        this.rowsByKey.set(key, row);
        this.rows.push(row);
      }
    });
    this.last = page;
    this.total = page.total ?? this.total;
  }
}

type FlightOptions = Required<Pick<CallOptions, 'signal' | 'onWait'>>;

interface Flight {
  readonly task: ListTask;
  readonly abort: AbortController;
  readonly promise: Promise<LoadResult>;
}

/**
 * The entries of one collection of the settings, or of one that belongs to an entry, loaded page by page. One
 * request is in flight at a time. The pages decide whether more remains; the total is for information only.
 */
export class CollectionList implements LoadedList {
  readonly id: string;
  private readonly changed = new Emitter<void>();
  private pages = new Pages();
  private flight: Flight | undefined;
  private disposed = false;
  private currentState: ListState = { type: 'idle' };
  private currentRevision = 0;

  readonly onDidChange = this.changed.event;

  /** @param api called for each page; it stays the same when the key of the account changes. */
  constructor(
    readonly collection: Collection,
    private readonly api: Pick<Api, 'collectionPage'>,
    readonly parent?: ParentEntry,
  ) {
    this.id = parent ? nestedListId(parent, collection) : collection.name;
  }

  get pageSize(): number | undefined {
    const { style, size } = this.collection;
    return style === 'link' ? undefined : size;
  }

  get rows(): readonly ListRow[] {
    return this.pages.rows;
  }

  get state(): ListState {
    return this.currentState;
  }

  get revision(): number {
    return this.currentRevision;
  }

  get gaps(): readonly Gap[] {
    const { state } = this;
    const offset = endOf(this.pages.last);
    const error = state.type === 'failed' && state.task === 'more' ? { error: state.error } : {};
    const isLoading = state.type === 'loading' && state.task === 'more';
    return this.hasMore ? [{ offset, end: Infinity, isLoading, ...error }] : [];
  }

  get isLoaded(): boolean {
    return this.pages.last !== undefined;
  }

  /** Whether the last page was empty although more remain. Shown, because Load More would seem to do nothing. */
  get lastPageEmpty(): boolean {
    const { last } = this.pages;
    return last?.items.length === 0 && last.hasNext;
  }

  get result(): LoadResult {
    const { rows, total } = this.pages;
    return {
      loaded: rows.length,
      hasMore: this.hasMore,
      ...(total === undefined ? {} : { total }),
    };
  }

  async loadFirst(): Promise<LoadResult> {
    return this.isLoaded ? this.result : this.loadMore();
  }

  /**
   * Loads the next page, or the first if none is loaded; does nothing at the end of the list. A call while a
   * page is in flight gets that page; a call during a refresh gets the page after it.
   * @throws ApiError; loaded rows stay, and the next call requests the same page again.
   */
  async loadMore(): Promise<LoadResult> {
    if (this.flight) {
      const { task, promise } = this.flight;
      const bringsNextPage = task === 'more' || !this.isLoaded;
      // The failure of a refresh is reported to its caller.
      return bringsNextPage ? promise : promise.catch(() => undefined).then(() => this.loadMore());
    }
    if (!this.hasMore) {
      return this.result;
    }
    const { pages } = this;
    return this.start('more', async (options) => {
      pages.add(await this.pageAfter(pages.last, options));
    });
  }

  /**
   * Reloads as far as the list is loaded, at least one page, and replaces the old rows when everything has
   * arrived. Cancels a load in flight.
   * @throws ApiError, also if the pages never get that far, see EndlessPages; the old rows stay.
   */
  async refresh(): Promise<LoadResult> {
    // By offset, not by number of pages: the page size may have changed.
    const end = endOf(this.pages.last);
    return this.start('refresh', async (options) => {
      const pages = new Pages();
      const endless = new EndlessPages();
      let last: Page;
      do {
        last = await this.pageAfter(pages.last, options);
        const error = endless.errorAfter({
          offset: last.entriesBefore,
          entries: last.items,
          hasMore: last.hasNext,
          ...(last.total === undefined ? {} : { totalCount: last.total }),
        });
        if (error) {
          throw error;
        }
        pages.add(last);
      } while (last.hasNext && endOf(last) < end);
      this.pages = pages;
    });
  }

  dispose(): void {
    this.disposed = true;
    this.flight?.abort.abort();
    this.flight = undefined;
    this.changed.dispose();
  }

  /** Starts to load, in place of what is in flight. */
  private async start(
    task: ListTask,
    load: (options: FlightOptions) => Promise<void>,
  ): Promise<LoadResult> {
    if (this.disposed) {
      // The account or the query of this list is gone: a load would return the rows of another one.
      throw new CancelledError();
    }
    const abort = new AbortController();
    const { signal } = abort;
    const end = (state: ListState) => {
      if (!signal.aborted) {
        this.flight = undefined;
        this.setState(state);
      }
    };
    const run = async () => {
      try {
        await load({
          signal,
          onWait: (wait) => {
            if (!signal.aborted) {
              this.setState(loading(task, wait));
            }
          },
        });
        end({ type: 'idle' });
      } catch (error) {
        end({ type: 'failed', task, error });
        if (!signal.aborted) {
          throw error;
        }
      }
      if (!signal.aborted) {
        return this.result;
      }
      if (!this.flight) {
        throw new CancelledError();
      }
      // Cancelled by a refresh, whose result answers this call, too.
      return this.flight.promise;
    };
    this.flight?.abort.abort();
    const promise = Promise.resolve().then(run);
    this.flight = { task, abort, promise };
    this.setState(loading(task, undefined));
    return promise;
  }

  /** The page after another one, or the first if there is none. @throws as soon as the flight is cancelled. */
  private async pageAfter(last: Page | undefined, options: FlightOptions): Promise<Page> {
    const interactive = { ...options, priority: 'interactive' } as const;
    const { path, template, style, size } = this.collection;
    const query = {
      path,
      style,
      ...(template === undefined ? {} : { template }),
      ...(size === undefined ? {} : { size }),
    };
    const page = await (last?.next(interactive) ?? collectionPages(this.api, query, interactive));
    options.signal.throwIfAborted();
    return page;
  }

  private get hasMore(): boolean {
    return this.pages.last?.hasNext ?? true;
  }

  private setState(state: ListState): void {
    this.currentState = state;
    this.currentRevision += state.type === 'loading' ? 0 : 1;
    this.changed.fire();
  }
}

/** The offset after the last entry of a page. */
function endOf(page: Page | undefined): number {
  return page ? page.entriesBefore + page.items.length : 0;
}

/** Unique among the lists of an account: the name of a collection contains no line break. */
export function nestedListId({ list, row }: ParentEntry, { name }: Collection): string {
  return [list.id, row.key, name].join('\n');
}
