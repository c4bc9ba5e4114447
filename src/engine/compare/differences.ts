import { writeFully } from '../read/byteSource';
import type { ShapeNode } from '../read/shape';
import { beforeMember, type Change, changeMember, fieldsMember } from './comparison';
import type { Tallies, Tally } from '../values/comparisonAbout';
import type { ComparedFile } from './comparedFile';
import { type ComparisonMode, meaningOf, oldValue } from './meaning';
import type { Fields } from './recordFields';

/** The reserved names of a line, and the names that fields with such a name get. */
const reserved = new RegExp(`^(${[changeMember, fieldsMember, beforeMember].join('|')})_*$`);
/** The number of characters after which lines are written. */
const chunkLength = 1024 ** 2;
/** The maximum number of distinct values of a column that are counted, and of those that are reported. */
const maxCountedValues = 4096;
const maxReportedValues = 50;

/** The columns of a file by which differences are counted. */
class CountedColumns {
  private readonly nodes: readonly (ShapeNode | undefined)[];
  private readonly found: readonly ShapeNode[];

  constructor(private readonly file: ComparedFile) {
    const { severity, issueType } = file.roles();
    this.nodes = [severity, issueType];
    this.found = this.nodes.filter((node) => node !== undefined);
  }

  /**
   * JSON pointers into a line of differences. CSV identifies columns by number, so the pointer is made of the
   * name.
   */
  get columns(): readonly (string | undefined)[] {
    return this.nodes.map(
      (node) =>
        node &&
        (this.file.isCsv
          ? `/${outputName(node.name).replaceAll('~', '~0').replaceAll('/', '~1')}`
          : node.id),
    );
  }

  /**
   * The severity and the issue type of a record; `undefined` if the file has no such column, null for a value
   * that is too long.
   */
  values(row: number): readonly (string | null | undefined)[] {
    const texts = this.file.texts(row, this.found);
    return this.nodes.map((node) => node && texts.shift());
  }
}

/** The differences between two files: counted by severity and issue type, and written as NDJSON if requested. */
export class Differences {
  private readonly olderColumns: CountedColumns;
  private readonly newerColumns: CountedColumns;
  private readonly counted = [new Map<string, Tally>(), new Map<string, Tally>()] as const;
  private readonly isComplete = [true, true];
  private lines = '';

  /** @param descriptor the file that they are written to; absent if they are only counted. */
  constructor(
    private readonly before: ComparedFile,
    private readonly after: ComparedFile,
    private readonly comparing: ComparisonMode,
    private readonly descriptor: number | undefined,
  ) {
    this.olderColumns = new CountedColumns(before);
    this.newerColumns = new CountedColumns(after);
  }

  /** @returns the approximate number of bytes processed */
  addNew(row: number): number {
    this.count('new', this.newerColumns.values(row));
    return this.addWhole('new', this.after, row);
  }

  addGone(row: number): number {
    this.count('gone', this.olderColumns.values(row));
    return this.addWhole('gone', this.before, row);
  }

  /** @returns 0 if the records have the same meaning. */
  addChanged(older: number, newer: number): number {
    const { before, after } = this;
    const [olderFields, newerFields] = [before.fields(older), after.fields(newer)];
    const names = changedFields(olderFields, newerFields, this.comparing);
    if (names.length === 0) {
      return 0;
    }
    this.count('changed', this.newerColumns.values(newer));
    if (this.descriptor !== undefined) {
      const was = before.outputFields(older, olderFields);
      const is = after.outputFields(newer, newerFields);
      const old = names.map((name) => {
        const value = was.get(name);
        const json = value === undefined ? 'null' : oldValue(value, is.get(name));
        return `${JSON.stringify(outputName(name))}:${json}`;
      });
      this.write('changed', names, is, `{${old.join()}}`);
    }
    return 1024;
  }

  /** Writes the remaining lines. */
  end(): void {
    if (this.descriptor !== undefined && this.lines !== '') {
      writeFully(this.descriptor, Buffer.from(this.lines));
      this.lines = '';
    }
  }

  /**
   * The tallies of columns for which all values were counted: not too many, and none too long. A column must
   * be the same in both files, or be in one only.
   */
  tallies(): { readonly severities?: Tallies; readonly issueTypes?: Tallies } {
    const of = (at: 0 | 1): Tallies | undefined => {
      const [older, newer] = [this.olderColumns.columns[at], this.newerColumns.columns[at]];
      const column = newer ?? older;
      const isSame = older === undefined || newer === undefined || older === newer;
      if (column === undefined || !isSame || this.isComplete[at] !== true) {
        return undefined;
      }
      const values = [...this.counted[at].values()].sort(
        (one, other) => sizeOf(other) - sizeOf(one),
      );
      return { column, values: values.slice(0, maxReportedValues) };
    };
    const [severities, issueTypes] = [of(0), of(1)];
    return { ...(severities && { severities }), ...(issueTypes && { issueTypes }) };
  }

  private count(change: Change, values: readonly (string | null | undefined)[]): void {
    this.counted.forEach((counted, at) => {
      if (values[at] === null) {
        // A truncated value would be counted with others, and a filter by it would find nothing.
        this.isComplete[at] = false;
        return;
      }
      const value = values[at] ?? '';
      const tally = counted.get(value) ?? { value, new: 0, gone: 0, changed: 0 };
      if (counted.size < maxCountedValues || counted.has(value)) {
        counted.set(value, { ...tally, [change]: tally[change] + 1 });
      } else {
        this.isComplete[at] = false;
      }
    });
  }

  private addWhole(change: Change, file: ComparedFile, row: number): number {
    if (this.descriptor === undefined) {
      return 256;
    }
    return this.write(change, [], file.outputFields(row, file.fields(row)));
  }

  private write(change: Change, names: readonly string[], fields: Fields, before?: string): number {
    const members = Array.from(
      fields,
      ([name, json]) => `,${JSON.stringify(outputName(name))}:${oneLine(json)}`,
    );
    const old = before === undefined ? '' : `,"${beforeMember}":${oneLine(before)}`;
    const changed = JSON.stringify(names.map(outputName));
    const line = `{"${changeMember}":"${change}","${fieldsMember}":${changed}${members.join('')}${old}}\n`;
    this.lines += line;
    if (this.lines.length >= chunkLength) {
      this.end();
    }
    return line.length;
  }
}

/** The names of the fields whose meaning differs, in the order of the newer record. */
function changedFields(older: Fields, newer: Fields, comparing: ComparisonMode): string[] {
  const names = [...newer.keys(), ...[...older.keys()].filter((name) => !newer.has(name))];
  return names.filter((name) => {
    const [was, is] = [older.get(name), newer.get(name)];
    return was !== is && meaningOf(was, comparing) !== meaningOf(is, comparing);
  });
}

/** The name of a field in a line of differences. */
function outputName(name: string): string {
  return reserved.test(name) ? `${name}_` : name;
}

/** Line breaks between the members of JSON have no meaning; texts in JSON contain none. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json;
}

function sizeOf({ new: isNew, gone, changed }: Tally): number {
  return isNew + gone + changed;
}
