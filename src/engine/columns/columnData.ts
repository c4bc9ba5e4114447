import type { TextList } from '../values/texts';
import { compareNumbers } from '../../vocabulary/compareNumbers';
import { isMeasured, kindDate, kindNumber } from '../values/kinds';
import { numberValue, parseDate } from '../values/measures';

/** Codes below this mark rows without a value: the code is the kind minus `kindNull`. */
export const firstValueCode = 3;
/** How many ranks follow those of the values: for empty texts, null, missing and invalid. */
export const emptyRanks = 4;

/**
 * The values of a column by row, as codes of its distinct values. For columns with many repeated
 * values.
 */
export interface DictionaryColumn {
  readonly type: 'dictionary';
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly texts: TextList;
}

/**
 * A column with nearly as many values as rows. For each row, it holds only the kind and the first
 * 64 bits of the sort key. The values stay in the file.
 */
export interface WideColumn {
  readonly type: 'wide';
  /** An empty text is `kindEmptyText`. */
  readonly kinds: Uint8Array;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Whether numbers and dates with equal keys are written the same. */
  readonly isPlain: boolean;
  /** The length of the common prefix that the keys leave out. */
  readonly prefixLength: number;
}

export type ColumnData = DictionaryColumn | WideColumn;

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
  /** Bytes of texts with equal keys that are in memory at the same time. */
  readonly tieBytes?: number;
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
      const read = kind === kindNumber ? numberValue : parseDate;
      this.setNumber(read(bytes, from, to));
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
