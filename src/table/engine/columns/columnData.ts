import { ByteTexts, type TextsPart } from '../read/byteTexts';
import {
  compareNumbers,
  isMeasured,
  isPlain,
  kindDate,
  kindNull,
  kindNumber,
  kindText,
  numberValue,
  parseDate,
} from './kinds';
import { releaseBuffers } from './memory';
import type { Value } from '../read/walker';

/** Codes below this mark rows without a value: the code is the kind minus `kindNull`. */
export const firstValueCode = 3;

/**
 * The values of a column by row, as codes of its distinct values. For columns with many repeated
 * values.
 */
export interface DictionaryColumn {
  readonly type: 'dictionary';
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly texts: ByteTexts;
}

/**
 * A column with nearly as many values as rows. For each row, it holds only the kind and the first
 * 64 bits of the sort key. The values stay in the file.
 */
export interface WideColumn {
  readonly type: 'wide';
  readonly kinds: Uint8Array;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Whether numbers and dates with equal keys are written the same. */
  readonly isPlain: boolean;
  /** The length of the common prefix that the keys leave out. */
  readonly prefixLength: number;
}

export type ColumnData = DictionaryColumn | WideColumn;

export interface TieLimits {
  /** Bytes of texts that are held at the same time. */
  readonly bytes: number;
  /** How many times texts that are still equal are read further; each time scans the file. */
  readonly rounds: number;
}

export interface ColumnLimits {
  /** Distinct values above which a column is wide. */
  readonly maxValues: number;
  /** Bytes of distinct values above which a column is wide. */
  readonly maxTextBytes: number;
  /**
   * After this many rows, a column with more than half as many values is unlikely to stay below
   * `maxValues`.
   */
  readonly triedRows: number;
  /** Limits for ordering long texts; see `Ties`. */
  readonly ties?: TieLimits;
}

export const defaultColumnLimits: ColumnLimits = {
  maxValues: 1_000_000,
  maxTextBytes: 64 * 1024 ** 2,
  // At this row, the codes still have 16 bits.
  triedRows: 60_000,
};

/** The bytes of memory that a column holds. */
export function sizeOf(column: ColumnData): number {
  return column.type === 'dictionary'
    ? column.codes.byteLength + column.texts.size
    : column.kinds.length + column.high.length * 8;
}

/** All arrays that hold the memory of a column. */
export function arraysOf(column: ColumnData): readonly ArrayBufferView[] {
  return column.type === 'dictionary'
    ? [column.codes, ...column.texts.arrays]
    : [column.kinds, column.high, column.low];
}

/** A part of the rows, with its own codes. */
export interface DictionaryPart {
  readonly codes: DictionaryColumn['codes'];
  readonly texts: TextsPart;
}

/** Builds a dictionary column row by row, as long as a dictionary is worth it. */
export class DictionaryBuilder {
  private codes: Uint8Array | Uint16Array | Uint32Array;
  /** The highest code that fits. It is stored, because a power of two would be calculated for each row. */
  private mostCode = 0xff;
  private readonly texts = new ByteTexts();

  /**
   * @param rows how many are expected; there may be more.
   * @param mayBeWide whether there are more rows than values that a dictionary may have.
   */
  constructor(
    rows: number,
    private readonly limits: ColumnLimits,
    private readonly mayBeWide = false,
  ) {
    this.codes = new Uint8Array(rows);
  }

  /** @returns whether the column is still a dictionary. If not, it must be built as a wide column. */
  add(row: number, value: Value): boolean {
    if (row >= this.codes.length) {
      this.codes = lengthened(this.codes, row + 1);
    }
    if (value.kind >= kindNull) {
      this.codes[row] = value.kind - kindNull;
      return true;
    }
    const { texts } = this;
    const before = texts.count;
    const number = texts.add(value.kind, value.bytes, value.from, value.to);
    const code = number + firstValueCode;
    if (number === before) {
      this.makeRoom(code);
    }
    this.codes[row] = code;
    return (number < before || this.fits()) && !this.isTried(row);
  }

  private fits(): boolean {
    const { maxValues, maxTextBytes } = this.limits;
    return this.texts.count <= maxValues && this.texts.textBytes <= maxTextBytes;
  }

