import type { Wait } from '../api/types';
import type { Disposable } from '../base/disposable';
import { type Event, Emitter } from '../base/emitter';
import { type JsonObject, jsonText, type JsonValue } from '../base/json';
import { createHash } from 'node:crypto';
import { maskSecrets } from '../base/secretFields';
import type { SignedIn } from '../account/session';

export interface ListRow {
  /** Stable over reloads: the entry's own id where it has one. Unique in its list. */
  readonly key: string;
  /** Its place in the list as served, from 1. */
  readonly number: number;
  readonly entry: JsonObject;
}

/** The rows that are held, by their keys. */
export class Held extends Map<string, ListRow> {
  /** How many of the entries that have no id say the same, by the key of the first, where it is more than one. */
  readonly copies = new Map<string, number>();
  /** What the first entry of an id says, as a digest, where other entries came with the same id. */
  readonly contents = new Map<string, string>();
}

/** How many distinct entries are held, how many the service counts, and whether more remain. */
export interface LoadResult {
  loaded: number;
  /** Absent where the service gives none. */
  total?: number;
  /** Whether something is known not to be loaded, or the end of the list is not known. */
  hasMore: boolean;
}

/** What a list is doing, or why it stopped. What is loaded stays, whatever the state. */
export type ListState =
  | { type: 'idle' }
  | { type: 'loading'; task: ListTask; wait?: Wait }
  | { type: 'failed'; task: ListTask; error: unknown };

/** `more` also stands for the first page; `all` for everything that is missing. */
export type ListTask = 'more' | 'refresh' | 'all';

export interface Gap {
  /** How many places of the list stand before it. */
  readonly offset: number;
  /** Where it ends, not included; `Infinity` for the last gap, whose end only the service knows. */
  readonly end: number;
  /** Whether its next page is on its way. */
  readonly isLoading: boolean;
  /** Why loading stopped in it; absent where it did not. */
  readonly error?: unknown;
}

/**
 * A list of the service of which some pages are held: what views and commands need to know, however
 * its pages lead on to each other.
 */
export interface LoadedList extends Disposable {
  /** Identifies it among all lists of the account. */
  readonly id: string;
  /** Fires after every change of rows or state. */
  readonly onDidChange: Event<void>;
  /** Counts the changes after which rows and gaps have to be redrawn, not only what is going on. */
  readonly revision: number;
  /** In the order of their numbers. */
  readonly rows: readonly ListRow[];
  /** In the order of their places; empty when everything is loaded. */
  readonly gaps: readonly Gap[];
  readonly state: ListState;
  /** Whether a page was ever loaded. */
  readonly isLoaded: boolean;
  /** Whether the last page was empty though more remain: otherwise Load More seems to do nothing. */
  readonly lastPageEmpty: boolean;
  readonly result: LoadResult;
  /** How many entries its next page has at most; absent where only the service knows. */
  readonly pageSize?: number | undefined;
  /** Whether loaded rows that do not match a text are hidden; what is not loaded is not searched. */
  readonly isFiltered?: boolean;
  /** Loads the first page unless a page is there or on its way. Repeatable. */
  loadFirst(): Promise<LoadResult>;
  /** Loads the next page of the first gap, or of the one that begins at an offset. */
  loadMore(from?: number): Promise<LoadResult>;
  /** Loads again what is loaded, and puts it in place of the old when all has arrived. */
  refresh(): Promise<LoadResult>;
}

export function loading(task: ListTask, wait: Wait | undefined): ListState {
  return { type: 'loading', task, ...(wait ? { wait } : {}) };
}

/** Fields in which a service distinguishes one entry of a collection from the others, the most usual first. */
const idFields = ['id', 'uuid', 'guid', '_id', 'issue_id', 'event_id', 'key'];

/**
 * The key of a finding: the id that the service gives it, which makes it the same finding on another
 * page or after a refresh; else what it says. `undefined`: it is held already.
 */
export function findingKey(entry: JsonObject, held: Held): string | undefined {
  const id = findingId(entry);
  if (id === undefined) {
    return contentKey(entry, held);
  }
  return held.has(id) ? undefined : id;
}

