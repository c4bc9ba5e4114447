import { isJsonNumber, type JsonObject, type JsonValue } from '../base/json/json';
import { isNameOf, mayMean, type Meaning, namesOf, says } from './meanings';

/*
 * What tells findings apart: in a list of the service, in files, and between the two files of a comparison. In other
 * files, something may only be named like an id.
 */

/** Whether a field is called like the id that the service gives to findings, such as the `ISSUE ID` of a CSV. */
export function isIdentityName(name: string): boolean {
  return isNameOf('identity', name);
}

/** The id that the service gave to a finding; `undefined` if it has none. */
export function findIdentity(record: JsonObject): string | undefined {
  return firstId(record, namesOf('identity'));
}

/** What may identify an entry of a collection, whose fields are unknown. */
export function findEntryId(entry: JsonObject): string | undefined {
  return firstId(entry, namesOf('entryId'));
}

/** The column with the ids that the service gives to findings. */
export function identityColumn<Column extends { readonly name: string }>(
  columns: readonly Column[],
): Column | undefined {
  return columns.find(({ name }) => isIdentityName(name));
}

/** How likely a column identifies records, by its name: 0 is the most likely, and 2 is any other. */
export function identityRank(name: string): number {
  return mayMean('id', name) ? 0 : isIdName(name) ? 1 : 2;
}

/** What has a value of a scale, a time or a position is no identity, whatever its values are. */
const otherMeanings = [
  'severity',
  'rating',
  'rank',
  'score',
  'status',
  'outcome',
  'closedIf',
  'openIf',
  'factor',
  'firstSeen',
  'lastSeen',
  'publication',
  'line',
  'column',
] as const satisfies readonly Meaning[];
const otherSayings = [
  'score',
  'total',
  'time',
  'placeDetail',
] as const satisfies readonly Meaning[];

/** Whether a column with this name may tell records apart that it has values for. */
export function mayIdentify(name: string): boolean {
  return !(
    otherMeanings.some((meaning) => isNameOf(meaning, name)) ||
    otherSayings.some((meaning) => says(meaning, name))
  );
}

/** Whether a name is that of an identifier, such as `scorecard_id`, `recordUUID` or `asset.guid`. */
export function isIdName(name: string): boolean {
  return says('identifier', name);
}

function firstId(record: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => idText(record[name])).find((text) => text !== undefined);
}

function idText(value: JsonValue | undefined): string | undefined {
  return (typeof value === 'string' && value !== '') || isJsonNumber(value)
    ? String(value)
    : undefined;
}
