import type { ByteSource } from './bytes/byteSource';
import { detect, type DetectedFormat } from './detect/detect';
import { findLists, type OpenedDocument, openDocument } from './lists/documentLists';
import { YieldBudget } from '../threads/yieldBudget';
import { RecordIndex } from './records/recordIndex';
import {
  newValue,
  type ReaderOptions,
  type RecordReader,
  type Selection,
  type Value,
} from './records/recordReader';
import { type ShapeNode, Shape } from './records/shape';
import { TableError } from '../data/tableError';
import type { ListInfo } from '../data/tableInfo';
import type { Visitor } from './records/visitor';
import { findForms, type KnownForms } from './detect/valueForms';

const sampleBytes = 256 * 1024;
/** How many bytes are read in one call for a single record. */
const singleChunkBytes = 32 * 1024;
/**
 * The first sample of at least this size is the last one: 128 MiB. Each is eight times as large as the one before it.
 */
const enoughSampleBytes = 64 * 1024 ** 2;

/** Options of a scan of all records. */
export interface ScanOptions {
  /** Ends the scan at the next pause. */
  readonly isEnough?: () => boolean;
  /** Waits until more records may be found. If absent, the scan ends with the last record found. */
  readonly more?: () => Promise<void>;
}

/** Rows from (inclusive) to (exclusive). */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface FileOptions extends ReaderOptions, KnownForms {
  /** JSON: the name of the list to read. Default: the one with findings. */
  readonly list?: string | undefined;
}

/** The records of a file and their shape, on which all results are based. */
export class TableFile {
  readonly source: ByteSource;
  readonly detected: DetectedFormat;
  readonly shape: Shape;
  readonly index: RecordIndex;
  /** JSON: see `TableInfo`. */
  lists: readonly ListInfo[] | undefined;
  private single: RecordReader | undefined;
  /** The row after the one that `single` has read, and the columns of which it has the values. */
  private nextRow = -1;
  private readNodes: readonly ShapeNode[] | undefined;
  private readonly knownForms: KnownForms;
  /** What the first rows have, or a heading. */
  firstNodes: ReadonlySet<ShapeNode> = new Set();
  /** Of those the columns that are listed. */
  firstListed: readonly ShapeNode[] = [];
  /** Columns of a copy of lists that the first rows do not have, although others do. */
  announcedNodes: readonly ShapeNode[] = [];

  private constructor(
    readonly document: OpenedDocument,
    { dateOrder, forms, ...options }: FileOptions,
  ) {
    const { source, detected, lists } = document;
    this.source = source;
    this.detected = detected;
    this.lists = lists;
    this.knownForms = { dateOrder, forms };
    this.shape = newShape(detected);
    this.index = new RecordIndex(source, detected.form, detected.start, options);
  }

  /** Detects the format of a file. @throws TableError `notATable`, `noList` */
  static async open(
    path: string,
    source: ByteSource,
    { list, ...options }: FileOptions = {},
  ): Promise<TableFile> {
    for (let bytes = sampleBytes; ; bytes *= 8) {
      while (source.available < bytes && !source.complete) {
        await source.more();
      }
      const sample = Buffer.alloc(Math.min(bytes, source.available));
      source.read(sample, 0, sample.length, 0);
      const isAll = source.complete && sample.length === source.available;
      if (sample.length === 0 && source.changed() === 'modified') {
        throw new TableError('changed', 'The file changed while it was opened.');
      }
      const isInvalidGzip = source.truncation === 'gzip' || source.truncation === 'damaged';
      if (sample.length === 0 && isInvalidGzip) {
        throw new TableError('notATable', 'Not a valid gzip file.');
      }
      if (sample.length === 0 && source.truncation === 'limit') {
        throw new TableError('disk', 'Not enough disk space to unpack the beginning of the file.');
      }
      const isLast = isAll || bytes >= enoughSampleBytes;
      const detected = detect(path, { bytes: sample, isAll, isLast });
      if (detected) {
        if (detected.format.kind === 'json') {
          const budget = new YieldBudget();
          return new TableFile(
            await openDocument(source, detected, sample.length, list, budget),
            options,
          );
        }
        if (list !== undefined) {
          throw new TableError('noList', 'Only JSON documents have lists.');
        }
        return new TableFile({ source, detected }, options);
      }
      if (isLast) {
        throw new TableError('notATable', 'There is no array near the beginning of the file.');
      }
    }
  }

  /** Finds the lists of a document that were not needed to open it. */
  async findLists(budget: YieldBudget): Promise<void> {
    const { source, detected, document } = this;
    if (document.list !== undefined && !this.lists) {
      this.lists = await findLists(source, detected.start - 1, budget);
    }
  }

  /**
   * Reads one record that was found, alone: it is record 0 of the reader until the next call.
   * @param nodes the columns whose values are read. The same array stands for the same columns.
   * @param what 'shape': the record also adds to the shape.
   */
  read(
    row: number,
    nodes: readonly ShapeNode[] = noNodes,
    what: 'values' | 'shape' = 'values',
  ): RecordReader {
    const { index } = this;
    const growsShape = what === 'shape';
    if (this.single && this.nextRow === row + 1 && this.readNodes === nodes && !growsShape) {
      return this.single;
    }
    const reader = (this.single ??= index.newReader(this.shape, singleChunkBytes));
    if (this.nextRow !== row) {
      const before = index.offsetBefore(row);
      if (this.nextRow < before.row || this.nextRow > row) {
        this.nextRow = before.row;
        reader.seek(before.position);
      }
      reader.select(nothing);
      while (this.nextRow < row) {
        this.take(reader, row - this.nextRow);
      }
    }
    reader.select({ nodes, growsShape });
    this.take(reader, 1);
    this.readNodes = growsShape ? undefined : nodes;
    return reader;
  }

