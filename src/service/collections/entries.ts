import { type JsonObject, isPlainObject, type JsonValue } from '../../base/json/json';
import { type Message, message } from '../../base/message';
import { asciiDomain } from '../../base/text/asciiDomain';
import { plainText } from '../../base/text/plainText';
import { present } from '../../base/text/present';
import { readDate, firstFieldText, readText } from '../../vocabulary/findingSummary';
import { isNameOf, namesOf, says } from '../../vocabulary/meanings';
import { findUuids, isUuid } from '../../base/text/uuid';
import type { ShownNames } from '../../vocabulary/shownNames';

/** The texts of the row of an entry, from whatever fields the entry has. Each is one plain line. */
interface EntrySummary {
  /** The name of the entry, or else its number. Never empty. */
  label: string | Message;
  /** Distinguishes it from its neighbors. May be empty. */
  description: string;
}

/**
 * Makes a row's texts from an entry of any collection: the service guarantees no field.
 * @param formatDay how a day such as `2026-01-31` is written.
 * @param company the name of the only scorecard in the entry, which names an entry that has at most a date.
 */
export function summarizeEntry(
  entry: JsonObject,
  number: number,
  names: ShownNames,
  company?: string,
  formatDay: (day: string) => string = String,
): EntrySummary {
  const textIn = (field: string) => {
    const text = readText(entry[field]);
    return text !== undefined && isNameOf('entryKey', field) ? names.formatKey(text) : text;
  };
  const named = namesOf('entryName').find((field) => readText(entry[field]) !== undefined);
  const isNamed = named !== undefined && named !== 'date';
  const nameField = isNamed || company === undefined ? named : undefined;
  const name = nameField === undefined ? (company ?? firstFieldText(entry)) : textIn(nameField);
  const details = present(
    ...namesOf('entryDetail')
      .filter((field) => field !== nameField)
      .map(textIn),
  );
  const date = namesOf('entryDate')
    .map((field) => readDate(entry[field]))
    .find((day) => day !== undefined);
  const parts = present(
    ...details.slice(0, 3),
    date === undefined || date === name ? undefined : formatDay(date),
    // If nothing else distinguishes the entries, their numbers do.
    nameField === undefined && company === undefined ? `#${number}` : undefined,
  );
  return {
    label: name === undefined ? message('Entry {0}', number) : plainText(name, 120),
    description: plainText(parts.join(' \u00b7 '), 120),
  };
}

/**
 * The UUIDs of scorecards in an entry of a collection, in lower case, each once. The fields of entries are not
 * documented: the UUIDs of configured scorecards count, and those in fields with a telling name.
 *
 * @param isKnown whether a scorecard with this id is configured.
 */
export function findScorecardIds(entry: JsonObject, isKnown: (id: string) => boolean): string[] {
  const found = new Set(namedIds(entry));
  for (const id of findUuids(JSON.stringify(entry))) {
    if (isKnown(id)) {
      found.add(id);
    }
  }
  if (found.size === 0 && namesOf('company').some((field) => Object.hasOwn(entry, field))) {
    for (const [name, value] of Object.entries(entry)) {
      if (isNameOf('ownId', name) && typeof value === 'string' && isUuid(value)) {
        found.add(value.toLowerCase());
      }
    }
  }
  return [...found];
}

/** The domain of the company that an entry is, such as a member of a portfolio, which has no UUID. */
export function findCompanyDomain(entry: JsonObject): string | undefined {
  return typeof entry.domain === 'string' ? asciiDomain(entry.domain) : undefined;
}

/** The UUIDs in fields that are named after scorecards or companies. */
function namedIds(entry: JsonObject): string[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    if (says('scorecard', name)) {
      return idsIn(value);
    }
    return isPlainObject(value) ? namedIds(value) : [];
  });
}

function idsIn(value: JsonValue): string[] {
  if (typeof value === 'string') {
    return isUuid(value) ? [value.toLowerCase()] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap(idsIn);
  }
  // For a company, only its own id, not those of its owner or its industry.
  return isPlainObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        isNameOf('ownId', name) || says('scorecard', name) ? idsIn(member) : [],
      )
    : [];
}
