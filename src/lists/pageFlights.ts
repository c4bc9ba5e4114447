import { CancelledError, RateLimitedError } from '../api/http/errors';
import { fetchPages } from '../api/paging/fetchPages';
import { mostInFlight } from '../api/budget/requestQueue';
import type { FindingsPage, Wait } from '../api/types';
import type { Gap } from './loadedList';
import { type LoadedPage, type ListRange, SparseRows } from './sparseRows';

interface FetchOptions {
  readonly signal: AbortSignal;
  readonly priority: 'interactive' | 'bulk';
  readonly onWait: (wait: Wait | undefined) => void;
}

/** Fetches one page; the list says where it starts and how much it holds. */
export type FetchFindings = (
  query: { offset: number; limit: number },
  options: FetchOptions,
) => Promise<FindingsPage>;

export interface Arrival {
  readonly page: LoadedPage;
  /** How many of its entries were not held before. */
  readonly added: number;
}

export interface PageFlight extends ListRange {
  /** Ends when the page is held. Rejects with CancelledError as soon as the page is given up. */
  readonly promise: Promise<Arrival>;
  readonly isBulk: boolean;
  readonly wait: Wait | undefined;
  readonly onWait: Set<(wait: Wait | undefined) => void>;
}

interface PageFailure extends ListRange {
  readonly error: unknown;
}

interface FlightEvents {
  /** A page set off, or has ended its way. */
  onFlight(flight: PageFlight): void;
  onWait(): void;
}

/** The longest wait for one page at the limit, in milliseconds. */
const mostPatienceMs = 30_000;

/** Up to this many pages are loaded again one after the other: the first may say that no more remain. */
const fewPages = 3;

/**
 * The pages of one generation of a list: those that are held, those on their way, and those that
 * failed. No place of the list is ever on its way twice.
 */
export class PageFlights {
  readonly rows = new SparseRows();
  readonly flights = new Set<PageFlight>();
  failures: readonly PageFailure[] = [];
  /** Who was asked for the first of them, where it is noted. */
  client: unknown;
  private abort = new AbortController();
  private hasEnded = false;

  constructor(
    private readonly fetchPage: FetchFindings,
    private readonly now: () => number,
    private readonly events: FlightEvents,
  ) {}

  /** What is not held, whether it is on its way, and why it failed. */
  get gaps(): readonly Gap[] {
    return this.rows.gaps.map(({ offset, end }) => {
      const failure = this.failures.find(
        (failed) => failed.offset >= offset && failed.offset < end,
      );
      const isLoading = this.at(offset) !== undefined;
      return { offset, end, isLoading, ...(failure ? { error: failure.error } : {}) };
    });
  }

  /** The page on its way that holds a place. */
  at(offset: number): PageFlight | undefined {
    return [...this.flights].find((flight) => flight.offset <= offset && offset < flight.end);
  }

  /**
   * The first part from a place on that is neither held nor on its way.
   * @param but what else to pass over.
   */
  free(from: number, but: readonly ListRange[] = []): ListRange | undefined {
    const taken = [...this.flights, ...but];
    let free = this.rows.free(from);
    for (;;) {
      if (!free) {
        return undefined;
      }
      const { offset } = free;
      const over = taken.find((range) => range.offset <= offset && offset < range.end);
      if (!over) {
        const ahead = taken.map((range) => range.offset).filter((at) => at > offset);
        return { offset, end: Math.min(free.end, ...ahead) };
      }
      free = this.rows.free(over.end);
    }
  }

  /**
   * The page that holds a place: as the pages from the one before it would fall, and nothing twice.
   * @param size entries of a page, as it is set now.
   */
  pageAround(offset: number, size: number): ListRange {
    const free = this.rows.around(offset);
    const ends = [...this.flights].map(({ end }) => end).filter((end) => end <= offset);
    const starts = [...this.flights].map((flight) => flight.offset).filter((at) => at > offset);
    const from = Math.max(free.offset, ...ends);
    const start = from + Math.floor((offset - from) / size) * size;
    return { offset: start, end: Math.min(start + size, free.end, ...starts) };
  }

