import { threadKernel } from './kernel';

/** The distinct values of a part of the records, by their numbers in that part. */
export interface TextsPart {
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

/** Distinct values to which others are added, in the memory of the kernel: see `TextList`. */
export class TextSet {
  private readonly kernel = threadKernel();
  /** The address in the kernel; 0 when the memory is freed. */
  private address: number;

  constructor() {
    this.address = this.kernel.exports.newTexts();
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

  /** A copy of all values. */
  part(): TextsPart {
    const { address } = this;
    const { exports, bytes, words } = this.kernel;
    const { count } = this;
    const arena = exports.textsArena(address);
    const offsets = exports.textsOffsets(address) >>> 2;
    const kinds = exports.textsKinds(address);
    return {
      bytes: new Uint8Array(bytes.subarray(arena, arena + this.textBytes)),
      offsets: new Uint32Array(words.subarray(offsets, offsets + count + 1)),
      kinds: new Uint8Array(bytes.subarray(kinds, kinds + count)),
    };
  }

  /** Adds the values of a part. @returns the number that each of them has here */
  merge({ bytes, offsets, kinds }: TextsPart): Uint32Array {
    const of = this.kernel;
    const { exports } = of;
    const count = kinds.length;
    // Reads may run beyond the last value.
    const arena = exports.allocate(bytes.length + 64);
    const offsetsAt = exports.allocate(4 * (count + 1));
    const kindsAt = exports.allocate(count + 1);
    const numbers = exports.allocate(4 * count + 4);
    of.bytes.set(bytes, arena);
    of.words.set(offsets, offsetsAt >>> 2);
    of.bytes.set(kinds, kindsAt);
    exports.mergeTexts(this.address, arena, offsetsAt, kindsAt, count, numbers);
    const found = new Uint32Array(of.words.subarray(numbers >>> 2, (numbers >>> 2) + count));
    [arena, offsetsAt, kindsAt, numbers].forEach((address) => {
      exports.release(address);
    });
    return found;
  }

  /** Frees the memory. Call nothing else afterwards. */
  release(): void {
    if (this.address !== 0) {
      this.kernel.exports.freeTexts(this.address);
      this.address = 0;
    }
  }
}
