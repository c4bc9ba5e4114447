import type { ByteSource } from './byteSource';
import type { YieldBudget } from '../values/yieldBudget';
import { type RecordSplitter, end, record } from './recordSplitter';
import { isUtf8 } from 'node:buffer';
import { enlarged, releaseBuffers } from '../values/memory';

/** The result of a step: a record, a need to wait for more bytes or to pause, or the end. */
export type Step = 'record' | 'wait' | 'end';

export interface CursorOptions {
  /** How many bytes are read in one call. */
  readonly chunkBytes?: number;
  /** A record that does not end within this many bytes is not read completely and is invalid. */
  readonly maxRecordBytes?: number;
  /** Called with all bytes that are read, in order. Some bytes are passed twice. */
  readonly onRead?: (bytes: Buffer, position: number) => void;
}

const defaultChunkBytes = 1024 ** 2;
const defaultMaxRecordBytes = 64 * 1024 ** 2;
/** How many bytes of a record that is too long are shown. */
const shownBytesOfLong = 64 * 1024;

/** Reads record by record through a window over the bytes. The window grows to hold the longest record. */
export class RecordCursor {
  /** The window. Until the next step, the record is from `start` (inclusive) to `end` (exclusive). */
  bytes: Buffer;
  start = 0;
  end = 0;
  /** The record is invalid: it is truncated, or a quote is never closed. */
  broken = false;
  tooLong = false;
  /** Whether a field may be quoted; always in formats other than CSV. */
  hasQuotes = true;
  private base = 0;
  private filled = 0;
  private at = 0;
  private skipping: number | undefined;
  private longEnd = 0;
  /** How many bytes of a long record must be available before the search for its end is repeated. */
  private awaited = 0;
  private readonly chunkBytes: number;
  private readonly maxRecordBytes: number;
  private readonly onRead: CursorOptions['onRead'];

  constructor(
    private readonly source: Pick<ByteSource, 'available' | 'complete' | 'read'>,
    private readonly splitter: RecordSplitter,
    {
      chunkBytes = defaultChunkBytes,
      maxRecordBytes = defaultMaxRecordBytes,
      onRead,
    }: CursorOptions = {},
  ) {
    this.onRead = onRead;
    this.chunkBytes = chunkBytes;
    this.maxRecordBytes = maxRecordBytes;
    this.bytes = Buffer.allocUnsafeSlow(chunkBytes);
  }

  /** The position of the record in the file. */
  get position(): number {
    return this.base + this.start;
  }

  /** The position in the file where the next search starts. */
  get nextPosition(): number {
    return this.base + this.at;
  }

  /** The position in the file where the bytes in the window end. */
  get readTo(): number {
    return this.base + this.filled;
  }

  /** After the end: whether the format marks the end. */
  get closed(): boolean {
    return this.splitter.closed;
  }

  seek(position: number): void {
    this.skipping = undefined;
    this.tooLong = false;
    this.awaited = 0;
    if (position >= this.base && position <= this.base + this.filled) {
      this.at = position - this.base;
    } else {
      this.base = position;
      this.filled = 0;
      this.at = 0;
    }
  }

  /**
   * After `wait`, for a record that is completely available: the next step searches the window
   * without waiting for more.
   */
  searchAvailable(): void {
    this.awaited = 0;
  }

  /**
   * Moves to the next record. After `wait`, call it again when the source has more, or after a
   * pause.
   */
  next(): Step {
    const { splitter } = this;
    if (this.tooLong) {
      this.seek(this.longEnd);
    }
    if (this.skipping !== undefined) {
      return this.skipOn();
    }
    for (;;) {
      const isFinal = this.source.complete && this.base + this.filled >= this.source.available;
      if (isFinal || this.filled - this.at >= this.awaited) {
        // Whether a record is too long must not depend on how many bytes after it were read.
        const to = Math.min(this.filled, this.at + this.maxRecordBytes);
        const split = splitter.find(this.bytes, this.at, to, isFinal && to === this.filled);
        this.awaited = 0;
        if (split === record) {
          this.start = splitter.start;
          this.end = splitter.end;
          this.broken = splitter.broken;
          this.hasQuotes = splitter.hasQuotes ?? true;
          this.at = splitter.next;
          return 'record';
        }
        const hasBlanks = splitter.next > this.at;
        this.at = splitter.next;
        if (split === end) {
          return 'end';
        }
        if (hasBlanks && to < this.filled) {
          continue;
        }
        const held = this.filled - this.at;
        if (held >= this.chunkBytes) {
          // Each search restarts at the beginning; doubling keeps the total linear.
          this.awaited = Math.min(2 * held, this.maxRecordBytes);
        }
      }
      if (this.filled - this.at >= this.maxRecordBytes) {
        splitter.beginSkip();
        this.skipping = this.base + this.at;
        return this.skipOn();
      }
      if (!this.fill()) {
        // The source may have completed while it was read.
        if (!this.source.complete || !isFinal) {
          return this.source.complete ? this.next() : 'wait';
        }
        return 'end';
      }
    }
  }

  /**
   * Call it after a record. Passes the next records, as far as the format can do this quickly in
   * the window. No passed record is broken or too long.
   * @param most the most records to pass.
   * @returns how many records were passed
   */
  pass(most: number): number {
    const { splitter, bytes, at } = this;
    if (this.tooLong || !splitter.pass) {
      return 0;
    }
    const to = Math.min(this.filled, at + this.maxRecordBytes);
    const count = splitter.pass(bytes, at, to, most);
    this.at = splitter.next;
    return count;
  }

