import { AuthError } from '../api/http/errors';
import { SignedOutError } from '../workbench/workbenchErrors';
import type { Wait } from '../api/types';
import type { Disposable } from '../base/events/disposable';
import { type Event, Emitter } from '../base/events/emitter';
import { isJsonNumber, type JsonObject, type JsonValue } from '../base/json/json';
import { createHash } from 'node:crypto';
import type { CharacterIndex } from './characterIndex';
import type { SignedIn } from '../account/session';

export interface ListRow {
  /** Stable across reloads: the entry's own id, if it has one. Unique in its list. */
  readonly key: string;
  /** Its position in the list as served, starting at 1. */
  readonly number: number;
  readonly entry: JsonObject;
  /** The characters in the fields of its page; absent in lists that are not searched. */
  readonly characters?: CharacterIndex;
}

export class RowsByKey extends Map<string, ListRow> {
  /** The number of identical entries without an id, by the key of the first; only if there are several. */
  readonly copies = new Map<string, number>();
  /** The digest of the first entry with an id, if other entries came with the same id. */
  readonly contents = new Map<string, string>();
}

/** How many distinct entries are loaded, how many the service counts, and whether more remain. */
export interface LoadResult {
  loaded: number;
  /** Absent if the service gives none. */
  total?: number;
  /** Whether a part of the list is known to be missing, or its end is unknown. */
  hasMore: boolean;
}

/** What a list does now, or why it stopped. Loaded rows stay in every state. */
export type ListState =
  | { type: 'idle' }
  | { type: 'loading'; task: ListTask; wait?: Wait }
  | { type: 'failed'; task: ListTask; error: unknown };

/** `more` is the next page, also the first one; `all` is everything that is missing. */
export type ListTask = 'more' | 'refresh' | 'all';

export interface Gap {
  /** The number of positions in the list before it. */
  readonly offset: number;
  /** Its end, exclusive; `Infinity` for the last gap, whose end only the service knows. */
  readonly end: number;
  /** Whether its next page is in flight. */
  readonly isLoading: boolean;
  /** Why loading stopped in it; absent if it did not. */
  readonly error?: unknown;
}

/**
 * A list of the service, possibly loaded only in part, as views and commands see it, however its pages are
 * linked.
 */
export interface LoadedList extends Disposable {
  /** Identifies it among all lists of the account. */
  readonly id: string;
  /** Fires after every change of rows or state. */
  readonly onDidChange: Event<void>;
  /** Counts the changes that require rows and gaps to be redrawn, as opposed to mere progress. */
  readonly revision: number;
  /** In the order of their numbers. */
  readonly rows: readonly ListRow[];
  /** In list order; empty when everything is loaded. */
  readonly gaps: readonly Gap[];
  readonly state: ListState;
  /** Whether a page was ever loaded. */
  readonly isLoaded: boolean;
  /** Whether the last page was empty although more remain. Shown, because Load More would seem to do nothing. */
  readonly lastPageEmpty: boolean;
  readonly result: LoadResult;
  /** The maximum number of entries in its next page; absent if only the service knows. */
  readonly pageSize?: number | undefined;
  /** Whether loaded rows that do not match a text are hidden. Only loaded rows are searched. */
  readonly isFiltered?: boolean;
  /** Loads the first page, unless a page is loaded or in flight. Can be called repeatedly. */
  loadFirst(): Promise<LoadResult>;
  /** Loads the next page of the first gap, or of the one that begins at an offset. */
  loadMore(from?: number): Promise<LoadResult>;
  /** Reloads what is loaded, and replaces the old rows when everything has arrived. */
  refresh(): Promise<LoadResult>;
}

export function loading(task: ListTask, wait: Wait | undefined): ListState {
  return { type: 'loading', task, ...(wait ? { wait } : {}) };
}

/** Fields that may identify an entry of a collection, the most common first. */
const idFields = ['id', 'uuid', 'guid', '_id', 'issue_id', 'event_id', 'key'];

/** The key of a finding, see {@link keyOf}. */
export function findingKey(entry: JsonObject, rows: RowsByKey): string {
  return keyOf(entry, findingId(entry), rows);
}

/**
 * Whether a finding has a key in any list: which one of equal findings, or of those that share an id, has which key
 * depends on the pages that were loaded before.
 */
