import { createHash } from 'node:crypto';
import { type JsonObject, jsonText } from '../../base/json/json';
import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import type { Api, CallOptions, CollectionPage, CollectionQuery, PagePosition } from '../types';

/** The result of reading one response, the same for all styles of pagination. */
interface PageResult<T> {
  readonly items: readonly T[];
  /** Entries over all pages, if the service sends the number. */
  readonly total?: number;
  /** The name of this page, to recognize it if a later page leads back to it. Absent if no later page can. */
  readonly name?: string;
  /** The page after it; absent at the end of the list. */
  readonly next?: Continuation<T>;
}

interface Continuation<T> {
  /** The name of the page to fetch, as in `PageResult`. */
  readonly name?: string;
  /** Fetches the page with one call, which may be retried. May be called again. */
  fetch(options: CallOptions): Promise<PageResult<T>>;
}

/** The pages that were fetched before a page. */
interface PagesBefore {
  readonly pages: number;
  readonly entries: number;
  readonly total: number | undefined;
  readonly seen: SeenPages;
}

/**
 * One page of a list, and how to get the next page. The same class serves all pagination styles of the
 * service (spec section 4) and the Link header (spec section 2.5). A page holds its own entries and about
 * forty bytes for each page before it. No page is requested before it is needed.
 *
 * @example
 * let page = await collectionPages(api, { path: '/portfolios', style: 'page' });
 * while (page.hasNext) {
 *   page = await page.next();
 * }
 */
export class Page<T> {
  /** The entries, as served. May be empty though more pages follow. */
  readonly items: readonly T[];
  /** Entries over all pages as last reported; only informational, and may be wrong. */
  readonly total: number | undefined;

  private readonly continuation: Continuation<T> | undefined;

  private constructor(
    result: PageResult<T>,
    private readonly before: PagesBefore,
  ) {
    this.items = result.items;
    this.total = result.total ?? before.total;
    this.continuation = result.next;
    before.seen.add(before.pages, result.name);
  }

  /** Fetches the page where a list begins or is resumed. */
  static first<T>(start: Continuation<T>, options: CallOptions = {}): Promise<Page<T>> {
    return Page.fetch(
      start,
      { pages: 0, entries: 0, total: undefined, seen: new SeenPages() },
      options,
    );
  }

  private static async fetch<T>(
    continuation: Continuation<T>,
    before: PagesBefore,
    options: CallOptions,
  ): Promise<Page<T>> {
    before.seen.throwIfSeen(before.pages, continuation.name);
    return new Page(await continuation.fetch(options), before);
  }

  /** Whether a page follows. An empty page is not the end. */
  get hasNext(): boolean {
    return this.continuation !== undefined;
  }

  /** How many entries the pages before this one had, starting with the first page that was read. */
  get entriesBefore(): number {
    return this.before.entries;
  }

  /**
   * Fetches the page after this one. May be called again, also after a failure.
   * @throws ApiError; ProtocolError when the service leads back to a page that was read; RangeError
   * after the last page.
   */
  async next(options: CallOptions = {}): Promise<Page<T>> {
    const { before, items, total, continuation } = this;
    if (!continuation) {
      throw new RangeError('There is no page behind the last one.');
    }
    const pages = before.pages + 1;
    const entries = before.entries + items.length;
    return Page.fetch(continuation, { pages, entries, total, seen: before.seen }, options);
  }
}

/**
 * The names of the pages of one list, each with the number of its page. They reveal a loop as soon as the
 * service leads back to an earlier page. Fetching a page again is allowed.
 */
class SeenPages {
  private readonly numbers = new Map<string, number>();

  /** @throws ProtocolError when a page with this name and a lower number was read. */
  throwIfSeen(number: number, name: string | undefined): void {
    if (name !== undefined && (this.numbers.get(digest(name)) ?? Infinity) < number) {
      throw new ProtocolError(message('The pages form a loop: the next page was already read.'));
    }
  }

  /** Adds a page that was fetched. @throws ProtocolError as `throwIfSeen` does */
  add(number: number, name: string | undefined): void {
    this.throwIfSeen(number, name);
    if (name !== undefined) {
      this.numbers.set(digest(name), number);
    }
  }
}

/** A digest of fixed length, so that long cursors and addresses do not pile up in memory. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

type Source = Pick<Api, 'collectionPage'>;

/** What the pages so far show about how a page-style collection continues. */
interface ListProgress {
  /** Number of the requested page. */
  readonly page: number;
  /** Entries per page, once the service has sent the number. */
  readonly size?: number;
  /** Entries on the pages before this one. */
  readonly consumed: number;
  /** Whether a page named the next page in a Link header. From then on, only Link headers continue the list. */
  readonly isLinked: boolean;
  /** Digest of the entries of the page before, if nothing else distinguishes the pages. */
  readonly content?: string;
}

