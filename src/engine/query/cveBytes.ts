/** Of the number after the year, as in `cveCodes`. */
const numbersOfYear = 1e9;
const longestNumber = 19;
/** `CVE-2026-1234`. */
const shortest = 13;

/**
 * Calls back with each id of CVE in some bytes of UTF-8, as `cveCodes` finds them in a text. A column has millions of
 * values: to make a text of each would take longer than all else.
 */
export function visitCves(
  bytes: Uint8Array,
  from: number,
  to: number,
  visit: (code: number) => void,
): void {
  for (let at = from; at + shortest <= to; at += 1) {
    // Lower case differs in one bit.
    if (
      (bytes[at]! | 0x20) === 0x63 &&
      (bytes[at + 1]! | 0x20) === 0x76 &&
      (bytes[at + 2]! | 0x20) === 0x65 &&
      bytes[at + 3] === hyphen &&
      bytes[at + 8] === hyphen &&
      !(at > from && isOfName(bytes[at - 1]!))
    ) {
      const end = endOfDigits(bytes, at + 9, to);
      const digits = end - (at + 9);
      const isWhole = end === to || !isOfName(bytes[end]!);
      if (
        isWhole &&
        digits >= 4 &&
        digits <= longestNumber &&
        endOfDigits(bytes, at + 4, at + 8) === at + 8
      ) {
        const number = readDigits(bytes, at + 9, end);
        if (number < numbersOfYear) {
          visit(readDigits(bytes, at + 4, at + 8) * numbersOfYear + number);
        }
        at = end - 1;
      }
    }
  }
}

const hyphen = 0x2d;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Whether a byte may be part of a longer name: a letter, a digit, `_` or `-`. */
function isOfName(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || isDigit(byte) || byte === 0x5f || byte === hyphen;
}

function endOfDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isDigit(bytes[at]!)) {
    at += 1;
  }
  return at;
}

function readDigits(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    number = number * 10 + (bytes[at]! - 0x30);
  }
  return number;
}
