import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { instantiate } from '../../../out/kernel/exports';
import wasmPath from './kernel.wasm';

/**
 * The exports of the kernel; see `src/kernel`, whose compiler writes their types. Addresses are positions in its
 * memory.
 */
type KernelExports = Awaited<ReturnType<typeof instantiate>>;

type KernelArray = Uint8Array | Uint32Array | Float64Array;

/** The kernel reads up to this many bytes after those that it is given. */
export const readAhead = 128;
const minCopyRoom = 4096;
const shortCopy = 64;

let compiled: WebAssembly.Module | undefined;

/** An instance of the kernel, with a memory of its own. */
export class Kernel {
  readonly exports: KernelExports;
  private readonly resultsAt: number;
  /** Memory for what `place` copies. */
  private copyAt = 0;
  private copyRoom = 0;
  private bytesView = Buffer.alloc(0);
  private wordsView = new Int32Array();
  private doublesView = new Float64Array();

  constructor() {
    compiled ??= new WebAssembly.Module(fs.readFileSync(path.join(__dirname, wasmPath)));
    const instance = new WebAssembly.Instance(compiled, {
      env: {
        // More is wanted at once than there may be. Where the memory cannot grow, WebAssembly stops.
        abort: () => {
          throw new WebAssembly.RuntimeError('The kernel is out of memory.');
        },
      },
    });
    this.exports = endingWithFailure(instance.exports);
    this.resultsAt = this.exports.results.value;
    // Nobody can write values that all have one hash.
    randomFillSync(this.hashSeed);
  }

  /** All of the memory. Get it again after a call that may allocate: it is replaced as it grows. */
  get bytes(): Buffer {
    this.update();
    return this.bytesView;
  }

  /** The memory as words of 32 bits. */
  get words(): Int32Array {
    this.update();
    return this.wordsView;
  }

  /** The memory as doubles. */
  get doubles(): Float64Array {
    this.update();
    return this.doublesView;
  }

  /** Calls with copies of arrays, by their addresses. Up to 64 bytes after each may be read. */
  withCopies<T>(arrays: readonly KernelArray[], call: (...addresses: number[]) => T): T {
    const addresses = arrays.map(({ byteLength }) => this.exports.allocate(byteLength + 64));
    arrays.forEach((array, at) => {
      const { buffer, byteOffset, byteLength } = array;
      this.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), addresses[at]);
    });
    const result = call(...addresses);
    addresses.forEach((address) => {
      this.exports.release(address);
    });
    return result;
  }

  /** Calls with copies of texts, one after another, and of their ends. */
  withTexts(
    texts: readonly string[],
    call: (texts: number, ends: number, count: number) => void,
  ): void {
    const bytes = texts.map((text) => Buffer.from(text));
    let end = 0;
    const ends = Uint32Array.from(bytes, ({ length }) => (end += length));
    this.withCopies([Buffer.concat(bytes), ends], (all = 0, allEnds = 0) => {
      call(all, allEnds, texts.length);
    });
  }

  /** Unsigned words of 32 bits, copied. */
  copyWords(address: number, count: number): Uint32Array {
    const { buffer } = this.exports.memory;
    return new Uint32Array(buffer, address, count).slice();
  }

  /** One of the results of the last call. */
  result(at: number): number {
    return this.words[(this.resultsAt >>> 2) + at]!;
  }

  /** The result of the last call that is a double. */
  get resultNumber(): number {
    return this.doubles[(this.resultsAt + 48) >>> 3]!;
  }

  /** The random bytes on which hashes depend. Change them only while nothing in the memory has hashes. */
  get hashSeed(): Buffer {
    const { hashSeed, hashSeedBytes } = this.exports;
    const at = hashSeed.value;
    return this.bytes.subarray(at, at + hashSeedBytes.value);
  }

  /**
   * The address of bytes from `from` on. Unless they are `bytes` of the kernel, they are copied to
   * where they stay until the next call.
   */
  place(bytes: Uint8Array, from: number, to: number): number {
    if (bytes === this.bytes) {
      return from;
    }
    if (to - from > this.copyRoom) {
      this.exports.release(this.copyAt);
      this.copyRoom = Math.max(2 * (to - from), minCopyRoom);
      this.copyAt = this.exports.allocate(this.copyRoom + readAhead);
    }
    const { bytes: memory, copyAt } = this;
    if (to - from > shortCopy) {
      memory.set(bytes.subarray(from, to), copyAt);
    } else {
      // A call would take longer.
      for (let at = from; at < to; at += 1) {
        memory[copyAt + at - from] = bytes[at]!;
      }
    }
    return copyAt;
  }

  private update(): void {
    // The views of a memory that has grown are empty.
    if (this.wordsView.length === 0) {
      const { buffer } = this.exports.memory;
      this.bytesView = Buffer.from(buffer);
      this.wordsView = new Int32Array(buffer);
      this.doublesView = new Float64Array(buffer);
    }
  }
}

/**
 * Exports whose functions all fail after one of them has failed. It was out of memory in the middle of its work: what
 * is in the memory then may be incomplete, so that other calls would write where they must not.
 */
function endingWithFailure(exports: WebAssembly.Exports): KernelExports {
  let failure: Error | undefined;
  const ending: Record<string, unknown> = { ...exports };
  for (const [name, each] of Object.entries(exports)) {
    if (typeof each === 'function') {
      const call = each as (...values: readonly number[]) => number;
      ending[name] = (...values: readonly number[]) => {
        if (failure) {
          throw failure;
        }
        try {
          return call(...values);
        } catch (error) {
          failure = error as Error;
          throw error;
        }
      };
    }
  }
  return ending as unknown as KernelExports;
}

let kernel: Kernel | undefined;

/** The kernel of this thread. */
export function threadKernel(): Kernel {
  return (kernel ??= new Kernel());
}
