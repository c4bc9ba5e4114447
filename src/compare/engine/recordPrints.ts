import { isUtf8 } from 'node:buffer';
import { kindBoolean, kindJson, kindNull, kindNumber } from '../../table/engine/columns/kinds';
import { uniqueNames } from '../../table/engine/query/copyText';
import { releaseBuffers } from '../../table/engine/columns/memory';
import type { NewTask, RangeTask } from '../../table/engine/read/rangeReader';
import type { Range, RangeJob } from '../../table/engine/read/rangeScan';
import type { RecordCursor } from '../../table/engine/read/recordCursor';
import type { ShapeNode } from '../../table/engine/read/shape';
import { readSlot, type Visitor, type Walked } from '../../table/engine/read/tableFile';
import { newValue, type Walker } from '../../table/engine/read/walker';
import type { InvalidReason } from '../../table/engine/types';
import { type Comparing, decoded, isNested, JsonMembers, jsonMeaning, meaningOf } from './meaning';
import { hashWords, RecordHash } from './recordHash';

/** The first byte of an object or an array in a field of CSV: a bracket, or blanks before it. */
const nesting = Buffer.from('{[ \t\r\n');

/** A record: its values as JSON writes them, by the names of its fields. */
export type Fields = ReadonlyMap<string, string>;

/** What is kept of each record to find the one of the other file. */
export interface Prints {
  /** The hash of its key; all 0 where it has none. */
  readonly keys: Int32Array;
  /** The hash of its content. */
  readonly contents: Int32Array;
  /** 1 where it could not be read. */
  readonly invalid: Uint8Array;
  readonly unread: number;
  readonly withoutKey: number;
}

/** How the prints of both files are made. */
export interface PrintOptions {
  readonly hash: RecordHash;
  /** Whether equal bytes are what makes records equal; else it is what they mean. */
  readonly isRaw: boolean;
  readonly comparing: Comparing;
  /** Whether keys of CSV that are numbers are numbers in the other file. */
  readonly hasNumbers: boolean;
}

/** The values of records, and hashes of what they mean. */
export class RecordFields {
  private readonly members = new JsonMembers();
  private readonly value = newValue();
  private columns: readonly ShapeNode[] = [];
  /** Their names, each once. */
  private names: readonly string[] = [];
  private fieldWalker: Walker | undefined;

  constructor(
    private readonly file: Walked,
    private readonly isCsv: boolean,
  ) {}

  /** A record's values; of what is no object, as `value`. */
  at(cursor: RecordCursor): Fields {
    const { bytes, start, end } = cursor;
    return this.isCsv
      ? this.csvFields(cursor)
      : (this.members.of(bytes, start, end) ??
          new Map([['value', decoded(bytes, start, end).trim()]]));
  }

  /** Writes the hash of what a record means. */
  hashMeaning(
    hash: RecordHash,
    target: Int32Array,
    at: number,
    cursor: RecordCursor,
    comparing: Comparing,
  ): void {
    const parts: string[] = [];
    for (const [name, json] of this.at(cursor)) {
      const meaning = comparing === 'text' ? json : meaningOf(json, comparing);
      if (meaning !== undefined && json !== 'null') {
        parts.push(`${JSON.stringify(name)}:${JSON.stringify(meaning)}`);
      }
    }
    const bytes = Buffer.from(parts.sort().join());
    hash.write(target, at, bytes, 0, bytes.length);
  }

  /** The columns of CSV, with those beyond the limit of a table. */
  csvColumns(): readonly ShapeNode[] {
    const { headings = [], shape } = this.file;
    const { members } = shape.top;
    if (this.columns.length !== Math.max(members.length, headings.length)) {
      const more = headings.slice(members.length).map((heading, at) => {
        const order = members.length + at;
        const name = heading.trim() === '' ? `#${order + 1}` : heading.trim();
        return { ...shape.top, name, order, depth: 1 };
      });
      this.columns = [...members, ...more];
      this.names = uniqueNames(this.columns);
      this.fieldWalker = undefined;
    }
    return this.columns;
  }

  /** Their names, each once. */
  csvNames(): readonly string[] {
    this.csvColumns();
    return this.names;
  }

  private csvFields(cursor: RecordCursor): Fields {
    const { file, value } = this;
    const columns = this.csvColumns();
    const walker = (this.fieldWalker ??= file.walker(columns));
    file.walk(walker, cursor);
    const hasUtf8 = isUtf8(cursor.bytes.subarray(cursor.start, cursor.end));
    const fields = new Map<string, string>();
    this.names.forEach((name, slot) => {
      if ((walker.starts[slot] ?? -1) >= 0) {
        readSlot(walker, slot, undefined, cursor, value);
        fields.set(name, this.csvJson(hasUtf8));
      }
    });
    return fields;
  }