/**
 * Whether a key is that of a finding, in whichever list. One without an id is known by what it says,
 * with or without its secret-like values.
 */
export function isFindingOf(entry: JsonObject, key: string): boolean {
  const id = findingId(entry);
  return id === undefined
    ? [entry, maskSecrets(entry)].map(digest).includes(key.replace(/#\d+$/, ''))
    : id === key;
}

export function findingId(entry: JsonObject): string | undefined {
  return idText(entry.issue_id);
}

/**
 * The key of an entry of a collection, of which no field is known: an id-like field, else what the
 * entry says. What looks like an id may be none, so that only an entry that is identical is
 * taken for one that is held already.
 */
export function entryKey(entry: JsonObject, held: Held): string | undefined {
  const id = idFields.map((field) => idText(entry[field])).find((text) => text !== undefined);
  if (id === undefined) {
    return contentKey(entry, held);
  }
  const before = held.get(id);
  if (!before) {
    return id;
  }
  const content = digest(entry);
  const key = `${id}#${content}`;
  // Noted, because one large entry may have the id of thousands of others.
  const first = held.contents.get(id) ?? digest(before.entry);
  held.contents.set(id, first);
  return held.has(key) || first === content ? undefined : key;
}

/**
 * Stands in for the id of an entry that has none: what it says, and its count. Two
 * entries that say the same without an id cannot be known to be one, so both are kept.
 */
function contentKey(entry: JsonObject, held: Held): string {
  const content = digest(entry);
  if (!held.has(content)) {
    return content;
  }
  // Counted, because a list may hold tens of thousands that say the same.
  let copy = (held.copies.get(content) ?? 1) + 1;
  while (held.has(`${content}#${copy}`)) {
    // The id of another entry.
    copy += 1;
  }
  held.copies.set(content, copy);
  return `${content}#${copy}`;
}

function digest(entry: JsonObject): string {
  return createHash('sha256').update(jsonText(entry)).digest('base64url');
}

function idText(value: JsonValue | undefined): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value)
    : undefined;
}

export interface ListSession {
  readonly signedIn: SignedIn | undefined;
  /** Fires when another account is shown, or none; a new key of the same account is no such change. */
  readonly onDidChangeAccount: Event<void>;
  requireSignedIn(): SignedIn;
}

/** The lists of the account that is signed in, made when they are first looked at. */
export abstract class AccountLists<L extends LoadedList> implements Disposable {
  protected readonly changed = new Emitter<L | undefined>();
  /** A list with what it was asked for; when that changes it is another list. */
  private readonly lists = new Map<string, { list: L; query: string }>();
  private readonly sessionListener: Disposable;

  /** Fires the list that changed, or `undefined` when more than one did. */
  readonly onDidChange = this.changed.event;

  constructor(session: ListSession) {
    this.sessionListener = session.onDidChangeAccount(() => {
      this.clear();
      this.changed.fire(undefined);
    });
  }

  dispose(): void {
    this.sessionListener.dispose();
    this.clear();
    this.changed.dispose();
  }

  /** The list of this id that was made for this query, else a new one in its place. */
  protected listFor(id: string, query: string, make: () => L): L {
    const known = this.lists.get(id);
    if (known?.query === query) {
      return known.list;
    }
    known?.list.dispose();
    const list = make();
    list.onDidChange(() => {
      this.changed.fire(list);
    });
    this.lists.set(id, { list, query });
    return list;
  }

  protected get made(): L[] {
    return [...this.lists.values()].map(({ list }) => list);
  }

  /** Discards all lists: they belong to the previous account. */
  protected clear(): void {
    for (const { list } of this.lists.values()) {
      list.dispose();
    }
    this.lists.clear();
  }
}

/** Whether something was asked of a list. */
export function isActive(list: LoadedList): boolean {
  return list.isLoaded || list.state.type !== 'idle';
}

/**
 * Refreshes lists. All of them are tried; each holds its own failure.
 * @throws the first of the failures.
 */
export async function refreshAll(lists: readonly LoadedList[]): Promise<void> {
  const results = await Promise.allSettled(lists.map((list) => list.refresh()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