  /** Goes on with the single reader. */
  private take(reader: RecordReader, most: number): void {
    const row = this.nextRow;
    // After an error, it is unknown.
    this.nextRow = -1;
    this.readNodes = undefined;
    const count = reader.take(most);
    if (count === 0) {
      throw new Error(`Record ${row} no longer exists.`);
    }
    this.nextRow = row + count;
  }

  /** Whether the file ends in the middle of the record that `read` has read, which is invalid. */
  isCutOffAt(reader: RecordReader): boolean {
    const { index } = this;
    const isLast = index.done && reader.positionAfter(0) >= index.position;
    return isLast && (reader.isBroken(0) || index.isCutOff);
  }

  /** Finds all records. Until then, only the records found so far can be read. */
  async findAll(budget: YieldBudget, onPause: () => void): Promise<void> {
    const { index, source } = this;
    await index.build(budget, onPause);
    if (this.detected.format.kind === 'ndjson' && index.rows > 0 && !index.isCutOff) {
      const last = Buffer.alloc(1);
      source.read(last, 0, 1, source.available - 1);
      index.isCutOff = last[0] !== 0x0a && this.read(index.rows - 1).invalid(0) === 'syntax';
    }
    index.isCutOff ||= this.document.isCutOff === true;
  }

  /** Adds the columns of the first rows to the shape, and finds the forms of their values. */
  inferShape(count: number): void {
    this.growFirst(count);
    const forms = findForms(this, this.knownForms);
    if (forms.size > 0) {
      for (const [node, form] of forms) {
        node.form = form;
      }
      this.shape.forgetKinds([...forms.keys()]);
      // Another reader reads them in the new form.
      this.disposeReader();
      this.growFirst(count);
    }
  }

  /** Adds the columns of the first rows to the shape. */
  growFirst(count: number): void {
    this.growShape(0, count);
    const { shape, detected } = this;
    this.firstListed = shape.columns().columns.map(({ id }) => shape.get(id));
    const listed = new Set(this.firstListed);
    // What the rows of a copy of lists have is known before they are read.
    const known = (detected.extracted?.columns ?? []).flatMap(
      (name) => shape.top.byKey.get(name) ?? [],
    );
    this.announcedNodes = known.filter(
      (node) => node.members.length === 0 && node.kinds === 0 && !listed.has(node),
    );
    const announced = new Set(this.announcedNodes);
    this.firstNodes = new Set(shape.nodes.filter((node) => !announced.has(node)));
  }

  /** Adds the columns of some rows to the shape. */
  growShape(from: number, count: number): void {
    const { invalidRows } = this.shape;
    for (let row = from; row < Math.min(from + count, this.index.rows); row += 1) {
      this.read(row, noNodes, 'shape');
    }
    // They will be checked again, with all others.
    this.shape.invalidRows = invalidRows;
  }

  private disposeReader(): void {
    this.single?.dispose();
    this.single = undefined;
    this.nextRow = -1;
    this.readNodes = undefined;
  }

  /** Reads all records in this thread, in order, or those of a range. */
  async scan(
    budget: YieldBudget,
    visitor: Visitor,
    { isEnough, more, range }: ScanOptions & { readonly range?: Range } = {},
  ): Promise<void> {
    const { index } = this;
    const { from, to } = range ?? { from: 0, to: Infinity };
    const reader = index.newReader(this.shape);
    reader.seek(index.offsetBefore(from).position);
    reader.select(visitor);
    try {
      for (let row = from; row < to;) {
        if (row >= index.rows) {
          if (!more || index.done) {
            return;
          }
          await more();
          await budget.pause();
          continue;
        }
        const before = reader.nextPosition;
        const { boundary = 0 } = visitor;
        const end = Math.min(to, index.rows, boundary > row ? boundary : Infinity);
        const step = reader.next(end - row);
        if (step === 'end') {
          return;
        }
        if (step === 'records') {
          visitor.visit(reader, row);
          row += reader.count;
          if (!budget.shouldYield(reader.nextPosition - before)) {
            continue;
          }
        }
        await budget.pause(row / Math.max(1, index.expectedRows));
        if (isEnough?.()) {
          return;
        }
      }
    } finally {
      reader.dispose();
    }
  }

  /** Scans the values of nodes. The kind of `value` is always set. */
  scanValues(
    budget: YieldBudget,
    nodes: readonly ShapeNode[],
    visit: (row: number, slot: number, value: Value) => void,
  ): Promise<void> {
    const value = newValue();
    return this.scan(budget, {
      nodes,
      visit: (records, row) => {
        for (let record = 0; record < records.count; record += 1) {
          for (let slot = 0; slot < nodes.length; slot += 1) {
            records.read(record, slot, value);
            visit(row + record, slot, value);
          }
        }
      },
    });
  }

  close(): void {
    this.disposeReader();
    this.source.close();
  }
}

/** The shape before any record. */
function newShape({ format, headings, extracted, areFindings }: DetectedFormat): Shape {
  const shape = new Shape(extracted?.member ?? format.member, headings, areFindings);
  shape.addFields(headings?.length ?? 0);
  for (const name of extracted?.columns ?? []) {
    shape.member(shape.top, name);
  }
  return shape;
}

const noNodes: readonly ShapeNode[] = [];
const nothing: Selection = { nodes: noNodes, findsOnly: true };
