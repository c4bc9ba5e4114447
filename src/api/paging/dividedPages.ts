import { ServerError, TimeoutError } from '../http/errors';
import type { FindingsPage, FindingsQuery } from '../types';

/** A page of at most this many entries is not divided: what fails with it would fail with fewer, too. */
const smallPage = 100;

/**
 * Fetches pages that are too large for the service in smaller parts. After a timeout or a failure of the
 * service (5xx), a large page is requested again with half as many entries, until the service sends it or the
 * page is small. The size that worked is used for the other pages of the list.
 */
export class DividedPages {
  /** Entries per request, by list; only for lists of which the service failed with more. */
  private readonly sizes = new Map<string, number>();

  /** @param fetchPart requests a page, or a part of one. */
  async fetch(
    query: FindingsQuery,
    fetchPart: (query: FindingsQuery) => Promise<FindingsPage>,
  ): Promise<FindingsPage> {
    const { offset, limit } = query;
    const list = `${query.scorecardId}/${query.issueType}`;
    const entries: FindingsPage['entries'] = [];
    let size = limit;
    for (let done = 0; ;) {
      size = Math.min(size, this.sizes.get(list) ?? size);
      const part = { ...query, offset: offset + done, limit: Math.min(size, limit - done) };
      let page: FindingsPage;
      try {
        page = await fetchPart(part);
      } catch (error) {
        if (part.limit <= smallPage || !mayBeTooLarge(error)) {
          throw error;
        }
        size = Math.ceil(part.limit / 2);
        continue;
      }
      if (part.limit === limit) {
        return page;
      }
      this.sizes.set(list, size);
      // What the service sends beyond the limit comes again with the next part.
      entries.push(...(page.hasMore ? page.entries.slice(0, part.limit) : page.entries));
      done += part.limit;
      if (done >= limit || !page.hasMore) {
        return { ...page, entries, offset, limit };
      }
    }
  }
}

function mayBeTooLarge(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof ServerError;
}
