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

  setSeed(low: number, high: number): void;
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

type KernelArray = Uint8Array | Uint32Array | Float64Array;

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
  return (kernel ??= newKernel());
}

function newKernel(): Kernel {
  const created = new Kernel();
  // Nobody can write values that all have one hash.
  const [low = 0, high = 0] = randomFillSync(new Int32Array(2));
  created.exports.setSeed(low, high);
  return created;
}
