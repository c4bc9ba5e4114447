import { defined } from '../../base/defined';
import { SerialQueue } from '../../base/events/serialQueue';
import { message } from '../../base/message';
import { CancelledError } from '../../base/cancelledError';
import { BadRequestError, NotFoundError, ProtocolError } from '../http/errors';
import { EndlessPages } from '../paging/endlessPages';
import type { CallOptions, CollectionPage, FindingsPage, FindingsQuery } from '../types';

/**
 * Fetches a page as the service cuts it.
 * @param link what the page before says about this one; without it, the first page.
 */
type FetchLinked = (link: string | undefined, options: CallOptions) => Promise<CollectionPage>;

/** The most lists whose pages are known. */
const maxLists = 100;

/** How many pages of a list are kept: the last ones, because their entries are usually asked for next. */
const keptPages = 2;

/**
 * Serves findings by offset from pages that only follow each other by links. A request for offset 0 reads the list anew;
 * any other goes on from the nearest page whose link is known.
 */
export class LinkedFindings {
  private readonly lists = new Map<string, LinkedList>();

  /** @param key identifies the list of the query. */
  page(
    key: string,
    { offset, limit }: Pick<FindingsQuery, 'offset' | 'limit'>,
    fetch: FetchLinked,
    options: CallOptions,
  ): Promise<FindingsPage> {
    const known = offset === 0 ? undefined : this.lists.get(key);
    const list = known ?? new LinkedList(fetch);
    this.lists.delete(key);
    this.lists.set(key, list);
    const [oldest] = this.lists.keys();
    if (this.lists.size > maxLists && oldest !== undefined) {
      this.lists.delete(oldest);
    }
    return list.page(offset, limit, options).catch((error: unknown) => {
      // A link may have expired. Retry then gets new ones from the start.
      if (refusesLink(error) && this.lists.get(key) === list) {
        this.lists.delete(key);
      }
      throw error;
    });
  }
}

function refusesLink(error: unknown): boolean {
  return error instanceof BadRequestError || error instanceof NotFoundError;
}

/** Where a page begins. */
interface PageStart {
  readonly offset: number;
  readonly link?: string;
}

/** One list, as far as its pages have been read. */
class LinkedList {
  private readonly starts: PageStart[] = [{ offset: 0 }];
  private readonly links = new Set<string>();
  private readonly endless = new EndlessPages();
  private readonly kept = new Map<number, CollectionPage>();
  /**
   * A page can be fetched only after the one before it. What a user waits for does not wait behind a bulk read that
   * the service has paused: at worst both fetch the same pages.
   */
  private readonly queues = { interactive: new SerialQueue(), bulk: new SerialQueue() };

  constructor(private readonly fetch: FetchLinked) {}

  page(offset: number, limit: number, options: CallOptions): Promise<FindingsPage> {
    const queue = this.queues[options.priority ?? 'interactive'];
    return queue.run(() => this.read(offset, limit, options));
  }

  private async read(offset: number, limit: number, options: CallOptions): Promise<FindingsPage> {
    const entries: FindingsPage['entries'] = [];
    let index = this.starts.findLastIndex((start) => start.offset <= offset);
    for (;;) {
      if (options.signal?.aborted) {
        throw new CancelledError();
      }
      const page = await this.pageAt(index, options);
      const start = this.starts[index]?.offset ?? 0;
      const from = Math.max(0, offset + entries.length - start);
      const missing = limit - entries.length;
      for (const entry of page.entries.slice(from, from + missing)) {
        entries.push(entry);
      }
      const isMoreHere = start + page.entries.length > offset + entries.length;
      const hasNext = page.link.url !== undefined;
      if (entries.length >= limit || !hasNext) {
        return {
          entries,
          ...defined({ totalCount: page.total }),
          hasMore: entries.length >= limit && (isMoreHere || hasNext),
          offset,
          limit,
        };
      }
      index += 1;
    }
  }

  private async pageAt(index: number, options: CallOptions): Promise<CollectionPage> {
    const kept = this.kept.get(index);
    const start = this.starts[index];
    if (kept || !start) {
      return kept ?? Promise.reject(new RangeError(`Page ${index} is not known.`));
    }
    const page = await this.fetch(start.link, options);
    const { url, isMalformed } = page.link;
    if (url === undefined && isMalformed) {
      throw new ProtocolError(message('The service sent a Link header that cannot be read.'));
    }
    if (url !== undefined && this.starts.length === index + 1) {
      if (this.links.has(url)) {
        throw new ProtocolError(message('The pages form a loop: the next page was already read.'));
      }
      const { entries, total: totalCount } = page;
      const observed = { offset: start.offset, entries, hasMore: true, ...defined({ totalCount }) };
      const error = this.endless.errorAfter(observed);
      if (error) {
        throw error;
      }
      this.links.add(url);
      this.starts.push({ offset: start.offset + page.entries.length, link: url });
    }
    this.kept.set(index, page);
    const [oldest] = this.kept.keys();
    if (this.kept.size > keptPages && oldest !== undefined) {
      this.kept.delete(oldest);
    }
    return page;
  }
}
