import path from 'node:path';
import { mayBeText } from '../../../base/text/unicodeEncodings';
import { findHeading, findWidth } from './csvHeading';
import {
  type RecordForm,
  type RecordInBytes,
  recordsIn,
  recordSeparator,
} from '../records/recordReader';
import { TableError } from '../../data/tableError';
import type { TableFormat } from '../../data/tableInfo';

/** The detected format of a file. */
export interface DetectedFormat {
  readonly format: Omit<TableFormat, 'gzip'>;
  /** The position at which the search for the first record starts. */
  readonly start: number;
  readonly form: RecordForm;
  /** The members that lead from the document to the shown array. */
  readonly outerNames?: readonly string[];
  /** CSV only: the names of the fields, if the file has them. */
  readonly headings?: readonly string[] | undefined;
  /** JSON: whether the records are findings, with severities. */
  readonly areFindings?: boolean;
  /** The members that lead to the list from which the records were extracted, and the first columns. */
  readonly extracted?: {
    readonly member: string;
    readonly columns: readonly string[];
    /** Each of the lists that the records are from. */
    readonly outer: readonly OuterList[];
  };
}

/** A list of a document by what is around it. */
export interface OuterList {
  /** The names that lead to it. */
  readonly names: readonly string[];
  /** Whether the document is an array, of which its elements have the plain members under their own names. */
  readonly isInArray: boolean;
}

const byteOrderMark = Buffer.from('\ufeff');
const newline = 0x0a;
const carriageReturn = 0x0d;

/** The first bytes of a file. */
interface Sample {
  readonly bytes: Buffer;
  /** Whether this is the whole file. */
  readonly isAll: boolean;
  /** Whether there is no larger sample. */
  readonly isLast: boolean;
}

/**
 * Detects the format by the name of the file and its first bytes. Where the records of a JSON document are is
 * for `documentLists.ts` to say.
 * @returns `undefined` if more bytes are needed.
 * @throws TableError `notATable`
 */
export function detect(file: string, begin: Sample): DetectedFormat | undefined {
  const { bytes: sample, isAll } = begin;
  if (!mayBeText(sample.subarray(0, 64 * 1024))) {
    throw new TableError('notATable', 'The file is not text.');
  }
  const start = textStart(sample);
  const extension = path.extname(file.toLowerCase().replace(/\.gz$/, ''));
  let first = start;
  while (first < sample.length && [0x20, 0x09, newline, carriageReturn].includes(sample[first]!)) {
    first += 1;
  }
  const opening = sample[first];
  const isLines = extension === '.ndjson' || extension === '.jsonl';
  const isJson = opening === 0x5b || opening === 0x7b || opening === recordSeparator;
  if (
    extension === '.csv' ||
    extension === '.tsv' ||
    (!isJson && !isLines && extension !== '.json')
  ) {
    return csv(begin, start, extension === '.tsv' ? 0x09 : undefined);
  }
  if (opening === recordSeparator) {
    return texts(start);
  }
  if (isLines && !isDocument(sample, first)) {
    return lines(start);
  }
  if (first === sample.length) {
    return isAll ? lines(start) : undefined;
  }
  if (!isJson) {
    throw new TableError('notATable', 'The file is neither a JSON array nor an object.');
  }
  if (hasTwoTexts(sample, first)) {
    return lines(start);
  }
  if (opening === 0x7b && hasTextAfter(sample, first)) {
    return texts(start);
  }
  return opening === 0x5b
    ? { format: { kind: 'json' }, start: first + 1, form: { kind: 'topArray' } }
    : { format: { kind: 'json' }, start: first, form: { kind: 'whole' } };
}

/** The position after a byte order mark of UTF-8, if there is one. */
function textStart(sample: Buffer): number {
  return sample.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
}

/** The format of a file with one JSON value on each line. */
export function lines(start: number): DetectedFormat {
  return { format: { kind: 'ndjson' }, start, form: { kind: 'lines' } };
}

/** The format of a file with JSON objects and arrays one after another, over several lines. */
export function texts(start: number): DetectedFormat {
  return { ...lines(start), form: { kind: 'texts' } };
}

/**
 * Whether a file whose name says NDJSON starts with something else: an array of records, or values
 * that span lines or share one.
 */
function isDocument(sample: Buffer, first: number): boolean {
  const opening = sample[first];
  if (opening !== 0x5b && opening !== 0x7b) {
    return false;
  }
  const [line] = recordsIn(sample, { kind: 'lines' }, { from: first });
  if (!line || line.isValid) {
    return !hasTwoTexts(sample, first) && (opening === 0x5b || hasTextAfter(sample, first));
  }
  if (line.next === sample.length && opening === 0x5b) {
    return sample[skipBlank(sample, first + 1)] === 0x7b;
  }
  // Programs that write a value over several lines break them after these.
  const isBroken = '{[,'.includes(String.fromCharCode(sample[line.end - 1]!));
  const next = sample[skipBlank(sample, line.next)];
  return (isBroken && (opening === 0x5b || next === 0x22)) || hasTextAfter(sample, first);
}

