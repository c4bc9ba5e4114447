import { createHash } from 'node:crypto';
import { type JsonObject, jsonText } from '../../base/json';
import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import type { FindingsPage } from '../types';

/** The number of useless pages in a row that ends a list, so that an endless list does not use up the hourly budget. */
const mostUselessPages = 20;

type WatchedPage = Pick<FindingsPage, 'offset' | 'hasMore' | 'totalCount'> & {
  readonly entries: readonly JsonObject[];
};

/** What a list knows that contains more than the pages of one run. */
export interface KnownOfList {
  /** How many entries of the page were not held before it. */
  readonly added: number;
  /** The place after the last entry that was ever served. */
  readonly servedTo: number;
  /** What the service counted last. */
  readonly total: number | undefined;
}

/**
 * Detects, from the pages of one run over a list, a service that never ends the list. An empty page
 * is useless beyond the count, or after everything that was ever served. Another page is useless if
 * it is beyond the count, and also adds nothing new or equals one of the 20 before it. In a list
 * without a count, every page is beyond the count.
 */
export class EndlessPages {
  private inARow = 0;
  private total = 0;
  private servedTo = 0;
  private before: readonly JsonObject[] = [];
  /** Digests of the last pages beyond the count. */
  private recent: string[] = [];

  /** @returns the reason to request no more pages after this one. */
  errorAfter(page: WatchedPage, known?: KnownOfList): ProtocolError | undefined {
    const { offset, entries, hasMore, totalCount } = page;
    this.total = totalCount ?? known?.total ?? this.total;
    const isBehindCount = offset >= this.total;
    const isEmpty = entries.length === 0;
    const isUseless = isEmpty
      ? isBehindCount || offset >= Math.max(this.servedTo, known?.servedTo ?? 0)
      : isBehindCount && (known?.added === 0 || this.cameBefore(entries));
    this.before = entries;
    this.inARow = isUseless ? this.inARow + 1 : 0;
    this.servedTo = isEmpty ? this.servedTo : Math.max(this.servedTo, offset + entries.length);
    if (!hasMore || this.inARow < mostUselessPages) {
      return undefined;
    }
    return new ProtocolError(
      isEmpty
        ? message('The service keeps sending empty pages.')
        : message('The service sent the same page again instead of the next one.'),
    );
  }

  private cameBefore(entries: readonly JsonObject[]): boolean {
    const [content, before] = [digest(entries), digest(this.before)];
    const isKnown = content === before || this.recent.includes(content);
    this.recent = [...this.recent, content].slice(-mostUselessPages);
    return isKnown;
  }
}

function digest(entries: readonly JsonObject[]): string {
  const hash = createHash('sha256');
  for (const entry of entries) {
    hash.update(`${jsonText(entry)}\n`);
  }
  return hash.digest('base64url');
}
