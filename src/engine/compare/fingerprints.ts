import { isUtf8 } from 'node:buffer';
import { kindBoolean, kindJson, kindNull, kindNumber } from '../values/kinds';
import { isWrittenNumber } from '../values/writtenNumbers';
import { uniqueNames } from '../query/copyText';
import { releaseBuffers } from '../values/memory';
import type { NewTask, RangeTask } from '../read/rangeReader';
import type { RangeJob } from '../read/scanner';
import type { Range } from '../read/tableFile';
import { newValue, type RecordReader } from '../read/recordReader';
import type { ShapeNode } from '../read/shape';
import { hasValues, type ReadableFile, type Visitor } from '../read/visitor';
import {
  type ComparisonMode,
  decoded,
  isNested,
  JsonMembers,
  jsonMeaning,
  meaningOf,
} from './meaning';
import { hashWords, RecordHash } from './recordHash';

/**
 * The possible first bytes of a text that has a meaning between CSV and JSON: an object or array, whitespace
 * before it, or a number.
 */
const meaningful = Buffer.from('{[ \t\r\n-+.,0123456789');

/**
 * Whether a text is a number to every reader. A text with an `e` may be an ID, unless all keys of the other
 * file are numbers.
 */
function isDecimal(text: string, hasCommas: boolean): boolean {
  return !/e/i.test(text) && isWrittenNumber(text, hasCommas);
}

const noNodes: readonly ShapeNode[] = [];

/** A record: its values as JSON text, by field name. */
export type Fields = ReadonlyMap<string, string>;

/** Hashes of each record, to find the matching record in the other file. */
export interface Fingerprints {
  /** The hash of its key; all 0 if it has none. */
  readonly keys: Int32Array;
  /** The hash of its content. */
  readonly contents: Int32Array;
  /** 1 if it could not be read. */
  readonly invalid: Uint8Array;
  readonly unreadable: number;
  readonly withoutKey: number;
}

/** Options for the fingerprints of both files. */
export interface FingerprintOptions {
  readonly hash: RecordHash;
  /** Whether records are compared by their bytes; if not, by their meaning. */
  readonly isRaw: boolean;
  readonly comparing: ComparisonMode;
  /**
   * Whether the other file has numbers as keys, so that CSV keys that look like numbers are compared as
   * numbers.
   */
  readonly hasNumbers: boolean;
}

/** Reads the values of records, and hashes their meaning. */
export class RecordFields {
  private readonly members = new JsonMembers();
  private readonly value = newValue();
  private columns: readonly ShapeNode[] = [];
  /** The names of the columns, made unique. */
  private names: readonly string[] = [];

  constructor(
    private readonly file: ReadableFile,
    private readonly isCsv: boolean,
  ) {}

  /** The columns whose values a reader must read for `at` and `hashMeaning`. */
  get nodes(): readonly ShapeNode[] {
    return this.isCsv ? this.csvColumns() : noNodes;
  }

  /** The values of a record; for a record that is not an object, one value named `value`. */
  at(records: RecordReader, record: number): Fields {
    const { bytes } = records;
    const [start, end] = [records.start(record), records.end(record)];
    return this.isCsv
      ? this.csvFields(records, record)
      : (this.members.of(bytes, start, end) ??
          new Map([['value', decoded(bytes, start, end).trim()]]));
  }

  /** Writes the hash of the meaning of a record. */
  hashMeaning(
    hash: RecordHash,
    target: Int32Array,
    at: number,
    records: RecordReader,
    record: number,
    comparing: ComparisonMode,
  ): void {
    const parts: string[] = [];
    for (const [name, json] of this.at(records, record)) {
      const meaning = comparing === 'text' ? json : meaningOf(json, comparing);
      if (meaning !== undefined && json !== 'null') {
        parts.push(`${JSON.stringify(name)}:${JSON.stringify(meaning)}`);
      }
    }
    const bytes = Buffer.from(parts.sort().join());
    hash.write(target, at, bytes, 0, bytes.length);
  }

