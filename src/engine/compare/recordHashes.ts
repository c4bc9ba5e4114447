import { createHmac } from 'node:crypto';
import { kindJson, kindNumber } from '../values/kinds';
import { releaseBuffers } from '../threads/memory';
import { threadKernel } from '../threads/kernel';
import type { RangeRequest } from '../read/ranges/rangeReader';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import type { ReadableFile, Visitor } from '../read/records/visitor';
import { type ComparisonMode, isNested, jsonMeaning, meaningOfFields } from './meaning';
import { haveRuleAndPlace, type IdForm, joinParts, mayChange, stableText } from '../query/idParts';
import { RecordFields } from './recordFields';

/**
 * Hashes of the keys and of the contents of records, by row: 64 bits each, in the memory of the kernel. They
 * depend on random bytes that never leave the process, so nobody can construct a record with the hash of
 * another one. With a million records, the chance that a change is missed is about 10^-12, and the chance that
 * any two of a million keys with a million others are mixed up about 10^-6, whatever the records are.
 */
export class RecordHashes {
  readonly kernel = threadKernel();
  /** Where those of the first row are. */
  readonly address: number;

  constructor(readonly rows: number) {
    this.address = this.kernel.exports.allocate(16 * rows);
  }

  /** Where the hash of the key of a row is. */
  key(row: number): number {
    return this.address + 16 * row;
  }

  /** Where the hash of the contents of a row is. */
  content(row: number): number {
    return this.address + 16 * row + 8;
  }

  /** A copy of all, for another thread. */
  part(): Uint8Array {
    return new Uint8Array(this.kernel.bytes.subarray(this.address, this.key(this.rows)));
  }

  /** Adds those that another thread made. */
  add(part: Uint8Array, row: number): void {
    this.kernel.bytes.set(part, this.key(row));
    releaseBuffers(part);
  }

  /** Hashes a text. @param target where the hash is written. */
  hash(text: string, target: number): void {
    const bytes = Buffer.from(text);
    this.kernel.exports.hashKey(this.kernel.place(bytes, 0, bytes.length), bytes.length, target);
  }

  release(): void {
    this.kernel.exports.release(this.address);
  }
}

/** How a column of a key is hashed. */
interface KeyColumnOptions {
  /** Of several columns of one part, the first counts that a record has. */
  readonly part: number;
  readonly form: IdForm;
  /**
   * Whether the other file has numbers there, so that CSV keys that look like numbers are compared as numbers.
   */
  readonly hasNumbers: boolean;
}

/** How records are hashed. */
export interface RecordHashOptions {
  readonly comparing: ComparisonMode;
  /** For each column of the key. */
  readonly columns: readonly KeyColumnOptions[];
  /**
   * If the key is what was found, and where: the names of the columns that may differ in the next run. A record that does
   * not say both has all the others as its key, as `knownRows.ts` has it.
   */
  readonly changing?: readonly string[] | undefined;
}

/**
 * Hashes records. A key is a text, as in CSV or in a JSON string. Equal JSON numbers are the same key, and so
 * are JSON objects with the same meaning. Between CSV and JSON, a decimal number is the same key as a number or
 * as a text.
 *
 * Records with the same hash of their contents have the same meaning. Others may have it too: that of JSON is a
 * hash of its bytes; where CSV is compared, values are hashed as texts.
 */
export class RecordHashTask implements Visitor {
  readonly growsShape = true;
  private readonly fields: RecordFields;
  private readonly value = newValue();
  private fieldNodes: readonly ShapeNode[] | undefined;
  private read: readonly ShapeNode[] = [];
  /** By column of the key: its slot, or -1. */
  private keySlots: readonly number[] = [];
  /** By field: eight bytes that depend on its name. */
  private factors: Uint8Array | undefined;

  /**
   * @param keys the columns of the key. A record without a value in any of them has no key.
   * @param shift is added to a row to get its place in the hashes.
   */
  constructor(
    private readonly file: ReadableFile,
    private readonly isCsv: boolean,
    private readonly keys: readonly (ShapeNode | undefined)[],
    private readonly options: RecordHashOptions,
    private readonly hashes: RecordHashes,
    private readonly shift: number,
  ) {
    this.fields = new RecordFields(file, isCsv);
  }

