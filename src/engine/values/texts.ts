import { threadId } from 'node:worker_threads';
import { threadKernel } from '../threads/kernel';

/** Distinct values of a part of the records, by their numbers less `first`. */
export interface TextsPart {
  readonly thread: number;
  /** Parts of one series have the same numbers: the values below `first` are in its earlier parts. */
  readonly series: number;
  readonly first: number;
  readonly bytes: Uint8Array;
  /** A value is between the offset at its number and the next offset. */
  readonly offsets: Uint32Array;
  readonly kinds: Uint8Array;
}

/** Distinct values that are complete, numbered from 0 in the order they were added. */
export class TextList {
  /** The bytes of the values are between `from` and `to` here. */
  readonly bytes: Buffer;

  constructor(private readonly part: TextsPart) {
    const { buffer, byteOffset, length } = part.bytes;
    this.bytes = Buffer.from(buffer, byteOffset, length);
  }

  get count(): number {
    return this.part.kinds.length;
  }

  /** The memory in bytes. */
  get size(): number {
    return this.bytes.length + 5 * this.count;
  }

  from(number: number): number {
    return this.part.offsets[number] ?? 0;
  }

  to(number: number): number {
    return this.part.offsets[number + 1] ?? 0;
  }

  kind(number: number): number {
    return this.part.kinds[number] ?? 0;
  }

  text(number: number): string {
    return this.bytes.toString('utf8', this.from(number), this.to(number));
  }
}

let lastSeries = 0;

/** Distinct values to which others are added, in the memory of the kernel: see `TextList`. */
export class TextSet {
  private readonly kernel = threadKernel();
  private readonly series = (lastSeries += 1);
  /** How many of the values are in parts. */
  private sent = 0;
  /** By thread, for its last series: the numbers here of its values. */
  private readonly merged = new Map<number, { series: number; numbers: Uint32Array }>();
  /** The address in the kernel; 0 when the memory is freed. */
  private address: number;

  /** @param inKernel the address of values that belong to something else in the kernel. */
  constructor(inKernel?: number) {
    this.address = inKernel ?? this.kernel.exports.newTexts();
  }

  get count(): number {
    return this.kernel.exports.textCount(this.address);
  }

  /** Bytes of all values. */
  get textBytes(): number {
    return this.kernel.exports.textBytes(this.address);
  }

  /** The bytes of the values are between `from` and `to` here. */
  get bytes(): Buffer {
    return this.kernel.bytes;
  }

  from(number: number): number {
    const { exports, words } = this.kernel;
    const at = exports.textsOffsets(this.address) >>> 2;
    return exports.textsArena(this.address) + words[at + number]!;
  }

  to(number: number): number {
    return this.from(number + 1);
  }

  kind(number: number): number {
    const { exports, bytes } = this.kernel;
    return bytes[exports.textsKinds(this.address) + number]!;
  }

  text(number: number): string {
    return this.bytes.toString('utf8', this.from(number), this.to(number));
  }

  /** Its address in the kernel, for calls that add values. */
  get inKernel(): number {
    return this.address;
  }

  /** A copy of the values that are in no part yet. */
  part(): TextsPart {
    const { kernel, address, count, series, sent: first } = this;
    const { exports, bytes } = kernel;
    const arena = exports.textsArena(address);
    const from = this.from(first) - arena;
    const kinds = exports.textsKinds(address);
    const offsets = kernel.copyWords(exports.textsOffsets(address) + 4 * first, count - first + 1);
    this.sent = count;
    return {
      thread: threadId,
      series,
      first,
      bytes: new Uint8Array(bytes.subarray(arena + from, arena + this.textBytes)),
      offsets: offsets.map((offset) => offset - from),
      kinds: new Uint8Array(bytes.subarray(kinds + first, kinds + count)),
    };
  }

  /**
   * Adds the values of a part. All parts of its series must be added in their order.
   * @returns the number that each value of the series has here
   */
  merge({ thread, series, first, bytes, offsets, kinds }: TextsPart): Uint32Array {
    const { kernel, address } = this;
    const count = kinds.length;
    const added = kernel.withCopies(
      [bytes, offsets, kinds, new Uint32Array(count)],
      (arena = 0, offsetsAt = 0, kindsAt = 0, numbers = 0) => {
        kernel.exports.mergeTexts(address, arena, offsetsAt, kindsAt, count, numbers);
        return kernel.copyWords(numbers, count);
      },
    );
    const before = this.merged.get(thread);
    const known = before?.series === series ? before.numbers : new Uint32Array();
    if (known.length !== first) {
      throw new Error(`Values from ${first} on follow ${known.length} of them.`);
    }
    const numbers = count === 0 ? known : new Uint32Array(first + count);
    if (numbers !== known) {
      numbers.set(known);
      numbers.set(added, first);
    }
    this.merged.set(thread, { series, numbers });
    return numbers;
  }

  /** Frees the memory. Call nothing else afterwards. */
  release(): void {
    if (this.address !== 0) {
      this.kernel.exports.freeTexts(this.address);
      this.address = 0;
    }
  }
}
