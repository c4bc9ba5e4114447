import {
  CancelledError,
  ProtocolError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../api/errors';
import { EndlessPages } from '../api/endlessPages';
import { mostInFlight } from '../api/requestQueue';
import type { Wait } from '../api/types';
import type { PageFlights } from './pageFlights';
import type { Range } from './sparseRows';

/** Pages that fail in a row until it is the service that fails, and not a page by itself. */
const mostFailuresInARow = 12;

/**
 * Loads everything of a list that is missing: as far as the service's count goes several pages at
 * once, behind it one after the other, until `has_more` ends it. No page is asked for that is held
 * or on its way, and none twice.
 */
export class LoadAllRun {
  private readonly abort = new AbortController();
  private readonly endless = new EndlessPages();
  private readonly failed: (Range & { error: unknown })[] = [];
  private cursor = 0;
  private failuresInARow = 0;
  private stoppedBy: { error: unknown } | undefined;

  /** @param pageSize entries of a page, as it is set when the page is asked for. */
  constructor(
    private readonly pages: PageFlights,
    private readonly pageSize: () => number,
  ) {}

  /** What its oldest page waits for. */
  get wait(): Wait | undefined {
    return [...this.pages.flights].find(({ isBulk }) => isBulk)?.wait;
  }

  /** Gives it up: `run` rejects with CancelledError. What has arrived stays. */
  cancel(): void {
    this.stop(new CancelledError());
  }

  /**
   * @throws ApiError at once for what concerns every page; at the end, with the rest loaded, for
   * pages that failed by themselves. CancelledError after `cancel`.
   */
  async run(): Promise<void> {
    let hasFound = false;
    while (!this.stoppedBy) {
      const range = this.bulkFlights < mostInFlight ? this.next() : undefined;
      if (range) {
        hasFound = true;
        this.start(range);
        continue;
      }
      const { flights } = this.pages;
      if (flights.size > 0) {
        // Also those of others: their failure leaves a gap that is missing here.
        const ends = [...flights].map(({ promise }) => promise.catch(() => undefined));
        await Promise.race(ends);
      } else if (hasFound) {
        // Once more from the top, for what others did not get.
        hasFound = false;
        this.cursor = 0;
      } else {
        break;
      }
    }
    const [first] = this.failed;
    const reason = this.stoppedBy ?? first;
    if (reason) {
      throw reason.error;
    }
  }

  private get bulkFlights(): number {
    return [...this.pages.flights].filter(({ isBulk }) => isBulk).length;
  }

  private next(): Range | undefined {
    const { rows, flights } = this.pages;
    const free = this.pages.free(this.cursor, this.failed);
    const isCounted = free && (free.end !== Infinity || free.offset < (rows.total ?? 0));
    if (!free || (!isCounted && flights.size > 0)) {
      // Behind the count only the answer on its way says whether there is anything.
      return undefined;
    }
    return { offset: free.offset, end: Math.min(free.offset + this.pageSize(), free.end) };
  }

  private start(range: Range): void {
    this.cursor = range.end;
    const { rows } = this.pages;
    this.pages.request(range, this.abort.signal).promise.then(
      ({ page, added }) => {
        this.failuresInARow = 0;
        const { servedTo, total } = rows;
        const error = this.endless.errorAfter(page, { added, servedTo, total });
        if (error) {
          this.stop(error);
        }
      },
      (error: unknown) => {
        this.failuresInARow += 1;
        // Where no page ever came, nothing says that there are any behind it.
        const isAlone = failsByItself(error) && !rows.isEmpty;
        if (isAlone && this.failuresInARow < mostFailuresInARow) {
          this.failed.push({ ...range, error });
        } else {
          this.stop(error);
        }
      },
    );
  }

  private stop(error: unknown): void {
    this.stoppedBy ??= { error };
    this.abort.abort();
  }
}

/** Whether a failure tells of one page; else the other pages would fail for the same reason. */
function failsByItself(error: unknown): boolean {
  return (
    (error instanceof ServerError && !(error instanceof ReportFailedError)) ||
    error instanceof ProtocolError ||
    error instanceof TimeoutError
  );
}
