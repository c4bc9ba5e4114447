import { isUtf8 } from 'node:buffer';
import { kindBoolean, kindJson, kindNull, kindNumber } from '../../table/engine/columns/kinds';
import { uniqueNames } from '../../table/engine/query/copyText';
import { maskField } from '../../table/engine/query/masking';
import { mask } from '../../base/secretFields';
import { sampleColumns } from '../../table/engine/overview/sampleColumns';
import { findRoles } from '../../table/engine/overview/roles';
import type { Pace } from '../../table/engine/pace';
import { openSource } from '../../table/engine/read/byteSource';
import type { RecordCursor } from '../../table/engine/read/recordCursor';
import { RowReader } from '../../table/engine/read/rowReader';
import type { ShapeNode } from '../../table/engine/read/shape';
import { readSlot, TableFile } from '../../table/engine/read/tableFile';
import { newValue, type Walker } from '../../table/engine/read/walker';
import { TableError } from '../../table/engine/tableError';
import { type Comparing, decoded, isNested, JsonMembers, jsonMeaning, meaningOf } from './meaning';
import { hashWords, type RecordHash } from './recordHash';

/** Rows whose columns are known before all rows are read. */
const sampledRows = 200;

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

/** One of the two files that are compared. */
export class ComparedFile {
  private readonly members = new JsonMembers();
  private readonly value = newValue();
  private columnsOfCsv: readonly ShapeNode[] = [];
  /** Their names, each once. */
  private names: readonly string[] = [];
  private fieldWalker: Walker | undefined;

  private constructor(
    private readonly path: string,
    private readonly file: TableFile,
  ) {
    file.learnFirst(sampledRows);
  }

  /** Opens a file and finds its records. @throws TableError */
  static async open(path: string, cacheFolder: string, pace: Pace): Promise<ComparedFile> {
    const source = openSource(path, cacheFolder);
    try {
      const file = await TableFile.open(path, source);
      await file.findAll(pace, () => undefined);
      return new ComparedFile(path, file);
    } catch (error) {
      source.close();
      throw error;
    }
  }

  get rows(): number {
    return this.file.index.rows;
  }

  get isCsv(): boolean {
    return this.file.detected.format.kind === 'csv';
  }

  /** How a file of CSV is laid out: the same bytes are the same record only in the same layout. */
  get layout(): string {
    const { format, headings } = this.file.detected;
    return JSON.stringify([format.delimiter, headings]);
  }

  /** Whether the file ends in the middle. */
  get isTruncated(): boolean {
    const { source, index } = this.file;
    return source.truncation !== undefined || index.isCutOff;
  }

  /** The names of the columns known so far. */
  get columns(): string[] {
    return this.file.shape.columns().columns.map(({ name }) => name);
  }

  /** The names of the fields of a record, as far as they are known: columns, but not of objects in it. */
  get fieldNames(): string[] {
    return this.isCsv ? uniqueNames(this.csvColumns()) : [...this.file.shape.top.byKey.keys()];
  }

  /**
   * The place of the column with this name, in the first rows: of CSV the first one, of JSON a member of the
   * record, which may be an object, before one of its objects.
   */
  find(name: string): ShapeNode | undefined {
    if (this.isCsv) {
      return this.csvColumns().find((column) => column.name === name);
    }
    const { shape } = this.file;
    const found = shape.columns().columns.find((column) => column.name === name);
    return shape.top.byKey.get(name) ?? (found && shape.find(found.id));
  }

  /** A member with this name, though no row that was read has it. */
  expect(name: string): ShapeNode | undefined {
    return this.isCsv ? undefined : this.file.shape.member(this.file.shape.top, name);
  }

  /** The columns that are the severity and the type of an issue, where they are no secrets. */
  roles(): { severity: ShapeNode | undefined; issueType: ShapeNode | undefined } {
    const found = findRoles(sampleColumns(this.file));
    const open = (node: ShapeNode | undefined) => (node?.secret === false ? node : undefined);
    return {
      severity: open(found.get('severity')?.column.node),
      issueType: open(found.get('issueType')?.column.node),
    };
  }