  /** The fields if their values are hashed, and the key. */
  get nodes(): readonly ShapeNode[] {
    const fields = this.options.comparing === 'json' ? noNodes : this.fields.nodes;
    if (fields !== this.fieldNodes) {
      this.fieldNodes = fields;
      this.factors = undefined;
      // A column has one slot.
      this.read = [...new Set([...fields, ...this.keys.filter((key) => key !== undefined)])];
      this.keySlots = this.keys.map((key) => (key ? this.read.indexOf(key) : -1));
    }
    return this.read;
  }

  visit(records: RecordReader, row: number): void {
    const { hashes, fields, options } = this;
    const { inKernel, count } = records;
    const { exports } = hashes.kernel;
    const first = row + this.shift;
    this.hashKeys(records, hashes.key(first));
    const target = hashes.content(first);
    if (options.comparing === 'json' || (!this.isCsv && this.file.shape.isPartial)) {
      exports.hashRecords(inKernel, count, target);
    } else {
      const factors = (this.factors ??= Buffer.concat(fields.names.map(createFactor)));
      const address = hashes.kernel.place(factors, 0, factors.length);
      exports.hashValues(inKernel, count, factors.length / 8, address, target);
    }
  }

  /** A copy of all, for another thread. */
  finish(): Uint8Array {
    return this.hashes.part();
  }

  dispose(): void {
    this.hashes.release();
  }

  /** Hashes the keys, at every 16th byte from the target on. */
  private hashKeys(records: RecordReader, target: number): void {
    const { exports } = this.hashes.kernel;
    if (this.keySlots.length === 1 && !this.options.changing) {
      this.hashColumn(records, 0, target);
      return;
    }
    const size = 16 * records.count;
    const place = exports.allocate(size * this.keySlots.length);
    this.keySlots.forEach((_, column) => {
      this.hashColumn(records, column, place + column * size);
    });
    for (let at = 0; at < size; at += 16) {
      if (!this.joinHashes(place + at, size, target + at)) {
        this.hashOthers(records, at / 16, target + at);
      }
    }
    exports.release(place);
  }

  /** Makes one hash of those of the columns of a key. @returns whether a record has a key, or is none */
  private joinHashes(place: number, size: number, target: number): boolean {
    const { hashes, options } = this;
    const { words } = hashes.kernel;
    const ofColumns = options.columns.map((_, column) => hashText(words, place + column * size));
    const invalid = ofColumns.indexOf(noRecord);
    if (invalid >= 0) {
      copyHash(words, place + invalid * size, target);
      return true;
    }
    const parts = joinParts(
      options.columns.map(({ part }) => part),
      ofColumns.map((hash) => (hash === noKey ? undefined : hash)),
    );
    const isKey = options.changing
      ? haveRuleAndPlace(parts)
      : parts.some((part) => part !== undefined);
    if (isKey) {
      hashes.hash(parts.map((part) => part ?? noKey).join(' '), target);
    }
    return isKey;
  }

  /** Hashes what a record says that stays in the next run, if such records have a key. */
  private hashOthers(records: RecordReader, record: number, target: number): void {
    const { hashes, options } = this;
    const { changing, comparing } = options;
    const left = changing && new Set(changing);
    const meaning =
      left &&
      meaningOfFields(
        this.fields.of(records, record),
        comparing,
        (name) => left.has(name) || mayChange(name),
      );
    if (meaning === undefined || meaning === '') {
      const { words } = hashes.kernel;
      words.fill(0, target >>> 2, (target >>> 2) + 2);
    } else {
      hashes.hash(`#${meaning}`, target);
    }
  }

  /** Hashes one column of the keys. */
  private hashColumn(records: RecordReader, column: number, target: number): void {
    const { options, hashes } = this;
    const isMixed = options.comparing.startsWith('mixed') ? 1 : 0;
    const slot = this.keySlots[column] ?? -1;
    const { exports } = hashes.kernel;
    // How many keys need the hash of their meaning instead.
    const marked = exports.hashKeys(records.inKernel, records.count, slot, isMixed, target);
    const form = options.columns[column]?.form ?? 'whole';
    if (form !== 'whole') {
      this.hashStable(records, column, form, target);
    } else if (marked > 0) {
      this.hashMeanings(records, column, target);
    }
  }

