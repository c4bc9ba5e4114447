import {
  deepestShown,
  isPlainObject,
  jsonText,
  type JsonObject,
  type JsonValue,
} from '../base/json';
import { findUuids, isUuid } from '../base/uuid';

/** Names of fields that hold a scorecard's UUID, or an object or a list with one. */
const scorecardName = /scorecard|compan(y|ies)/i;

/** Names of fields that hold the UUID of what the entry is about. */
const ownId = new Set(['id', 'uuid', 'identifier']);

/** Fields that only an entry about a company has. */
const companyFields = ['domain', 'grade', 'score'];

/**
 * The UUIDs of scorecards that an entry of a collection holds, in lower case, each once. No field of
 * an entry is published, so the names of the fields decide, and what is known already.
 *
 * @param isKnown whether a scorecard of this id is configured.
 */
export function scorecardIdsOf(entry: JsonObject, isKnown: (id: string) => boolean): string[] {
  const found = new Set(namedIds(entry));
  for (const id of findUuids(jsonText(entry))) {
    if (isKnown(id)) {
      found.add(id);
    }
  }
  if (found.size === 0 && companyFields.some((field) => Object.hasOwn(entry, field))) {
    for (const [name, value] of Object.entries(entry)) {
      if (ownId.has(name) && typeof value === 'string' && isUuid(value)) {
        found.add(value.toLowerCase());
      }
    }
  }
  return [...found];
}

/**
 * The UUIDs in fields that are named after scorecards or companies.
 * @param levels how much deeper is looked.
 */
function namedIds(entry: JsonObject, levels = deepestShown): string[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    if (scorecardName.test(name)) {
      return idsIn(value, levels - 1);
    }
    return isPlainObject(value) && levels > 1 ? namedIds(value, levels - 1) : [];
  });
}

function idsIn(value: JsonValue, levels: number): string[] {
  if (typeof value === 'string') {
    return isUuid(value) ? [value.toLowerCase()] : [];
  }
  if (levels === 0) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((member) => idsIn(member, levels - 1));
  }
  // Of a company only its own id, not those of its owner or its industry.
  return isPlainObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        ownId.has(name) || scorecardName.test(name) ? idsIn(member, levels - 1) : [],
      )
    : [];
}
