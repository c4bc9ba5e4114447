import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import wasmPath from '../kernel/kernel.wasm';

/** The exports of the kernel; see `src/engine/kernel`. Addresses are positions in its memory. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number): number;
  release(address: number): void;
  readonly results: WebAssembly.Global;

  newReader(form: number, delimiter: number, capacity: number): number;
  freeReader(reader: number): void;
  setMode(reader: number, mode: number): void;
  setSlotCount(reader: number, slots: number): void;
  setSlot(reader: number, nodeOrField: number, slot: number): void;
  setForm(reader: number, nodeOrField: number, form: number): void;
  setMayStop(reader: number, mayStop: number): void;
  recordsOf(reader: number): number;
  valuesOf(reader: number): number;
  kindsOf(reader: number): number;
  changedOf(reader: number): number;
  takeChanged(reader: number): number;
  hasDuplicates(reader: number): number;

  setNodeCount(reader: number, count: number): void;

  find(reader: number, from: number, to: number, isFinal: number, most: number): number;
  beginSkip(reader: number): void;
  skip(reader: number, from: number, to: number): number;
  addNode(reader: number, number: number, parent: number, isClosed: number): void;
  closeNode(reader: number, number: number): void;
  addName(reader: number, parent: number, address: number, length: number, number: number): void;
  ignoreNewNames(reader: number, number: number): void;

  newSurvey(): number;
  freeSurvey(survey: number): void;
  surveyLists(survey: number, from: number, to: number, lowest: number, origin: number): number;
  placeCount(survey: number): number;
  readPlace(survey: number, number: number): void;
  newWalk(steps: number, firstParent: number, mostBytes: number): number;
  freeWalk(walk: number): void;
  setParent(
    walk: number,
    number: number,
    step: number,
    name: number,
    nameLength: number,
    prefix: number,
    prefixLength: number,
    keyName: number,
    keyNameLength: number,
  ): void;
  excludeNames(walk: number, names: number, ends: number, count: number): void;
  collectOnly(walk: number, names: number, ends: number, count: number): void;
  collectMembers(walk: number, from: number, to: number, lowest: number, origin: number): number;
  endParents(walk: number): void;
  completeMembers(walk: number, number: number): void;
  dropMembers(walk: number, number: number): void;
  setOutput(walk: number, bytes: number, commonBytes: number, isCollecting: number): void;
  setCommon(walk: number, members: number, bytes: number): void;
  setCells(walk: number, names: number, ends: number, count: number, skipsFirst: number): void;
  giveMembers(walk: number, number: number, address: number, bytes: number): void;
  answerKey(walk: number, isSecret: number): void;
  writeRows(walk: number, from: number, to: number, lowest: number, origin: number): number;
  takeOutput(walk: number): number;
  addInnerWalk(walk: number, inner: number): void;
  askRows(walk: number, asked: number): void;
  addToRow(walk: number, members: number, bytes: number): void;

  readonly hashSeed: WebAssembly.Global;
  readonly hashSeedBytes: WebAssembly.Global;
  newTexts(): number;
  freeTexts(texts: number): void;
  textCount(texts: number): number;
  textBytes(texts: number): number;
  textsArena(texts: number): number;
  textsOffsets(texts: number): number;
  textsKinds(texts: number): number;
  codesOf(
    reader: number,
    count: number,
    slot: number,
    texts: number,
    codes: number,
    maxValues: number,
    maxBytes: number,
  ): number;
  keysOf(
    reader: number,
    first: number,
    count: number,
    slot: number,
    prefix: number,
    prefixLength: number,
    kinds: number,
    high: number,
    low: number,
  ): number;
  readValue(reader: number, record: number, slot: number): number;
  mergeTexts(
    texts: number,
    arena: number,
    offsets: number,
    kinds: number,
    count: number,
    numbers: number,
  ): void;

  newCounts(): number;
  freeCounts(counts: number): void;
  readCounts(counts: number): void;
  clearCounts(counts: number): void;
  fillMissing(reader: number, count: number, slot: number, other: number): void;
  countValues(
    counts: number,
    reader: number,
    count: number,
    slot: number,
    row: number,
    maxValues: number,
    maxBytes: number,
  ): number;
  mergeCounts(
    counts: number,
    numbers: number,
    others: number,
    firsts: number,
    count: number,
    nulls: number,
    present: number,
  ): void;

  newDates(isList: number, maxDays: number): number;
  freeDates(dates: number): void;
  readDates(dates: number): void;
  addDates(dates: number, reader: number, count: number, slot: number): void;
  addTimes(dates: number, times: number, count: number): void;
  countFrom(dates: number, day: number, timeOfDay: number): number;

  newIssues(maxPairs: number, listsPairs: number): number;
  freeIssues(issues: number): void;
  readIssues(issues: number): void;
  clearIssues(issues: number): void;
  dropAssets(issues: number): void;
  addIssues(
    issues: number,
    count: number,
    types: number,
    severities: number,
    assets: number,
    times: number,
  ): void;
  mergeIssues(
    issues: number,
    count: number,
    numbers: number,
    severities: number,
    severityRoom: number,
    severityNumbers: number,
    newest: number,
  ): void;
  mergePairs(issues: number, pairs: number, count: number, types: number, assets: number): void;

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

  afterBlanks(from: number, to: number): number;
  textEnd(from: number, to: number): number;
  valueEnd(from: number, to: number): number;

  isWrittenNumber(from: number, to: number, hasCommas: number): number;
  csvKind(from: number, to: number, hasCommas: number): number;
  timeOf(from: number, to: number): number;
  numberValue(from: number, to: number): number;
}

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
    const at = hashSeed.value as number;
    return this.bytes.subarray(at, at + (hashSeedBytes.value as number));
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
