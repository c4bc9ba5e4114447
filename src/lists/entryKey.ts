import { createHash } from 'node:crypto';
import { type JsonObject, jsonText, type JsonValue } from '../base/json';
import type { Held } from './loadedList';
import { maskSecrets } from '../base/secretFields';

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
