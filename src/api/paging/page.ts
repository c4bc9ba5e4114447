import { createHash } from 'node:crypto';
import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import type { CallOptions } from '../types';

/** The result of reading one response, the same for all styles of pagination. */
export interface Answer<T> {
  readonly items: readonly T[];
  /** Entries over all pages, where the service says so. */
  readonly total?: number;
  /**
   * The name of this page, to recognise it if a later page leads back to it. Absent where none can.
   */
  readonly name?: string;
  /** The page after it; absent at the end of the list. */
  readonly next?: Continuation<T>;
}

export interface Continuation<T> {
  /** The name of the page to be, as in `Answer`. */
  readonly name?: string;
  /** Asks for it: one call, however often it is retried. May be repeated. */
  fetch(options: CallOptions): Promise<Answer<T>>;
}

/** The pages that have been read when one is asked for. */
interface Before {
  readonly pages: number;
  readonly entries: number;
  readonly total: number | undefined;
  readonly seen: Seen;
}

/**
 * One page of a list, and the way to the next: the same for all styles of pagination of the service
 * (spec section 4) and for the Link header (spec section 2.5). A page holds its own entries and some
 * forty bytes for each page before it; nothing is asked for before it is wanted.
 *
 * @example
 * let page = await collectionPages(api, { path: '/portfolios', style: 'page' });
 * while (page.hasNext) {
 *   page = await page.next();
 * }
 */
export class Page<T> {
  /** The entries, as served. May be empty though more pages follow. */
  readonly items: readonly T[];
  /** Entries over all pages as last reported; it informs and may be wrong. */
  readonly total: number | undefined;

  private readonly continuation: Continuation<T> | undefined;

  private constructor(
    answer: Answer<T>,
    private readonly before: Before,
  ) {
    this.items = answer.items;
    this.total = answer.total ?? before.total;
    this.continuation = answer.next;
    before.seen.enter(before.pages, answer.name);
  }

  /** Reads the page at the place where a list begins or is taken up again. */
  static first<T>(start: Continuation<T>, options: CallOptions = {}): Promise<Page<T>> {
    return Page.read(start, { pages: 0, entries: 0, total: undefined, seen: new Seen() }, options);
  }

  private static async read<T>(
    continuation: Continuation<T>,
    before: Before,
    options: CallOptions,
  ): Promise<Page<T>> {
    before.seen.refuse(before.pages, continuation.name);
    return new Page(await continuation.fetch(options), before);
  }

  /** Whether a page follows. An empty page is no end. */
  get hasNext(): boolean {
    return this.continuation !== undefined;
  }

  /** How many entries the pages before this one had, since the first that was read. */
  get entriesBefore(): number {
    return this.before.entries;
  }

  /**
   * Reads the page after this one. May be repeated, also after a failure.
   * @throws ApiError; ProtocolError when the service leads back to a page that was read; RangeError after the last page.
   */
  async next(options: CallOptions = {}): Promise<Page<T>> {
    const { before, items, total, continuation } = this;
    if (!continuation) {
      throw new RangeError('There is no page behind the last one.');
    }
    const pages = before.pages + 1;
    const entries = before.entries + items.length;
    return Page.read(continuation, { pages, entries, total, seen: before.seen }, options);
  }
}

/**
 * The names of the pages of one list, each with the number of its page. They show at the first step
 * back that a service leads in a circle. Reading a page again is allowed.
 */
class Seen {
  private readonly numbers = new Map<string, number>();

  /** @throws ProtocolError when a page of this name was read before the one of this number. */
  refuse(number: number, name: string | undefined): void {
    if (name !== undefined && (this.numbers.get(digest(name)) ?? Infinity) < number) {
      throw new ProtocolError(message('The pages form a loop: the next page was already read.'));
    }
  }

  /** Notes a page that was read. @throws ProtocolError as above. */
  enter(number: number, name: string | undefined): void {
    this.refuse(number, name);
    if (name !== undefined) {
      this.numbers.set(digest(name), number);
    }
  }
}

/** Of one length, so that long cursors and addresses do not pile up. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
