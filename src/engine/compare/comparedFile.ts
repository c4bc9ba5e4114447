import { kindNull } from '../values/kinds';
import { maskField } from '../values/masking';
import { mask } from '../../base/json/secretFields';
import { sampleColumns } from '../read/sampleColumns';
import { findRoles, isIdName, roleOfName } from '../values/roles';
import type { YieldBudget } from '../values/yieldBudget';
import type { ByteSource } from '../read/byteSource';
import type { RangeThreads } from '../read/rangeThreads';
import { Scanner } from '../read/scanner';
import { RowReader } from '../read/rowReader';
import type { ShapeNode } from '../read/shape';
import { TableFile } from '../read/tableFile';
import { newValue, type RecordReader } from '../read/recordReader';
import { TableError } from '../values/tableError';
import type { KeyState } from './comparison';
import type { ComparisonMode } from './meaning';
import type { RecordHash } from './recordHash';
import {
  type Fields,
  fingerprintJob,
  type FingerprintOptions,
  type Fingerprints,
  RecordFields,
} from './fingerprints';

/** How many of the first rows determine the columns before all rows are read. */
const sampledRows = 200;
/** The maximum length of a value by which differences are counted, in bytes. */
const longestCounted = 200;

/** One of the two files of a comparison. */
export class ComparedFile {
  private readonly recordFields: RecordFields;
  private readonly value = newValue();

  private constructor(
    private readonly path: string,
    private readonly file: TableFile,
    private readonly threads: RangeThreads | undefined,
  ) {
    this.recordFields = new RecordFields(file, this.isCsv);
    file.inferShape(sampledRows);
  }

