import { mayBeTooLarge } from '../calls/retryPolicy';
import type { CallOptions, FindingsPage, FindingsQuery } from '../types';

/** A page of at most this many entries is not divided: what fails with it would fail with fewer, too. */
const smallPage = 100;

/** How many pages come in parts before the next one is tried as a whole. Each such try that fails doubles it. */
const pagesBeforeTry = 3;

/** How long a request is repeated as it is. */
type Patience = Pick<CallOptions, 'attemptsIfTooLarge'>;
type FetchPart = (query: FindingsQuery, patience: Patience) => Promise<FindingsPage>;

/** A list of which the service has failed with more entries in a request. */
interface DividedList {
  /** Entries per request that worked. */
  size: number;
  /** How many pages have come in parts since the last try. */
  pages: number;
  /** After how many such pages one is tried as a whole. */
  tryAfter: number;
}

/**
 * Fetches pages that are too large for the service in smaller parts. After a timeout, or a failure of the service that
 * may mean this, a large page is requested again with half as many entries, until the service sends it or the page
 * is small. The size that worked is used for the other pages of the list. A service that was only down for a while
 * may fail in the same way, so after some pages one is tried as a whole.
 */
export class DividedPages {
  private readonly lists = new Map<string, DividedList>();

  /**
   * Not an async function: thousands of calls may wait, and each would hold its frame.
   * @param fetchPart requests a page, or a part of one.
   */
  fetch(query: FindingsQuery, fetchPart: FetchPart): Promise<FindingsPage> {
    const list = this.lists.get(formatListKey(query));
    if (query.limit <= smallPage) {
      return fetchPart(query, {});
    }
    if (!list || list.size >= query.limit) {
      return fetchPart(query, { attemptsIfTooLarge: 2 }).catch((error: unknown) =>
        this.inParts(query, smallerThan(query.limit, error), fetchPart),
      );
    }
    return list.pages < list.tryAfter
      ? this.inParts(query, list.size, fetchPart)
      : this.tryWhole(query, list, fetchPart);
  }

  private async tryWhole(
    query: FindingsQuery,
    list: DividedList,
    fetchPart: FetchPart,
  ): Promise<FindingsPage> {
    // Other pages come in parts meanwhile.
    list.pages = 0;
    try {
      const page = await fetchPart(query, { attemptsIfTooLarge: 1 });
      this.lists.delete(formatListKey(query));
      return page;
    } catch (error) {
      if (!mayBeTooLarge(error)) {
        throw error;
      }
      list.tryAfter *= 2;
      return this.inParts(query, list.size, fetchPart);
    }
  }

  private async inParts(
    query: FindingsQuery,
    firstSize: number,
    fetchPart: FetchPart,
  ): Promise<FindingsPage> {
    const { offset, limit } = query;
    const key = formatListKey(query);
    const entries: FindingsPage['entries'] = [];
    // If a page comes as a whole meanwhile, this one does not bring the list back.
    let list = this.lists.get(key);
    let size = firstSize;
    for (let done = 0; ;) {
      size = Math.min(size, (list ?? this.lists.get(key))?.size ?? size);
      const part = { ...query, offset: offset + done, limit: Math.min(size, limit - done) };
      let page: FindingsPage;
      try {
        page = await fetchPart(part, part.limit > smallPage ? { attemptsIfTooLarge: 1 } : {});
      } catch (error) {
        size = smallerThan(part.limit, error);
        continue;
      }
      if (!list) {
        list = this.lists.get(key) ?? { size, pages: 0, tryAfter: pagesBeforeTry };
        this.lists.set(key, list);
      }
      list.size = size;
      // What the service sends beyond the limit comes again with the next part.
      // One by one: a call takes only some ten thousand arguments, and a service may ignore the limit.
      for (const entry of page.hasMore ? page.entries.slice(0, part.limit) : page.entries) {
        entries.push(entry);
      }
      done += part.limit;
      if (done >= limit || !page.hasMore) {
        list.pages += 1;
        return { ...page, entries, offset, limit };
      }
    }
  }
}

function formatListKey({ scorecardId, issueType }: FindingsQuery): string {
  return `${scorecardId}/${issueType}`;
}

/** The limit to try after a page with this one has failed. @throws the error if it would fail with fewer, too. */
function smallerThan(limit: number, error: unknown): number {
  if (limit <= smallPage || !mayBeTooLarge(error)) {
    throw error;
  }
  return Math.ceil(limit / 2);
}
