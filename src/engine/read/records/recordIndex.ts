import { isUtf8 } from 'node:buffer';
import { Signal } from '../../../base/events/signal';
import { enlarged } from '../../threads/memory';
import type { YieldBudget } from '../../threads/yieldBudget';
import type { ByteSource } from '../bytes/byteSource';
import {
  defaultChunkBytes,
  type ReaderOptions,
  type RecordForm,
  RecordReader,
} from './recordReader';
import type { Shape } from './shape';

/** One offset is kept for this many records, a power of two; the others are found from there. */
const recordsPerOffset = 64;

/** A longer heading is not checked for UTF-8. */
const maxHeadingBytes = 1024 ** 2;

/** The first row after `row` at which a range may start; this is also the number of rows before it. */
export function rowsUpTo(row: number): number {
  return (Math.floor(row / recordsPerOffset) + 1) * recordsPerOffset;
}

/** Where the records of a file start: one offset for 64. Built once from start to end, and read while it grows. */
export class RecordIndex {
  /** Records found so far. */
  rows = 0;
  done = false;
  /** The position where the next search starts; when done, the position after the last record. */
  position: number;
  /** The file stops inside a record, or before the format says that it ends. */
  isCutOff = false;
  /** Whether all records, and what is before them, are UTF-8. */
  isUtf8 = true;
  // Float64 holds offsets to 2^53 exactly, far beyond the 4 GiB of 32 bits.
  private offsets = new Float64Array(1024);
  private offsetCount = 0;
  private readonly growth = new Signal();

  /** @param start the position where the first record may start, after a byte order mark or a heading. */
  constructor(
    private readonly source: ByteSource,
    private readonly form: RecordForm,
    private readonly start: number,
    private readonly options: ReaderOptions = {},
  ) {
    this.position = start;
  }

  /** The number of records, or an estimate based on the records found so far. */
  get expectedRows(): number {
    const { rows, position, start } = this;
    const share = (position - start) / Math.max(1, this.source.available - start);
    return this.done || share === 0 ? rows : Math.ceil((rows / share) * 1.02);
  }

  /**
   * Resolves at the next pause, when more records may have been found, and when all records are
   * found.
   */
  grown(): Promise<void> {
    return this.growth.next();
  }

  /** Finds all records. `onPause` is called at each pause. */
  async build(budget: YieldBudget, onPause: () => void): Promise<void> {
    if (this.start <= maxHeadingBytes) {
      const heading = Buffer.alloc(this.start);
      this.source.read(heading, 0, heading.length, 0);
      this.isUtf8 = isUtf8(heading);
    }
    const reader = new RecordReader(this.source, this.form, this.options);
    try {
      await this.findAll(reader, budget, onPause);
    } finally {
      reader.dispose();
    }
    this.done = true;
    this.offsets = this.offsets.slice(0, this.offsetCount);
    this.growth.fire();
  }

  private async findAll(
    reader: RecordReader,
    budget: YieldBudget,
    onPause: () => void,
  ): Promise<void> {
    reader.seek(this.start);
    for (;;) {
      const step = reader.next();
      if (step === 'end') {
        break;
      }
      const before = this.position;
      if (step === 'records') {
        this.add(reader);
        if (!budget.shouldYield(this.position - before)) {
          continue;
        }
      } else {
        await this.source.more();
      }
      onPause();
      this.growth.fire();
      await budget.pause();
    }
    // A quote that is never closed truncates the file only at its end. Earlier, it only makes its
    // line invalid.
    this.isCutOff =
      (this.isCutOff && this.position >= this.source.available) || !reader.closedByForm;
  }

  /** @param maxChunkBytes the most bytes that are read in one call. */
  newReader(shape: Shape, maxChunkBytes = Infinity): RecordReader {
    const { source, form, options } = this;
    const chunkBytes = Math.min(maxChunkBytes, options.chunkBytes ?? defaultChunkBytes);
    return new RecordReader(source, form, { ...options, shape, chunkBytes });
  }

  /** The last row before `row`, or `row` itself, whose offset is kept, and the offset. */
  offsetBefore(row: number): { readonly row: number; readonly position: number } {
    const block = Math.floor(row / recordsPerOffset);
    return { row: block * recordsPerOffset, position: this.positionOf(block) };
  }

  /**
   * A range of about this many bytes that starts at a record whose offset is kept; `undefined` if
   * there are not enough records yet.
   */
  range(
    row: number,
    bytes: number,
  ): { readonly to: number; readonly position: number; readonly end: number } | undefined {
    const first = row / recordsPerOffset;
    const position = this.positionOf(first);
    if (row >= this.rows) {
      return undefined;
    }
    let last = first + 1;
    while (last < this.offsetCount && this.offsets[last]! < position + bytes) {
      last += 1;
    }
    if (last < this.offsetCount) {
      return { position, to: last * recordsPerOffset, end: this.offsets[last]! };
    }
    return this.done ? { position, to: this.rows, end: this.position } : undefined;
  }

  /** Adds the records of a step. */
  private add(reader: RecordReader): void {
    const { count } = reader;
    this.isUtf8 &&= reader.areUtf8;
    for (let record = -this.rows & (recordsPerOffset - 1); record < count;) {
      this.addOffset(reader.position(record));
      record += recordsPerOffset;
    }
    this.rows += count;
    this.isCutOff = reader.isBroken(count - 1);
    this.position = reader.positionAfter(count - 1);
  }

  /** The position from where on the records of a block are found, also if they have not been found yet. */
  private positionOf(block: number): number {
    return block < this.offsetCount ? this.offsets[block]! : this.start;
  }

  private addOffset(position: number): void {
    if (this.offsetCount === this.offsets.length) {
      this.offsets = enlarged(this.offsets, this.offsets.length * 2);
    }
    this.offsets[this.offsetCount] = position;
    this.offsetCount += 1;
  }
}