  /** Reads more bytes; keeps only the part of the window that is still searched. */
  private fill(): boolean {
    if (this.at > 0) {
      this.bytes.copyWithin(0, this.at, this.filled);
      this.base += this.at;
      this.filled -= this.at;
      this.at = 0;
    }
    const { length } = this.bytes;
    if (this.filled + this.chunkBytes > length && this.filled * 2 > length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length * 2, this.chunkBytes));
      this.bytes.copy(larger, 0, 0, this.filled);
      releaseBuffers(this.bytes);
      this.bytes = larger;
    }
    const count = this.source.read(
      this.bytes,
      this.filled,
      Math.min(this.chunkBytes, this.bytes.length - this.filled),
      this.base + this.filled,
    );
    this.onRead?.(this.bytes.subarray(this.filled, this.filled + count), this.base + this.filled);
    this.filled += count;
    return count > 0;
  }

  private skipOn(): Step {
    const chunk = Buffer.allocUnsafe(this.chunkBytes);
    const from = this.skipping ?? 0;
    const count = this.source.read(chunk, 0, chunk.length, from);
    this.onRead?.(chunk.subarray(0, count), from);
    const stop = this.splitter.skip(chunk, 0, count);
    if (stop < 0 && (count > 0 || !this.source.complete)) {
      this.skipping = from + count;
      return 'wait';
    }
    this.longEnd = from + (stop < 0 ? count : stop);
    this.skipping = undefined;
    this.tooLong = true;
    this.broken = stop < 0;
    this.start = this.at;
    this.end = Math.min(this.filled, this.at + shownBytesOfLong);
    return 'record';
  }
}

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
  async build(budget: YieldBudget, onPause: () => void): Promise<void> {
    this.checkHeading();
    const cursor = new RecordCursor(this.source, this.newSplitter(), {
      ...this.options,
      onRead: (bytes, position) => {
        this.utf8.add(bytes, position);
      },
    });
    cursor.seek(this.start);
    for (;;) {
      const step = this.findSome(cursor, budget);
      if (step === 'end') {
        break;
      }
      if (step === 'wait') {
        await this.source.more();
      }
      onPause();
      this.notifyGrown();
      await budget.pause();
    }
    // A quote that is never closed truncates the file only at its end. Earlier, it only makes its
    // line invalid.
    this.isCutOff = (this.isCutOff && this.position >= this.source.available) || !cursor.closed;
    if (cursor.readTo === this.source.available) {
      this.utf8.end();
    }
    this.done = true;
    this.offsets = this.offsets.slice(0, this.offsetCount);
    this.notifyGrown();
  }

  /** A new cursor at a record whose offset is kept: the first record, or one where a range starts. */
  cursorFrom(row: number): RecordCursor {
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
        cursor.searchAvailable();
      }
    }
  }

  /** Finds records until a pause is due, or more bytes are needed. */
  private findSome(cursor: RecordCursor, budget: YieldBudget): Step {
    for (;;) {
      const step = cursor.next();
      if (step !== 'record') {
        return step;
      }
      if (this.rows % recordsPerOffset === 0) {
        this.addOffset(cursor.position);
      }
      this.rows += 1;
      // Records before the next one whose offset is kept are only counted.
      const passed = cursor.pass(-this.rows & (recordsPerOffset - 1));
      this.rows += passed;
      this.isCutOff = passed === 0 && cursor.broken;
      const before = this.position;
      this.position = cursor.nextPosition;
      if (budget.shouldYield(this.position - before)) {
        return step;
      }
    }
  }

  private notifyGrown(): void {
    this.whenGrown = undefined;
    this.resolveGrown();
  }

  /** Checks the heading: it is before the first record, and is shown. */
  private checkHeading(): void {
    if (this.start <= maxHeadingBytes) {
      const heading = Buffer.alloc(this.start);
      const count = this.source.read(heading, 0, heading.length, 0);
      this.utf8.add(heading.subarray(0, count), 0);
    }
  }

  private addOffset(position: number): void {
    if (this.offsetCount === this.offsets.length) {
      this.offsets = enlarged(this.offsets, this.offsets.length * 2);
    }
    this.offsets[this.offsetCount] = position;
    this.offsetCount += 1;
  }
}

/** Checks whether bytes are UTF-8. They come in pieces, and some bytes come twice. */
export class Utf8Check {
  isValid = true;
  /** The position of the next byte to check. */
  private position = 0;
  /** The first bytes of a character whose other bytes have not arrived yet. */
  private incomplete = Buffer.alloc(0);

  /** @param position the offset of the bytes. All bytes before it must have been passed. */
  add(bytes: Buffer, position: number): void {
    const fresh = bytes.subarray(Math.max(0, this.position - position));
    if (!this.isValid || fresh.length === 0) {
      return;
    }
    this.position = position + bytes.length;
    const missing =
      this.incomplete.length === 0 ? 0 : lengthOf(this.incomplete[0]!) - this.incomplete.length;
    const letter = Buffer.concat([this.incomplete, fresh.subarray(0, missing)]);
    if (fresh.length < missing) {
      this.isValid = fresh.every((byte) => byte >= 0x80 && byte < 0xc0);
      this.incomplete = letter;
      return;
    }
    const rest = fresh.subarray(missing);
    const open = openBytes(rest);
    this.isValid = isUtf8(letter) && isUtf8(rest.subarray(0, rest.length - open));
    this.incomplete = Buffer.from(rest.subarray(rest.length - open));
  }

  /** Call it after the last bytes: an incomplete character is invalid. */
  end(): void {
    this.isValid &&= this.incomplete.length === 0;
  }
}

/** How many bytes at the end belong to a character that continues after them. */
function openBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count]!;
    if (byte >= 0xc0 || byte < 0x80) {
      return lengthOf(byte) > count ? count : 0;
    }
  }
  return 0;
}

/** The length of a character, by its first byte. */
function lengthOf(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}
