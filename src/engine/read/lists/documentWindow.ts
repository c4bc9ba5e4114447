import { readAhead, threadKernel } from '../../threads/kernel';
import type { ByteSource } from '../bytes/byteSource';

/** How many bytes before those that are searched stay: a name, a long value and blanks between them. */
const keptBytes = 8192;
/** How many bytes a search may leave for the next call, to see what follows them. */
const leftBytes = 64;

/** A part of a document, such as an array from its first bracket to after its last one. */
export interface DocumentPart {
  readonly start: number;
  readonly end: number;
}

/**
 * A window in the memory of the kernel that moves through a part of a file, for searches that the kernel
 * continues from one piece to the next.
 */
export class DocumentWindow {
  private readonly kernel = threadKernel();
  private readonly address: number;
  /** The position in the file of the first byte of the window. */
  private base: number;
  private filled = 0;
  private at = 0;
  /** The next of the arrays that are left out. */
  private nextArray = 0;

  /**
   * @param chunkBytes how many bytes are searched in one call at most.
   * @param skipped arrays of which only the brackets are searched, in their order.
   */
  constructor(
    private readonly source: Pick<ByteSource, 'read'>,
    private readonly part: DocumentPart,
    private readonly chunkBytes: number,
    private readonly skipped: readonly DocumentPart[] = [],
  ) {
    this.base = part.start;
    this.address = this.kernel.exports.allocate(this.windowBytes + readAhead);
  }

  private get windowBytes(): number {
    return this.chunkBytes + keptBytes + leftBytes;
  }

  /** The address where the search continues. */
  get from(): number {
    return this.address + this.at;
  }

  /** The address after the last byte that can be searched. */
  get to(): number {
    const array = this.skipped[this.nextArray];
    const stop = array ? array.start + 1 - this.base : Infinity;
    return this.address + Math.min(this.filled, stop);
  }

  /** The first address that can be read. */
  get lowest(): number {
    return this.address;
  }

  /** What is added to an address to get the position in the file. */
  get origin(): number {
    return this.base - this.address;
  }

  /** The position in the file where the search continues. */
  get position(): number {
    return this.base + this.at;
  }

  continueAt(address: number): void {
    this.at = address - this.address;
  }

  /** Reads more bytes, if there are any. @returns whether there are bytes to search. */
  fill(): boolean {
    this.skipArray();
    const dropped = Math.max(0, this.at - keptBytes);
    if (dropped > 0) {
      const { bytes } = this.kernel;
      bytes.copyWithin(this.address, this.address + dropped, this.address + this.filled);
      this.base += dropped;
      this.filled -= dropped;
      this.at -= dropped;
    }
    const position = this.base + this.filled;
    const count = Math.min(this.windowBytes - this.filled, this.part.end - position);
    const address = this.address + this.filled;
    this.filled += this.source.read(this.kernel.bytes, address, count, position);
    return this.at < this.filled;
  }

  /** Goes on at the last bracket of an array whose first one was searched. */
  private skipArray(): void {
    const array = this.skipped[this.nextArray];
    if (array && this.position > array.start) {
      this.nextArray += 1;
      this.base = array.end - 1;
      this.filled = 0;
      this.at = 0;
    }
  }

  dispose(): void {
    this.kernel.exports.release(this.address);
  }
}
