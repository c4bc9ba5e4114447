import { kindNull } from '../values/kinds';
import { isOfSecret, maskField, maskJson } from '../values/masking';
import { isSecretMaterial, mask } from '../../vocabulary/secretFields';
import type { NumberScale } from '../../vocabulary/numberScales';
import { firstColumns, sampleColumns, sampledRows } from '../read/detect/sampleColumns';
import { type ClosingForm, closingWord, isClosing } from '../../vocabulary/closing';
import { findRoles } from '../../vocabulary/roles';
import type { YieldBudget } from '../threads/yieldBudget';
import type { ByteSource } from '../read/bytes/byteSource';
import type { RangeThreads } from '../read/ranges/rangeThreads';
import { Scanner } from '../read/ranges/scanner';
import { topList } from '../read/lists/documentLists';
import type { ShapeNode } from '../read/records/shape';
import { findForms } from '../read/detect/valueForms';
import { mayHideSecret, RowReader } from '../read/rowReader';
import { TableFile } from '../read/tableFile';
import { type DateOrder, dateOrders } from '../data/column';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { KnownFinding } from '../data/known';
import { findKnownRows, knownFinding, noKnownRows } from '../query/knownRows';
import { TableError } from '../data/tableError';
import type { FoundClosing } from './closingColumns';
import { outputName } from './comparison';
import { decode, readMembers } from './meaning';
import { countJob } from '../overview/countJob';
import { OverviewCounter } from '../overview/overviewCounter';
import { type RecordHashOptions, type RecordHashes, RecordHashTask } from './recordHashes';
import type { ColumnOfKey, IdentitySample } from './findingKey';
import type { KeySample } from './keyChoices';
import { type OpenOfFile, readOpen } from './openFindings';
import { type RecordPart, type RecordPayload, RecordTask } from './recordTask';
import { type Fields, lineMembers, RecordFields } from './recordFields';
import { rememberByName } from '../../vocabulary/fieldNames';
import { isNameOf } from '../../vocabulary/meanings';

/** The maximum length of a value by which differences are counted, in bytes. */
const longestCounted = 200;

/** The same of one that may close a record: the beginning of a longer one tells. */
const longestClosing = 64 * 1024;

/** The roles of the columns by which differences are counted. */
export const countedRoles = ['severity', 'issueType', 'scorecard'] as const;

/**
 * The texts of a record in these columns, and then in those that say which records are closed: empty if there is no
 * value; of the former, null for a long one.
 */
export type CountedTexts = readonly (string | null | undefined)[];

/** A column that says which records are closed. */
interface ComparedClosing {
  readonly node: ShapeNode;
  readonly form: ClosingForm;
  /** Whether a value closes its record; remembered, as a file has few of these values. */
  readonly closes: (text: string) => boolean;
}

/** One of the two files of a comparison. */
export class ComparedFile {
  private readonly recordFields: RecordFields;
  private readonly value = newValue();
  /** That of the numbers of severities, if they have one. */
  severityScale: NumberScale | undefined;
  /** The columns that say which records are closed. */
  private closing: readonly ComparedClosing[] = [];
  /** The columns of the counted roles, unless they are secret, and those that close. */
  private countedNodes: readonly (ShapeNode | undefined)[] = [];
  private domainNode: ShapeNode | undefined;
  /** The columns that are read of single records. */
  private nodes: readonly ShapeNode[] = [];
  /** Whether objects are in the file of differences as they are written. */
  private keepsText = false;
  /** Masks what objects around the records tell to be secret, which the file of differences does not have. */
  private parents: RowReader | undefined;
  private openOfFile: OpenOfFile | undefined;
  private known = noKnownRows;

  private constructor(
    private readonly path: string,
    private readonly file: TableFile,
    private readonly threads: RangeThreads | undefined,
  ) {
    this.recordFields = new RecordFields(file, this.isCsv);
    // Dates are read as they are written: the other file may not tell the same form of them.
    file.growFirst(sampledRows);
  }

