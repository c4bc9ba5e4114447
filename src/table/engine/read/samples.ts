import { crc32 } from 'node:zlib';

const blockBytes = 256 * 1024;
const mostBlocks = 256;

/**
 * Checksums of the bytes that were read from a file, to check later whether its content is
 * unchanged. They cover a whole file of up to 64 MiB, or 256 blocks spread over a larger file. They
 * are calculated while the file is read.
 */
export class Samples {
  private readonly blocks: number;
  /** The checksums of the blocks known so far; the last block may be partial. */
  private readonly sums: number[] = [];
  /** How many bytes of the last block are known. */
  private known = blockBytes;

  constructor(private readonly size: number) {
    this.blocks = Math.ceil(size / blockBytes);
  }

  /** Adds bytes that were read. Bytes of a block count only if they are added in order. */
  learn(bytes: Uint8Array, position: number): void {
    for (;;) {
      const isNext = this.known === blockBytes;
      const at = this.sums.length - (isNext ? 0 : 1);
      if (at >= Math.min(this.blocks, mostBlocks)) {
        return;
      }
      const start = this.start(at);
      const from = start + (isNext ? 0 : this.known);
      const to = Math.min(start + blockBytes, this.size, position + bytes.length);
      if (from < position || from >= to) {
        return;
      }
      const sum = isNext ? 0 : this.sums[at]!;
      this.sums[at] = crc32(bytes.subarray(from - position, to - position), sum);
      this.known = to - start;
    }
  }

  /**
   * Whether the file still has the content that was read.
   * @param read fills the whole array. @throws if it cannot.
   */
  areThere(read: (bytes: Uint8Array, position: number) => void): boolean {
    const block = Buffer.alloc(blockBytes);
    return this.sums.every((sum, at) => {
      const bytes = block.subarray(0, at === this.sums.length - 1 ? this.known : blockBytes);
      read(bytes, this.start(at));
      return crc32(bytes) === sum;
    });
  }

  /** The position of a block. The first block is at the start of the file, the last one at its end. */
  private start(at: number): number {
    return this.blocks <= mostBlocks
      ? at * blockBytes
      : Math.floor((at * (this.blocks - 1)) / (mostBlocks - 1)) * blockBytes;
  }
}
