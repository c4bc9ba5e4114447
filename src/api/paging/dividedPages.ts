import { ServerError, TimeoutError } from '../http/errors';
import type { FindingsPage, FindingsQuery } from '../types';

/** A page of at most this many entries is not divided: what fails with it would fail with fewer, too. */
const smallPage = 100;

type FetchPart = (query: FindingsQuery) => Promise<FindingsPage>;

/**
 * Fetches pages that are too large for the service in smaller parts. After a timeout or a failure of the
 * service (5xx), a large page is requested again with half as many entries, until the service sends it or the
 * page is small. The size that worked is used for the other pages of the list.
 */
export class DividedPages {
  /** Entries per request, by list; only for lists of which the service failed with more. */
  private readonly sizes = new Map<string, number>();

  /**
   * Not an async function: thousands of calls may wait, and each would hold its frame.
   * @param fetchPart requests a page, or a part of one.
   */
  fetch(query: FindingsQuery, fetchPart: FetchPart): Promise<FindingsPage> {
    const size = this.sizes.get(formatListKey(query));
    return size !== undefined && size < query.limit
      ? this.inParts(query, size, fetchPart)
      : fetchPart(query).catch((error: unknown) =>
          this.inParts(query, smallerThan(query.limit, error), fetchPart),
        );
  }

  private async inParts(
    query: FindingsQuery,
    firstSize: number,
    fetchPart: FetchPart,
  ): Promise<FindingsPage> {
    const { offset, limit } = query;
    const list = formatListKey(query);
    const entries: FindingsPage['entries'] = [];
    let size = firstSize;
    for (let done = 0; ;) {
      size = Math.min(size, this.sizes.get(list) ?? size);
      const part = { ...query, offset: offset + done, limit: Math.min(size, limit - done) };
      let page: FindingsPage;
      try {
        page = await fetchPart(part);
      } catch (error) {
        size = smallerThan(part.limit, error);
        continue;
      }
      this.sizes.set(list, size);
      // What the service sends beyond the limit comes again with the next part.
      // One by one: a call takes only some ten thousand arguments, and a service may ignore the limit.
      for (const entry of page.hasMore ? page.entries.slice(0, part.limit) : page.entries) {
        entries.push(entry);
      }
      done += part.limit;
      if (done >= limit || !page.hasMore) {
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

function mayBeTooLarge(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof ServerError;
}
