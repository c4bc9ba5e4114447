import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import wasmPath from '../kernel/kernel.wasm';
import { TableError } from './tableError';

/** The exports of the kernel; see `src/engine/kernel`. Addresses are positions in its memory. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number): number;
  release(address: number): void;
  readonly results: WebAssembly.Global;
  findByte(from: number, to: number, byte: number): number;

  newReader(form: number, delimiter: number, capacity: number): number;
  freeReader(reader: number): void;
  setMode(reader: number, mode: number): void;
  setSlotCount(reader: number, slots: number): void;
  setSlot(reader: number, nodeOrField: number, slot: number): void;
  setMayStop(reader: number, mayStop: number): void;
  recordsOf(reader: number): number;
  valuesOf(reader: number): number;
  kindsOf(reader: number): number;
  hasDuplicates(reader: number): number;

  setNodeCount(reader: number, count: number): void;
  setLongestQuoted(bytes: number): void;

  find(reader: number, from: number, to: number, isFinal: number, most: number): number;
  beginSkip(reader: number): void;
  skip(reader: number, from: number, to: number): number;
  setOuterDepth(reader: number, depth: number): void;
  addNode(reader: number, number: number, parent: number, isClosed: number): void;
  closeNode(reader: number, number: number): void;
  addName(reader: number, parent: number, address: number, length: number, number: number): void;
  ignoreNewNames(reader: number, number: number): void;

  readonly hashSeed: WebAssembly.Global;
  readonly hashSeedBytes: WebAssembly.Global;
  newTexts(): number;
  freeTexts(texts: number): void;
  addText(texts: number, kind: number, from: number, to: number): number;
  textCount(texts: number): number;
  textBytes(texts: number): number;
  textsArena(texts: number): number;
  textsOffsets(texts: number): number;
  textsKinds(texts: number): number;
  textsSize(texts: number): number;
  codesOf(
    reader: number,
    count: number,
    slot: number,
    texts: number,
    codes: number,
    maxValues: number,
    maxBytes: number,
  ): number;
  timesOf(reader: number, count: number, slot: number, times: number): void;
  kindsOfValues(reader: number, count: number, slot: number, kinds: number): void;
  readValue(reader: number, record: number, slot: number): number;
  mergeTexts(
    texts: number,
    arena: number,
    offsets: number,
    kinds: number,
    count: number,
    numbers: number,
  ): void;

  hashKey(from: number, length: number, target: number): void;
  hashKeys(reader: number, count: number, slot: number, isMixed: number, hashes: number): number;
  hashRecords(reader: number, count: number, hashes: number): void;
  hashValues(reader: number, count: number, slots: number, factors: number, hashes: number): void;

  newPairing(fingerprints: number, rows: number, older: number): number;
  freePairing(pairing: number): void;
  partnersOf(pairing: number): number;
  rowsOf(pairing: number): number;
  countOf(pairing: number): number;
  matchSingle(pairing: number): void;
  matchEqual(pairing: number): void;
  matchInOrder(pairing: number): void;
  listDifferences(pairing: number, rows: number): void;

  newSearch(text: number, length: number): number;
  freeSearch(search: number): void;
  findCandidates(reader: number, count: number, search: number, marks: number): number;
  findMatches(reader: number, count: number, search: number, marks: number): void;

  isDate(from: number, to: number): number;
  isJsonNumber(from: number, to: number): number;
  isWrittenNumber(from: number, to: number, hasCommas: number): number;
  csvKind(from: number, to: number, hasCommas: number): number;
  jsonKind(from: number, to: number, hasEscapes: number): number;
  numberValue(from: number, to: number): number;
  decodeJson(from: number, to: number, target: number): number;
  unquoteCsv(from: number, to: number, target: number): number;
}

let compiled: WebAssembly.Module | undefined;

/** An instance of the kernel, with a memory of its own. */
export class Kernel {
  readonly exports: KernelExports;
  private readonly resultsAt: number;
  private bytesView = Buffer.alloc(0);
  private wordsView = new Int32Array();
  private doublesView = new Float64Array();

  constructor() {
    compiled ??= new WebAssembly.Module(fs.readFileSync(path.join(__dirname, wasmPath)));
    const instance = new WebAssembly.Instance(compiled, {
      env: {
        abort: () => {
          throw new TableError('memory', 'The kernel is out of memory.');
        },
      },
    });
    this.exports = instance.exports as unknown as KernelExports;
    this.resultsAt = this.exports.results.value as number;
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

  /** One of the results of the last call. */
  result(at: number): number {
    return this.words[(this.resultsAt >>> 2) + at]!;
  }

  /** The result of the last call that is a double. */
  get resultNumber(): number {
    return this.doubles[(this.resultsAt + 48) >>> 3]!;
  }

  /** Calls a function with the address of a copy of bytes that is followed by 64 others. */
  withCopy<T>(bytes: Uint8Array, use: (address: number) => T): T {
    const address = this.exports.allocate(bytes.length + 64);
    try {
      this.bytes.set(bytes, address);
      return use(address);
    } finally {
      this.exports.release(address);
    }
  }

  /** The random bytes on which hashes depend. Change them only while nothing in the memory has hashes. */
  get hashSeed(): Buffer {
    const { hashSeed, hashSeedBytes } = this.exports;
    const at = hashSeed.value as number;
    return this.bytes.subarray(at, at + (hashSeedBytes.value as number));
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

let kernel: Kernel | undefined;

/** The kernel of this thread. */
export function threadKernel(): Kernel {
  return (kernel ??= new Kernel());
}
