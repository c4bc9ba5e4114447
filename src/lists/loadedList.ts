import type { Wait } from '../api/types';
import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import type { JsonObject } from '../base/json';

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

/**
 * The key under which an entry becomes a row, `undefined` when it is held already: a list may shift
 * between two pages and serve an entry twice.
 */
export type ChooseKey = (entry: JsonObject, held: Held) => string | undefined;

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