/** Whether the first line is an object or array, and another one starts on the next line. */
function hasTwoTexts(sample: Buffer, first: number): boolean {
  const line = secondIn(sample, { kind: 'lines' }, first);
  // The first value may be on one line, such as `{}`, and the next ones on several.
  return (
    line !== undefined &&
    (line.isValid || secondIn(sample, { kind: 'texts' }, first)?.isValid !== true)
  );
}

/** Whether the object that starts here ends within the sample and is followed by an object or array. */
function hasTextAfter(sample: Buffer, first: number): boolean {
  return secondIn(sample, { kind: 'texts' }, first) !== undefined;
}

/** The second record, after a valid first one, if it starts like an object or array. */
function secondIn(sample: Buffer, form: RecordForm, first: number): RecordInBytes | undefined {
  const [one] = recordsIn(sample, form, { from: first, isFinal: false });
  const [other] = one?.isValid === true ? recordsIn(sample, form, { from: one.next }) : [];
  return other && (sample[other.start] === 0x7b || sample[other.start] === 0x5b)
    ? other
    : undefined;
}

function skipBlank(sample: Buffer, from: number): number {
  let at = from;
  while (at < sample.length && sample[at]! <= 0x20) {
    at += 1;
  }
  return at;
}

const delimiters = [0x2c, 0x3b, 0x09, 0x7c];
const sampledRecords = 50;
/** Up to this many bytes, a larger sample is requested until it contains the end of the heading. */
const longestHeading = 16 * 1024 ** 2;

function csv(
  { bytes: sample, isAll, isLast }: Sample,
  bomEnd: number,
  expected: number | undefined,
): DetectedFormat | undefined {
  // Excel writes the delimiter into a separate first line.
  const head = sample.toString('latin1', bomEnd, bomEnd + 10);
  const named = /^(?:"sep=([\x20-\x7e\t])"|sep=([\x20-\x7e\t]))(?:\r\n?|\n)/i.exec(head);
  const start = bomEnd + (named?.[0].length ?? 0);
  const known = expected ?? (named?.[1] ?? named?.[2])?.charCodeAt(0);
  const { delimiter, records } = (known === undefined ? delimiters : [known])
    .map((each) => sampleRecords(sample, start, each, isAll))
    .reduce((one, other) => (regularity(other.records) > regularity(one.records) ? other : one));
  const found = findHeading(records.map(({ fields: names }) => names));
  // A quote that is not closed in it belongs to a name.
  const heading = records[found.heading];
  // The heading and the comments around it.
  const before = records[found.firstRow - 1];
  const { next } = before ?? records[0] ?? { next: start };
  const first = heading && found.heading === 0 ? start : (heading?.start ?? before?.next ?? start);
  const isOpen = !isAll && next === sample.length && sample.at(-1) !== newline;
  if (records.length === 0 && !isAll && !isLast) {
    // There are only blank lines so far.
    return undefined;
  }
  if (isOpen && !isLast && sample.length < longestHeading) {
    // The rest of the heading would be read as a row, and a secret-like name in it would not mask
    // its column.
    return undefined;
  }
  return {
    format: {
      kind: 'csv',
      delimiter: String.fromCharCode(delimiter),
      heading: heading !== undefined,
      ...(first > start && { linesBefore: linesIn(sample, start, first) }),
    },
    start: before ? before.next : start,
    form: { kind: 'csv', delimiter },
    headings: heading?.fields,
  };
}

/** One of the first records of a CSV file. */
interface SampledRecord extends RecordInBytes {
  readonly fields: readonly string[];
}

/** The first records, if this is the delimiter. */
function sampleRecords(
  sample: Buffer,
  start: number,
  delimiter: number,
  isAll: boolean,
): { readonly delimiter: number; readonly records: readonly SampledRecord[] } {
  const form = { kind: 'csv' as const, delimiter };
  const options = { from: start, most: sampledRecords };
  const ended = [...recordsIn(sample, form, { ...options, isFinal: isAll })];
  // The first record may be cut off by the sample.
  const found = ended.length > 0 ? ended : [...recordsIn(sample, form, options)];
  const records = found.map((record) => ({
    ...record,
    fields: fields(sample, record.start, record.end, delimiter),
  }));
  return { delimiter, records };
}

/** How regular the number of fields is; 0 if most records have only one field. */
function regularity(records: readonly SampledRecord[]): number {
  const width = findWidth(records.map(({ fields: names }) => names));
  const alike = records.filter(({ fields: { length } }) => length === width).length;
  return width > 1 ? alike / records.length + width / 10_000 : 0;
}

function linesIn(sample: Buffer, from: number, to: number): number {
  return sample.toString('latin1', from, to).match(/\r\n?|\n/g)?.length ?? 0;
}

function fields(sample: Buffer, from: number, to: number, delimiter: number): string[] {
  const found: string[] = [];
  for (let at = from; at <= to; at += 1) {
    const first = at;
    if (sample[at] === 0x22) {
      for (at += 1; at < to && !(sample[at] === 0x22 && sample[at + 1] !== 0x22); at += 1) {
        if (sample[at] === 0x22) {
          at += 1;
        }
      }
      // A quote that is not closed is a letter.
      at = at < to ? at : first;
    }
    while (at < to && sample[at] !== delimiter) {
      at += 1;
    }
    const text = sample.toString('utf8', first, at);
    found.push(/^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text);
  }
  return found;
}
