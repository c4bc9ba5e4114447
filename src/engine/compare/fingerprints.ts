import { createHmac } from 'node:crypto';
import { kindJson, kindNumber } from '../values/kinds';
import { releaseBuffers } from '../threads/memory';
import { threadKernel } from '../threads/kernel';
import type { RangeRequest } from '../read/ranges/rangeReader';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import type { ReadableFile, Visitor } from '../read/records/visitor';
import { type ComparisonMode, isNested, jsonMeaning } from './meaning';
import { RecordFields } from './recordFields';

/**
 * Hashes of the keys and of the contents of records, by row: 64 bits each, in the memory of the kernel. They
 * depend on random bytes that never leave the process, so nobody can construct a record with the hash of
 * another one. With a million records, the chance that a change is missed is about 10^-12, and the chance that
 * any two of a million keys with a million others are mixed up about 10^-6, whatever the records are.
 */
export class Fingerprints {
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

/** How records are hashed. */
export interface FingerprintOptions {
  readonly comparing: ComparisonMode;
  /**
   * Whether the other file has numbers as keys, so that CSV keys that look like numbers are compared as
   * numbers.
   */
  readonly hasNumbers: boolean;
}

/**
 * Hashes records. A key is a text, as in CSV or in a JSON string. Equal JSON numbers are the same key, and so
 * are JSON objects with the same meaning. Between CSV and JSON, a decimal number is the same key as a number or
 * as a text.
 *
 * Records with the same hash of their contents have the same meaning. Others may have it too: that of JSON is a
 * hash of its bytes; where CSV is compared, values are hashed as texts.
 */
export class FingerprintTask implements Visitor {
  readonly growsShape = true;
  private readonly fields: RecordFields;
  private readonly value = newValue();
  private fieldNodes: readonly ShapeNode[] | undefined;
  private read: readonly ShapeNode[] = [];
  private keySlot = -1;
  /** By field: eight bytes that depend on its name. */
  private factors: Uint8Array | undefined;

  /** @param shift is added to a row to get its place in the fingerprints. */
  constructor(
    private readonly file: ReadableFile,
    private readonly isCsv: boolean,
    private readonly key: ShapeNode | undefined,
    private readonly options: FingerprintOptions,
    private readonly fingerprints: Fingerprints,
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
      this.read = [...new Set(this.key ? [...fields, this.key] : fields)];
      this.keySlot = this.key ? this.read.indexOf(this.key) : -1;
    }
    return this.read;
  }

  visit(records: RecordReader, row: number): void {
    const { fingerprints, fields, options, keySlot } = this;
    const { inKernel, count } = records;
    const { exports } = fingerprints.kernel;
    const first = row + this.shift;
    const isMixed = options.comparing.startsWith('mixed') ? 1 : 0;
    // How many keys need the hash of their meaning instead.
    if (exports.hashKeys(inKernel, count, keySlot, isMixed, fingerprints.key(first)) > 0) {
      this.hashMeanings(records, first);
    }
    const target = fingerprints.content(first);
    if (options.comparing === 'json' || (!this.isCsv && this.file.shape.isPartial)) {
      exports.hashRecords(inKernel, count, target);
    } else {
      const factors = (this.factors ??= Buffer.concat(fields.names.map(createFactor)));
      const address = fingerprints.kernel.place(factors, 0, factors.length);
      exports.hashValues(inKernel, count, factors.length / 8, address, target);
    }
  }

  /** A copy of all, for another thread. */
  finish(): Uint8Array {
    return this.fingerprints.part();
  }

  dispose(): void {
    this.fingerprints.release();
  }

  /** Hashes the meanings of the keys of which the kernel has hashed nothing. */
  private hashMeanings(records: RecordReader, first: number): void {
    const { fingerprints, value } = this;
    const { kernel } = fingerprints;
    for (let record = 0; record < records.count; record += 1) {
      const target = fingerprints.key(first + record);
      if (kernel.words[target >>> 2] === 1 && kernel.words[(target >>> 2) + 1] === 0) {
        records.read(record, this.keySlot, value);
        const meaning = this.keyMeaning();
        if (meaning === undefined) {
          kernel.exports.hashKey(value.from, value.to - value.from, target);
        } else {
          fingerprints.hash(meaning, target);
        }
      }
    }
  }

  /**
   * The meaning of a key that is a number or an object, or may be one; `undefined` if it is a text. A text with an
   * `e` may be an ID, unless all keys of the other file are numbers.
   */
  private keyMeaning(): string | undefined {
    const { kind, bytes, from, to } = this.value;
    const { comparing, hasNumbers } = this.options;
    const text = bytes.toString('utf8', from, to);
    const isTyped = kind === kindJson || (kind === kindNumber && (!this.isCsv || hasNumbers));
    const hasCommas = comparing === 'mixedCommas' ? 1 : 0;
    const { exports } = this.fingerprints.kernel;
    const isNumber = !/e/i.test(text) && exports.isWrittenNumber(from, to, hasCommas) !== 0;
    return isTyped || isNumber || isNested(text) ? jsonMeaning(text.trim()) : undefined;
  }
}

/** A secret factor for the values of a column. It is odd, so that different hashes stay different. */
function createFactor(name: string): Uint8Array {
  const { hashSeed } = threadKernel();
  const factor = createHmac('sha256', hashSeed).update(name).digest().subarray(0, 8);
  factor[0]! |= 1;
  return factor;
}

const noNodes: readonly ShapeNode[] = [];

/** What a thread needs to hash a range of records. */
export interface FingerprintPayload extends FingerprintOptions {
  /** For JSON, the id of the column; for CSV, its position; -1 if there is none. */
  readonly key: string | number;
  readonly hashSeed: Uint8Array;
}

/** Hashes a range of records in another thread. */
export function newFingerprintTask(
  file: ReadableFile,
  { row, rows, form }: Pick<RangeRequest, 'row' | 'rows' | 'form'>,
  { key, hashSeed, ...options }: FingerprintPayload,
): FingerprintTask {
  threadKernel().hashSeed.set(hashSeed);
  const isCsv = form.kind === 'csv';
  const node =
    typeof key === 'string' ? file.shape.find(key) : new RecordFields(file, isCsv).nodes[key];
  return new FingerprintTask(file, isCsv, node, options, new Fingerprints(rows), -row);
}