  /** Whether the values in the first rows are so many that the column is unlikely to stay a dictionary. */
  private isTried(row: number): boolean {
    return this.mayBeWide && row === this.limits.triedRows && this.texts.count * 2 > row;
  }

  /** The column for a part of the rows, as plain data. */
  part(): DictionaryPart {
    return { codes: this.codes, texts: this.texts.part() };
  }

  /**
   * Adds the next rows, which were built apart.
   * @returns as `add`
   */
  take({ codes, texts }: DictionaryPart, from: number): boolean {
    const bytes = Buffer.from(texts.bytes.buffer, texts.bytes.byteOffset, texts.bytes.length);
    const codeOf = new Uint32Array(texts.kinds.length + firstValueCode);
    for (let code = 0; code < codeOf.length; code += 1) {
      codeOf[code] = code;
    }
    for (let at = 0; at < texts.kinds.length; at += 1) {
      const [start, stop] = [texts.offsets[at]!, texts.offsets[at + 1]!];
      const number = this.texts.add(texts.kinds[at]!, bytes, start, stop);
      if (!this.fits()) {
        return false;
      }
      codeOf[at + firstValueCode] = number + firstValueCode;
    }
    this.makeRoom(this.texts.count + firstValueCode - 1);
    if (from + codes.length > this.codes.length) {
      this.codes = lengthened(this.codes, from + codes.length);
    }
    for (let row = 0; row < codes.length; row += 1) {
      this.codes[from + row] = codeOf[codes[row]!]!;
    }
    releaseBuffers(codes, texts.bytes, texts.offsets);
    return true;
  }

  private makeRoom(code: number): void {
    if (code > this.mostCode) {
      const { length } = this.codes;
      const larger = code < 65_536 ? new Uint16Array(length) : new Uint32Array(length);
      larger.set(this.codes);
      releaseBuffers(this.codes);
      this.codes = larger;
      this.mostCode = code < 65_536 ? 0xffff : 0xffff_ffff;
    }
  }

  /** The common prefix of all texts so far. */
  commonPrefix(): Buffer {
    const { texts } = this;
    let prefix: Buffer | undefined;
    for (let number = 0; number < texts.count; number += 1) {
      if (texts.kind(number) === kindText) {
        const text = texts.bytes.subarray(texts.from(number), texts.to(number));
        prefix ??= Buffer.from(text);
        let length = 0;
        while (length < prefix.length && prefix[length] === text[length]) {
          length += 1;
        }
        prefix = prefix.subarray(0, length);
      }
    }
    return prefix ?? Buffer.alloc(0);
  }

  /** @param rows how many there are. */
  finish(rows: number): DictionaryColumn {
    return { type: 'dictionary', codes: this.codes.subarray(0, rows), texts: this.texts };
  }

  /** Releases the memory; the column is built as a wide one. */
  drop(): void {
    releaseBuffers(this.codes, ...this.texts.arrays);
  }
}

/** Takes the values of a wide column row by row. */
export class WideBuilder {
  private readonly column: { -readonly [Key in keyof WideColumn]: WideColumn[Key] };
  private readonly key: SortKeyMaker;

  /** @param rows how many are expected; there may be more. */
  constructor(rows: number, prefix: Buffer) {
    this.key = new SortKeyMaker(prefix);
    this.column = {
      type: 'wide',
      isPlain: true,
      prefixLength: prefix.length,
      kinds: new Uint8Array(rows),
      high: new Uint32Array(rows),
      low: new Uint32Array(rows),
    };
  }

  /** @returns true: any value fits. */
  add(row: number, value: Value): boolean {
    const { column, key } = this;
    if (row >= column.kinds.length) {
      this.lengthen(row + 1);
    }
    column.kinds[row] = value.kind;
    if (value.kind < kindNull) {
      if (value.kind === kindDate) {
        key.setNumber(value.time);
      } else {
        key.set(value.kind, value.bytes, value.from, value.to);
      }
      column.high[row] = key.high;
      column.low[row] = key.low;
      if (isMeasured(value.kind)) {
        column.isPlain &&= isPlain(value.kind, value.bytes, value.from, value.to);
      }
    }
    return true;
  }