  /**
   * Finds the records of a file.
   * @param source is closed with it.
   * @param list JSON: the name of the list to read.
   * @throws TableError
   */
  static async open(
    path: string,
    source: ByteSource,
    budget: YieldBudget,
    threads?: RangeThreads,
    list?: string,
  ): Promise<ComparedFile> {
    try {
      const file = await TableFile.open(path, source, { list });
      new Scanner(file, threads).startThreads();
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

  /** Whether the file as a whole is read as a list, rather than one of the lists in it. */
  get isList(): boolean {
    return this.file.detected.format.kind !== 'json' || this.list === topList;
  }

  get list(): string | undefined {
    return this.file.document.list;
  }

  get hasFindings(): boolean {
    return this.file.document.hasFindings === true;
  }

  get delimiter(): string | undefined {
    return this.file.detected.format.delimiter;
  }

  /** Whether the file is cut off. */
  get isTruncated(): boolean {
    const { source, index } = this.file;
    return source.truncation !== undefined || index.isCutOff;
  }

  /** What the first rows say of which columns may be a key. */
  keySample(): KeySample {
    const byNode = new Map<ShapeNode, (string | undefined)[]>();
    const columns = sampleColumns(this.file, (node, row, text) => {
      const byRow = byNode.get(node) ?? [];
      byRow[row] = text;
      byNode.set(node, byRow);
    });
    return {
      rows: this.rows,
      sampled: Math.min(this.rows, sampledRows),
      columns: columns.map((column) => ({ ...column, byRow: byNode.get(column.node) ?? [] })),
    };
  }

  /** What the first rows say of which columns tell findings apart, as decisions about them are kept by. */
  identitySample(): IdentitySample {
    return this.rows === 0 ? undefined : firstColumns(this.file);
  }

  /** Whether no record has a value in this column, as far as the first rows show. */
  lacks(name: string): boolean {
    const isEmpty = () =>
      this.rows <= sampledRows &&
      !sampleColumns(this.file).some((column) => column.name === name && column.texts.length > 0);
    return this.rows > 0 && (this.find(name) === undefined || isEmpty());
  }

  /** The known names of the fields of a record: its columns, but not those of nested objects. */
  get fieldNames(): string[] {
    return this.recordFields.nodes.flatMap(({ depth }, at) =>
      depth > 0 ? this.recordFields.names[at]! : [],
    );
  }

  /**
   * The column with this name, as known from the first rows. In CSV, the first such column. In JSON, a member
   * of the record, which may be an object, before a member of a nested object.
   * @param creates whether it becomes a member although no row read so far has it.
   */
  find(name: string, { creates = false } = {}): ShapeNode | undefined {
    if (this.isCsv) {
      return this.recordFields.nodes.find((column) => column.name === name);
    }
    const { shape } = this.file;
    const found = shape.columns().columns.find((column) => column.name === name);
    const node = shape.top.byKey.get(name) ?? (found && shape.find(found.id));
    return node ?? (creates ? shape.member(shape.top, name) : undefined);
  }

  /** The open findings, once all records are read. */
  get open(): OpenOfFile | undefined {
    return this.openOfFile;
  }

  /**
   * Hashes every record, and counts the open findings; these again in a pass of its own where a column has turned out
   * not to tell them.
   * @param keys the columns of the key.
   * @param shift is added to a row to get its place in the hashes.
   */
  async hashRecords(
    keys: readonly ColumnOfKey[],
    options: RecordHashOptions,
    { hashes, shift }: { hashes: RecordHashes; shift: number },
    budget: YieldBudget,
  ): Promise<void> {
    const { file, isCsv, threads } = this;
    const payload = {
      ...options,
      keys: keys.map(({ node }) => (isCsv ? node?.order : node?.id) ?? -1),
      hashSeed: Uint8Array.from(hashes.kernel.hashSeed),
    };
    const { known } = this;
    const counter = new OverviewCounter(file, { scope: 'open', columnsToCount: 'open', known });
    const counting = countJob(counter);
    const scanner = new Scanner(file, threads);
    try {
      const nodes = keys.map(({ node }) => node);
      const task = new RecordHashTask(file, isCsv, nodes, options, hashes, shift);
      await scanner.checkAll(budget, {
        task: 'records',
        payload: (): RecordPayload => ({ hashes: payload, counts: counter.state() }),
        visitor: new RecordTask(task, counter),
        addResult: (result, range) => {
          const { hashes: part, counts } = result as RecordPart;
          hashes.add(part, range.from + shift);
          counting.addResult(counts, range);
        },
      });
      this.findNodes(counter);
      this.openOfFile = await this.countOpen(counter, scanner, budget);
    } finally {
      counter.release();
    }
  }

  /** The values of a record; for a record that is not an object, one value named `value`. */
  fields(row: number): Fields {
    return this.recordFields.of(this.read(row));
  }

  /** The members of a record in the file of differences, each after a comma. */
  members(row: number): string {
    const reader = this.read(row);
    const start = reader.start(0);
    if (!this.keepsText || reader.bytes[start] !== 0x7b) {
      return lineMembers(this.outputFields(row, this.fields(row)));
    }
    const { isUtf8 } = this.file.index;
    const text = decode(reader.bytes, start + 1, reader.end(0) - 1, isUtf8);
    return text.trim() === '' ? '' : `,${text}`;
  }

  /**
   * The values for the file of differences. Secret-like values stay as they are if their names in that file
   * tell the table to mask them. If nothing there would tell it, they are masked here.
   */
  outputFields(row: number, fields: Fields): Fields {
    const { file } = this;
    if (file.shape.top.secret || this.isHidden(row)) {
      return new Map(Array.from(fields, ([name]) => [name, JSON.stringify(mask)]));
    }
    if (file.shape.isAboutSecrets) {
      return new Map(
        Array.from(fields, ([name, json]) => [
          name,
          isSecretMaterial(name.slice(name.lastIndexOf('.') + 1))
            ? JSON.stringify(mask)
            : /^[{[]/.test(json)
              ? maskJson(json, { isAboutSecrets: true })
              : json,
        ]),
      );
    }
    if (this.parents) {
      const masked = readMembers(Buffer.from(this.parents.text(row) ?? '')) ?? fields;
      return new Map(Array.from(fields, ([name, json]) => [name, masked.get(name) ?? json]));
    }
    if (this.isCsv) {
      const options = { isOfSecret: isOfSecret(fields) };
      return new Map(
        Array.from(fields, ([name, json]) => [
          name,
          /^"(?:\\[nrt]|\s)*[{[]/.test(json)
            ? JSON.stringify(maskField(JSON.parse(json) as string, options))
            : json,
        ]),
      );
    }
    return fields;
  }

  /** The order of day and month in dates with slashes, if all columns that tell one agree. */
  get dateOrder(): DateOrder | undefined {
    const forms = new Set(findForms(this.file).values());
    const orders = dateOrders.filter((order) => forms.has(order));
    return orders.length === 1 ? orders[0] : undefined;
  }

  /**
   * The columns by which differences are counted, as JSON pointers into the names that they have in a line.
   * CSV identifies columns by number, so the pointer is made of the name.
   */
  countedColumns(): (string | undefined)[] {
    return this.countedNodes.map((node) => node && this.pointer(node));
  }

  private pointer(node: ShapeNode): string {
    return this.isCsv
      ? `/${outputName(node.name).replaceAll('~', '~0').replaceAll('/', '~1')}`
      : node.id;
  }

  /** Finds the rows of findings that are known, in a pass of its own. */
  async findKnown(known: readonly KnownFinding[], budget: YieldBudget): Promise<void> {
    const scanner = new Scanner(this.file, this.threads);
    this.known = await findKnownRows(this.file, scanner, known, budget);
  }

  /** Whether a record is a finding that is known. */
  isKnown(row: number): boolean {
    return knownFinding(this.known, row) !== undefined;
  }

  /** The values that close a record. @param texts of the record, see `countedTexts`. */
  findClosingValues(texts: CountedTexts): FoundClosing[] {
    return this.closing.flatMap(({ node, form, closes }, at) => {
      const value = texts[countedRoles.length + at] ?? '';
      return closes(value)
        ? [{ column: this.pointer(node), word: closingWord(form, node.name, value), form }]
        : [];
    });
  }

  /**
   * The texts of a record in these columns; `undefined` if the file has no such column.
   */
  countedTexts(row: number): CountedTexts {
    return this.texts(row, this.countedNodes);
  }

  /** The domain of the company that a record is about, if it has a short one. */
  findDomain(row: number): string | undefined {
    const [domain] = this.texts(row, [this.domainNode]);
    return domain === null || domain === '' ? undefined : domain;
  }

  private texts(row: number, nodes: readonly (ShapeNode | undefined)[]): CountedTexts {
    const isHidden = this.isHidden(row);
    const reader = this.read(row);
    return nodes.map((node, at) => {
      if (!node) {
        return undefined;
      }
      reader.read(0, this.nodes.indexOf(node), this.value);
      const { kind, bytes, from, to } = this.value;
      if (kind >= kindNull || isHidden) {
        return '';
      }
      if (at >= countedRoles.length) {
        return bytes.toString('utf8', from, Math.min(to, from + longestClosing));
      }
      return to - from > longestCounted ? null : bytes.toString('utf8', from, to);
    });
  }

  private isHidden(row: number): boolean {
    return this.isCsv && mayHideSecret(this.file.shape, this.read(row));
  }

  /** A reader of one record, after all records are read. */
  private read(row: number): RecordReader {
    return this.file.read(row, this.nodes);
  }

  /** Where a column has turned out not to tell which findings are open, all are counted, as the overview does. */
  private async countOpen(
    counter: OverviewCounter,
    scanner: Scanner,
    budget: YieldBudget,
  ): Promise<OpenOfFile | undefined> {
    const roles = [...findRoles(sampleColumns(this.file)).keys()];
    if (!counter.isMistaken) {
      return readOpen(this.file, counter, roles);
    }
    const { known } = this;
    const scope = known.rows > 0 ? 'notKnown' : 'all';
    const ofAll = new OverviewCounter(this.file, { scope, columnsToCount: 'open', known });
    try {
      await scanner.scan(budget, countJob(ofAll));
      return readOpen(this.file, ofAll, roles);
    } finally {
      ofAll.release();
    }
  }

  /** Finds the columns that single records need, now that all columns are known. */
  private findNodes(counter: OverviewCounter): void {
    const columns = sampleColumns(this.file);
    const found = findRoles(columns);
    this.severityScale = found.get('severity')?.scale;
    this.closing = counter.closingColumns
      .filter(({ node }) => !node.secret)
      .map(({ node, form }) => {
        const closes = rememberByName((text) => isClosing(form, text));
        return { node, form, closes };
      });
    this.countedNodes = [
      ...countedRoles.map((role) => {
        const node = found.get(role)?.column.node;
        return node?.secret === false ? node : undefined;
      }),
      ...this.closing.map(({ node }) => node),
    ];
    this.domainNode = columns.find(
      ({ name, node }) => isNameOf('parent', name) && !node.secret,
    )?.node;
    const { isPartial, isAboutSecrets, top } = this.file.shape;
    const isOrdinary = this.fieldNames.every((name) => outputName(name) === name);
    const reader = new RowReader(this.file, [], { reveal: false, maxLength: 0 });
    this.parents = reader.dependsOnParents ? reader : undefined;
    // The file of differences does not say what its rows are about.
    const isMasked = isAboutSecrets || top.secret || this.parents !== undefined;
    this.keepsText = !this.isCsv && !isPartial && !isMasked && isOrdinary;
    const fields = this.isCsv ? this.recordFields.nodes : [];
    this.nodes = [
      ...new Set(
        [...fields, ...this.countedNodes, this.domainNode].filter((node) => node !== undefined),
      ),
    ];
  }

  /** @throws TableError if the file has changed since it was opened. */
  checkUnchanged(): void {
    if (this.file.source.changed() === 'modified') {
      throw new TableError('changed', `The file changed: ${this.path}`);
    }
  }

  close(): void {
    this.file.close();
  }
}
