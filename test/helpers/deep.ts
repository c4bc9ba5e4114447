import type { JsonObject, JsonValue } from '../../src/base/json/json';

/** A value inside this many nested lists, which can be far more levels than a stack holds. */
export function nested(levels: number, inside: JsonValue = []): JsonValue {
  let value = inside;
  for (let level = 0; level < levels; level += 1) {
    value = [value];
  }
  return value;
}

/** The text of an entry with a password below this many levels. */
export function deepText(levels: number, password = 'hunter2-deep'): string {
  const inside = `{"ip":"192.0.2.7","password":"${password}"}`;
  return `{"evidence":${'['.repeat(levels)}${inside}${']'.repeat(levels)}}`;
}

/** The same entry, parsed. */
export function deepEntry(levels: number, password?: string): JsonObject {
  return JSON.parse(deepText(levels, password)) as JsonObject;
}
