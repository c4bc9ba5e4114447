import { createHash } from 'node:crypto';
import { defined } from '../../base/defined';
import { type JsonObject } from '../../base/json/json';
import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import { EndlessPages } from './endlessPages';
import type {
  CallOptions,
  CollectionPage,
  CollectionQuery,
  CollectionSource,
  PagePosition,
} from '../types';

/** Where a page is, and what the pages before it have shown. */
interface PageStart {
  readonly at: PagePosition;
  /** Pages that were read before. */
  readonly pages: number;
  /** Entries on these pages. */
  readonly entries: number;
  /** Entries over all pages as last reported. */
  readonly total?: number;
  readonly seen: SeenPages;
  /** The number of the page, in page style. */
  readonly number: number;
  /** Entries per page, once the service has sent the number. */
  readonly size?: number;
  /** Whether a page named the next page in a Link header. From then on, only Link headers continue the list. */
  readonly isLinked: boolean;
  /** Digest of the entries of the page before, if nothing else distinguishes the pages. */
  readonly content?: string;
}

/**
 * One page of a collection, and how to get the next page. The same class serves all pagination styles of the
 * service (spec section 4) and the Link header (spec section 2.5). A page holds its own entries and about
 * forty bytes for each page before it. No page is requested before it is needed.
 */
export class Page {
  /** The entries, as served. May be empty though more pages follow. */
  readonly items: readonly JsonObject[];
  /** Entries over all pages as last reported; only informational, and may be wrong. */
  readonly total: number | undefined;
  /** How many entries the pages before this one had, starting with the first page that was read. */
  readonly entriesBefore: number;

  private constructor(
    private readonly api: CollectionSource,
    private readonly query: CollectionQuery,
    page: CollectionPage,
    start: PageStart,
    private readonly following: PageStart | undefined,
  ) {
    this.items = page.entries;
    this.total = page.total ?? start.total;
    this.entriesBefore = start.entries;
  }

  static async fetch(
    api: CollectionSource,
    query: CollectionQuery,
    start: PageStart,
    options: CallOptions = {},
  ): Promise<Page> {
    const { at, seen, pages } = start;
    seen.throwIfSeen(pages, at.cursor ?? at.link);
    const page = await api.collectionPage({ ...query, at }, options);
    const isCursor = query.style === 'cursor';
    const following = isCursor ? afterCursor(page, start) : afterNumbered(page, start, query);
    seen.add(pages, isCursor ? at.cursor : page.url);
    return new Page(api, query, page, start, following);
  }

  /** Whether a page follows. An empty page is not the end. */
  get hasNext(): boolean {
    return this.following !== undefined;
  }

  /**
   * Fetches the page after this one. May be called again, also after a failure.
   * @throws ApiError; ProtocolError when the service leads back to a page that was read; RangeError
   * after the last page.
   */
  async next(options: CallOptions = {}): Promise<Page> {
    if (!this.following) {
      throw new RangeError('There is no page behind the last one.');
    }
    return Page.fetch(this.api, this.query, this.following, options);
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
  api: CollectionSource,
  query: CollectionQuery,
  options?: CallOptions,
): Promise<Page> {
  // If the list is resumed in the middle, the number of entries before is unknown. Then an empty page is
  // the end.
  const { at = {} } = query;
  const start = { at, pages: 0, entries: 0, number: at.page ?? 1, isLinked: at.link !== undefined };
  return Page.fetch(api, query, { ...start, seen: new SeenPages() }, options);
}

/**
 * The entries of all pages of a list whose pages follow each other by links.
 * @throws ApiError; ProtocolError for a service that never ends the list, see EndlessPages.
 */
export async function allEntries(
  api: CollectionSource,
  path: string,
  options: CallOptions,
): Promise<JsonObject[]> {
  const endless = new EndlessPages();
  const entries: JsonObject[] = [];
  for (let page = await collectionPages(api, { path, style: 'link' }, options); ;) {
    const { items, hasNext: hasMore, total: totalCount } = page;
    // One by one: a call takes only some ten thousand arguments.
    for (const entry of items) {
      entries.push(entry);
    }
    if (!hasMore) {
      return entries;
    }
    const error = endless.errorAfter({
      offset: page.entriesBefore,
      entries: items,
      hasMore,
      ...defined({ totalCount }),
    });
    if (error) {
      throw error;
    }
    page = await page.next(options);
  }
}

function afterCursor(page: CollectionPage, start: PageStart): PageStart | undefined {
  const { nextCursor: cursor } = page;
  return cursor === undefined ? undefined : { ...pageAfter(page, start), at: { cursor } };
}

/** The page after one of the page or the link style: both may continue by number and by Link header. */
function afterNumbered(
  page: CollectionPage,
  start: PageStart,
  query: CollectionQuery,
): PageStart | undefined {
  const next = checkedNext(page, start);
  const { url, isForeign, isMalformed } = page.link;
  // A link to another origin is refused when it is followed. Numbered pages do not need it.
  if (url !== undefined && !(isForeign && query.style === 'page')) {
    return { ...next, at: { link: url }, isLinked: true };
  }
  // If links lead from page to page, the absence of a link is the end. A malformed link is not an
  // absent one.
  const linksDecide = query.style === 'link' || start.isLinked;
  const isEnd = linksDecide && url === undefined && !isMalformed;
  return isEnd || hasEnded(page, start, query) ? undefined : next;
}

/** @throws ProtocolError when the pages do not fit together. */
function checkedNext(page: CollectionPage, start: PageStart): PageStart {
  const { size = start.size } = page;
  if (!start.isLinked && start.size !== undefined && size !== undefined && size !== start.size) {
    // Pages of another size begin at other offsets: entries would be missing or repeated.
    throw new ProtocolError(
      message('The service changed the page size from {0} to {1}.', start.size, size),
    );
  }
  const content = page.page === undefined ? formatContent(page) : undefined;
  if (!start.isLinked && content !== undefined && content === start.content) {
    throw new ProtocolError(
      message('The service sent the same page again instead of the next one.'),
    );
  }
  const { content: _content, ...next } = pageAfter(page, start);
  return {
    ...next,
    ...defined({ size, content }),
  };
}

function pageAfter({ entries, total }: CollectionPage, start: PageStart): PageStart {
  const number = start.number + 1;
  return {
    ...start,
    at: { page: number },
    number,
    pages: start.pages + 1,
    entries: start.entries + entries.length,
    ...defined({ total }),
  };
}

/** The rule of spec section 4.1, from the body alone. */
function hasEnded(page: CollectionPage, start: PageStart, { style }: CollectionQuery): boolean {
  const { entries, total, size } = page;
  if (entries.length === 0) {
    return true;
  }
  if (total === undefined) {
    // In link style, a body without a total does not indicate a next page.
    return style === 'link';
  }
  // If the service does not send its page size, its pages may be smaller than requested.
  const isLastPage = size !== undefined && start.number * size >= total;
  return isLastPage || start.entries + entries.length >= total;
}

/**
 * Distinguishes a repeated page from the next one, if the service does not number pages. A page of
 * identical entries proves nothing, except in a list without a total, which might otherwise never end.
 */
function formatContent({ entries, total }: CollectionPage): string | undefined {
  const texts = entries.map((entry) => JSON.stringify(entry));
  const isDistinctive = new Set(texts).size > 1 || total === undefined;
  return texts.length > 0 && isDistinctive
    ? createHash('sha256').update(texts.join()).digest('base64url')
    : undefined;
}
