import { CancelledError } from '../api/errors';
import type { FindingsPage, Wait } from '../api/types';
import { Emitter } from '../common/emitter';
import type { JsonObject } from '../common/json';
import { contentKey, issueIdOf } from './findingKey';

/** One finding of a list, as it was served. */
export interface FindingRow {
  /** Stable over reloads: the entry's own id where it has one. Unique in its list. */
  readonly key: string;
  /** The served offset plus one. */
  readonly number: number;
  readonly entry: JsonObject;
}

/** How many distinct findings are held, how many the service counts, and whether more remain. */
export interface LoadResult {
  loaded: number;
  /** Absent where the service gives none. */
  total?: number;
  hasMore: boolean;
}

/** What a list is doing, or why it stopped. What is loaded stays, whatever the state. */
export type ListState =
  | { type: 'idle' }
  | { type: 'loading'; task: ListTask; wait?: Wait }
  | { type: 'failed'; task: ListTask; error: unknown };

/** `more` also stands for the first page. */
export type ListTask = 'more' | 'refresh';

/** Fetches one page; the list says where it starts. */
export type FetchPage = (
  offset: number,
  options: { signal: AbortSignal; onWait: (wait: Wait | undefined) => void },
) => Promise<FindingsPage>;

/** The pages of one generation: what a refresh replaces as a whole. */
interface Pages {
  rows: readonly FindingRow[];
  keys: ReadonlySet<string>;
  /** Where the next page starts: the last offset plus the limit that was asked for. */
  nextOffset: number;
  pageCount: number;
  hasMore: boolean;
  total: number | undefined;
  /** Whether the last page held no entry though the service said that more remain. */
  lastPageEmpty: boolean;
}

const noPages: Pages = {
  rows: [],
  keys: new Set(),
  nextOffset: 0,
  pageCount: 0,
  hasMore: true,
  total: undefined,
  lastPageEmpty: false,
};

/** The one load that is on its way. */
interface Flight {
  readonly task: ListTask;
  readonly abort: AbortController;
  readonly promise: Promise<LoadResult>;
}

/**
 * The findings of one issue type of one scorecard, loaded page by page. One request is in flight at
 * a time; `has_more` alone ends the list, `total_count` informs (spec section 4.3).
 */
export class FindingsList {
  private readonly changed = new Emitter<void>();
  private pages = noPages;
  private flight: Flight | undefined;
  private disposed = false;
  private currentState: ListState = { type: 'idle' };

  /** Fires after every change of rows or state. */
  readonly onDidChange = this.changed.event;

  constructor(
    readonly scorecardId: string,
    readonly issueType: string,
    private readonly fetchPage: FetchPage,
  ) {}

  get rows(): readonly FindingRow[] {
    return this.pages.rows;
  }

  get state(): ListState {
    return this.currentState;
  }

  /** Whether a first page was ever loaded. */
  get isLoaded(): boolean {
    return this.pages.pageCount > 0;
  }

  /** Whether the last page was empty though more remain: worth telling, or Load More seems to do nothing. */
  get lastPageEmpty(): boolean {
    return this.pages.lastPageEmpty;
  }

  get result(): LoadResult {
    const { rows, total, hasMore } = this.pages;
    return { loaded: rows.length, hasMore, ...(total === undefined ? {} : { total }) };
  }

  /** Loads the first page unless it is there or on its way. Repeatable. */
  async loadFirst(): Promise<LoadResult> {
    return this.isLoaded ? this.result : this.loadMore();
  }

  /**
   * Loads the next page, the first when none is loaded; does nothing at the end of the list. Who
   * asks while a page is on its way gets that page; who asks during a refresh gets the page after it.
   * @throws ApiError; the rows that are loaded stay, and the next call asks for the same page again.
   */
  async loadMore(): Promise<LoadResult> {
    if (this.flight) {
      const { task, promise } = this.flight;
      const bringsNextPage = task === 'more' || !this.isLoaded;
      return bringsNextPage ? promise : promise.then(() => this.loadMore());
    }
    if (!this.pages.hasMore) {
      return this.result;
    }
    return this.start('more', async (signal, onWait) =>
      append(this.pages, await this.fetchPage(this.pages.nextOffset, { signal, onWait })),
    );
  }

  /**
   * Loads again as far as is loaded, at least one page, and puts the rows in the place of the old
   * ones when all have arrived. A load on its way is given up.
   * @throws ApiError; the old rows stay.
   */
  async refresh(): Promise<LoadResult> {
    const given = this.flight;
    // By offset, not by count: the page size may have been changed meanwhile.
    const end = this.pages.nextOffset;
    const refreshed = this.start('refresh', async (signal, onWait) => {
      let pages = noPages;
      do {
        pages = append(pages, await this.fetchPage(pages.nextOffset, { signal, onWait }));
      } while (pages.hasMore && pages.nextOffset < end);
      return pages;
    });
    given?.abort.abort();
    return refreshed;
  }

  /** Gives up what is on its way; nothing more can be loaded. */
  dispose(): void {
    this.disposed = true;
    this.flight?.abort.abort();
    this.flight = undefined;
    this.changed.dispose();
  }

  private start(
    task: ListTask,
    load: (signal: AbortSignal, onWait: (wait: Wait | undefined) => void) => Promise<Pages>,
  ): Promise<LoadResult> {
    if (this.disposed) {
      // Its account or its query is gone: what it loaded now would be somebody else's.
      throw new CancelledError();
    }
    const abort = new AbortController();
    // An answer counts only while its flight is the current one: a later refresh makes it stale.
    const isCurrent = () => this.flight?.abort === abort;
    const run = async () => {
      try {
        const pages = await load(abort.signal, (wait) => {
          if (isCurrent()) {
            this.setState({ type: 'loading', task, ...(wait ? { wait } : {}) });
          }
        });
        if (isCurrent()) {
          this.flight = undefined;
          this.pages = pages;
          this.setState({ type: 'idle' });
          return this.result;
        }
      } catch (error) {
        if (isCurrent()) {
          this.flight = undefined;
          this.setState({ type: 'failed', task, error });
        }
        if (!abort.signal.aborted) {
          throw error;
        }
      }
      // Given up for a refresh, whose result answers this call too, or for good.
      if (!this.flight) {
        throw new CancelledError();
      }
      return this.flight.promise;
    };
    const promise = Promise.resolve().then(run);
    this.flight = { task, abort, promise };
    this.setState({ type: 'loading', task });
    return promise;
  }

  private setState(state: ListState): void {
    this.currentState = state;
    this.changed.fire();
  }
}

function append(pages: Pages, page: FindingsPage): Pages {
  const keys = new Set(pages.keys);
  const rows = [...pages.rows];
  page.entries.forEach((entry, index) => {
    const id = issueIdOf(entry);
    if (id !== undefined && keys.has(id)) {
      // The list shifted between two pages and served a finding twice; it is one finding.
      return;
    }
    const key = id ?? contentKey(entry, (taken) => keys.has(taken));
    keys.add(key);
    rows.push({ key, number: page.offset + index + 1, entry });
  });
  return {
    rows,
    keys,
    nextOffset: page.offset + page.limit,
    pageCount: pages.pageCount + 1,
    hasMore: page.hasMore,
    total: page.totalCount ?? pages.total,
    lastPageEmpty: page.entries.length === 0 && page.hasMore,
  };
}
