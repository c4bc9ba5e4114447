import { isUtf8 } from 'node:buffer';
import { uniqueNames } from '../query/copyText';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import type { ReadableFile } from '../read/records/visitor';
import { kindBoolean, kindNull, kindNumber } from '../values/kinds';
import { outputName } from './comparison';
import { decode, isNested, readMembers } from './meaning';

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
  /** The names of the nodes. Those of CSV columns are made unique. */
  names: readonly string[] = [];
  private readonly value = newValue();
  private columns: readonly ShapeNode[] = [];

  constructor(
    private readonly file: ReadableFile,
    private readonly isCsv: boolean,
  ) {}

  /**
   * The columns of a CSV file, including those beyond the limit of a table, or the members of records of JSON
   * and, first, a record that is not an object. The same array stands for the same columns.
   */
  get nodes(): readonly ShapeNode[] {
    const { shape } = this.file;
    const { headings = [] } = shape;
    const { members } = shape.top;
    const count = this.isCsv ? Math.max(members.length, headings.length) : members.length + 1;
    if (this.columns.length !== count) {
      const more = headings.slice(members.length).map((heading, at) => {
        const order = members.length + at;
        const name = heading.trim() === '' ? `#${order + 1}` : heading.trim();
        return { ...shape.top, name, order, depth: 1 };
      });
      this.columns = this.isCsv ? [...members, ...more] : [shape.top, ...members];
      this.names = this.isCsv
        ? uniqueNames(this.columns)
        : ['value', ...members.map(({ ownName }) => ownName)];
    }
    return this.columns;
  }

  /**
   * The values of a record; for a record that is not an object, one value named `value`.
   * @param records has the record, and in CSV the values of the nodes, in the first slots.
   * @param record which of them it is.
   */
  of(records: RecordReader, record = 0): Fields {
    const { value } = this;
    const { bytes } = records;
    const [start, end] = [records.start(record), records.end(record)];
    if (!this.isCsv) {
      return (
        readMembers(bytes, start, end) ?? new Map([['value', decode(bytes, start, end).trim()]])
      );
    }
    const hasUtf8 = isUtf8(bytes.subarray(start, end));
    const fields = new Map<string, string>();
    this.nodes.forEach((_, slot) => {
      if (records.has(record, slot)) {
        records.read(record, slot, value);
        fields.set(this.names[slot]!, this.csvJson(hasUtf8));
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
    const text = decode(bytes, from, to, hasUtf8);
    const isShortNumber =
      kind === kindNumber && text.length <= 16 && /^-?\d[.\d]*(?<!\.)$/.test(text);
    if (kind === kindBoolean || isShortNumber) {
      return text;
    }
    return isNested(text) ? text.replace(/[\r\n]+/g, ' ').trim() : JSON.stringify(text);
  }
}
