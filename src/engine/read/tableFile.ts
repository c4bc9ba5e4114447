import type { ByteSource } from './byteSource';
import { detect, type DetectedFormat } from './detect';
import { listsOf, openDocument } from './documentLists';
import { YieldBudget } from '../values/yieldBudget';
import { RecordIndex } from './recordIndex';
import {
  addFields,
  endOfTexts,
  type ReaderOptions,
  RecordReader,
  type Value,
} from './recordReader';
import { type ShapeNode, Shape } from './shape';
import { TableError } from '../values/tableError';
import type { InvalidReason, ListInfo } from '../types';
import { type ReadableFile, valuesVisitor, type Visitor } from './visitor';

const sampleBytes = 256 * 1024;
const maxSampleBytes = 64 * 1024 ** 2;

/** Options of a scan of all records. */
export interface ScanOptions {
  readonly atPause?: () => Promise<void>;
  /** Resolves when `atPause` waits. Ranges in flight are then cancelled, and read again later. */
  readonly whenBusy?: () => Promise<void>;
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

export interface FileOptions extends ReaderOptions {
  /** JSON: the name of the list to read. Default: the one with findings. */
  readonly list?: string | undefined;
}

/** The records of a file and their shape, on which all results are based. */
export class TableFile implements ReadableFile {
  readonly shape: Shape;
  readonly index: RecordIndex;
  /** Invalid records found so far. */
  invalidRows = 0;
  /** How many bytes follow the JSON value whose array is shown, starting at the first that is not blank. */
  bytesAfterValue = 0;
  /** JSON: see `TableInfo`. */
  list: string | undefined;
  lists: readonly ListInfo[] | undefined;
  private single: RecordReader | undefined;
  /** The row after the one that `single` has read. */
  private nextRow = -1;

  private constructor(
    readonly source: ByteSource,
    readonly detected: DetectedFormat,
    private readonly options: ReaderOptions,
  ) {
    const { start, form } = detected;
    this.shape = this.newShape();
    this.index = new RecordIndex(source, form, start, options);
  }

  get headings(): readonly string[] | undefined {
    return this.detected.headings;
  }

  /** The shape before any record. */
  newShape(): Shape {
    const { format, headings, extracted } = this.detected;
    const shape = new Shape(extracted?.list ?? format.member);
    if (headings) {
      addFields(shape, 0, headings.length, headings);
    }
    for (const name of extracted?.columns ?? []) {
      shape.member(shape.top, name);
    }
    return shape;
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
      const isLast = isAll || bytes >= maxSampleBytes;
      const detected = detect(path, sample, isAll, isLast);
      if (detected) {
        if (detected.format.kind === 'json') {
          return TableFile.openDocument(source, detected, sample.length, list, options);
        }
        if (list !== undefined) {
          throw new TableError('noList', 'Only JSON documents have lists.');
        }
        return new TableFile(source, detected, options);
      }
      if (isLast) {
        throw new TableError('notATable', 'There is no array near the beginning of the file.');
      }
    }
  }

  private static async openDocument(
    source: ByteSource,
    detected: DetectedFormat,
    sampleBytes: number,
    list: string | undefined,
    options: ReaderOptions,
  ): Promise<TableFile> {
    const budget = new YieldBudget();
    const opened = await openDocument(source, detected, sampleBytes, list, budget);
    const file = new TableFile(opened.source, opened.detected, options);
    file.list = opened.list;
    file.lists = opened.lists;
    file.bytesAfterValue = opened.bytesAfter ?? 0;
    return file;
  }

  /** Finds the lists of a document that were not needed to open it. */
  async findLists(budget: YieldBudget): Promise<void> {
    const { source, detected } = this;
    if (this.list !== undefined && !this.lists) {
      this.lists = await listsOf(source, detected.start - 1, budget);
    }
  }

  /** Whether all records are valid, so that the rest of a record may be left. */
  get mayStop(): boolean {
    const { isComplete, hasDuplicates } = this.shape;
    return isComplete && !hasDuplicates && this.invalidRows === 0;
  }

  /**
   * Reads one record that was found, alone: it is record 0 of the reader until the next call.
   * @param nodes the columns whose values are read. The same array stands for the same columns.
   * @param shape another shape that grows with the record.
   */
  read(row: number, nodes: readonly ShapeNode[] = noNodes, shape?: Shape): RecordReader {
    const { index, source, options, detected } = this;
    const reader = (this.single ??= new RecordReader(source, detected.form, {
      ...options,
      chunkBytes: Math.min(32 * 1024, options.chunkBytes ?? Infinity),
      maxRecords: 64,
    }));
    if (this.nextRow !== row) {
      const before = index.offsetBefore(row);
      const isNear = this.nextRow >= before.row && this.nextRow < row;
      if (!isNear) {
        reader.seek(before.position);
      }
      reader.skipValues();
      for (let at = isNear ? this.nextRow : before.row; at < row;) {
        this.nextRow = -1;
        at += step(reader, row - at);
      }
    }
    this.nextRow = -1;
    reader.select({
      shape: shape ?? this.shape,
      nodes,
      headings: this.headings,
      growsShape: shape !== undefined,
      mayStop: this.mayStop,
    });
    if (step(reader, 1) !== 1) {
      throw new Error(`Record ${row} no longer exists.`);
    }
    this.nextRow = row + 1;
    return reader;
  }

