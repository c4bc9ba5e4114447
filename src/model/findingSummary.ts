import { deepestShown, isTooDeep, type JsonObject, type JsonValue } from '../common/json';
import { type Message, message } from '../common/message';
import { plainText } from '../common/plainText';
import { bareUrl, dateOf, type Telling, tellOf, textOf } from './findingFamilies';
import { isSecretField, maskSecrets } from '../common/secretFields';

/** What a row says of a finding, drawn from whatever fields its entry has. One plain line each. */
export interface FindingSummary {
  /** What was found: a host with its port, an address, a product; its number where nothing tells. Never empty. */
  label: string | Message;
  /** What tells it from its neighbours. May be empty. */
  description: string;
  /** As the service puts it; `undefined` where it says none. */
  status: string | undefined;
}

/** Fields that name the thing a finding is about, the most telling first. */
const subjectFields = [
  'target',
  'final_url',
  'initial_url',
  'url',
  'hostname',
  'domain',
  'ip',
  'ip_address',
  'parent_domain',
  'vulnerability_id',
  'malware_family',
  'product_name',
  'name',
  'title',
];

/** Fields that tell one finding about a thing from another, in the order in which they are shown. */
const detailFields = [
  'vulnerability_id',
  'product_name',
  'malware_family',
  'source',
  'domain',
  'ip',
  'parent_domain',
  'analysis_description',
  'analysis',
  'reason',
];

/**
 * Draws a row's texts from an entry: by what matters for its kind of issue, else by whatever fields
 * there are, because no field is guaranteed by the service.
 * @param issueType the type of the list; default the one that the entry names.
 * @param format how the number is written.
 */
export function summarizeFinding(
  entry: JsonObject,
  number: number,
  issueType = textOf(entry.issue_type) ?? '',
  format: (number: number) => string = String,
): FindingSummary {
  const told = tellOf(issueType, entry);
  const { subject, details } =
    told?.subject === undefined ? tellAnything(entry) : { ...told, subject: told.subject };
  const label = subject ?? firstField(entry);
  const status = textOf(entry.group_status);
  const lastSeen = dateOf(entry.last_seen_time) ?? dateOf(entry.first_seen_time);
  const shown = details.filter(
    (text, index) =>
      text !== undefined && !subject?.includes(text) && details.indexOf(text) === index,
  );
  return {
    // The number of each: rows with and without one look like rows of two kinds.
    label:
      label === undefined
        ? message('Finding {0}', format(number))
        : plainText(`#${format(number)} ${label}`, 120),
    description: plainText(
      [
        ...(status === undefined || status === 'active' ? [] : [status]),
        ...shown.slice(0, 2),
        ...(lastSeen === undefined || shown.includes(lastSeen) ? [] : [lastSeen]),
      ].join(' \u00b7 '),
      120,
    ),
    status,
  };
}

/** What an entry of an unknown kind says. */
function tellAnything(entry: JsonObject): Telling {
  const subjectField = subjectFields.find((field) => textOf(entry[field]) !== undefined);
  const subject = subjectField === undefined ? undefined : textOf(entry[subjectField]);
  const place = subject === undefined ? undefined : withoutUrlSecrets(subject);
  return {
    subject: place === undefined ? undefined : withPort(place, entry),
    details: detailFields
      .filter((field) => field !== subjectField)
      .map((field) => detailOf(entry, field)),
  };
}

/** What a tooltip shows first; other fields follow as they are served, identifiers last. */
const telling = [
  ...subjectFields,
  'port',
  ...detailFields,
  'product_version',
  'group_status',
  'first_seen_time',
  'last_seen_time',
];

/** How many fields of an entry say anything. */
export function countFields(entry: JsonObject): number {
  return Object.values(entry).filter((value) => value !== null && value !== '').length;
}

/**
 * The fields a tooltip shows, the most telling first: one line each, nested values as short JSON,
 * secret-like ones masked.
 * @param count how many at most.
 */
export function summaryFields(
  entry: JsonObject,
  count: number,
): { name: string; value: string | Message }[] {
  return Object.entries(maskSecrets(entry))
    .filter(([, value]) => value !== null && value !== '')
    .map((field) => ({ field, rank: rankOf(field[0]) }))
    .sort((first, second) => first.rank - second.rank)
    .slice(0, count)
    .map(({ field }) => field)
    .map(([name, value]) => ({
      name: plainText(name, 60),
      value: shownValue(value),
    }));
}

/** What stands in the place of a value that is nested too deeply to be shown. */
export const tooDeep = message('too deeply nested to display');

/** The value of a field on a plain line, nested ones as short JSON. */
export function shownValue(value: JsonValue): string | Message {
  // The entry that holds it is a level, too.
  return isTooDeep(value, deepestShown - 1)
    ? tooDeep
    : plainText(typeof value === 'string' ? value : JSON.stringify(value), 160);
}

function rankOf(name: string): number {
  const rank = telling.indexOf(name);
  return rank >= 0 ? rank : telling.length + (/(^|_)id$/.test(name) ? 1 : 0);
}

function withoutUrlSecrets(text: string): string {
  return /^\s*([a-z][\w+.-]*:)?\/\//i.test(text) ? bareUrl(text.trim()) : text;
}

function withPort(subject: string, entry: JsonObject): string {
  const port = textOf(entry.port);
  return port === undefined || /[/:]/.test(subject) ? subject : `${subject}:${port}`;
}

function detailOf(entry: JsonObject, field: string): string | undefined {
  const text = textOf(entry[field]);
  const version = field === 'product_name' ? textOf(entry.product_version) : undefined;
  return text !== undefined && version !== undefined ? `${text} ${version}` : text;
}

/** Names an entry by the first of its fields that says something; `undefined`: none does. */
export function firstField(entry: JsonObject): string | undefined {
  const field = Object.keys(entry).find(
    (name) => !isSecretField(name) && !name.endsWith('_id') && textOf(entry[name]) !== undefined,
  );
  return field === undefined
    ? undefined
    : `${field}: ${withoutUrlSecrets(textOf(entry[field]) ?? '')}`;
}
