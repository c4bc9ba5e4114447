import { isContainer, isJsonNumber, type JsonObject, type JsonValue } from '../../base/json/json';
import { type Message, message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import { present } from '../../base/text/present';
import { isHostOrAddress } from '../../base/text/hostNames';
import { orderFields, splitFields } from '../../vocabulary/fieldOrder';
import { isSecretField, maskSecrets } from '../../vocabulary/secretFields';
import { isUuid } from '../../base/text/uuid';
import { keyWords } from '../../vocabulary/shownWords';
import { severityFieldOf } from './severity';

/** The texts of a finding's row, from whatever fields its entry has. Each is one plain line. */
interface FindingSummary {
  /**
   * The subject of the finding, such as a host with its port, a URL or a product, or else its number. Never
   * empty.
   */
  label: string | Message;
  /** Distinguishes it from its neighbors. May be empty. */
  description: string;
  /** As served; `undefined` if absent. */
  status: string | undefined;
}

/** Fields with the address of a web page; the one that was finally reached comes first. */
const urlFields = ['final_url', 'initial_url', 'url'];

/** Fields that name a host, which may have a port. */
const hostFields = ['target', 'ip', 'ip_address', 'domain', 'hostname', 'host', 'fqdn'];

/** The fields that are shown next to the title of a record, by the names that services use for them. */
const headerFields = {
  status: ['group_status', 'status', 'issue_status', 'finding_status', 'state'],
  firstSeen: [
    'first_seen_time',
    'first_seen',
    'first_seen_at',
    'first_detected_at',
    'discovered_at',
    'detected_at',
    'created_at',
  ],
  lastSeen: ['last_seen_time', 'last_seen', 'last_seen_at', 'last_detected_at'],
} as const;

/** Fields that name a vulnerability: a host has many vulnerabilities, and a vulnerability has many hosts. */
const vulnerabilityFields = ['vulnerability_id', 'cve', 'cve_id'];

/** Fields that name the subject of a finding, the most specific first. */
const subjectFields = [
  ...urlFields,
  ...hostFields,
  'malware_family',
  'source',
  'breach_name',
  'product_name',
  'name',
  'title',
  'parent_domain',
];

/**
 * Fields that distinguish findings about the same subject, in the order in which they are shown. Nested
 * fields are searched for them, too.
 */
const detailFields = [
  'product_name',
  'product',
  'malware_family',
  'not_after',
  'expires_at',
  'expiration_date',
  'expiry',
  'valid_to',
  'domain',
  'protocol',
  'cipher',
  'cipher_suite',
  'issuer',
  'registrar',
  'source',
  'connection_attributes',
  'analysis',
  'analysis_description',
];

/** Fields that contain other fields: how something was found. */
const nestingFields = ['connection_attributes', 'evidence'];

/**
 * Fields with long texts, or with values that many findings share. One of them is shown if there is nothing
 * else.
 */
const fallbackFields = ['reason', 'vulnerability_description', 'evidence', 'ip', 'parent_domain'];

/**
 * Makes a row's texts from an entry, by one rule for all issue types: issue types come and go without notice,
 * and the service guarantees no field. Account names are left out: showing them takes a deliberate action.
 * @param number names a finding that has no other name.
 * @param format formats the number.
 */
export function summarizeFinding(
  entry: JsonObject,
  number: number,
  format: (number: number) => string = String,
): FindingSummary {
  const subject = subjectOf(entry);
  const label = subject ?? hostIn(entry) ?? firstFieldText(entry);
  const status = textOf(entry.group_status);
  const lastSeen = dateOf(entry.last_seen_time) ?? dateOf(entry.first_seen_time);
  const shown = detailsOf(entry, subject);
  return {
    label: label === undefined ? message('Finding {0}', format(number)) : plainText(label, 120),
    description: plainText(
      present(
        status === 'active' ? undefined : status && keyWords(status, {}).toLowerCase(),
        ...shown,
        lastSeen !== undefined && shown.includes(lastSeen) ? undefined : lastSeen,
      ).join(' \u00b7 '),
      120,
    ),
    status,
  };
}

/** The subject of a finding, the distinctive part first: a side bar shows about 25 characters. */
function subjectOf(entry: JsonObject): string | undefined {
  const named = subjectFields.filter((field) => textOf(entry[field]) !== undefined);
  // A value that all findings of a scorecard share is the least specific.
  const field = named.find((each) => entry[each] !== entry.parent_domain) ?? named[0];
  const vulnerability = vulnerabilityFields
    .map((each) => textOf(entry[each]))
    .find((id) => id !== undefined);
  const parts = [vulnerability, field && locationOf(entry, field)];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

/** The location in a field: an address without its scheme, which nearly all share, or a host with its port. */
function locationOf(entry: JsonObject, field: string): string {
  const text = textOf(entry[field]) ?? '';
  const bare = urlFields.includes(field) ? bareUrl(text.trim()) : withoutUrlSecrets(text);
  const location = bare.replace(/^(https?:)?\/\//i, '');
  const [listed] = Array.isArray(entry.ports) ? entry.ports : [];
  const port = textOf(entry.port) ?? textOf(listed);
  const isHost = hostFields.includes(field) && !/[/:]/.test(location);
  return isHost && port !== undefined ? `${location}:${port}` : location;
}

/** More details of a finding, the most specific first; a time is shown as its day. */
function detailsOf(entry: JsonObject, subject = ''): string[] {
  const nested = new Map<string, JsonValue>();
  for (const field of nestingFields) {
    collectNested(entry[field], nested, 3);
  }
  const texts = (fields: readonly string[]) =>
    fields.flatMap((field) => {
      const value = textOf(entry[field]) === undefined ? nested.get(field) : entry[field];
      const text = dateOf(value) ?? textOf(value);
      const version = field.startsWith('product') ? textOf(entry.product_version) : undefined;
      // Nearly all findings have the same transport.
      return text === undefined || subject.includes(text) || /^(tcp|udp)$/i.test(text)
        ? []
        : [version === undefined ? text : `${text} ${version}`];
    });
  const details = [...new Set(texts(detailFields))];
  return details.length > 0 ? details.slice(0, 3) : texts(fallbackFields).slice(0, 1);
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
    if (textOf(member) !== undefined && !found.has(name)) {
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
 * The fields that a tooltip shows, in the order of a record: one line each, nested values as short JSON,
 * secret-like ones masked.
 * @param count the maximum number of fields.
 */
export function summaryFields(entry: JsonObject, count: number): { name: string; value: string }[] {
  const fields = Object.entries(maskSecrets(entry))
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({ name, value }));
  return orderFields(fields)
    .slice(0, count)
    .map(({ name, value }) => ({ name: plainText(name, 60), value: shownValue(value) }));
}

/** The value of a field on a plain line, nested ones as short JSON. */
export function shownValue(value: JsonValue): string {
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), 160);
}

/** Whether a field contains an identifier, by its name, such as `issue_id`, `findingUid` and `recordID`. */
function isIdentifier(name: string): boolean {
  return /(?:^|_)(?:id|uu?id|guid)$/i.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'));
}

function withoutUrlSecrets(text: string): string {
  return /^\s*([a-z][\w+.-]*:)?\/\//i.test(text) ? bareUrl(text.trim()) : text;
}

/** The first host or address among the values of an entry: services name the field in many ways. */
function hostIn(entry: JsonObject): string | undefined {
  return Object.entries(entry)
    .filter(([name]) => !isSecretField(name))
    .map(([, value]) => textOf(value))
    .find((text) => text !== undefined && isHostOrAddress(text));
}

/**
 * The first field of an entry with an informative text, or else its first field with a value to show, as
 * `name: value`; `undefined` if there is none.
 */
export function firstFieldText(entry: JsonObject): string | undefined {
  const names = Object.keys(entry).filter(
    (name) => !isSecretField(name) && !name.endsWith('_id') && textOf(entry[name]) !== undefined,
  );
  const field = names.find((name) => isInformative(name, entry[name])) ?? names[0];
  return field === undefined
    ? undefined
    : `${field}: ${withoutUrlSecrets(textOf(entry[field]) ?? '')}`;
}

/** Whether a value is a text but no identifier or time: many entries begin with these. */
function isInformative(name: string, value: JsonValue | undefined): boolean {
  return (
    typeof value === 'string' &&
    !isIdentifier(name) &&
    !isUuid(value) &&
    dateOf(value) === undefined
  );
}

/** A value that can be shown as it is; `undefined` if there is nothing to show. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (isJsonNumber(value)) {
    return String(value);
  }
  return typeof value === 'string' && plainText(value, 20) !== '' ? value : undefined;
}

/** The day of a time such as `2026-01-31T08:00:00.123Z`; a space may separate day and time. */
export function dateOf(value: JsonValue | undefined): string | undefined {
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
  /** The subject, without its number; see FindingSummary. */
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

/** Sorts the fields of a finding into the order in which a user reads them. */
export function findingRecord(entry: JsonObject, number: number): FindingRecord {
  const isTime = (name: string) => dateOf(entry[name]) !== undefined;
  const header = {
    severity: severityFieldOf(entry),
    // If it is a number, it is the status of an HTTP response.
    status: headerFields.status.find(
      (name) => typeof entry[name] === 'string' && textOf(entry[name]) !== undefined,
    ),
    firstSeen: headerFields.firstSeen.find(isTime),
    lastSeen: headerFields.lastSeen.find(isTime),
  };
  const names = new Set<string | undefined>(Object.values(header));
  const others = Object.keys(entry)
    .filter((name) => !names.has(name))
    .map((name) => ({ name }));
  const { key, more } = splitFields(
    others,
    ({ name }) => entry[name] === null || entry[name] === '',
  );
  const { label } = summarizeFinding(entry, number);
  return {
    title: label,
    ...Object.fromEntries(Object.entries(header).filter(([, name]) => name !== undefined)),
    key: key.map(({ name }) => name),
    more: more.map(({ name }) => name),
  };
}
