import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json/json';
import { findEntryId, findIdentity } from '../../vocabulary/identity';
import type { CharacterIndex } from './characterIndex';

export interface ListRow {
  /** Stable across reloads: the entry's own id, if it has one. Unique in its list. */
  readonly key: string;
  /** Its position in the list as served, starting at 1. */
  readonly number: number;
  readonly entry: JsonObject;
  /** The characters in the fields of its page. Default: unknown. */
  readonly characters?: CharacterIndex;
  /**
   * The last text that it was searched for, and whether it matched. In the row: a map takes longer than the search. The
   * text and not its filter: two filters may search for one text.
   */
  searchedFor?: string | undefined;
  isMatch?: boolean;
}

export class RowsByKey extends Map<string, ListRow> {
  /** The number of identical entries without an id, by the key of the first; only if there are several. */
  readonly copies = new Map<string, number>();
  /** The digest of the first entry with an id, if other entries came with the same id. */
  readonly contents = new Map<string, string>();
}

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

/** The key of an entry in a list with these rows. */
export type KeyOf = (entry: JsonObject, rows: RowsByKey) => string;

/** The key of a finding, see {@link createKey}. */
export function findingKey(entry: JsonObject, rows: RowsByKey): string {
  return createKey(entry, findIdentity(entry), rows);
}

/**
 * Whether a finding has a key in any list: which one of equal findings, or of those that share an id, has which key
 * depends on the pages that were loaded before.
 */
export function isFindingOf(entry: JsonObject, key: string): boolean {
  const id = findIdentity(entry);
  return id === undefined
    ? digest(entry) === key.replace(/#\d+$/, '')
    : key === id || key === sharedIdKey(id, digest(entry));
}

/** The key of an entry of a collection, whose fields are unknown: see {@link createKey}. */
export function entryKey(entry: JsonObject, rows: RowsByKey): string {
  return createKey(entry, findEntryId(entry), rows);
}

/**
 * The key of an entry: the id from the service, which identifies it on another page or after a refresh, or else
 * a digest of its content. If the list has this key, it has an equal entry. An id may be shared by entries that
 * differ: a field that looks like an id may not be one.
 */
function createKey(entry: JsonObject, id: string | undefined, rows: RowsByKey): string {
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
