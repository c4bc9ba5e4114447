import fs from 'node:fs';
import path from 'node:path';
import wasmPath from '../kernel/kernel.wasm';

/** The exports of the kernel; see `src/engine/kernel`. Addresses are positions in its memory. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number): number;
  release(address: number): void;
  readonly results: WebAssembly.Global;
  findByte(from: number, to: number, byte: number): number;

  /** Keys of all hashes, set once. */
  setSeed(low: number, high: number): void;

  /* What values are: see `values.ts`. A range ends after its last byte. `resultNumber` is the time of a date. */
  isDate(from: number, to: number): number;
  isJsonNumber(from: number, to: number): number;
  isWrittenNumber(from: number, to: number, hasCommas: boolean): number;
  csvKind(from: number, to: number, hasCommas: boolean): number;
  jsonKind(from: number, to: number, hasEscapes: boolean): number;
  decodeJson(from: number, to: number, target: number): number;
  unquoteCsv(from: number, to: number, target: number): number;
  /** If result 15 is 1, the value is that of `Number()`. */
  numberValue(from: number, to: number): number;

  /* Distinct values: see `texts.ts`. */
  newTexts(): number;
  freeTexts(texts: number): void;
  addText(texts: number, kind: number, from: number, to: number): number;
  mergeTexts(
    texts: number,
    arena: number,
    offsets: number,
    kinds: number,
    count: number,
    numbers: number,
  ): void;
  textCount(texts: number): number;
  textBytes(texts: number): number;
  textsArena(texts: number): number;
  textsOffsets(texts: number): number;
  textsKinds(texts: number): number;
  textsSize(texts: number): number;

  /* The values of the records that the last search of a reader found. */
  codesOf(
    reader: number,
    count: number,
    slot: number,
    texts: number,
    codes: number,
    maxValues: number,
    maxBytes: number,
  ): number;
  kindsOfValues(reader: number, count: number, slot: number, kinds: number): void;
  timesOf(reader: number, count: number, slot: number, times: number): void;
  /** Results 8 and 9 are where the value starts and ends. */
  readValue(reader: number, record: number, slot: number): number;
}

let compiled: WebAssembly.Module | undefined;

/** Nobody can know it, so that nobody can write a file whose values have equal hashes. */
const seed = crypto.getRandomValues(new Uint32Array(2));

/** An instance of the kernel, with a memory of its own. */
export class Kernel {
  readonly exports: KernelExports;
  private readonly resultsAt: number;
  private buffer: ArrayBufferLike = new ArrayBuffer(0);
  private bytesView = Buffer.alloc(0);
  private wordsView = new Int32Array();
  private numbersView = new Float64Array();

  constructor() {
    compiled ??= new WebAssembly.Module(fs.readFileSync(path.join(__dirname, wasmPath)));
    const instance = new WebAssembly.Instance(compiled, {
      env: {
        abort: () => {
          throw new Error('The kernel is out of memory.');
        },
      },
    });
    this.exports = instance.exports as unknown as KernelExports;
    this.resultsAt = this.exports.results.value as number;
    this.exports.setSeed(seed[0]!, seed[1]!);
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

  /** One of the results of the last call. */
  result(at: number): number {
    return this.words[(this.resultsAt >>> 2) + at]!;
  }

  /** The result of the last call that is a double. */
  get resultNumber(): number {
    this.update();
    return this.numbersView[(this.resultsAt + 48) >>> 3]!;
  }

  private update(): void {
    const { buffer } = this.exports.memory;
    if (buffer !== this.buffer) {
      this.buffer = buffer;
      this.bytesView = Buffer.from(buffer);
      this.wordsView = new Int32Array(buffer);
      this.numbersView = new Float64Array(buffer);
    }
  }
}
