import type { ByteSource } from './byteSource';
import { releaseBuffers } from '../columns/memory';
import { end, record, type RecordSplitter } from './recordSplitter';

/** The result of a step: a record, a need to wait for more bytes or to pause, or the end. */
export type Step = 'record' | 'wait' | 'end';

export interface CursorOptions {
  /** How many bytes are read in one call. */
  readonly chunkBytes?: number;
  /** A record that does not end within this many bytes is not held completely and is invalid. */
  readonly maxRecordBytes?: number;
  /** Called with all bytes that are read, in order. Some bytes are passed twice. */
  readonly onRead?: (bytes: Buffer, position: number) => void;
}

const defaultChunkBytes = 1024 ** 2;
const defaultMaxRecordBytes = 64 * 1024 ** 2;
/** How many bytes of a record that is too long are shown. */
const keptOfLong = 64 * 1024;

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
   * After `wait`, for a record that is known to be available: the next step searches the held bytes
   * without waiting for more.
   */
  searchHeld(): void {
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
   * the held bytes. No passed record is broken or too long.
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
    this.end = Math.min(this.filled, this.at + keptOfLong);
    return 'record';
  }
}
