import type { ByteSource } from './byteSource';
import type { Pace } from '../pace';
import { type CursorOptions, RecordCursor, type Step } from './recordCursor';
import type { RecordSplitter } from './recordSplitter';
import { Utf8Check } from './utf8Check';

/** One offset is kept for this many records, a power of two; the others are found from there. */
const recordsPerOffset = 64;

/** A longer heading is not checked for UTF-8. */
const maxHeadingBytes = 1024 ** 2;

/** The first row after `row` at which a range may start; this is also the number of rows before it. */
export function rowsUpTo(row: number): number {
  return (Math.floor(row / recordsPerOffset) + 1) * recordsPerOffset;
}

/** The offsets of the records of a file. Built once from start to end, and read while it grows. */
export class RecordIndex {
  /** Records found so far. */
  rows = 0;
  done = false;
  /** The position where the next search starts; when done, the position after the last record. */
  position: number;
  /** The file stops inside a record, or before the format says that it ends. */
  isCutOff = false;
  private readonly utf8 = new Utf8Check();
  // Float64 holds offsets to 2^53 exactly, far beyond the 4 GiB of 32 bits.
  private offsets = new Float64Array(1024);
  private offsetCount = 0;
  private lookup: RecordCursor | undefined;
  private lookupNext = -1;
  private resolveGrown: () => void = () => undefined;
  private whenGrown: Promise<void> | undefined;

  /** @param start the position where the first record may start, after a byte order mark or a heading. */
  constructor(
    private readonly source: ByteSource,
    private readonly newSplitter: () => RecordSplitter,
    private readonly start: number,
    private readonly options: CursorOptions = {},
  ) {
    this.position = start;
  }

  /** The number of records, or an estimate based on the records found so far. */
  get expectedRows(): number {
    const { rows, position, start } = this;
    const share = (position - start) / Math.max(1, this.source.available - start);
    return this.done || share === 0 ? rows : Math.ceil((rows / share) * 1.02);
  }

  /** Whether all bytes up to here are UTF-8. */
  get isUtf8(): boolean {
    return this.utf8.isValid;
  }

  /** How many offsets are kept. Each takes 8 bytes of memory. */
  get keptOffsets(): number {
    return this.offsetCount;
  }

  /**
   * Resolves at the next pause, when more records may have been found, and when all records are
   * found.
   */
  grown(): Promise<void> {
    this.whenGrown ??= new Promise((resolve) => {
      this.resolveGrown = resolve;
    });
    return this.whenGrown;
  }

  /** Finds all records. `onPause` is called at each pause. */
  async build(pace: Pace, onPause: () => void): Promise<void> {
    this.checkHeading();
    const cursor = new RecordCursor(this.source, this.newSplitter(), {
      ...this.options,
      onRead: (bytes, position) => {
        this.utf8.take(bytes, position);
      },
    });
    cursor.seek(this.start);
    for (;;) {
      const step = this.findSome(cursor, pace);
      if (step === 'end') {
        break;
      }
      if (step === 'wait') {
        await this.source.more();
      }
      onPause();
      this.tellGrown();
      await pace.pause();
    }
    // A quote that is never closed truncates the file only at its end. Earlier, it only makes its
    // line invalid.
    this.isCutOff = (this.isCutOff && this.position >= this.source.available) || !cursor.closed;
    if (cursor.readTo === this.source.available) {
      this.utf8.end();
    }
    this.done = true;
    this.offsets = this.offsets.slice(0, this.offsetCount);
    this.tellGrown();
  }

  /** A new cursor at a record whose offset is kept: the first record, or one where a range starts. */
  from(row: number): RecordCursor {
    const cursor = new RecordCursor(this.source, this.newSplitter(), this.options);
    cursor.seek(row === 0 ? this.start : this.offsets[row / recordsPerOffset]!);
    return cursor;
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
    const position = row === 0 ? this.start : this.offsets[first];
    if (row >= this.rows || position === undefined) {
      return undefined;
    }
    let low = first + 1;
    let high = this.offsetCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.offsets[middle]! < position + bytes) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < this.offsetCount) {
      return { position, to: low * recordsPerOffset, end: this.offsets[low]! };
    }
    return this.done ? { position, to: this.rows, end: this.position } : undefined;
  }

  /** A shared cursor at a found record; valid until the next call. */
  read(row: number): RecordCursor {
    const cursor = (this.lookup ??= new RecordCursor(this.source, this.newSplitter(), {
      ...this.options,
      chunkBytes: Math.min(32 * 1024, this.options.chunkBytes ?? Infinity),
    }));
    let at = this.lookupNext;
    if (!(at >= 0 && at <= row && row - at < recordsPerOffset)) {
      const block = Math.floor(row / recordsPerOffset);
      cursor.seek(this.offsets[block] ?? 0);
      at = block * recordsPerOffset;
    }
    this.lookupNext = -1;
    for (;;) {
      const step = cursor.next();
      if (step === 'end') {
        throw new Error(`Record ${row} no longer exists.`);
      }
      if (step === 'record') {
        if (at === row) {
          this.lookupNext = row + 1;
          return cursor;
        }
        at += 1;
      } else {
        // No wait is needed: all bytes of a found record are available.
        cursor.searchHeld();
      }
    }
  }

  /** Finds records until a pause is due, or more bytes are needed. */
  private findSome(cursor: RecordCursor, pace: Pace): Step {
    for (;;) {
      const step = cursor.next();
      if (step !== 'record') {
        return step;
      }
      if (this.rows % recordsPerOffset === 0) {
        this.keep(cursor.position);
      }
      this.rows += 1;
      // Records before the next one whose offset is kept are only counted.
      const passed = cursor.pass(-this.rows & (recordsPerOffset - 1));
      this.rows += passed;
      this.isCutOff = passed === 0 && cursor.broken;
      const before = this.position;
      this.position = cursor.nextPosition;
      if (pace.isDue(this.position - before)) {
        return step;
      }
    }
  }

  private tellGrown(): void {
    this.whenGrown = undefined;
    this.resolveGrown();
  }

  /** Checks the heading: it is before the first record, and is shown. */
  private checkHeading(): void {
    if (this.start <= maxHeadingBytes) {
      const heading = Buffer.alloc(this.start);
      const count = this.source.read(heading, 0, heading.length, 0);
      this.utf8.take(heading.subarray(0, count), 0);
    }
  }

  private keep(position: number): void {
    if (this.offsetCount === this.offsets.length) {
      const larger = new Float64Array(this.offsets.length * 2);
      larger.set(this.offsets);
      this.offsets = larger;
    }
    this.offsets[this.offsetCount] = position;
    this.offsetCount += 1;
  }
}
