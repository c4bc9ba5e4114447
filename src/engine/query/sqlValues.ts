import { compareNumbers, decimal } from '../values/kinds';
import { doubleOf } from '../values/writtenNumbers';

/* Which values the engines of SQL read as the table does. What they keep and write is that of DuckDB. */

/**
 * Whether doubles compare a number exactly, also with others of which this is true: it has at most
 * 15 digits, or is an integer up to 2^53.
 */
export function isExactDouble(text: string): boolean {
  const { digits, exponent } = decimal(text);
  const isInteger = digits.length <= exponent;
  return digits.length <= 15
    ? Math.abs(exponent) < 300
    : isInteger && Number.isSafeInteger(doubleOf(text));
}

/** Whether a number of JSON keeps its value. Engines keep all digits of integers. */
export function keepsValue(text: string): boolean {
  const number = Number(text);
  return isInteger(text) || (Number.isFinite(number) && compareNumbers(text, String(number)) === 0);
}

/** Whether a number of JSON is written as it is in the file: 1.50 becomes 1.5, and 1e3 becomes 1000.0. */
export function keepsNumberText(text: string): boolean {
  if (isInteger(text)) {
    return text !== '-0';
  }
  const written = String(Number(text));
  return !written.includes('e+') && (written === text || `${written}.0` === text);
}

/** Whether an array or object is written as it is in the file: without blanks and useless escapes. */
export function keepsJsonText(text: string): boolean {
  try {
    return !/\\u|[eE]\+/.test(text) && JSON.stringify(JSON.parse(text)) === text;
  } catch {
    // It is too deep.
    return false;
  }
}

/** Whether all numbers in an array or object keep their values. */
export function keepsInnerValues(text: string): boolean {
  const numbers = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').match(/-?\d[-+.\deE]*/g) ?? [];
  return numbers.every(keepsValue);
}

/**
 * The dates that engines read as the table does, as a regular expression that is the same in all of
 * them. They know more forms of dates, such as `2026-1-2`, and fewer, such as times without seconds
 * but with a zone.
 */
export function datePattern(isCsv: boolean): string {
  const blanks = isCsv ? ' *' : '';
  const hour = '([01][0-9]|2[0-3])';
  const zone = `(Z|[+-]${hour}(:?[0-5][0-9])?)?`;
  const second = `(:[0-5][0-9]([.][0-9]{1,6})?${zone})?`;
  const time = `([T ]${hour}:[0-5][0-9]${second})?`;
  return `^${blanks}[0-9]{4}-[0-9]{2}-[0-9]{2}${time}${blanks}$`;
}

/**
 * Letters whose lower case is not the same in all engines: a capital I with a dot becomes one or two
 * letters, and that of a sigma depends on its place.
 */
export const otherCase = [Buffer.from('\u0130'), Buffer.from('\u03a3')] as const;

/** Whether DuckDB may read a line that is not JSON: it allows more commas, and numbers that are not finite. */
export function mayBeRead(line: string): boolean {
  const strict = line
    .replace(/[\0\f\v]/g, ' ')
    .replace(/,(?=\s*[\]}])/g, '')
    .replace(/-?\b(nan|inf(inity)?)\b/gi, '0');
  try {
    JSON.parse(strict);
    return true;
  } catch {
    return false;
  }
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}