  /**
   * Reads every record once. A key is a text: as CSV or a text of JSON has it; numbers of JSON that are equal
   * are one key, and so are its objects.
   */
  async prints(
    key: ShapeNode | undefined,
    { hash, isRaw, comparing, hasNumbers }: PrintOptions,
    pace: Pace,
  ): Promise<Prints> {
    const { file, rows, value } = this;
    const keys = new Int32Array(rows * hashWords);
    const contents = new Int32Array(rows * hashWords);
    const invalid = new Uint8Array(rows);
    let withoutKey = 0;
    let unread = 0;
    const areNumbers = !this.isCsv || hasNumbers;
    const walker = file.walker(key ? [key] : [], true);
    await file.scan(
      pace,
      () => walker,
      (row, reason, cursor) => {
        if (reason !== undefined) {
          invalid[row] = 1;
          unread += 1;
          return;
        }
        const at = row * hashWords;
        if (isRaw) {
          hash.write(contents, at, cursor.bytes, cursor.start, cursor.end);
        } else {
          this.hashMeaning(hash, contents, at, cursor, comparing);
        }
        if (key) {
          readSlot(walker, 0, undefined, cursor, value);
        }
        const { kind, bytes, from, to } = value;
        if (!key || kind >= kindNull || to === from) {
          withoutKey += 1;
          return;
        }
        const isTyped = kind === kindJson || (kind === kindNumber && areNumbers);
        const mayNest = comparing === 'mixed' && nesting.includes(bytes[from]!);
        const text = isTyped || mayNest ? bytes.toString('utf8', from, to) : '';
        if (isTyped || isNested(text)) {
          const meaning = Buffer.from(jsonMeaning(text.trim()));
          hash.write(keys, at, meaning, 0, meaning.length);
        } else {
          hash.write(keys, at, bytes, from, to);
        }
      },
    );
    file.shape.isComplete = true;
    file.invalidRows = unread;
    return { keys, contents, invalid, unread, withoutKey };
  }

  /** The hash of what a record means, at the beginning of the words. */
  writeMeaning(
    row: number,
    hash: RecordHash,
    target: Int32Array,
    at: number,
    comparing: Comparing,
  ) {
    this.hashMeaning(hash, target, at, this.file.index.read(row), comparing);
  }

  /** A record's values; of what is no object, as `value`. */
  fields(row: number): Fields {
    return this.fieldsAt(this.file.index.read(row));
  }

  /**
   * The values as they are written: secret-like ones stay what they are where their names tell that they are
   * to be masked, and are masked where the file of differences would not tell.
   */
  written(row: number, fields: Fields): Fields {
    const { file } = this;
    if (file.shape.top.secret) {
      return new Map(Array.from(fields, ([name]) => [name, JSON.stringify(mask)]));
    }
    if (this.isCsv) {
      return new Map(
        Array.from(fields, ([name, json]) => [
          name,
          /^"(?:\\[nrt]|\s)*[{[]/.test(json)
            ? JSON.stringify(maskField(JSON.parse(json) as string))
            : json,
        ]),
      );
    }
    const isLine =
      fields.size === 1 && file.index.read(row).bytes[file.index.read(row).start] !== 0x7b;
    const [cell] = isLine ? new RowReader(file, [file.shape.top], false, 1).row(row).cells : [];
    return cell?.masked === true && mask.startsWith(cell.text)
      ? new Map([['value', JSON.stringify(mask)]])
      : fields;
  }

  /** The texts of some columns of a record; empty where there is none. */
  texts(row: number, walker: Walker, count: number): string[] {
    const cursor = this.file.index.read(row);
    const invalid = this.file.walk(walker, cursor);
    return Array.from({ length: count }, (_, slot) => {
      readSlot(walker, slot, invalid, cursor, this.value);
      const { kind, bytes, from, to } = this.value;
      return kind >= kindNull ? '' : bytes.toString('utf8', from, Math.min(to, from + 200));
    });
  }

  walker(nodes: readonly ShapeNode[]): Walker {
    return this.file.walker(nodes);
  }

  /** @throws TableError when the file changed since it was opened. */
  checkUnchanged(): void {
    const change = this.file.source.changed();
    if (change === 'modified') {
      throw new TableError('changed', `The file changed: ${this.path}`);
    }
  }

  close(): void {
    this.file.source.close();
  }

  private fieldsAt(cursor: RecordCursor): Fields {
    const { bytes, start, end } = cursor;
    return this.isCsv
      ? this.csvFields(cursor)
      : (this.members.of(bytes, start, end) ??
          new Map([['value', decoded(bytes, start, end).trim()]]));
  }

  private hashMeaning(
    hash: RecordHash,
    target: Int32Array,
    at: number,
    cursor: RecordCursor,
    comparing: Comparing,
  ): void {
    const parts: string[] = [];
    for (const [name, json] of this.fieldsAt(cursor)) {
      const meaning = comparing === 'text' ? json : meaningOf(json, comparing);
      if (meaning !== undefined && json !== 'null') {
        parts.push(`${JSON.stringify(name)}:${JSON.stringify(meaning)}`);
      }
    }
    const bytes = Buffer.from(parts.sort().join());
    hash.write(target, at, bytes, 0, bytes.length);
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

  /** The columns, with those beyond the limit of a table. */
  private csvColumns(): readonly ShapeNode[] {
    const { detected, shape } = this.file;
    const { members } = shape.top;
    const count = Math.max(members.length, detected.headings?.length ?? 0);
    if (this.columnsOfCsv.length !== count) {
      const more = (detected.headings ?? []).slice(members.length).map((heading, at) => {
        const order = members.length + at;
        const name = heading.trim() === '' ? `#${order + 1}` : heading.trim();
        return { ...shape.top, name, order, depth: 1 };
      });
      this.columnsOfCsv = [...members, ...more];
      this.names = uniqueNames(this.columnsOfCsv);
      this.fieldWalker = undefined;
    }
    return this.columnsOfCsv;
  }
}
