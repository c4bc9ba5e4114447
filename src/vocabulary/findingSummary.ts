import { isContainer, isJsonNumber, type JsonObject, type JsonValue } from '../base/json/json';
import { type Message, message } from '../base/message';
import { isHostOrAddress } from '../base/text/hostNames';
import { plainText } from '../base/text/plainText';
import { present } from '../base/text/present';
import { isUuid } from '../base/text/uuid';
import { fieldPlace, splitFields } from './fieldOrder';
import { isIdName } from './identity';
import type { FindingMembers } from './memberTexts';
import { isNameOf, namesOf, namesWith, says } from './meanings';
import type { ColumnRole } from './columnRole';
import { isSecretField, maskSecrets } from './secretFields';
import type { ShownNames } from './shownNames';
import { isFeedbackAccepted } from './closing';
import { isKnownStatus, saysOnlyOpen } from './status';
import { findSeverityField } from './worstSeverity';

/** How a row writes what people write in their own way. */
interface SummaryFormat {
  readonly number: (number: number) => string;
  readonly day: (day: string) => string;
}

const plainFormat: SummaryFormat = { number: String, day: (day) => day };

/** The texts of a finding's row, from whatever fields its entry has. Each is one plain line. */
interface FindingSummary {
  /** See `labelFinding`. */
  label: string | Message;
  /** Distinguishes it from its neighbors. May be empty. */
  description: string;
  /** As served, or that the service has accepted what it was told; `undefined` if absent. */
  status: string | undefined;
}

/**
 * Makes a row's texts from an entry, by one rule for all issue types: issue types come and go without notice,
 * and the service guarantees no field. Account names are left out: showing them takes a deliberate action.
 * @param number names a finding that has no other name.
 * @param format how numbers and days such as `2026-01-31` are written; by default as they are.
 */
export function summarizeFinding(
  entry: JsonObject,
  number: number,
  names: ShownNames,
  format: SummaryFormat = plainFormat,
): FindingSummary {
  const subject = findSubject(entry);
  const header = createHeader(entry);
  // A row has no labels: what may mean something else is left to the record.
  const textIn = (name: string | undefined, isClear: (name: string) => boolean) =>
    name !== undefined && isClear(name) ? readText(entry[name]) : undefined;
  const status = isFeedbackAccepted(entry)
    ? 'accepted'
    : textIn(header.status, (name) => isStatus(name, entry[name]));
  const lastSeen = readDate(
    textIn(header.lastSeen, (name) => says('lastSeen', name)) ??
      textIn(header.firstSeen, (name) => says('firstSeen', name)),
  );
  const seen = lastSeen && format.day(lastSeen);
  const details = listDetails(entry, subject, format);
  // What all findings of a scorecard share says the least, and a side bar has little room.
  const parents = namesOf('parent').flatMap((name) => readText(entry[name]) ?? []);
  const shown = details.filter((text) => !parents.includes(text));
  return {
    label: formatLabel(entry, subject, format.number(number)),
    description: plainText(
      present(
        status === undefined || saysOnlyOpen(status)
          ? undefined
          : names.formatKey(status).toLowerCase(),
        ...shown,
        seen !== undefined && shown.includes(seen) ? undefined : seen,
        ...details.filter((text) => parents.includes(text)),
      ).join(' \u00b7 '),
      120,
    ),
    status,
  };
}

/** `Compromised credentials: combo list`: the issue first, then what tells it apart from others of its kind. */
export function findingTitle(issueType: string, label: string): string {
  return `${issueType}: ${label}`;
}

/** Names a finding by its subject, such as a host with its port, a URL or a product, or else by its number. Never empty. */
export function labelFinding(entry: JsonObject, number: number): string | Message {
  return formatLabel(entry, findSubject(entry), String(number));
}

function formatLabel(
  entry: JsonObject,
  subject: string | undefined,
  number: string,
): string | Message {
  const label = subject ?? hostIn(entry) ?? firstFieldText(entry);
  return label === undefined ? message('Finding {0}', number) : plainText(label, 120);
}

/** The field with the subject of a finding, the most specific one. */
function findSubjectField(entry: FindingMembers): string | undefined {
  const named = namesOf('subject').filter((field) => readText(entry[field]) !== undefined);
  // A value that all findings of a scorecard share is the least specific.
  const shared = namesOf('parent').map((field) => entry[field]);
  return named.find((each) => !shared.includes(entry[each])) ?? named[0];
}