  /** Adds the next rows, which were built apart. */
  take({ kinds, high, low, isPlain }: WideColumn, from: number): void {
    const { column } = this;
    if (from + kinds.length > column.kinds.length) {
      this.lengthen(from + kinds.length);
    }
    column.kinds.set(kinds, from);
    column.high.set(high, from);
    column.low.set(low, from);
    column.isPlain &&= isPlain;
    releaseBuffers(kinds, high, low);
  }

  /** @param rows how many there are. */
  finish(rows: number): WideColumn {
    const { kinds, high, low } = this.column;
    return {
      ...this.column,
      kinds: kinds.subarray(0, rows),
      high: high.subarray(0, rows),
      low: low.subarray(0, rows),
    };
  }

  private lengthen(rows: number): void {
    const { column } = this;
    column.kinds = lengthened(column.kinds, rows);
    column.high = lengthened(column.high, rows);
    column.low = lengthened(column.low, rows);
  }
}

/** A copy with room for this many rows and some more. The original array is released. */
function lengthened<T extends Uint8Array | Uint16Array | Uint32Array>(array: T, rows: number): T {
  const larger = new (array.constructor as new (length: number) => T)(
    Math.max(rows, Math.ceil(1.25 * array.length)),
  );
  larger.set(array);
  releaseBuffers(array);
  return larger;
}

const float = new Float64Array(1);
const floatBits = new Uint32Array(float.buffer);

/** Creates 64-bit keys that have the same order as the values of a kind, as far as 64 bits allow. */
export class SortKeyMaker {
  high = 0;
  low = 0;

  /** @param prefix the prefix of nearly all texts; the keys contain the bytes after it. */
  constructor(private readonly prefix: Uint8Array = new Uint8Array()) {}

  set(kind: number, bytes: Buffer, from: number, to: number): void {
    if (isMeasured(kind)) {
      this.setNumber(
        kind === kindNumber ? numberValue(bytes, from, to) : parseDate(bytes, from, to),
      );
      return;
    }
    const { prefix } = this;
    for (let at = 0; at < prefix.length; at += 1) {
      const byte = from + at < to ? bytes[from + at]! : -1;
      if (byte !== prefix[at]) {
        this.high = byte < prefix[at]! ? 0 : 0xffff_ffff;
        this.low = this.high;
        return;
      }
    }
    const at = from + prefix.length;
    this.high = word(bytes, at, to);
    this.low = word(bytes, at + 4, to);
  }

  /** @param value the number, or the time of a date. */
  setNumber(value: number): void {
    // This makes -0 and 0 equal.
    float[0] = value + 0;
    const low = floatBits[0]!;
    const high = floatBits[1]!;
    const isNegative = high >>> 31 === 1;
    this.high = (isNegative ? ~high : high | 0x8000_0000) >>> 0;
    this.low = (isNegative ? ~low : low) >>> 0;
  }
}

/** Whether the key belongs, or may belong, to a text without the prefix. Such a key has no information. */
export function isBesidePrefix(high: number, low: number): boolean {
  return high === low && (high === 0 || high === 0xffff_ffff);
}

function word(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < from + 4; at += 1) {
    value = (value << 8) | (at < to ? bytes[at]! : 0);
  }
  return value >>> 0;
}

/** Two values of one kind: the bytes of the first and of the second, each with its range. */
export type TwoValues = readonly [
  kind: number,
  first: Buffer,
  firstFrom: number,
  firstTo: number,
  second: Buffer,
  secondFrom: number,
  secondTo: number,
];

/** Compares two values of one kind: by value, then as written. */
export function compareValues(...values: TwoValues): number {
  const [, first, firstFrom, firstTo, second, secondFrom, secondTo] = values;
  const difference = compareOrder(...values);
  return difference === 0
    ? first.compare(second, secondFrom, secondTo, firstFrom, firstTo)
    : difference;
}

/** Compares two values of one kind as a sort does: 1 and 1.0 are equal. */
export function compareOrder(
  ...[kind, first, firstFrom, firstTo, second, secondFrom, secondTo]: TwoValues
): number {
  switch (kind) {
    case kindNumber:
      return compareNumbers(
        first.toString('latin1', firstFrom, firstTo),
        second.toString('latin1', secondFrom, secondTo),
      );
    case kindDate:
      return parseDate(first, firstFrom, firstTo) - parseDate(second, secondFrom, secondTo);
    default:
      return first.compare(second, secondFrom, secondTo, firstFrom, firstTo);
  }
}