  /** Finds the records of a file. @param source is closed with it. @throws TableError */
  static async open(
    path: string,
    source: ByteSource,
    budget: YieldBudget,
    threads?: RangeThreads,
  ): Promise<ComparedFile> {
    try {
      const file = await TableFile.open(path, source);
      await file.findAll(budget, () => undefined);
      return new ComparedFile(path, file, threads);
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

  /** Whether numbers may have decimal commas. */
  get hasCommas(): boolean {
    const { format } = this.file.detected;
    return format.kind === 'csv' && format.delimiter === ';';
  }

  /** The layout of a CSV file: equal bytes are equal records only if the layouts are equal. */
  get layout(): string {
    const { format, headings } = this.file.detected;
    return JSON.stringify([format.delimiter, headings]);
  }

  /** Whether the file is cut off. */
  get isTruncated(): boolean {
    const { source, index } = this.file;
    return source.truncation !== undefined || index.isCutOff;
  }

  /**
   * How suitable each known column is as a key; 0 is the best. A column is better if its values are unique in
   * the first rows, and then if it is named like an id. Times are not keys, although they may be unique.
   */
  keyRanks(): Map<string, number> {
    const sampled = sampleColumns(this.file);
    const rows = Math.max(...sampled.map(({ texts }) => texts.length));
    // Choosing a column without a value would only lead back to the choice.
    return new Map(
      sampled.flatMap(({ name, texts, dates }) => {
        if (texts.length === 0) {
          return [];
        }
        const isUnique = rows > 1 && dates === 0 && new Set(texts).size === rows;
        const named = roleOfName(name) === 'id' ? 0 : isIdName(name) ? 1 : 2;
        return [[name, (isUnique ? 0 : 3) + named]];
      }),
    );
  }

  /**
   * What is known of a column as a key.
   * @param isEmpty whether it has no value, if all records were read. Default: as far as the first rows show.
   */
  keyState(name: string, isEmpty?: boolean): KeyState {
    if (this.rows === 0) {
      return 'given';
    }
    const column = this.find(name);
    const isSeen = column && (this.isCsv || column.kinds !== 0 || column.members.length > 0);
    if (!isSeen) {
      return 'absent';
    }
    return (isEmpty ?? (this.rows <= sampledRows && this.rows > 0 && !this.keyRanks().has(name)))
      ? 'empty'
      : 'given';
  }

  /** The known names of the fields of a record: its columns, but not those of nested objects. */
  get fieldNames(): string[] {
    return this.isCsv ? [...this.recordFields.csvNames()] : [...this.file.shape.top.byKey.keys()];
  }

  /**
   * The column with this name, as known from the first rows. In CSV, the first such column. In JSON, a member
   * of the record, which may be an object, before a member of a nested object.
   */
  find(name: string): ShapeNode | undefined {
    if (this.isCsv) {
      return this.recordFields.csvColumns().find((column) => column.name === name);
    }
    const { shape } = this.file;
    const found = shape.columns().columns.find((column) => column.name === name);
    return shape.top.byKey.get(name) ?? (found && shape.find(found.id));
  }

  /** A member with this name, although no row read so far has it. */
  createMember(name: string): ShapeNode | undefined {
    return this.isCsv ? undefined : this.file.shape.member(this.file.shape.top, name);
  }

  /** The columns with the severity and the type of an issue, unless they are secret. */
  roles(): { severity: ShapeNode | undefined; issueType: ShapeNode | undefined } {
    const found = findRoles(sampleColumns(this.file));
    const open = (node: ShapeNode | undefined) => (node?.secret === false ? node : undefined);
    return {
      severity: open(found.get('severity')?.column.node),
      issueType: open(found.get('issueType')?.column.node),
    };
  }

  /** Reads every record once. */
  async fingerprints(
    key: ShapeNode | undefined,
    options: FingerprintOptions,
    budget: YieldBudget,
  ): Promise<Fingerprints> {
    const { file, threads } = this;
    const { job, fingerprints } = fingerprintJob(file, this.isCsv, key, options, this.rows);
    await new Scanner(file, threads).checkAll(budget, job);
    return fingerprints;
  }

  /** Writes the hash of the meaning of a record into `target`, from `at` on. */
  writeMeaning(
    row: number,
    hash: RecordHash,
    target: Int32Array,
    at: number,
    comparing: ComparisonMode,
  ) {
    this.recordFields.hashMeaning(hash, target, at, this.read(row), 0, comparing);
  }

  /** The values of a record; for a record that is not an object, one value named `value`. */
  fields(row: number): Fields {
    return this.recordFields.at(this.read(row), 0);
  }

  /**
   * The values for the file of differences. Secret-like values stay as they are if their names in that file
   * tell the table to mask them. If nothing there would tell it, they are masked here.
   */
  outputFields(row: number, fields: Fields): Fields {
    const { file } = this;
    if (file.shape.top.secret || this.mayHideSecrets(row)) {
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
    const isLine = fields.size === 1 && file.read(row).bytes[file.read(row).start(0)] !== 0x7b;
    const [cell] = isLine ? new RowReader(file, [file.shape.top], false, 1).row(row).cells : [];
    return cell?.masked === true && mask.startsWith(cell.text)
      ? new Map([['value', JSON.stringify(mask)]])
      : fields;
  }

  /** The texts of some columns of a record: empty if there is no value, null for a long one. */
  texts(row: number, nodes: readonly ShapeNode[]): (string | null)[] {
    const isHidden = this.mayHideSecrets(row);
    const reader = this.file.read(row, nodes);
    return nodes.map((_, slot) => {
      reader.read(0, slot, this.value);
      const { kind, bytes, from, to } = this.value;
      if (kind >= kindNull || isHidden) {
        return '';
      }
      return to - from > longestCounted ? null : bytes.toString('utf8', from, to);
    });
  }

  /** Whether a record is not valid CSV, so that a secret may be in any of its columns. */
  private mayHideSecrets(row: number): boolean {
    return this.isCsv && this.file.shape.hasSecrets && this.read(row).invalid(0) !== undefined;
  }

  /** A reader of one record with the values that its fields need. */
  private read(row: number): RecordReader {
    return this.file.read(row, this.recordFields.nodes);
  }

  /** @throws TableError if the file has changed since it was opened. */
  checkUnchanged(): void {
    const change = this.file.source.changed();
    if (change === 'modified') {
      throw new TableError('changed', `The file changed: ${this.path}`);
    }
  }

  close(): void {
    this.file.close();
  }
}