/** The subject of a finding, the distinctive part first: a side bar shows about 25 characters. */
export function findSubject(entry: FindingMembers): string | undefined {
  const field = findSubjectField(entry);
  const vulnerability = findFirstText(entry, namesOf('vulnerability'));
  const parts = [vulnerability, field && formatLocation(entry, field)];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

function findFirstText(entry: FindingMembers, fields: readonly string[]): string | undefined {
  return fields.map((each) => readText(entry[each])).find((text) => text !== undefined);
}

/** The location in a field: an address without its scheme, which nearly all share, or a host with its port. */
function formatLocation(entry: FindingMembers, field: string): string {
  const text = readText(entry[field]) ?? '';
  const bare = isNameOf('url', field) ? bareUrl(text.trim()) : withoutUrlSecrets(text);
  const location = bare.replace(/^(https?:)?\/\//i, '');
  const port = namesOf('port')
    .map((name) => entry[name])
    .map((value) => readText(Array.isArray(value) ? value[0] : value))
    .find((each) => each !== undefined);
  const isHost = isNameOf('host', field) && !/[/:]/.test(location);
  return isHost && port !== undefined ? `${location}:${port}` : location;
}

/** More details of a finding, the most specific first; a time is shown as its day. */
function listDetails(entry: JsonObject, subject = '', format = plainFormat): string[] {
  const nested = new Map<string, JsonValue>();
  for (const field of namesOf('nesting')) {
    collectNested(entry[field], nested, 3);
  }
  const texts = (fields: readonly string[]) =>
    fields.flatMap((field) => {
      const value = readText(entry[field]) === undefined ? nested.get(field) : entry[field];
      const day = readDate(value);
      const text = day === undefined ? readText(value) : format.day(day);
      const version = isNameOf('product', field)
        ? findFirstText(entry, namesOf('productVersion'))
        : undefined;
      // Nearly all findings have the same transport.
      return text === undefined || subject.includes(text) || /^(tcp|udp)$/i.test(text)
        ? []
        : [version === undefined ? text : `${text} ${version}`];
    });
  const details = [...new Set(texts(namesOf('detail')))];
  return details.length > 0 ? details.slice(0, 3) : texts(namesOf('remark')).slice(0, 1);
}

/** Collects the values of nested fields, except secret-like ones. The outermost field of a name counts. */
function collectNested(
  value: JsonValue | undefined,
  found: Map<string, JsonValue>,
  levels: number,
): void {
  if (!isContainer(value) || Array.isArray(value) || levels === 0) {
    return;
  }
  const members = Object.entries(value)
    .slice(0, 20)
    .filter(([name]) => !isSecretField(name));
  for (const [name, member] of members) {
    if (readText(member) !== undefined && !found.has(name)) {
      found.set(name, member);
    }
  }
  for (const [, member] of members) {
    collectNested(member, found, levels - 1);
  }
}

export function countFields(entry: JsonObject): number {
  return Object.values(entry).filter((value) => value !== null && value !== '').length;
}

/**
 * The fields that a tooltip shows, the most specific first: one line each, nested values as short JSON,
 * secret-like ones masked.
 * @param count the maximum number of fields.
 */
export function summaryFields(entry: JsonObject, count: number): { name: string; value: string }[] {
  const placeOf = placesIn(entry);
  return Object.entries(maskSecrets(entry))
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({ name, value, place: placeOf(name) }))
    .sort((first, second) => first.place - second.place)
    .slice(0, count)
    .map(({ name, value }) => ({ name: plainText(name, 60), value: shownValue(value) }));
}

/** The value of a field on a plain line, nested ones as short JSON. */
export function shownValue(value: JsonValue): string {
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), 160);
}

function withoutUrlSecrets(text: string): string {
  return /^\s*([a-z][\w+.-]*:)?\/\//i.test(text) ? bareUrl(text.trim()) : text;
}

/** The first host or address among the values of an entry: services name the field in many ways. */
function hostIn(entry: JsonObject): string | undefined {
  return Object.entries(entry)
    .filter(([name]) => !isSecretField(name))
    .map(([, value]) => readText(value))
    .find((text) => text !== undefined && isHostOrAddress(text));
}

/**
 * The first field of an entry with an informative text, or else its first field with a value to show, as
 * `name: value`; `undefined` if there is none.
 */
