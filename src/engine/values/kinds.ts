import { doubleOf, numberParts } from '../../vocabulary/writtenNumbers';
import type { CellKind } from '../data/cell';
import type { ColumnType } from '../data/column';

/* Kinds of values as small numbers, in the order of a mixed column's sort; values come before `null`. */

export const kinds = [
  'number',
  'date',
  'text',
  'boolean',
  'json',
  'null',
  'missing',
  'invalid',
] as const satisfies readonly CellKind[];

export const kindNumber = 0;
export const kindDate = 1;
export const kindText = 2;
export const kindBoolean = 3;
export const kindJson = 4;
export const kindNull = 5;
export const kindMissing = 6;
export const kindInvalid = 7;
/** An empty text, where values are sorted: it comes last, like null. */
export const kindEmptyText = 8;

/** Whether values of a kind are ordered by a number, which becomes their sort key. */
export function isMeasured(kind: number | undefined): boolean {
  return kind === kindNumber || kind === kindDate;
}

/** Whether all values of a column of this type have a kind for which `isMeasured` is true. */
export function isMeasuredType(type: ColumnType): boolean {
  return isMeasured(kinds.findIndex((kind) => kind === type));
}

/** The type of a column whose values are of these kinds, one bit each. */
export function columnType(bits: number): ColumnType {
  const values = bits & ((1 << kindNull) - 1);
  const one = kinds.find((_, kind) => values === 1 << kind);
  if (one !== undefined) {
    return one as ColumnType;
  }
  return (values & ~((1 << kindDate) | (1 << kindText))) === 0 ? 'text' : 'mixed';
}

/** Compares two numbers exactly, regardless of how many digits they have: negative, 0 or positive. */
export function compareNumbers(first: string, second: string): number {
  const difference = doubleOf(first) - doubleOf(second);
  // If doubles differ, their order is exact; if not, digits may be lost.
  if (difference !== 0 && !Number.isNaN(difference)) {
    return difference;
  }
  const one = decimal(first);
  const other = decimal(second);
  if (one.sign !== other.sign) {
    return one.sign - other.sign;
  }
  if (one.exponent !== other.exponent) {
    return (one.exponent < other.exponent ? -1 : 1) * one.sign;
  }
  return one.digits === other.digits ? 0 : (one.digits < other.digits ? -1 : 1) * one.sign;
}

/**
 * A number as 0.digits x 10^exponent, without zeros at either end, so that equal numbers have equal
 * parts.
 */
export function decimal(text: string): { sign: number; digits: string; exponent: number } {
  const { isNegative, whole, fraction, exponent = '0' } = numberParts(text);
  const all = whole + fraction;
  const started = all.replace(/^0+/, '');
  // Not by a regular expression, which would start again at each of many zeros before another
  // digit.
  let end = started.length;
  while (started.charCodeAt(end - 1) === 0x30) {
    end -= 1;
  }
  const digits = started.slice(0, end);
  return digits === ''
    ? { sign: 0, digits, exponent: 0 }
    : {
        sign: isNegative ? -1 : 1,
        digits,
        exponent: Number(exponent) + whole.length - (all.length - started.length),
      };
}
