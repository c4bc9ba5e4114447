import { createHash } from 'node:crypto';
import { type JsonObject } from '../../base/json/json';
import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import type { FindingsPage } from '../types';

export interface PageRun<R, P> {
  /**
   * Returns what to request next; `undefined` if there is nothing, or nothing until another page has
   * arrived or failed.
   */
  next(): R | undefined;
  fetch(range: R): Promise<P>;
  /** Cancels the open requests when the consumer stops. */
  cancel(): void;
  /** The most pages that are being fetched, or are fetched and not yet consumed; at least 1. */
  readonly concurrency: number;
  /**
   * Whether pages are yielded in the order of their requests. Default: in the order of their arrival, and
   * failures in the order of their requests.
   */
  readonly inOrder?: boolean;
}

type PageOutcome<R, P> =
  { readonly range: R; readonly page: P } | { readonly range: R; readonly error: unknown };

/**
 * Fetches many pages, several at once, until nothing is left to request and no request is open. A
 * failure is an outcome like a page: the consumer decides whether to continue. It is yielded after the outcomes
 * of all requests before it, because one of those pages may end the list. Nothing is requested
 * while the consumer handles an outcome, so a slow consumer slows the fetching down. However the
 * iteration ends, no request stays open.
 */
export async function* fetchPages<R, P>(
  run: PageRun<R, P>,
): AsyncGenerator<PageOutcome<R, P>, void, undefined> {
  /** Oldest first. */
  const requests = new Map<R, OpenRequest<R, P>>();
  try {
    for (;;) {
      for (let range; requests.size < run.concurrency && (range = run.next()) !== undefined;) {
        const outcome = fetchOutcome(run, range);
        requests.set(range, { outcome, arrival: waitForArrival(outcome) });
      }
      const [oldest] = requests.values();
      if (!oldest) {
        return;
      }
      const arrivals = run.inOrder ? [] : Array.from(requests.values(), ({ arrival }) => arrival);
      const outcome = await Promise.race([oldest.outcome, ...arrivals]);
      requests.delete(outcome.range);
      yield outcome;
    }
  } finally {
    if (requests.size > 0) {
      run.cancel();
      await Promise.all(Array.from(requests.values(), ({ outcome }) => outcome));
    }
  }
}

interface OpenRequest<R, P> {
  readonly outcome: Promise<PageOutcome<R, P>>;
  /** Resolves when the page arrives, and never if it fails. */
  readonly arrival: Promise<PageOutcome<R, P>>;
}

function waitForArrival<R, P>(outcome: Promise<PageOutcome<R, P>>): Promise<PageOutcome<R, P>> {
  return new Promise((resolve) => {
    void outcome.then((settled) => {
      if (!('error' in settled)) {
        resolve(settled);
      }
    });
  });
}

async function fetchOutcome<R, P>(run: PageRun<R, P>, range: R): Promise<PageOutcome<R, P>> {
  try {
    return { range, page: await run.fetch(range) };
  } catch (error) {
    return { range, error };
  }
}

/** The number of useless pages in a row that ends a list, so that an endless list does not use up the hourly budget. */
const maxUselessPages = 20;

type ObservedPage = Pick<FindingsPage, 'offset' | 'hasMore' | 'totalCount'> & {
  readonly entries: readonly JsonObject[];
};

/** What is known about a list that contains more than the pages of one run. */
interface ListInfo {
  /** How many entries of the page the list did not hold before. */
  readonly added: number;
  /** The offset after the last entry that was ever served. */
  readonly servedTo: number;
  /** The last total that the service sent. */
  readonly total: number | undefined;
}

/**
 * Detects, from the pages of one run over a list, a service that never ends the list. An empty page
 * is useless beyond the count, or after everything that was ever served. Another page is useless if
 * it is beyond the count, and also adds nothing new or equals one of the 20 before it. In a list
 * without a count, every page is beyond the count.
 */
export class EndlessPages {
  private consecutiveUseless = 0;
  private total = 0;
  private servedTo = 0;
  private before: readonly JsonObject[] = [];
  /** Digests of the last pages beyond the count. */
  private recent: string[] = [];

  /** @returns an error if no more pages should be requested after this one. */
  errorAfter(page: ObservedPage, known?: ListInfo): ProtocolError | undefined {
    const { offset, entries, hasMore, totalCount } = page;
    this.total = totalCount ?? known?.total ?? this.total;
    const isBeyondCount = offset >= this.total;
    const isEmpty = entries.length === 0;
    const isUseless = isEmpty
      ? isBeyondCount || offset >= Math.max(this.servedTo, known?.servedTo ?? 0)
      : isBeyondCount && (known?.added === 0 || this.isRepeated(entries));
    this.before = entries;
    this.consecutiveUseless = isUseless ? this.consecutiveUseless + 1 : 0;
    this.servedTo = isEmpty ? this.servedTo : Math.max(this.servedTo, offset + entries.length);
    if (!hasMore || this.consecutiveUseless < maxUselessPages) {
      return undefined;
    }
    return new ProtocolError(
      isEmpty
        ? message('The service keeps sending empty pages.')
        : message('The service sent the same page again instead of the next one.'),
    );
  }

  private isRepeated(entries: readonly JsonObject[]): boolean {
    const [content, before] = [digest(entries), digest(this.before)];
    const isKnown = content === before || this.recent.includes(content);
    this.recent = [...this.recent, content].slice(-maxUselessPages);
    return isKnown;
  }
}

function digest(entries: readonly JsonObject[]): string {
  const hash = createHash('sha256');
  for (const entry of entries) {
    hash.update(`${JSON.stringify(entry)}\n`);
  }
  return hash.digest('base64url');
}
