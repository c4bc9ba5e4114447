import type { ByteSource } from './byteSource';
import { detect, type DetectedFormat, lines, texts, textStart } from './detect';
import { releaseBuffers } from '../values/memory';
import type { YieldBudget } from '../values/yieldBudget';
import { type CursorOptions, type RecordCursor, RecordIndex } from './recordIndex';
import { type ShapeNode, Shape } from './shape';
import { newSplitter, TextsSplitter } from './recordSplitter';
import { TableError } from '../values/tableError';
import type { InvalidReason } from '../types';
import {
  newWalkers,
  valuesVisitor,
  type Visitor,
  type WalkableFile,
  walkRecord,
} from './walkableFile';
import type { Value, Walker, WalkerFactory } from './walker';

const sampleBytes = 256 * 1024;
/** How many bytes are read in one call after the shown array. */
const trailingChunkBytes = 1024 ** 2;
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

/** The records of a file and their shape, on which all results are based. */
export class TableFile implements WalkableFile {
  readonly shape: Shape;
  readonly index: RecordIndex;
  /** Invalid records found so far. */
  invalidRows = 0;
  /** How many bytes follow the JSON value whose array is shown, starting at the first that is not blank. */
  bytesAfterValue = 0;
  private readonly walkers: WalkerFactory;

  private constructor(
    readonly source: ByteSource,
    readonly detected: DetectedFormat,
    options: CursorOptions,
  ) {
    const { start, splitter } = detected;
    ({ shape: this.shape, walkers: this.walkers } = this.newShape());
    this.index = new RecordIndex(source, () => newSplitter(splitter), start, options);
  }

  get headings(): readonly string[] | undefined {
    return this.detected.headings;
  }

  /** An empty shape, and the walkers that fill it. */
  newShape(): { readonly shape: Shape; readonly walkers: WalkerFactory } {
    const shape = new Shape(this.detected.format.member);
    return { shape, walkers: newWalkers(this.detected, shape) };
  }

  /** Detects the format of a file. @throws TableError `notATable` */
  static async open(
    path: string,
    source: ByteSource,
    options: CursorOptions = {},
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
        const several =
          detected.outerObjects === undefined || isAll
            ? undefined
            : await severalTexts(source, textStart(sample));
        return new TableFile(source, several ?? detected, options);
      }
      if (isLast) {
        throw new TableError('notATable', 'There is no array near the beginning of the file.');
      }
    }
  }

  walker(nodes: readonly ShapeNode[], growsShape = false): Walker {
    return this.walkers.create(nodes, growsShape, this.mayStop);
  }

  /** Whether all records are valid, so that a walk may end early. */
  get mayStop(): boolean {
    const { isComplete, hasDuplicates } = this.shape;
    return isComplete && !hasDuplicates && this.invalidRows === 0;
  }

  /** Walks the record at a cursor. @returns why the record is invalid; `undefined` if it is valid */
  walk(walker: Walker, cursor: RecordCursor): InvalidReason | undefined {
    const reason = walkRecord(walker, cursor, this.detected.format);
    return reason === 'syntax' && this.isCutOffAt(cursor) ? 'truncated' : reason;
  }

  /** Whether the file ends in the middle of this record, which is invalid. */
  isCutOffAt(cursor: RecordCursor): boolean {
    const { index } = this;
    const isLast = index.done && cursor.nextPosition >= index.position;
    return isLast && (cursor.broken || index.isCutOff);
  }

  /** Finds all records. Until then, only the records found so far can be read. */
  async findAll(budget: YieldBudget, onPause: () => void): Promise<void> {
    const { index, source } = this;
    await index.build(budget, onPause);
    if (this.detected.format.kind === 'ndjson' && index.rows > 0 && !index.isCutOff) {
      const last = Buffer.alloc(1);
      source.read(last, 0, 1, source.available - 1);
      index.isCutOff =
        last[0] !== 0x0a && this.walk(this.walker([]), index.read(index.rows - 1)) === 'syntax';
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
    const splitter = new TextsSplitter(outerObjects + 1);
    const chunk = Buffer.allocUnsafeSlow(trailingChunkBytes);
    let isAfterValue = false;
    for (let at = index.position; at < source.available && this.bytesAfterValue === 0;) {
      const count = source.read(chunk, 0, chunk.length, at);
      const stop = isAfterValue ? 0 : splitter.skip(chunk, 0, count);
      if (stop >= 0) {
        isAfterValue = true;
        const first = chunk.subarray(stop, count).findIndex((byte) => byte > 0x20);
        this.bytesAfterValue = first < 0 ? 0 : source.available - at - stop - first;
      }
      at += count;
      if (budget.shouldYield(count)) {
        onPause();
        await budget.pause();
      }
    }
    releaseBuffers(chunk);
  }

  /** Adds the columns of the first rows to the shape. */
  inferShape(count: number): void {
    const walker = this.walker([], true);
    for (let row = 0; row < Math.min(count, this.index.rows); row += 1) {
      const reason = this.walk(walker, this.index.read(row));
      this.shape.hasInvalid ||= reason !== undefined;
    }
  }

  /**
   * Walks all records in this thread, in order, or those of a range.
   */
  async scan(
    budget: YieldBudget,
    visitor: Visitor,
    { atPause, isEnough, more, range }: ScanOptions & { readonly range?: Range } = {},
  ): Promise<void> {
    const { index } = this;
    const { from, to } = range ?? { from: 0, to: Infinity };
    const cursor = index.cursorFrom(from);
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
        const step = cursor.next();
        if (step === 'end') {
          return;
        }
        if (step === 'record') {
          visitor.visit(row, this.walk(visitor.walker, cursor), cursor);
          row += 1;
          if (!budget.shouldYield(cursor.end - cursor.start + 1)) {
            continue;
          }
        } else if (!index.done) {
          cursor.searchAvailable();
        }
        await budget.pause(row / Math.max(1, index.expectedRows));
        await atPause?.();
        if (isEnough?.()) {
          return;
        }
      }
    } finally {
      releaseBuffers(cursor.bytes);
    }
  }

  /** Scans the values of nodes. The kind of `value` is always set. */
  scanValues(
    budget: YieldBudget,
    nodes: readonly ShapeNode[],
    visit: (row: number, slot: number, value: Value) => void,
  ): Promise<void> {
    return this.scan(budget, valuesVisitor(this, nodes, visit));
  }
}

/**
 * Looks beyond the sample whether the first object is a record, and the next one follows on a new
 * line. A line of one JSON value never ends with a brace that is followed by an opening one.
 */
async function severalTexts(
  source: ByteSource,
  start: number,
): Promise<DetectedFormat | undefined> {
  while (source.available < maxSampleBytes && !source.complete) {
    await source.more();
  }
  const chunk = Buffer.allocUnsafe(trailingChunkBytes);
  let last = 0;
  let lineEnds = 0;
  let isNewLine = false;
  for (let at = start; at < Math.min(source.available, maxSampleBytes);) {
    const count = source.read(chunk, 0, chunk.length, at);
    for (let next = 0; next < count; next += 1) {
      const byte = chunk[next]!;
      if (byte === 0x0a) {
        isNewLine = true;
      } else if (byte > 0x20) {
        if (isNewLine) {
          if (last === 0x7d && byte === 0x7b) {
            return lineEnds === 0 ? lines(start) : texts(start);
          }
          // Lines before the first value do not count.
          lineEnds += last === 0 ? 0 : 1;
          isNewLine = false;
        }
        last = byte;
      }
    }
    at += count;
  }
  return undefined;
}
