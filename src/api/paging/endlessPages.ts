import { createHash } from 'node:crypto';
import { type JsonObject } from '../../base/json/json';
import { message } from '../../base/message';
import { findEntryId, findIdentity } from '../../vocabulary/identity';
import { ProtocolError } from '../http/errors';
import type { FindingsPage } from '../types';

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
 * Detects, from the pages of one run over a list, a service that never ends the list. Each loop over pages that only
 * the service ends asks it. An empty page is useless beyond the count, or after everything that was ever served.
 * Another page is useless if it is beyond the count, and also adds nothing new, equals one of the 20 before it, or
 * has only ids that other pages beyond the count had. In a list without a count, every page is beyond the count.
 */
export class EndlessPages {
  private consecutiveUseless = 0;
  private total = 0;
  private servedTo = 0;
  private before: readonly JsonObject[] = [];
  /** Digests of the last pages beyond the count. */
  private recent: string[] = [];
  /** Ids in the pages beyond the count. */
  private readonly ids = new Set<string>();

  /** @returns an error if no more pages should be requested after this one. */
  errorAfter(page: ObservedPage, known?: ListInfo): ProtocolError | undefined {
    const { offset, entries, hasMore, totalCount } = page;
    this.total = totalCount ?? known?.total ?? this.total;
    const isBeyondCount = offset >= this.total;
    const isEmpty = entries.length === 0;
    const isUseless = isEmpty
      ? isBeyondCount || offset >= Math.max(this.servedTo, known?.servedTo ?? 0)
      : isBeyondCount &&
        [known?.added === 0, this.isRepeated(entries), this.hasOldIds(entries)].some(Boolean);
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

  /** Whether each entry has an id of its own, and all of them are known. A field of an entry may change each time. */
  private hasOldIds(entries: readonly JsonObject[]): boolean {
    const ids = entries.flatMap((entry) => findIdentity(entry) ?? findEntryId(entry) ?? []);
    // What several entries of a page share is no id.
    const areDistinct = new Set(ids).size === entries.length;
    const areKnown = areDistinct && ids.every((id) => this.ids.has(id));
    ids.forEach((id) => this.ids.add(id));
    return areKnown;
  }
}

function digest(entries: readonly JsonObject[]): string {
  const hash = createHash('sha256');
  for (const entry of entries) {
    hash.update(`${JSON.stringify(entry)}\n`);
  }
  return hash.digest('base64url');
}