  /**
   * A field of CSV as JSON: a number of few digits, true and false, an object, else a text. What only looks like
   * a number, as an id with an `e` in it, stays as written for everybody who reads it. An object is no text, so
   * that secrets in it are masked where it is shown.
   */
  private csvJson(hasUtf8: boolean): string {
    const { kind, bytes, from, to } = this.value;
    if (kind === kindNull) {
      return 'null';
    }
    const text = decoded(bytes, from, to, hasUtf8);
    if (kind === kindBoolean || (kind === kindNumber && /^[-.\d]{1,16}$/.test(text))) {
      return text;
    }
    return isNested(text) ? text.replace(/[\r\n]+/g, ' ').trim() : JSON.stringify(text);
  }
}

/** Makes the prints of some rows of a file. */
class Printer implements Visitor, RangeTask {
  readonly walker: Walker;
  readonly prints: Prints & { unread: number; withoutKey: number };
  private readonly fields: RecordFields;
  private readonly value = newValue();

  constructor(
    file: Walked,
    private readonly isCsv: boolean,
    private readonly key: ShapeNode | undefined,
    private readonly options: PrintOptions,
    private readonly range: Range,
  ) {
    const rows = range.to - range.from;
    this.fields = new RecordFields(file, isCsv);
    this.walker = file.walker(key ? [key] : [], true);
    this.prints = {
      keys: new Int32Array(rows * hashWords),
      contents: new Int32Array(rows * hashWords),
      invalid: new Uint8Array(rows),
      unread: 0,
      withoutKey: 0,
    };
  }

  visit(row: number, reason: InvalidReason | undefined, cursor: RecordCursor): void {
    const { prints, value, key } = this;
    const { hash, isRaw, comparing, hasNumbers } = this.options;
    const number = row - this.range.from;
    if (reason !== undefined) {
      prints.invalid[number] = 1;
      prints.unread += 1;
      return;
    }
    const at = number * hashWords;
    if (isRaw) {
      hash.write(prints.contents, at, cursor.bytes, cursor.start, cursor.end);
    } else {
      this.fields.hashMeaning(hash, prints.contents, at, cursor, comparing);
    }
    if (key) {
      readSlot(this.walker, 0, undefined, cursor, value);
    }
    const { kind, bytes, from, to } = value;
    if (!key || kind >= kindNull || to === from) {
      prints.withoutKey += 1;
      return;
    }
    const isTyped = kind === kindJson || (kind === kindNumber && (!this.isCsv || hasNumbers));
    const mayNest = comparing === 'mixed' && nesting.includes(bytes[from]!);
    const text = isTyped || mayNest ? bytes.toString('utf8', from, to) : '';
    if (isTyped || (mayNest && isNested(text))) {
      const meaning = Buffer.from(jsonMeaning(text.trim()));
      hash.write(prints.keys, at, meaning, 0, meaning.length);
    } else {
      hash.write(prints.keys, at, bytes, from, to);
    }
  }

  finish() {
    const { prints } = this;
    return { answer: prints, moved: [prints.keys, prints.contents, prints.invalid] };
  }

  /** Adds the prints of a range that were made apart. */
  take(part: Prints, { from }: Range): void {
    const { prints } = this;
    prints.keys.set(part.keys, from * hashWords);
    prints.contents.set(part.contents, from * hashWords);
    prints.invalid.set(part.invalid, from);
    prints.unread += part.unread;
    prints.withoutKey += part.withoutKey;
    releaseBuffers(part.keys, part.contents, part.invalid);
  }
}

/** What a thread needs to make prints. */
interface PrintQuestion extends Omit<PrintOptions, 'hash'> {
  /** Of JSON the id of the column, of CSV its place. */
  readonly key: string | number | undefined;
  readonly factors: RecordHash['factors'];
}

/**
 * Makes the prints of all records. A key is a text: as CSV or a text of JSON has it; numbers of JSON that are
 * equal are one key, and so are its objects.
 */
export function printJob(
  file: Walked,
  isCsv: boolean,
  key: ShapeNode | undefined,
  options: PrintOptions,
  rows: number,
): { readonly job: RangeJob; readonly prints: Prints } {
  const printer = new Printer(file, isCsv, key, options, { from: 0, to: rows });
  const { hash, ...rest } = options;
  const question: PrintQuestion = {
    ...rest,
    key: isCsv ? key?.order : key?.id,
    factors: hash.factors,
  };
  const job: RangeJob = {
    task: 'print',
    learns: true,
    question: () => question,
    visitor: printer,
    take: (answer, range) => {
      printer.take(answer as Prints, range);
    },
  };
  return { job, prints: printer.prints };
}

export const printTask: NewTask = (file, { row, rows, detected, question }) => {
  const { key, factors, ...options } = question as PrintQuestion;
  const isCsv = detected.format.kind === 'csv';
  const hash = new RecordHash(factors);
  const range = { from: row, to: row + rows };
  const node =
    typeof key === 'number'
      ? new RecordFields(file, isCsv).csvColumns()[key]
      : key === undefined
        ? undefined
        : file.shape.find(key);
  return new Printer(file, isCsv, node, { ...options, hash }, range);
};