export function firstFieldText(entry: JsonObject): string | undefined {
  const names = Object.keys(entry).filter(
    (name) => !isSecretField(name) && !name.endsWith('_id') && readText(entry[name]) !== undefined,
  );
  const field = names.find((name) => isInformative(name, entry[name])) ?? names[0];
  return field === undefined
    ? undefined
    : `${field}: ${withoutUrlSecrets(readText(entry[field]) ?? '')}`;
}

/** Whether a value is a text but no identifier or time: many entries begin with these. */
function isInformative(name: string, value: JsonValue | undefined): boolean {
  return (
    typeof value === 'string' && !isIdName(name) && !isUuid(value) && readDate(value) === undefined
  );
}

/** A value that can be shown as it is; `undefined` if there is nothing to show. */
export function readText(value: unknown): string | undefined {
  if (isJsonNumber(value)) {
    return String(value);
  }
  return typeof value === 'string' && plainText(value, 20) !== '' ? value : undefined;
}

/** The day of a time such as `2026-01-31T08:00:00.123Z`; a space may separate day and time. */
export function readDate(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(value)?.[0] : undefined;
}

/**
 * An address without the parts that may contain a secret (RFC 3986, 3.2.1 user information, 3.4 query, 3.5
 * fragment): a label becomes part of the title of a tab and the address of a document.
 */
function bareUrl(url: string): string {
  return url.replace(/^((?:[a-z][\w+.-]*:)?\/\/)?(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2');
}

/** The fields that the record of a finding shows, in order. */
export interface FindingRecord {
  /** See `labelFinding`. */
  readonly title: string | Message;
  /** The names of the fields next to the title; absent if the entry has none. */
  readonly severity?: string;
  readonly status?: string;
  readonly firstSeen?: string;
  readonly lastSeen?: string;
  /** The names of the most informative fields, the most specific first. */
  readonly key: readonly string[];
  /** The names of the other fields, as served; identifiers last. */
  readonly more: readonly string[];
}

/** The fields of a finding that say how bad it is, whether it is open, and when it was seen. */
function createHeader(entry: JsonObject) {
  const isTime = (name: string) => readDate(entry[name]) !== undefined;
  const fields = Object.keys(entry);
  // If it is a number, it is the status of an HTTP response.
  const statuses = namesWith('status', fields).filter(
    (name) => typeof entry[name] === 'string' && readText(entry[name]) !== undefined,
  );
  return {
    severity: findSeverityField(entry),
    status: statuses.find((name) => isStatus(name, entry[name])) ?? statuses[0],
    firstSeen: namesWith('firstSeen', fields).find(isTime),
    lastSeen: namesWith('lastSeen', fields).find(isTime),
  };
}

/** Whether a text is surely a status: companies are in a state, too. */
function isStatus(name: string, value: JsonValue | undefined): boolean {
  return says('status', name) || (typeof value === 'string' && isKnownStatus(value));
}

/** The roles that the fields of a finding have, by their names. */
function rolesIn(entry: JsonObject): ReadonlyMap<string, ColumnRole> {
  const { severity, status, firstSeen } = createHeader(entry);
  const roles = { severity, status, firstSeen, asset: findSubjectField(entry) };
  return new Map(
    (Object.entries(roles) as [ColumnRole, string | undefined][]).flatMap(([role, name]) =>
      name === undefined ? [] : [[name, role] as const],
    ),
  );
}

/** The places of the fields of a finding, see `fieldPlace`. */
function placesIn(entry: JsonObject): (name: string) => number {
  const roles = rolesIn(entry);
  return (name) => fieldPlace(createField(name, roles));
}

function createField(name: string, roles: ReadonlyMap<string, ColumnRole>) {
  const role = roles.get(name);
  return { name, ...(role && { role }) };
}

/** Sorts the fields of a finding into the order in which a user reads them. */
export function findingRecord(entry: JsonObject, number: number): FindingRecord {
  const header = createHeader(entry);
  const roles = rolesIn(entry);
  const names = new Set<string | undefined>(Object.values(header));
  const others = Object.keys(entry)
    .filter((name) => !names.has(name))
    .map((name) => createField(name, roles));
  const { key, more } = splitFields(
    others,
    ({ name }) => entry[name] === null || entry[name] === '',
  );
  return {
    title: labelFinding(entry, number),
    ...Object.fromEntries(Object.entries(header).filter(([, name]) => name !== undefined)),
    key: key.map(({ name }) => name),
    more: more.map(({ name }) => name),
  };
}