  /**
   * Asks for a page.
   * @param bulk ends it, and makes it give way to others; without it, it is an interactive call.
   * @param keepsFailure whether a failure is held, to be shown in place of the page.
   * @throws CancelledError at once after `end`.
   */
  request(range: ListRange, bulk?: AbortSignal, keepsFailure = true): PageFlight {
    if (this.hasEnded) {
      throw new CancelledError();
    }
    const { offset, end } = range;
    const signal = bulk ?? this.abort.signal;
    const onWait = new Set<(wait: Wait | undefined) => void>();
    const flight = { offset, end, isBulk: bulk !== undefined, onWait } as PageFlight & {
      promise: Promise<Arrival>;
      wait: Wait | undefined;
    };
    this.failures = this.failures.filter(
      (failure) => failure.end <= offset || failure.offset >= end,
    );
    this.flights.add(flight);
    const setWait = (wait: Wait | undefined) => {
      if (this.flights.has(flight)) {
        flight.wait = wait;
        onWait.forEach((listener) => {
          listener(wait);
        });
        this.events.onWait();
      }
    };
    const limit = end - offset;
    const answer = Promise.resolve().then(() =>
      this.fetchPage(
        { offset, limit },
        { signal, priority: bulk ? 'bulk' : 'interactive', onWait: setWait },
      ),
    );
    flight.promise = new Promise((resolve, reject) => {
      const giveUp = () => {
        reject(new CancelledError());
        if (this.flights.delete(flight)) {
          this.events.onFlight(flight);
        }
      };
      const fail = (error: unknown) => {
        signal.removeEventListener('abort', giveUp);
        reject(error instanceof Error ? error : new Error(String(error)));
        if (this.flights.delete(flight)) {
          if (keepsFailure) {
            this.failures = [...this.failures, { ...range, error }];
          }
          this.events.onFlight(flight);
        }
      };
      const arrive = ({ entries, hasMore, totalCount }: FindingsPage) => {
        signal.removeEventListener('abort', giveUp);
        if (this.flights.has(flight)) {
          const total = totalCount === undefined ? {} : { totalCount };
          const page = { offset, limit, entries, hasMore, ...total, loadedAt: this.now() };
          const added = this.rows.add(page);
          this.flights.delete(flight);
          this.events.onFlight(flight);
          resolve({ page, added });
        }
      };
      signal.addEventListener('abort', giveUp, { once: true });
      // Whatever goes wrong with a page that has arrived, who waits for it hears of it.
      answer.then(arrive).catch(fail);
    });
    // Who asked may have gone; what failed is held in `failures`.
    flight.promise.catch(() => undefined);
    this.events.onFlight(flight);
    return flight;
  }

  /**
   * Loads ranges that another generation held, as interactive calls; at least the first page. At the
   * first failure everything is given up, for good.
   * @param size entries of a page.
   */
  async reload(ranges: readonly ListRange[], size: number): Promise<void> {
    const wanted = pagesOf(ranges.length === 0 ? [{ offset: 0, end: size }] : ranges, size);
    const run = {
      concurrency: wanted.length > fewPages ? mostInFlight : 1,
      next: () => {
        let page = wanted.shift();
        // After the end of a list that has become shorter there is nothing to ask for.
        while (page && this.free(page.offset)?.offset !== page.offset) {
          page = wanted.shift();
        }
        return page;
      },
      ask: (page: ListRange) => this.request(page).promise,
      giveUp: () => {
        this.end();
      },
    };
    for await (const outcome of fetchPages(run)) {
      if ('error' in outcome) {
        throw outcome.error;
      }
    }
  }

  /**
   * Waits for a page that somebody else may have asked for.
   * @throws RateLimitedError when the service's limit keeps a bulk call longer than 30 seconds.
   */
  async arrival(flight: PageFlight): Promise<void> {
    let listener: (wait: Wait | undefined) => void = () => undefined;
    const tooLong = new Promise<never>((_, reject) => {
      listener = (wait) => {
        if (flight.isBulk && wait && wait.until - this.now() > mostPatienceMs) {
          reject(new RateLimitedError(wait.until));
        }
      };
    });
    listener(flight.wait);
    flight.onWait.add(listener);
    try {
      await Promise.race([flight.promise, tooLong]);
    } finally {
      flight.onWait.delete(listener);
    }
  }

  /** Gives up the interactive calls on their way; bulk calls end with their own signal. */
  giveUp(): void {
    const { abort } = this;
    this.abort = new AbortController();
    abort.abort();
  }

  /** Cancels all pages for good: no further page is requested. */
  end(): void {
    this.hasEnded = true;
    this.giveUp();
  }
}

function pagesOf(ranges: readonly ListRange[], size: number): ListRange[] {
  return ranges.flatMap(({ offset, end }) =>
    Array.from({ length: Math.ceil((end - offset) / size) }, (_, index) => ({
      offset: offset + index * size,
      end: Math.min(offset + (index + 1) * size, end),
    })),
  );
}
