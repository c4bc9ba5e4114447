import type { JsonObject, JsonValue } from '../common/json';
import { plainText } from '../common/plainText';
import { isSecretField, maskSecrets } from './secretFields';

/** What a row says of a finding, drawn from whatever fields its entry has. One plain line each. */
export interface FindingSummary {
  /** What was found: a host with its port, an address, a product. Never empty. */
  label: string;
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

/** A subject that most findings of a list share; their number then tells them apart. */
const sharedSubjects = new Set(['domain', 'parent_domain', 'product_name', 'malware_family']);

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

/** Draws a row's texts from an entry. Knows no entry type: no field is guaranteed by the service. */
export function summarizeFinding(entry: JsonObject, number: number): FindingSummary {
  const subjectField = subjectFields.find((field) => textOf(entry[field]) !== undefined);
  const subject = subjectField === undefined ? undefined : textOf(entry[subjectField]);
  const status = textOf(entry.group_status);
  const details = detailFields
    .filter((field) => field !== subjectField)
    .map((field) => detailOf(entry, field))
    .filter((text) => text !== undefined && !subject?.includes(text));
  const lastSeen = dateOf(entry.last_seen_time) ?? dateOf(entry.first_seen_time);
  const isShared = subjectField !== undefined && sharedSubjects.has(subjectField);
  return {
    label: plainText(
      subject === undefined
        ? (firstField(entry) ?? `Finding ${number}`)
        : (isShared ? `#${number} ` : '') + withPort(subject, entry),
      120,
    ),
    description: plainText(
      [
        ...(status === undefined || status === 'active' ? [] : [status]),
        ...details.slice(0, 2),
        ...(lastSeen === undefined ? [] : [lastSeen]),
      ].join(' \u00b7 '),
      120,
    ),
    status,
  };
}

/**
 * The fields a tooltip shows: one line each, nested values as short JSON, secret-like ones masked.
 * @param count how many at most.
 */
export function summaryFields(entry: JsonObject, count: number): { name: string; value: string }[] {
  return Object.entries(maskSecrets(entry))
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, count)
    .map(([name, value]) => ({
      name: plainText(name, 60),
      value: plainText(typeof value === 'string' ? value : JSON.stringify(value), 160),
    }));
}

/** A value that can be shown as it is; `undefined` where there is nothing to show. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') {
    return String(value);
  }
  return typeof value === 'string' && plainText(value, 20) !== '' ? value : undefined;
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

/** The day of a time such as `2026-01-31T08:00:00.123Z`, whose parts may be split by a space. */
export function dateOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(value)?.[0] : undefined;
}

/** Names an entry by the first of its fields that says something; `undefined`: none does. */
export function firstField(entry: JsonObject): string | undefined {
  const field = Object.keys(entry).find(
    (name) => !isSecretField(name) && !name.endsWith('_id') && textOf(entry[name]) !== undefined,
  );
  return field === undefined ? undefined : `${field}: ${textOf(entry[field]) ?? ''}`;
}
