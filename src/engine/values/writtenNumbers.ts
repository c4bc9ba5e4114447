const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

/** A number with a point or a comma, also in forms that JSON does not have. */
const writtenNumber = /^[ \t]*([-+]?)(\d*)(?:[.,](\d*))?(?:[eE]([-+]?\d+))?[ \t]*$/;

/** The parts of a number in any of its forms; `exponent` is absent if it has none. */
export function numberParts(text: string): {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: string | undefined;
} {
  const [, sign, whole = '', fraction = '', exponent] = writtenNumber.exec(text) ?? [];
  return { isNegative: sign === '-', whole, fraction, exponent };
}

/**
 * Whether the bytes are a number as programs write it into CSV: as in JSON, with blanks around it
 * or a plus, or without digits on one side of the point. A number that starts with a useless zero
 * is a text, such as a code.
 * @param hasCommas whether its point may be a comma.
 */
export function isWrittenNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
  hasCommas: boolean,
): boolean {
  let at = skipBlanks(bytes, from, to);
  if (at < to && (bytes[at] === 0x2b || bytes[at] === 0x2d)) {
    at += 1;
  }
  const first = at;
  at = skipDigits(bytes, at, to);
  let digits = at - first;
  if (digits > 1 && bytes[first] === 0x30) {
    return false;
  }
  if (at < to && (bytes[at] === 0x2e || (hasCommas && bytes[at] === 0x2c))) {
    const start = at + 1;
    at = skipDigits(bytes, start, to);
    digits += at - start;
  }
  if (digits > 0 && at < to && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    at += 1;
    if (at < to && (bytes[at] === 0x2b || bytes[at] === 0x2d)) {
      at += 1;
    }
    const start = at;
    at = skipDigits(bytes, start, to);
    digits = at - start;
  }
  return digits > 0 && skipBlanks(bytes, at, to) === to;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function skipDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isDigit(bytes[at])) {
    at += 1;
  }
  return at;
}

function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09)) {
    at += 1;
  }
  return at;
}

/** The number of a text as JSON writes it, with all its digits; `undefined` if it is not a number. */
export function jsonNumberOf(text: string, hasCommas = false): string | undefined {
  if (jsonNumber.test(text)) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  if (!isWrittenNumber(bytes, 0, bytes.length, hasCommas)) {
    return undefined;
  }
  const { isNegative, whole, fraction, exponent } = numberParts(text);
  return [
    isNegative ? '-' : '',
    whole === '' ? '0' : whole,
    fraction === '' ? '' : `.${fraction}`,
    exponent === undefined ? '' : `e${exponent}`,
  ].join('');
}

/** The number of a text in any of its forms, as a double. */
export function doubleOf(text: string): number {
  return Number(text.replace(',', '.'));
}
