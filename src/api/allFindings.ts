import { EndlessPages } from './endlessPages';
import { ApiError, CancelledError } from './errors';
import { type LinkedController, linkSignals } from './linkSignals';
import { mostInFlight } from './requestQueue';
import type { Api, CallOptions, FindingsPage, FindingsQuery, Wait } from './types';

/** How a whole list is fetched; every member is optional. */
export interface AllFindingsOptions extends Pick<CallOptions, 'signal' | 'onWait'> {
  /**
   * The most pages that are on their way, or here and not yet taken; at least 1. Default 6, which
   * is also what the queue lets onto the wire: more would wait there.
   */
  concurrency?: number;
}

/** A page that was asked for and not yet delivered. */
interface Flight {
  readonly offset: number;
  readonly answer: Promise<FindingsPage>;
  wait: Wait | undefined;
}

/**
 * All pages of a list from `query.offset` on, in order (spec section 4.3), as bulk calls. The first
 * page is fetched alone; it tells how many there are, and the next `next()` asks for several at
 * once. `total_count` only says how far that goes: `has_more` alone ends the list, page by page
 * where the count said less, and what was fetched beyond the end is dropped.
 *
 * No more than `concurrency` pages are held, so a slow consumer holds the fetching back. However
 * the iteration ends, nothing is left on its way.
 *
 * @throws ApiError after every page before it was delivered; its `progress.at.offset` is where a later
 *   call may go on. CancelledError as soon as the signal aborts. ProtocolError for a service that
 *   never ends the list, see EndlessPages.
 */
export async function* allFindings(
  api: Pick<Api, 'findingsPage'>,
  query: FindingsQuery,
  options: AllFindingsOptions = {},
): AsyncGenerator<FindingsPage, void, undefined> {
  const ahead = new PagesAhead(api, query, options);
  try {
    const endless = new EndlessPages();
    for (let page = await ahead.take(); ; page = await ahead.take()) {
      const error = endless.errorAfter(page);
      if (error) {
        throw ahead.stopped(page.offset, error);
      }
      ahead.delivered(page);
      yield page;
      if (!page.hasMore) {
        return;
      }
    }
  } finally {
    await ahead.close();
  }
}

/** The pages between what the consumer has taken and what has been asked for. */
class PagesAhead {
  /** Oldest first. */
  private readonly flights: Flight[] = [];
  private readonly link: LinkedController;
  private readonly concurrency: number;
  private nextOffset: number;
  /** Where the list ends as far as the count says; 0 until a page has said. */
  private expectedEnd = 0;
  /** No page is asked for from here on: one that has arrived was the last, or has failed. */
  private knownEnd = Infinity;
  private told: Wait | undefined;
  private pages = 0;
  private entries = 0;

  constructor(
    private readonly api: Pick<Api, 'findingsPage'>,
    private readonly query: FindingsQuery,
    private readonly options: AllFindingsOptions,
  ) {
    this.concurrency = Math.max(1, options.concurrency ?? mostInFlight);
    this.nextOffset = query.offset;
    this.link = linkSignals([options.signal], () => new CancelledError());
  }

  /** The next page in order; asks for as many after it as may be held. */
  async take(): Promise<FindingsPage> {
    if (this.link.signal.aborted) {
      throw this.stopped(this.flights[0]?.offset ?? this.nextOffset, this.link.signal.reason);
    }
    // Nothing is ahead: the first page, or the one before it says that more remain than was counted.
    const head = this.flights[0] ?? this.ask();
    while (
      this.flights.length < this.concurrency &&
      this.nextOffset < Math.min(this.expectedEnd, this.knownEnd)
    ) {
      this.ask();
    }
    try {
      const page = await head.answer;
      this.link.signal.throwIfAborted();
      this.expectedEnd = page.totalCount ?? this.expectedEnd;
      return page;
    } catch (error) {
      throw this.stopped(head.offset, error);
    } finally {
      this.flights.shift();
      this.tellWait();
    }
  }

  /** Counts a page that the consumer gets. */
  delivered({ entries }: FindingsPage): void {
    this.pages += 1;
    this.entries += entries.length;
  }

  /** Notes in an error which page it stopped at, and what came before it. */
  stopped(offset: number, error: unknown): unknown {
    if (error instanceof ApiError) {
      const { pages, entries } = this;
      error.progress = { at: { offset }, pages, entries };
    }
    return error;
  }

  /** Gives up what is on its way and waits until it has ended. */
  async close(): Promise<void> {
    this.link.unlink();
    this.link.abort(new CancelledError());
    await Promise.allSettled(this.flights.map(({ answer }) => answer));
  }

  private ask(): Flight {
    const offset = this.nextOffset;
    this.nextOffset += this.query.limit;
    const onWait = (wait: Wait | undefined) => {
      flight.wait = wait;
      this.tellWait();
    };
    // A moment later, because a call may tell its wait before it returns.
    const answer = Promise.resolve().then(() =>
      this.api.findingsPage(
        { ...this.query, offset },
        { priority: 'bulk', signal: this.link.signal, onWait },
      ),
    );
    const flight: Flight = { offset, answer, wait: undefined };
    this.flights.push(flight);
    const endHere = () => {
      this.knownEnd = Math.min(this.knownEnd, offset + this.query.limit);
    };
    // A failure is told when its page is taken; until then it is no unhandled one.
    answer.then((page) => {
      if (!page.hasMore) {
        endHere();
      }
    }, endHere);
    return flight;
  }

  /** Tells the wait of the oldest page: the one that the consumer waits for. */
  private tellWait(): void {
    const wait = this.flights[0]?.wait;
    if (wait !== this.told) {
      this.told = wait;
      this.options.onWait?.(wait);
    }
  }
}
