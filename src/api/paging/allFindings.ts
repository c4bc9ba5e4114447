import { EndlessPages } from './endlessPages';
import { CancelledError } from '../http/errors';
import { fetchPages } from './fetchPages';
import { linkSignals } from '../http/linkSignals';
import { mostInFlight } from '../budget/requestQueue';
import type { Api, CallOptions, FindingsPage, FindingsQuery, Wait } from '../types';

/** How a whole list is fetched; all optional. */
export interface AllFindingsOptions extends Pick<CallOptions, 'signal' | 'onWait'> {
  /**
   * The most pages that are on their way, or here and not yet taken; at least 1. Default 6, which
   * is also what the queue lets onto the wire: more would wait there.
   */
  concurrency?: number;
}

/**
 * All pages of a list from `query.offset` on, in order (spec section 4.3), as bulk calls. The first
 * page is fetched alone; it shows how many there are, and the next `next()` asks for several at
 * once. `total_count` only says how far that goes: `has_more` alone ends the list, page by page
 * where the count said less, and what was fetched beyond the end is dropped.
 *
 * A slow consumer holds the fetching back, and however the iteration ends, nothing is left on its
 * way; see fetchPages.
 *
 * @throws ApiError after every page before it was delivered. CancelledError as soon as the signal aborts. ProtocolError for a service that
 *   never ends the list, see EndlessPages.
 */
export async function* allFindings(
  api: Pick<Api, 'findingsPage'>,
  query: FindingsQuery,
  options: AllFindingsOptions = {},
): AsyncGenerator<FindingsPage, void, undefined> {
  const { limit } = query;
  const link = linkSignals([options.signal], () => new CancelledError());
  const { signal } = link;
  const endless = new EndlessPages();
  // The page that the consumer gets next, and the one that is asked for next.
  let due = query.offset;
  let ahead = query.offset;
  // Where the list ends according to the count; 0 until a page has said.
  let expectedEnd = 0;
  // No page is asked for from here on: one that has arrived was the last, or has failed.
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
    concurrency: Math.max(1, options.concurrency ?? mostInFlight),
    inOrder: true,
    next: () => {
      // Nothing is ahead of the first page, and of one that follows though it was not counted.
      const isWanted = ahead === due || ahead < Math.min(expectedEnd, knownEnd);
      if (signal.aborted || !isWanted) {
        return undefined;
      }
      ahead += limit;
      return ahead - limit;
    },
    ask: async (offset) => {
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
    giveUp: () => {
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
