import type { ByteSource } from './byteSource';
import { releaseBuffers } from '../columns/memory';
import { end, record, type RecordSplitter } from './recordSplitter';

/** What a step of the cursor came to: a record, a wait for more bytes or for others, or the end. */
export type Step = 'record' | 'wait' | 'end';

export interface CursorOptions {
  /** Bytes read at a time. */
  readonly chunkBytes?: number;
  /** A longer record is not held as a whole; it is wrong. */
  readonly maxRecordBytes?: number;
  /** Is given all bytes that are read, in their order; some of them twice. */
  readonly onRead?: (bytes: Buffer, position: number) => void;
}

const defaultChunkBytes = 1024 ** 2;
const defaultMaxRecordBytes = 64 * 1024 ** 2;
/** What is shown of a record that is too long. */
const keptOfLong = 64 * 1024;

/** Goes from record to record through a window over the bytes, which grows to hold the longest. */
export class RecordCursor {
  /** The window; the record's bytes are there from `start` to below `end`, until the next step. */
  bytes: Buffer;
  start = 0;
  end = 0;
  /** The record is no proper one: it breaks off, or a quote is never closed. */
  broken = false;
  tooLong = false;
  private base = 0;
  private filled = 0;
  private at = 0;
  private skipping: number | undefined;
  private longEnd = 0;
  /** So much of a long record must be there before the search for its end begins again. */
  private awaited = 0;
  private readonly chunkBytes: number;
  private readonly maxRecordBytes: number;
  private readonly onRead: CursorOptions['onRead'];

  constructor(
    private readonly source: ByteSource,
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

  /** Where in the file the record begins. */
  get position(): number {
    return this.base + this.start;
  }

  /** Where in the file the next search begins. */
  get nextPosition(): number {
    return this.base + this.at;
  }

  /** Where in the file the bytes end that were read for the window. */
  get readTo(): number {
    return this.base + this.filled;
  }

  /** After the end: whether the format says so, not the bytes that ran out. */
  get closed(): boolean {
    return this.splitter.closed;
  }

  /** Moves to where a record begins. */
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

  /** To be asked after `wait` for a record that is known to be there: what is held is searched at once. */
  searchHeld(): void {
    this.awaited = 0;
  }

  /** Goes to the next record. After `wait` it is asked again, once the source has more or others had a turn. */
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
        const split = splitter.find(this.bytes, this.at, this.filled, isFinal);
        this.awaited = 0;
        if (split === record) {
          this.start = splitter.start;
          this.end = splitter.end;
          this.broken = splitter.broken;
          this.at = splitter.next;
          return 'record';
        }
        this.at = splitter.next;
        if (split === end) {
          return 'end';
        }
        const held = this.filled - this.at;
        if (held >= this.chunkBytes) {
          // Each search begins at its start; with twice as much each time, all are not much more than one.
          this.awaited = Math.min(2 * held, this.maxRecordBytes);
        }
      }
      if (this.filled - this.at >= this.maxRecordBytes) {
        splitter.beginSkip();
        this.skipping = this.base + this.at;
        return this.skipOn();
      }
      if (!this.fill()) {
        // The end may have been reached while this was going on.
        if (!this.source.complete || !isFinal) {
          return this.source.complete ? this.next() : 'wait';
        }
        return 'end';
      }
    }
  }

  /** Reads on behind the window, of which only what is still searched is kept. */
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