export function isFindingOf(entry: JsonObject, key: string): boolean {
  const id = findingId(entry);
  return id === undefined
    ? digest(entry) === key.replace(/#\d+$/, '')
    : key === id || key === sharedIdKey(id, digest(entry));
}

export function findingId(entry: JsonObject): string | undefined {
  return idText(entry.issue_id);
}

/** The key of an entry of a collection, whose fields are unknown: see {@link keyOf}. */
export function entryKey(entry: JsonObject, rows: RowsByKey): string {
  const id = idFields.map((field) => idText(entry[field])).find((text) => text !== undefined);
  return keyOf(entry, id, rows);
}

/**
 * The key of an entry: the id from the service, which identifies it on another page or after a refresh, or else
 * a digest of its content. If the list has this key, it has an equal entry. An id may be shared by entries that
 * differ: a field that looks like an id may not be one.
 */
function keyOf(entry: JsonObject, id: string | undefined, rows: RowsByKey): string {
  if (id === undefined) {
    return contentKey(entry, rows);
  }
  const before = rows.get(id);
  if (!before) {
    return id;
  }
  // Cached, because one large entry may share its id with thousands of others.
  const first = rows.contents.get(id) ?? digest(before.entry);
  rows.contents.set(id, first);
  const content = digest(entry);
  return content === first ? id : sharedIdKey(id, content);
}

function sharedIdKey(id: string, content: string): string {
  return `${id}#${content}`;
}

/**
 * Replaces the id of an entry that has none: a digest of its content, and a count. Two identical entries
 * without an id are not necessarily the same one, so both are kept.
 */
function contentKey(entry: JsonObject, rows: RowsByKey): string {
  const content = digest(entry);
  if (!rows.has(content)) {
    return content;
  }
  // Counted, because a list may contain tens of thousands of identical entries.
  let copy = (rows.copies.get(content) ?? 1) + 1;
  while (rows.has(`${content}#${copy}`)) {
    // Another entry has this key as its id.
    copy += 1;
  }
  rows.copies.set(content, copy);
  return `${content}#${copy}`;
}

function digest(entry: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('base64url');
}

function idText(value: JsonValue | undefined): string | undefined {
  return (typeof value === 'string' && value !== '') || isJsonNumber(value)
    ? String(value)
    : undefined;
}

export interface ListSession {
  readonly signedIn: SignedIn | undefined;
  /** Fires when another account, or none, is shown; not for a new key of the same account. */
  readonly onDidChangeAccount: Event<void>;
  /** Fires for a new key, too. */
  readonly onDidChange: Event<void>;
  requireSignedIn(): SignedIn;
}

/** The lists of the signed-in account, each created when it is first needed. */
export abstract class AccountLists<L extends LoadedList> implements Disposable {
  protected readonly changed = new Emitter<L | undefined>();
  /** Each list with its query; another query makes it another list. */
  private readonly lists = new Map<string, { list: L; query: string }>();
  private readonly sessionListeners: readonly Disposable[];

  /** Fires the list that changed, or `undefined` when more than one did. */
  readonly onDidChange = this.changed.event;

  constructor(session: ListSession) {
    let client = session.signedIn?.api;
    this.sessionListeners = [
      session.onDidChangeAccount(() => {
        // They belong to the previous account.
        this.discard(() => true);
        this.changed.fire(undefined);
      }),
      session.onDidChange(() => {
        const before = client;
        client = session.signedIn?.api;
        if (client && client !== before) {
          this.retryRefused();
        }
      }),
    ];
  }

  dispose(): void {
    for (const listener of this.sessionListeners) {
      listener.dispose();
    }
    this.discard(() => true);
    this.changed.dispose();
  }

  /** The list with this id and query, or else a new one, which replaces the list with this id. */
  protected listFor(id: string, query: string, make: (replaced?: L) => L): L {
    const existing = this.lists.get(id);
    if (existing?.query === query) {
      return existing.list;
    }
    existing?.list.dispose();
    const list = make(existing?.list);
    list.onDidChange(() => {
      this.changed.fire(list);
    });
    this.lists.set(id, { list, query });
    return list;
  }

  /** The lists that are loaded, loading or failed. */
  active(): L[] {
    return this.allLists.filter(({ isLoaded, state }) => isLoaded || state.type !== 'idle');
  }

  protected get allLists(): L[] {
    return [...this.lists.values()].map(({ list }) => list);
  }

  /** Discards some lists, and ends their requests. */
  protected discard(isOld: (list: L) => boolean): void {
    for (const [id, { list }] of this.lists) {
      if (isOld(list)) {
        this.lists.delete(id);
        list.dispose();
      }
    }
  }

  /** Loads with the new key what failed because of the old one. */
  private retryRefused(): void {
    for (const { list } of this.lists.values()) {
      const { state } = list;
      if (state.type === 'failed' && isRefused(state.error)) {
        // The list keeps the failure.
        void (state.task === 'refresh' ? list.refresh() : list.loadMore()).catch(() => undefined);
      }
    }
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof AuthError || error instanceof SignedOutError;
}

/**
 * Refreshes lists. All of them are tried; each keeps its own failure.
 * @throws the first failure.
 */
export async function refreshAll(lists: readonly LoadedList[]): Promise<void> {
  const results = await Promise.allSettled(lists.map((list) => list.refresh()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
