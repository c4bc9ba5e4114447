import { message } from '../../base/message';
import { compareNumbers, decimal } from '../../vocabulary/compareNumbers';
import { kindDate, kindJson, kindNumber, kindText } from '../values/kinds';
import { parseDouble } from '../../vocabulary/writtenNumbers';
import type { ShapeNode } from '../read/records/shape';
import { findFractions, keepsDigitsInSpark, keepsTextInSpark } from './sqlSpark';
import { type SqlRefusal, stayHere, toCsv } from './sqlRefusal';

/** What values of a column must be, so that engines read, compare and write them as the table does. */
export interface Need extends SqlRefusal {
  /** The kinds of values that need it. */
  readonly kinds: readonly number[];
  readonly fits: (text: string, kind: number) => boolean;
}

/** What a query needs of its columns. */
export type Needs = Map<ShapeNode, ReadonlySet<Need>>;

const longNumbers = message('The column "{0}" has numbers with too many digits for SQL.');

/** Of values of several kinds. */
export const unlike: SqlRefusal = {
  reason: message('SQL would compare the values of the column "{0}" differently.'),
  remedy: stayHere,
};

const keptDigits = {
  kinds: [kindNumber, kindJson],
  fits: keepsDigits,
  reason: longNumbers,
  remedy: toCsv,
} as const;
const keptTexts = {
  kinds: [kindNumber, kindJson],
  fits: keepsText,
  reason: message('SQL would write values of the column "{0}" differently.'),
  remedy: toCsv,
} as const;

export const needs = {
  exactNumbers: {
    kinds: [kindNumber],
    fits: isExactDouble,
    reason: longNumbers,
    remedy: stayHere,
  },
  knownDates: {
    kinds: [kindDate],
    fits: isKnownDate,
    reason: message('The column "{0}" has dates in a form that SQL does not read.'),
    remedy: stayHere,
  },
  noDates: { ...unlike, kinds: [kindDate], fits: () => false },
  plainLetters: {
    kinds: [kindText, kindJson],
    fits: hasPlainLetters,
    reason: message('The column "{0}" has letters whose case SQL does not ignore.'),
    remedy: stayHere,
  },
  keptDigits,
  keptTexts,
  keptDigitsBySpark: {
    ...keptDigits,
    fits: (text) => keepsDigits(text) && keepsDigitsInSpark(text),
  },
  keptTextsBySpark: { ...keptTexts, fits: (text) => keepsText(text) && keepsTextInSpark(text) },
} as const satisfies Readonly<Record<string, Need>>;

/** The table has several ways to have no value, and SQL one. @param kinds at most one of them may be there. */
export function onlyOneKind(...kinds: readonly number[]): Need {
  let first: number | undefined;
  return { ...unlike, kinds, fits: (_text, kind) => (first ??= kind) === kind };
}

/**
 * Whether doubles compare a number exactly, also with others of which this is true: it has at most
 * 15 digits, or is an integer up to 2^53.
 */
export function isExactDouble(text: string): boolean {
  const { digits, exponent } = decimal(text);
  const isInteger = digits.length <= exponent;
  return digits.length <= 15
    ? Math.abs(exponent) < 300
    : isInteger && Number.isSafeInteger(parseDouble(text));
}

const knownDate =
  /^\d{4}-\d\d-\d\d([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?(Z|[+-](0\d|1[0-7])(:?[0-5]\d)?)?)?)?$/;

/**
 * Whether engines read a date. They know more forms than the table, such as `2026-1-2`, and fewer,
 * such as times without seconds but with a zone, or 18 hours and more from UTC.
 */
export function isKnownDate(text: string): boolean {
  return knownDate.test(text);
}

/** The lower case of an I with a dot is one or two letters, that of a sigma depends on its place. */
function hasPlainLetters(text: string): boolean {
  return !/[\u0130\u03a3]/.test(text);
}

/** Whether engines keep the value of a number of JSON, or of all in a list. They keep all digits of integers. */
export function keepsDigits(json: string): boolean {
  // Others have few enough digits for a double.
  if (!/[eE]|[\d.]{16}/.test(json)) {
    return true;
  }
  return findFractions(json).every((text) => compareNumbers(text, String(Number(text))) === 0);
}

/**
 * Whether DuckDB writes a number or list of JSON as it is in the file. It writes 1.50 as 1.5, 1e3 as
 * 1000.0, and lists without blanks and useless escapes.
 */
export function keepsText(json: string): boolean {
  if (isInteger(json)) {
    return json !== '-0';
  }
  try {
    const written = JSON.stringify(JSON.parse(json));
    return !/\\u|[eE]\+/.test(json) && (written === json || `${written}.0` === json);
  } catch {
    // It is too deep.
    return false;
  }
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}
