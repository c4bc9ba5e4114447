import type { Kernel } from '../../../src/engine/threads/kernel';
import { fc } from '../../helpers/property';

/** How many bytes after a range the kernel may read. */
export const readable = 64;

/** Where bytes are put: at an offset modulo 64, between bytes that are none of theirs. */
export interface Spot {
  readonly offset: number;
  readonly around: number;
}

export const spots: fc.Arbitrary<Spot> = fc.record({
  offset: fc.nat(63),
  // They could continue numbers, dates, texts and escapes.
  around: fc.constantFrom(0x00, 0x20, 0x22, 0x30, 0x39, 0x5c, 0x65, 0xff),
});

/** A part of the memory of a kernel. */
export class KernelMemory {
  private readonly start: number;

  constructor(
    private readonly kernel: Kernel,
    private readonly room: number,
  ) {
    const allocated = kernel.exports.allocate(room + 4 * readable);
    this.start = Math.ceil(allocated / 64) * 64 + 64;
  }

  /** @returns where the bytes start and end. */
  put(bytes: Uint8Array, { offset, around }: Spot): [number, number] {
    if (bytes.length + offset > this.room) {
      throw new Error(`There is no room for ${bytes.length} bytes.`);
    }
    const from = this.start + offset;
    const { bytes: memory } = this.kernel;
    memory.fill(around, this.start - readable, from + bytes.length + readable);
    memory.set(bytes, from);
    return [from, from + bytes.length];
  }

  /**
   * What a call writes for so many bytes. Nothing beyond them may be written.
   * @param write returns the end of what it wrote.
   */
  written(length: number, { offset }: Spot, write: (target: number) => number): Buffer {
    const target = this.start + offset;
    const fill = Buffer.alloc(length + 2 * readable, 0xa5);
    this.put(fill, { offset: 0, around: 0xa5 });
    const end = write(target);
    const { bytes } = this.kernel;
    const outside = [
      bytes.subarray(this.start, target),
      bytes.subarray(target + length, target + length + readable),
    ];
    if (
      end < target ||
      end > target + length ||
      outside.some((part) => part.some((byte) => byte !== 0xa5))
    ) {
      throw new Error(`It wrote beyond ${length} bytes.`);
    }
    return Buffer.from(bytes.subarray(target, end));
  }
}
