import { decimal } from '../../vocabulary/compareNumbers';

/** Limits of the parser of JSON in Spark, which returns `null` for every member of a record beyond them. */
const maxDepth = 1000;
const maxNumberLength = 1000;
const maxNameLength = 50_000;

/** Whether Spark reads a record of JSON. */
export function isReadBySpark(json: Buffer): boolean {
  // Shorter records are within all limits.
  if (json.length <= maxNumberLength) {
    return true;
  }
  let depth = 0;
  for (const [part] of json.toString('latin1').matchAll(parts)) {
    if (part.startsWith('"')) {
      if (part.endsWith(':') && part.length > maxNameLength) {
        return false;
      }
    } else if (part === '{' || part === '[') {
      depth += 1;
      if (depth > maxDepth) {
        return false;
      }
    } else if (part === '}' || part === ']') {
      depth -= 1;
    } else if (part.length > maxNumberLength) {
      return false;
    }
  }
  return true;
}

/** The parts of JSON: names with what is between them and their values, texts, brackets and numbers. */
const parts = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)(?:\s*:)?|[{}[\]]|-?\d[-+.\deE]*/g;

/** Whether Spark keeps the values of the numbers in JSON with few enough digits for a double. */
export function keepsDigitsInSpark(json: string): boolean {
  return findFractions(json).every((text) => Math.abs(decimal(text).exponent) <= 22);
}

/** Whether Spark writes numbers in JSON, such as 1.5, without an exponent: 12345678.5 is 1.23456785E7. */
export function keepsTextInSpark(json: string): boolean {
  return findFractions(json).every((text) => {
    const size = Math.abs(Number(text));
    return !/[eE]/.test(text) && (size === 0 || (size >= 1e-3 && size < 1e7));
  });
}

/** The numbers in JSON that are not written as integers. */
export function findFractions(json: string): string[] {
  return [...json.matchAll(parts)].map(([part]) => part).filter((part) => /^-?\d+[.eE]/.test(part));
}
