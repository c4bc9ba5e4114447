import { isSecretField } from '../../../vocabulary/secretFields';
import { kindDate, kindNumber, kindText } from '../../values/kinds';
import { parseDate } from '../../values/measures';
import { isWrittenNumber } from '../../../vocabulary/writtenNumbers';
import { isNameOf } from '../../../vocabulary/meanings';
import { isIdName } from '../../../vocabulary/identity';
import { roleOfName } from '../../../vocabulary/roles';
import {
  isClearSeverity,
  isUnspecifiedSeverity,
  isSeverityName,
} from '../../../vocabulary/severity';
import { isDomainName, isHostOrAddress } from '../../../base/text/hostNames';
import { isUuid } from '../../../base/text/uuid';

/** A heading is searched for in this many first records. */
const maxSearched = 20;
/** The most words of a name. */
const maxWords = 5;
/** A record that may be the heading. */
interface Candidate {
  readonly at: number;
  readonly filled: number;
  /** How many of its fields are likely names, minus those that are like the values below. */
  readonly evidence: number;
  readonly isHeading: boolean;
}

/** Where the heading of a CSV file is among its first records, and its first row. */
export interface FoundHeading {
  /** -1 if the file has no heading. */
  readonly heading: number;
  /** Comments before it and directly under the heading are no rows. */
  readonly firstRow: number;
}

