import { isUtf8 } from 'node:buffer';
import { uniqueNames } from '../query/copyText';
import { newValue, type RecordReader } from '../read/recordReader';
import type { ShapeNode } from '../read/shape';
import type { ReadableFile } from '../read/visitor';
import { kindBoolean, kindNull, kindNumber } from '../values/kinds';
import { outputName } from './comparison';
import { decoded, isNested, membersOf } from './meaning';

/** A record: its values as JSON text, by field name. */
export type Fields = ReadonlyMap<string, string>;

/** The members that fields are in a line of differences, each after a comma. */
export function lineMembers(fields: Fields): string {
  return Array.from(fields)
    .map(([name, json]) => `,${JSON.stringify(outputName(name))}:${json}`)
    .join('');
}

/** Reads the values of records. */
export class RecordFields {
  private readonly value = newValue();
  private columns: readonly ShapeNode[] = [];
  private columnNames: readonly string[] = [];

  constructor(
    private readonly file: ReadableFile,
    private readonly isCsv: boolean,
  ) {}

  /**
   * The columns of a CSV file, including those beyond the limit of a table, or the members of records of JSON
   * and, first, a record that is not an object. The same array stands for the same columns.
   */
  get nodes(): readonly ShapeNode[] {
    const { headings = [], shape } = this.file;
    const { members } = shape.top;
    const count = this.isCsv ? Math.max(members.length, headings.length) : members.length + 1;
    if (this.columns.length !== count) {
      const more = headings.slice(members.length).map((heading, at) => {
        const order = members.length + at;
        const name = heading.trim() === '' ? `#${order + 1}` : heading.trim();
        return { ...shape.top, name, order, depth: 1 };
      });
      this.columns = this.isCsv ? [...members, ...more] : [shape.top, ...members];
      this.columnNames = this.isCsv
        ? uniqueNames(this.columns)
        : this.columns.map(({ ownName }, at) => (at === 0 ? 'value' : ownName));
    }
    return this.columns;
  }

  /** The names of the nodes. Those of CSV columns are made unique. */
  get names(): readonly string[] {
    return this.nodes.length > 0 ? this.columnNames : [];
  }

  /**
   * The values of a record; for a record that is not an object, one value named `value`.
   * @param records has the values of the nodes in CSV.
   */
  at(records: RecordReader, record: number): Fields {
    if (this.isCsv) {
      return this.csvFields(records, record);
    }
    const { bytes } = records;
    const end = records.end(record);
    let start = records.start(record);
    while (bytes[start]! <= 0x20) {
      start += 1;
    }
    return bytes[start] === 0x7b
      ? membersOf(bytes, start, end)
      : new Map([['value', decoded(bytes, start, end)]]);
  }

  private csvFields(records: RecordReader, record: number): Fields {
    const { value } = this;
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