/**
 * A generic collection, page by page, until
 * - page style (spec section 4.1): `page * size >= total`, no entries, or all of `total` delivered;
 *   once a Link header named a next page, the absence of one (spec section 2.5);
 * - cursor style (spec section 4.2): no `next_cursor`; a Link header is ignored;
 * - link style (spec section 2.5, RFC 8288): no link with `rel="next"`.
 *
 * @param query `at` is where the list begins, or where it resumes after a failure.
 * A link to another origin is never followed: pages of page style continue by number, and those of link
 * style fail after the page that has the link.
 *
 * @throws ApiError
 */
export function collectionPages(
  api: Source,
  query: CollectionQuery,
  options?: CallOptions,
): Promise<Page<JsonObject>> {
  const { at = {}, style } = query;
  if (style === 'cursor') {
    return Page.first(cursorPage(api, query, at), options);
  }
  // If the list is resumed in the middle, the number of entries before is unknown. Then an empty page is
  // the end.
  const start = { page: at.page ?? 1, consumed: 0, isLinked: at.link !== undefined };
  return Page.first(numberedPage(api, query, at, start), options);
}

function cursorPage(
  api: Source,
  query: CollectionQuery,
  at: PagePosition,
): Continuation<JsonObject> {
  return {
    ...(at.cursor === undefined ? {} : { name: at.cursor }),
    fetch: async (options) => {
      const page = await api.collectionPage({ ...query, at }, options);
      const { nextCursor: cursor } = page;
      return {
        ...itemsOf(page),
        ...(at.cursor === undefined ? {} : { name: at.cursor }),
        ...(cursor === undefined ? {} : { next: cursorPage(api, query, { cursor }) }),
      };
    },
  };
}

/** A page of the page or the link style: both may continue by number and by Link header. */
function numberedPage(
  api: Source,
  query: CollectionQuery,
  at: PagePosition,
  progress: ListProgress,
): Continuation<JsonObject> {
  return {
    ...(at.link === undefined ? {} : { name: at.link }),
    fetch: async (options) => {
      const page = await api.collectionPage({ ...query, at }, options);
      const next = progressAfter(page, progress);
      const { url, isForeign, isMalformed } = page.link;
      const result: PageResult<JsonObject> = { ...itemsOf(page), name: page.url };
      // A link to another origin is refused when it is followed. Numbered pages do not need it.
      if (url !== undefined && !(isForeign && query.style === 'page')) {
        const linked = { ...next, isLinked: true };
        return { ...result, next: numberedPage(api, query, { link: url }, linked) };
      }
      // If links lead from page to page, the absence of a link is the end. A malformed link is not an
      // absent one.
      const linksDecide = query.style === 'link' || progress.isLinked;
      const isEnd = linksDecide && url === undefined && !isMalformed;
      return isEnd || hasEnded(page, progress, query)
        ? result
        : { ...result, next: numberedPage(api, query, { page: next.page }, next) };
    },
  };
}

/** @throws ProtocolError when the pages do not fit together. */
function progressAfter(page: CollectionPage, progress: ListProgress): ListProgress {
  const { size = progress.size } = page;
  if (
    !progress.isLinked &&
    progress.size !== undefined &&
    size !== undefined &&
    size !== progress.size
  ) {
    // Pages of another size begin at other offsets: entries would be missing or repeated.
    throw new ProtocolError(
      message('The service changed the page size from {0} to {1}.', progress.size, size),
    );
  }
  const content = page.page === undefined ? contentOf(page) : undefined;
  if (!progress.isLinked && content !== undefined && content === progress.content) {
    throw new ProtocolError(
      message('The service sent the same page again instead of the next one.'),
    );
  }
  return {
    page: progress.page + 1,
    ...(size === undefined ? {} : { size }),
    consumed: progress.consumed + page.entries.length,
    isLinked: progress.isLinked,
    ...(content === undefined ? {} : { content }),
  };
}

/** The rule of spec section 4.1, from the body alone. */
function hasEnded(
  page: CollectionPage,
  progress: ListProgress,
  { style }: CollectionQuery,
): boolean {
  const { entries, total, size } = page;
  if (entries.length === 0) {
    return true;
  }
  if (total === undefined) {
    // In link style, a body without a total does not indicate a next page.
    return style === 'link';
  }
  // If the service does not send its page size, its pages may be smaller than requested.
  const isLastPage = size !== undefined && progress.page * size >= total;
  return isLastPage || progress.consumed + entries.length >= total;
}

function itemsOf({ entries, total }: CollectionPage): PageResult<JsonObject> {
  return { items: entries, ...(total === undefined ? {} : { total }) };
}

/**
 * Distinguishes a repeated page from the next one, if the service does not number pages. A page of
 * identical entries proves nothing, except in a list without a total, which might otherwise never end.
 */
function contentOf({ entries, total }: CollectionPage): string | undefined {
  const texts = entries.map(jsonText);
  const isDistinctive = new Set(texts).size > 1 || total === undefined;
  return texts.length > 0 && isDistinctive
    ? createHash('sha256').update(texts.join()).digest('base64url')
    : undefined;
}
