import { parseDouble, numberParts } from './writtenNumbers';

/** Compares two numbers exactly, regardless of how many digits they have: negative, 0 or positive. */
export function compareNumbers(first: string, second: string): number {
  const difference = parseDouble(first) - parseDouble(second);
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

/** By the sign, whether a difference matches. */
export const comparisons = {
  '<': (difference: number) => difference < 0,
  '<=': (difference: number) => difference <= 0,
  '=': (difference: number) => difference === 0,
  '!=': (difference: number) => difference !== 0,
  '>=': (difference: number) => difference >= 0,
  '>': (difference: number) => difference > 0,
};
