import { EndlessPages } from './endlessPages';
import { fetchPages } from './fetchPages';
import { CancelledError } from '../../base/cancelledError';
import { linkSignals } from '../http/signals';
import { maxInFlight } from '../budget/requestQueue';
import type { CallOptions, FindingsPage, FindingsQuery, Wait } from '../types';

/** See ApiClient. */
interface FindingsSource {
  findingsPage(query: FindingsQuery, options?: CallOptions): Promise<FindingsPage>;
}

/** How a whole list is fetched; all optional. */
interface AllFindingsOptions extends Pick<CallOptions, 'signal' | 'onWait'> {
  /**
   * The most pages that are being fetched, or are fetched and not yet consumed; at least 1. Default 6,
   * which is also the number of requests that the queue sends at once: more would wait there.
   */
  concurrency?: number;
}

/**
 * All pages of a list from `query.offset` on, in order (spec section 4.3), as bulk calls. The first
 * page is fetched alone. It shows how many findings there are, and the following `next()` requests
 * several pages at once.
 *
 * `total_count` only limits how far ahead pages are requested. `has_more` alone ends the list: if
 * the count was too small, the rest is fetched page by page, and pages fetched beyond the end are
 * dropped. A slow consumer slows the fetching down. However the iteration ends, no request stays
 * open; see fetchPages.
 *
 * @throws ApiError after all pages before it were delivered. CancelledError as soon as the signal
 *   aborts. ProtocolError for a service that never ends the list, see EndlessPages.
 */
export async function* allFindings(
  api: FindingsSource,
  query: FindingsQuery,
  options: AllFindingsOptions = {},
): AsyncGenerator<FindingsPage, void, undefined> {
  const { limit } = query;
  const link = linkSignals([options.signal]);
  const { signal } = link;
  const endless = new EndlessPages();
  // The offsets of the page that the consumer gets next and of the page that is requested next.
  let due = query.offset;
  let ahead = query.offset;
  // Where the list ends according to the count; 0 until a page has a count.
  let expectedEnd = 0;
  // No page is requested from this offset on, because a page before it was the last one or failed.
  let knownEnd = Infinity;
  const waits = new Map<number, Wait | undefined>();
  let reported: Wait | undefined;
  const reportWait = () => {
    if (waits.get(due) !== reported) {
      reported = waits.get(due);
      options.onWait?.(reported);
    }
  };
  const pages = fetchPages({
    concurrency: Math.max(1, options.concurrency ?? maxInFlight),
    inOrder: true,
    next: () => {
      // Only pages within the count are requested ahead. The first page, and pages beyond the count, are
      // requested one at a time.
      const canRequest = ahead === due || ahead < Math.min(expectedEnd, knownEnd);
      if (signal.aborted || !canRequest) {
        return undefined;
      }
      ahead += limit;
      return ahead - limit;
    },
    fetch: async (offset) => {
      const onWait = (wait: Wait | undefined) => {
        waits.set(offset, wait);
        reportWait();
      };
      let hasMore = false;
      try {
        const call = { priority: 'bulk', signal, onWait } as const;
        const page = await api.findingsPage({ ...query, offset }, call);
        ({ hasMore } = page);
        return page;
      } finally {
        knownEnd = hasMore ? knownEnd : Math.min(knownEnd, offset + limit);
      }
    },
    cancel: () => {
      link.abort(new CancelledError());
    },
  });
  try {
    for await (const outcome of pages) {
      signal.throwIfAborted();
      if ('error' in outcome) {
        throw outcome.error;
      }
      const { page } = outcome;
      const error = endless.errorAfter(page);
      if (error) {
        throw error;
      }
      expectedEnd = page.totalCount ?? expectedEnd;
      waits.delete(due);
      due += limit;
      reportWait();
      yield page;
      if (!page.hasMore) {
        return;
      }
    }
    signal.throwIfAborted();
  } finally {
    link.unlink();
  }
}