  /** Why a record is invalid; `undefined` if it is valid. */
  invalid(reader: RecordReader, record: number): InvalidReason | undefined {
    const reason = reader.invalid(record);
    return reason === 'syntax' && this.isCutOffAt(reader, record) ? 'truncated' : reason;
  }

  /** Whether the file ends in the middle of this record, which is invalid. */
  isCutOffAt(reader: RecordReader, record: number): boolean {
    const { index } = this;
    const isLast = index.done && reader.positionAfter(record) >= index.position;
    return isLast && (reader.isBroken(record) || index.isCutOff);
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
    const { outerObjects } = this.detected;
    if (outerObjects !== undefined && !index.isCutOff) {
      await this.findBytesAfterValue(outerObjects, budget, onPause);
    }
  }

  /** Finds the end of the JSON value around the shown array, and whether anything follows it. */
  private async findBytesAfterValue(
    outerObjects: number,
    budget: YieldBudget,
    onPause: () => void,
  ): Promise<void> {
    const { index, source } = this;
    // The array itself is also open: its closing bracket comes first.
    const value = endOfTexts(source, index.position, outerObjects + 1);
    let isAfterValue = false;
    try {
      for (let chunk = value.next(); chunk && this.bytesAfterValue === 0; chunk = value.next()) {
        const { bytes, end, position } = chunk;
        const stop = isAfterValue ? 0 : end;
        if (stop >= 0) {
          isAfterValue = true;
          const first = bytes.subarray(stop).findIndex((byte) => byte > 0x20);
          this.bytesAfterValue = first < 0 ? 0 : source.available - position - stop - first;
        }
        if (budget.shouldYield(bytes.length)) {
          onPause();
          await budget.pause();
        }
      }
    } finally {
      // Also when the search is cancelled: the memory is that of the thread.
      value.dispose();
    }
    index.isCutOff = !isAfterValue;
  }

  /** Adds the columns of the first rows to the shape. */
  inferShape(count: number): void {
    for (let row = 0; row < Math.min(count, this.index.rows); row += 1) {
      const reason = this.read(row, noNodes, this.shape).invalid(0);
      this.shape.hasInvalid ||= reason !== undefined;
    }
  }

  /** Reads all records in this thread, in order, or those of a range. */
  async scan(
    budget: YieldBudget,
    visitor: Visitor,
    { atPause, isEnough, more, range }: ScanOptions & { readonly range?: Range } = {},
  ): Promise<void> {
    const { index } = this;
    const { from, to } = range ?? { from: 0, to: Infinity };
    const reader = index.readerFrom(from);
    let row = from;
    try {
      for (;;) {
        if (row >= to) {
          return;
        }
        if (row >= index.rows) {
          if (!more || index.done) {
            return;
          }
          await more();
          await atPause?.();
          continue;
        }
        if (visitor.findsOnly === true) {
          reader.skipValues();
        } else {
          reader.select({
            shape: this.shape,
            nodes: visitor.nodes,
            headings: this.headings,
            growsShape: visitor.growsShape ?? false,
            mayStop: this.mayStop,
          });
        }
        const before = reader.nextPosition;
        const { boundary = 0 } = visitor;
        const end = Math.min(to, index.rows, boundary > row ? boundary : Infinity);
        const found = reader.next(end - row);
        if (found === 'end') {
          return;
        }
        if (found === 'grown') {
          continue;
        }
        if (found === 'records') {
          visitor.visit(reader, row);
          row += reader.count;
          if (!budget.shouldYield(reader.nextPosition - before)) {
            continue;
          }
        } else if (!index.done) {
          reader.searchAvailable();
        }
        await budget.pause(row / Math.max(1, index.expectedRows));
        await atPause?.();
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
    return this.scan(budget, valuesVisitor(nodes, visit));
  }

  close(): void {
    this.single?.dispose();
    this.single = undefined;
    this.source.close();
  }
}

const noNodes: readonly ShapeNode[] = [];

/** Finds the next records, which are all available. @returns how many, at most `most` */
function step(reader: RecordReader, most: number): number {
  for (;;) {
    switch (reader.next(most)) {
      case 'records':
        return reader.count;
      case 'end':
        return 0;
      case 'wait':
        // No wait is needed: all bytes of a found record are available.
        reader.searchAvailable();
        break;
      case 'grown':
        break;
    }
  }
}