/** Finds the heading among the first records of a CSV file, and the first row. */
export function findHeading(records: readonly (readonly string[])[]): FoundHeading {
  const width = findWidth(records);
  const places = records.flatMap((record, at) => (isComment(record, width) ? [] : [at]));
  const [first = 0] = places;
  const found = findNames(places.map((at) => records[at]!));
  const heading = places[found] ?? -1;
  const names = records[heading];
  if (!names) {
    return { heading, firstRow: first };
  }
  const hasComments = records.slice(0, heading + 1).some(isMarked);
  const rows = records.slice(heading + 1);
  const under = rows.findIndex(
    (record) =>
      !(
        isComment(record, width) ||
        (hasComments && /^\s*#[\s#]/.test(`${record[0]} `)) ||
        isRule(record)
      ),
  );
  return { heading, firstRow: heading + 1 + (under < 0 ? rows.length : under) };
}

/** Whether a record begins as comments do. `#1` is a number. */
function isMarked([first = '']: readonly string[]): boolean {
  return /^\s*#(?!\d)/.test(first);
}

/** Whether a record is a comment in a file of records with so many fields. */
function isComment(record: readonly string[], width: number): boolean {
  return isMarked(record) && record.length !== width && width > 1;
}

/** Whether a record is a line drawn under others, in one or all columns. */
function isRule(record: readonly string[]): boolean {
  return (
    record.every((text) => /^([-=_#*+~]?)\1*$/.test(text.trim())) &&
    record.some((text) => text.trim().length >= 3)
  );
}

/**
 * Finds names above values that are unlike them. They are in the first record, unless a later one is more
 * likely; then the lines before it are a title or comments.
 * @returns the index of the record; -1 if there are none.
 */
function findNames(records: readonly (readonly string[])[]): number {
  const width = findWidth(records);
  const candidates = findCandidates(records.map((record) => record.map((text) => text.trim())));
  const [first, ...later] = candidates;
  if (!first) {
    return -1;
  }
  const best = later
    .filter(({ at, filled, isHeading }) => {
      const { length } = records[at]!;
      // Without rows below, only the lines before it tell the width.
      const isLast = at === records.length - 1;
      const isWide = isLast ? length >= width : length === width;
      return isWide && filled * 2 > width && isHeading;
    })
    .reduce<Candidate | undefined>(
      (one, other) => (one && one.evidence >= other.evidence ? one : other),
      undefined,
    );
  if (best && best.evidence >= first.evidence + neededEvidence(records[0]!, first, best)) {
    return best.at;
  }
  return first.isHeading ? 0 : -1;
}

/** How much more evidence a later heading needs than the first record has. */
function neededEvidence(record: readonly string[], first: Candidate, best: Candidate): number {
  if (record.length === 1 && best.filled >= 3) {
    return 0;
  }
  return first.filled < best.filled || record[0]?.startsWith('#') === true ? 1 : 2;
}

/** The most frequent number of fields without comments; of several such numbers, the largest. */
export function findWidth(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  const rows = records.filter((record) => !isMarked(record));
  if (rows.length === 0) {
    // Of comments alone, one may have the names.
    return records.reduce((most, { length }) => Math.max(most, length), 0);
  }
  for (const { length } of rows) {
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  const [width] = [...counts].reduce(
    (one, other) => (other[1] > one[1] || (other[1] === one[1] && other[0] > one[0]) ? other : one),
    [0, 0],
  );
  return width;
}

/** A field of a record. */
interface Field {
  readonly text: string;
  readonly kind: number;
  /** What a text is that is no name; `undefined` if it may be one. */
  readonly form: string | undefined;
  /** Whether it says that there is no value, so that it is like any other. */
  readonly isNothing: boolean;
  readonly isYear: boolean;
  readonly isKnown: boolean;
}

/** The values of a field in the records below or above. */
interface Values {
  count: number;
  readonly kinds: number[];
  years: number;
  /** How many texts are of each form. */
  readonly forms: Map<string, number>;
  hasClearSeverity: boolean;
}

/** How like the values of other records those of a record are, and how unlike: less than 0. */
interface Likeness {
  readonly kinds: number;
  /** How many dates are like the others. */
  readonly dates: number;
  /** How many texts have a form that no name has, as the others have. */
  readonly forms: number;
}

function findCandidates(records: readonly (readonly string[])[]): Candidate[] {
  const all = records.map((record) => record.map(readField));
  const likenessAbove: Likeness[] = [];
  const byLength = new Map<number, Values[]>();
  for (const record of all) {
    const above = byLength.get(record.length) ?? [];
    likenessAbove.push(findLikeness(record, above));
    addValues(above, record);
    byLength.set(record.length, above);
  }
  const candidates: Candidate[] = [];
  const below: Values[] = [];
  for (let at = all.length - 1; at >= 0; at -= 1) {
    const record = all[at]!;
    if (at < maxSearched) {
      const isAlone = all.length === 1;
      candidates.unshift(createCandidate(at, record, below, likenessAbove[at]!, isAlone));
    }
    addValues(below, record);
  }
  return candidates;
}

function readField(text: string): Field {
  const kind = detectKind(text);
  return {
    text,
    kind,
    form: kind === kindText ? findForm(text) : undefined,
    isNothing: text === '' || isUnspecifiedSeverity(text),
    isYear: isYear(text),
    isKnown: kind === kindText && isKnownName(text),
  };
}

function addValues(fields: Values[], record: readonly Field[]): void {
  record.forEach(({ text, kind, form, ...field }, at) => {
    const values = (fields[at] ??= {
      count: 0,
      kinds: [],
      years: 0,
      forms: new Map(),
      hasClearSeverity: false,
    });
    if (!field.isNothing) {
      values.count += 1;
      values.kinds[kind] = (values.kinds[kind] ?? 0) + 1;
      values.years += field.isYear ? 1 : 0;
      if (form !== undefined) {
        values.forms.set(form, (values.forms.get(form) ?? 0) + 1);
        values.hasClearSeverity ||= form === severityForm && isClearSeverity(text);
      }
    }
  });
}

/** @param isAlone whether there are no other records. */
function createCandidate(
  at: number,
  record: readonly Field[],
  below: readonly Values[],
  toAbove: Likeness,
  isAlone: boolean,
): Candidate {
  const toBelow = findLikeness(record, below);
  const likeness = toBelow.kinds + toBelow.forms;
  const known = record.filter(({ isKnown }) => isKnown).length;
  let filled = 0;
  let words = 0;
  let evidence = known - toBelow.forms;
  record.forEach((field, each) => {
    if (field.text !== '') {
      const { kind } = field;
      const like = rateLikeness(field, below[each]);
      filled += 1;
      words += kind === kindText ? 1 : 0;
      // A date above texts is as likely a value in a title.
      evidence -= kind === kindText || like > 0 || field.isYear ? like : 0;
    }
  });
  const isRow =
    toAbove.forms > 0 ||
    (likeness >= 0 && toAbove.kinds > 0) ||
    (isAlone && countValues(record) > known);
  return {
    at,
    filled,
    evidence,
    // One secret-like name is enough, because its column would not be masked if the name were read
    // as a value. Names do not need to be unique.
    isHeading: record.some(({ text }) => isSecretField(text))
      ? toBelow.forms + toBelow.dates + toAbove.forms + toAbove.dates === 0
      : !isRow && (likeness === 0 ? words > filled / 2 : likeness < 0),
  };
}

function findLikeness(record: readonly Field[], others: readonly Values[]): Likeness {
  let [kinds, dates, forms, hosts] = [0, 0, 0, 0];
  record.forEach((field, at) => {
    const values = others[at];
    if (values && values.count > 0 && !field.isNothing) {
      const like = rateLikeness(field, values);
      kinds += like;
      dates += field.kind === kindDate && like > 0 ? 1 : 0;
      forms += rateForm(field, values);
      hosts += rateHost(field, values);
    }
  });
  return { kinds, dates, forms: forms + Math.max(hosts, 0) };
}

/** 1 if a field is like the other values, -1 if it is unlike them, 0 if neither is clear. */
function rateLikeness(field: Field, values: Values | undefined): number {
  if (!values || values.count === 0 || field.isNothing) {
    return 0;
  }
  const { count, kinds, years } = values;
  const texts = kinds[kindText] ?? 0;
  if (field.kind === kindText) {
    return texts < count / 2 ? -1 : 0;
  }
  if (field.isYear && years < count / 2) {
    return -1;
  }
  const alike = kinds[field.kind] ?? 0;
  return alike > 0 ? 1 : count > 1 ? -1 : 0;
}

/** 1 if a text has a form that no name has, and at least half of the other values have it, too. */
function rateForm({ text, form, isKnown }: Field, values: Values): number {
  if (form === undefined || isHostForm(form) || isKnown) {
    return 0;
  }
  const isClear = form !== severityForm || values.hasClearSeverity || isClearSeverity(text);
  return isClear && (values.forms.get(form) ?? 0) * 2 >= values.count ? 1 : 0;
}

/**
 * 1 if a text is the name of a host, as others are. Names of nested members look the same: where only the
 * others have a form, these are names, too, however many look like hosts.
 */
function rateHost({ text, kind, form, isKnown }: Field, { count, forms }: Values): number {
  const isHost = form !== undefined && isHostForm(form) && !isKnown;
  if (isHost && (forms.has(form) || commonDomain.test(text))) {
    return [...forms.keys()].some(isHostForm) ? 1 : 0;
  }
  const formed = [...forms.values()].reduce((sum, each) => sum + each, 0);
  return formed === count && kind === kindText && (isHost || form === undefined) ? -Infinity : 0;
}

/** How many fields of a record without others are values, rather than names. */
function countValues(record: readonly Field[]): number {
  const values = record.filter(({ text, kind, form, ...field }) =>
    form === undefined
      ? kind === kindDate && !field.isYear
      : isHostForm(form)
        ? /\d/.test(text) || commonDomain.test(text)
        : form !== severityForm,
  );
  const severities = record.filter(({ text }) => isClearSeverity(text)).length;
  // Counts of each severity have their names.
  return values.length + (severities <= 2 ? severities : 0);
}

const severityForm = 'severity';
const hostForm = 'host.';
const commonDomain = /\.(com|net|org)$/i;

function isHostForm(form: string): boolean {
  return form.startsWith(hostForm);
}

/** What a text is that is no name: a link, an address, an identifier, a severity, or a host with its last domain. */
function findForm(text: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(text)) {
    return 'link';
  }
  if (/^(true|false)$/i.test(text)) {
    return 'boolean';
  }
  if (isUuid(text) || /^[a-z]+(-\d+)+$/i.test(text)) {
    return 'id';
  }
  if (isSeverityName(text)) {
    return severityForm;
  }
  const [address = ''] = text.split(/[/:]\d+$/);
  if (isDomainName(address)) {
    return hostForm + address.slice(address.lastIndexOf('.') + 1).toLowerCase();
  }
  return isHostOrAddress(text) || isHostOrAddress(address) ? 'address' : undefined;
}

function isKnownName(text: string): boolean {
  // A sentence or a link about passwords is a value.
  if (text === '' || text.includes('://') || text.split(/\s+/).length > maxWords) {
    return false;
  }
  return (
    roleOfName(text) !== undefined ||
    isIdName(text) ||
    isSecretField(text) ||
    isNameOf('heading', text)
  );
}

function isYear(text: string): boolean {
  return /^(19|20)\d\d$/.test(text);
}

/** A date whose column tells which part is the day. */
const slashDate = /^\d{1,2}([/-])\d{1,2}\1(?:\d{2}|\d{4})(?!\S)/;

/** Numbers, dates and texts. */
function detectKind(text: string): number {
  if (isWrittenNumber(text)) {
    return kindNumber;
  }
  if (slashDate.test(text)) {
    return kindDate;
  }
  const bytes = Buffer.from(text);
  return Number.isNaN(parseDate(bytes, 0, bytes.length)) ? kindText : kindDate;
}