  /** The columns of a CSV file, including those beyond the limit of a table. */
  csvColumns(): readonly ShapeNode[] {
    const { shape } = this.file;
    const { headings = [] } = shape;
    const { members } = shape.top;
    if (this.columns.length !== Math.max(members.length, headings.length)) {
      const more = headings.slice(members.length).map((heading, at) => {
        const order = members.length + at;
        const name = heading.trim() === '' ? `#${order + 1}` : heading.trim();
        return { ...shape.top, name, order, depth: 1 };
      });
      this.columns = [...members, ...more];
      this.names = uniqueNames(this.columns);
    }
    return this.columns;
  }

  /** The names of the columns, made unique. */
  csvNames(): readonly string[] {
    this.csvColumns();
    return this.names;
  }

  private csvFields(records: RecordReader, record: number): Fields {
    const { value } = this;
    this.csvColumns();
    const { bytes } = records;
    const hasUtf8 = isUtf8(bytes.subarray(records.start(record), records.end(record)));
    const fields = new Map<string, string>();
    this.names.forEach((name, at) => {
      if (records.has(record, at)) {
        records.read(record, at, value);
        fields.set(name, this.csvJson(hasUtf8));
      }
    });
    return fields;
  }

  /**
   * A CSV field as JSON: a number with few digits, true or false, an object, or else a text. A text that only
   * looks like a number, such as an id with an `e` in it, stays as written for every reader. An object is not
   * written as a text, so that secrets in it are masked when it is shown.
   */
  private csvJson(hasUtf8: boolean): string {
    const { kind, bytes, from, to } = this.value;
    if (kind === kindNull) {
      return 'null';
    }
    const text = decoded(bytes, from, to, hasUtf8);
    const isShortNumber =
      kind === kindNumber && text.length <= 16 && /^-?\d[.\d]*(?<!\.)$/.test(text);
    if (kind === kindBoolean || isShortNumber) {
      return text;
    }
    return isNested(text) ? text.replace(/[\r\n]+/g, ' ').trim() : JSON.stringify(text);
  }
}

/** Makes the fingerprints of a range of rows. */
class FingerprintTask implements Visitor, RangeTask {
  readonly growsShape = true;
  readonly fingerprints: Fingerprints & { unreadable: number; withoutKey: number };
  private readonly fields: RecordFields;
  private readonly value = newValue();
  private read: readonly ShapeNode[] = [];
  private keySlot = -1;
  private fieldNodes: readonly ShapeNode[] | undefined;

  constructor(
    file: ReadableFile,
    private readonly isCsv: boolean,
    private readonly key: ShapeNode | undefined,
    private readonly options: FingerprintOptions,
    private readonly range: Range,
  ) {
    const rows = range.to - range.from;
    this.fields = new RecordFields(file, isCsv);
    this.fingerprints = {
      keys: new Int32Array(rows * hashWords),
      contents: new Int32Array(rows * hashWords),
      invalid: new Uint8Array(rows),
      unreadable: 0,
      withoutKey: 0,
    };
  }

  /** The key, and the fields if their meaning is compared. */
  get nodes(): readonly ShapeNode[] {
    const fields = this.options.isRaw ? noNodes : this.fields.nodes;
    if (fields !== this.fieldNodes) {
      this.fieldNodes = fields;
      // A column has one slot.
      const isField = !this.key || fields.includes(this.key);
      this.read = isField ? fields : [...fields, this.key];
      this.keySlot = this.key ? this.read.indexOf(this.key) : -1;
    }
    return this.read;
  }

  visit(records: RecordReader, row: number): void {
    for (let record = 0; record < records.count; record += 1) {
      this.add(records, record, row + record - this.range.from);
    }
  }