  /** Hashes what stays of the values of a column in the next run, in the place of their hashes. */
  private hashStable(records: RecordReader, column: number, form: IdForm, first: number): void {
    const { hashes, value } = this;
    for (let record = 0; record < records.count; record += 1) {
      const target = first + 16 * record;
      const hash = hashText(hashes.kernel.words, target);
      if (hash !== noKey && hash !== noRecord) {
        records.read(record, this.keySlots[column] ?? -1, value);
        const text = stableText(form, value.bytes.toString('utf8', value.from, value.to));
        if (text === '') {
          hashes.kernel.words.fill(0, target >>> 2, (target >>> 2) + 2);
        } else {
          hashes.hash(text, target);
        }
      }
    }
  }

  /** Hashes the meanings of the keys of which the kernel has hashed nothing. */
  private hashMeanings(records: RecordReader, column: number, first: number): void {
    const { hashes, value } = this;
    const { kernel } = hashes;
    for (let record = 0; record < records.count; record += 1) {
      const target = first + 16 * record;
      if (kernel.words[target >>> 2] === 1 && kernel.words[(target >>> 2) + 1] === 0) {
        records.read(record, this.keySlots[column] ?? -1, value);
        const meaning = this.keyMeaning(this.options.columns[column]?.hasNumbers === true);
        if (meaning === undefined) {
          kernel.exports.hashKey(value.from, value.to - value.from, target);
        } else {
          hashes.hash(meaning, target);
        }
      }
    }
  }

  /**
   * The meaning of a key that is a number or an object, or may be one; `undefined` if it is a text. A text with an
   * `e` may be an ID, unless all keys of the other file are numbers.
   */
  private keyMeaning(hasNumbers: boolean): string | undefined {
    const { kind, bytes, from, to } = this.value;
    const { comparing } = this.options;
    const text = bytes.toString('utf8', from, to);
    const isTyped = kind === kindJson || (kind === kindNumber && (!this.isCsv || hasNumbers));
    const hasCommas = comparing === 'mixedCommas' ? 1 : 0;
    const { exports } = this.hashes.kernel;
    const isNumber = !/e/i.test(text) && exports.isWrittenNumber(from, to, hasCommas) !== 0;
    return isTyped || isNumber || isNested(text) ? jsonMeaning(text.trim()) : undefined;
  }
}

/** A hash of 64 bits as text. */
function hashText(words: Int32Array, address: number): string {
  return `${words[address >>> 2]},${words[(address >>> 2) + 1]}`;
}

function copyHash(words: Int32Array, from: number, to: number): void {
  words.copyWithin(to >>> 2, from >>> 2, (from >>> 2) + 2);
}

/** What the kernel has in place of a hash: there is no key, or no record. */
const noKey = '0,0';
const noRecord = '-1,-1';

/** A secret factor for the values of a column. It is odd, so that different hashes stay different. */
function createFactor(name: string): Uint8Array {
  const { hashSeed } = threadKernel();
  const factor = createHmac('sha256', hashSeed).update(name).digest().subarray(0, 8);
  factor[0]! |= 1;
  return factor;
}

const noNodes: readonly ShapeNode[] = [];

/** What a thread needs to hash a range of records. */
export interface RecordHashPayload extends RecordHashOptions {
  /** For JSON, the ids of the columns of the key; for CSV, their positions; -1 if there is none. */
  readonly keys: readonly (string | number)[];
  readonly hashSeed: Uint8Array;
}

/** Hashes a range of records in another thread. */
export function newRecordHashTask(
  file: ReadableFile,
  { row, rows, form }: Pick<RangeRequest, 'row' | 'rows' | 'form'>,
  { keys, hashSeed, ...options }: RecordHashPayload,
): RecordHashTask {
  threadKernel().hashSeed.set(hashSeed);
  const isCsv = form.kind === 'csv';
  const fields = new RecordFields(file, isCsv);
  const nodes = keys.map((key) =>
    typeof key === 'string' ? file.shape.find(key) : fields.nodes[key],
  );
  return new RecordHashTask(file, isCsv, nodes, options, new RecordHashes(rows), -row);
}
