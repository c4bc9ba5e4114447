const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

/** A number with a point or a comma, also in forms that JSON does not have. No blank is tried twice. */
const writtenNumber = /^[ \t]*(?![ \t])([-+]?)(\d*)(?:[.,](\d*))?(?:[eE]([-+]?\d+))?[ \t]*$/;

/** The parts of a number in any of its forms, `exponent` is absent if it has none; of other texts, no digits. */
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
 * Whether a text is a number as programs write it into CSV: as in JSON, with blanks around it or a
 * plus, or without digits on one side of the point. A number that starts with a useless zero is a
 * text, such as a code. Its point may be a comma.
 */
export function isWrittenNumber(text: string): boolean {
  const { whole, fraction } = numberParts(text);
  const hasDigits = whole !== '' || fraction !== '';
  return hasDigits && !/^0\d/.test(whole);
}

/**
 * The number of a text as JSON writes it, with all its digits; `undefined` if it is not a number.
 * Its point may be a comma.
 */
export function formatJsonNumber(text: string): string | undefined {
  if (jsonNumber.test(text)) {
    return text;
  }
  if (!isWrittenNumber(text)) {
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
export function parseDouble(text: string): number {
  return Number(text.replace(',', '.'));
}