  private add(records: RecordReader, record: number, number: number): void {
    const { fingerprints, value, key } = this;
    const { hash, isRaw, comparing, hasNumbers } = this.options;
    if (!hasValues(records.invalid(record))) {
      fingerprints.invalid[number] = 1;
      fingerprints.unreadable += 1;
      return;
    }
    const at = number * hashWords;
    if (isRaw) {
      const [start, end] = [records.start(record), records.end(record)];
      hash.write(fingerprints.contents, at, records.bytes, start, end);
    } else {
      const { contents } = fingerprints;
      this.fields.hashMeaning(hash, contents, at, records, record, comparing);
    }
    if (key) {
      records.read(record, this.keySlot, value);
    }
    const { kind, bytes, from, to } = value;
    if (!key || kind >= kindNull || to === from) {
      fingerprints.withoutKey += 1;
      return;
    }
    const isTyped = kind === kindJson || (kind === kindNumber && (!this.isCsv || hasNumbers));
    const isMixed = comparing === 'mixed' || comparing === 'mixedCommas';
    const mayMean = isMixed && meaningful.includes(bytes[from]!);
    const text = isTyped || mayMean ? bytes.toString('utf8', from, to) : '';
    const hasCommas = comparing === 'mixedCommas';
    if (isTyped || (mayMean && (isDecimal(text, hasCommas) || isNested(text)))) {
      const meaning = Buffer.from(jsonMeaning(text.trim()));
      hash.write(fingerprints.keys, at, meaning, 0, meaning.length);
    } else {
      hash.write(fingerprints.keys, at, bytes, from, to);
    }
  }

  finish() {
    const { fingerprints } = this;
    return {
      result: fingerprints,
      transferred: [fingerprints.keys, fingerprints.contents, fingerprints.invalid],
    };
  }

  /** Adds the fingerprints of a range that another thread made. */
  merge(part: Fingerprints, { from }: Range): void {
    const { fingerprints } = this;
    fingerprints.keys.set(part.keys, from * hashWords);
    fingerprints.contents.set(part.contents, from * hashWords);
    fingerprints.invalid.set(part.invalid, from);
    fingerprints.unreadable += part.unreadable;
    fingerprints.withoutKey += part.withoutKey;
    releaseBuffers(part.keys, part.contents, part.invalid);
  }
}

/** The input of a thread that makes fingerprints. */
interface FingerprintPayload extends Omit<FingerprintOptions, 'hash'> {
  /** For JSON, the id of the column; for CSV, its position. */
  readonly key: string | number | undefined;
  readonly factors: RecordHash['factors'];
}

/**
 * Makes the fingerprints of all records. A key is a text, as in CSV or in a JSON string. Equal JSON numbers are the
 * same key, and so are JSON objects with the same meaning. Between CSV and JSON, a decimal number is the same key
 * as a number or as a text.
 */
export function fingerprintJob(
  file: ReadableFile,
  isCsv: boolean,
  key: ShapeNode | undefined,
  options: FingerprintOptions,
  rows: number,
): { readonly job: RangeJob; readonly fingerprints: Fingerprints } {
  const work = new FingerprintTask(file, isCsv, key, options, { from: 0, to: rows });
  const { hash, ...rest } = options;
  const payload: FingerprintPayload = {
    ...rest,
    key: isCsv ? key?.order : key?.id,
    factors: hash.factors,
  };
  const job: RangeJob = {
    task: 'fingerprint',
    payload: () => payload,
    visitor: work,
    addResult: (result, range) => {
      work.merge(result as Fingerprints, range);
    },
  };
  return { job, fingerprints: work.fingerprints };
}

export const fingerprintTask: NewTask = (file, { row, rows, form, payload }) => {
  const { key, factors, ...options } = payload as FingerprintPayload;
  const isCsv = form.kind === 'csv';
  const hash = new RecordHash(factors);
  const range = { from: row, to: row + rows };
  const node =
    typeof key === 'number'
      ? new RecordFields(file, isCsv).csvColumns()[key]
      : key === undefined
        ? undefined
        : file.shape.find(key);
  return new FingerprintTask(file, isCsv, node, { ...options, hash }, range);
};
