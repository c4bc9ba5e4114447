import { ExactNumber, isContainer, type JsonValue } from './json';

/**
 * Parses a JSON text as `JSON.parse` does, and keeps numbers as they are written: see {@link ExactNumber}.
 *
 * Rejected: the reviver of `JSON.parse`, which gets the source of a number. It is called for each value, so it
 * would slow down every page, and it calls itself for each level, so deep values would overflow the stack.
 *
 * @throws SyntaxError if the text is not valid JSON.
 */
export function parseJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  const numbers = changedNumbers(text);
  return numbers.length === 0 ? value : parseExactly(text, numbers);
}

/** Where a number is in a text; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Parses a text with a string in place of each of these numbers, and then replaces the strings. */
function parseExactly(text: string, numbers: readonly Span[]): JsonValue {
  // No string of the text begins with it, because the service cannot guess it.
  const mark = `${crypto.randomUUID()}:`;
  const parts: string[] = [];
  let end = 0;
  for (const [index, number] of numbers.entries()) {
    parts.push(text.slice(end, number.start), `"${mark}${index}"`);
    ({ end } = number);
  }
  parts.push(text.slice(end));
  const root = { value: JSON.parse(parts.join('')) as JsonValue };
  const open: object[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    const container = next as Record<string, JsonValue>;
    for (const [name, value] of Object.entries(container)) {
      if (isContainer(value)) {
        open.push(value);
      } else if (typeof value === 'string' && value.startsWith(mark)) {
        const number = numbers[Number(value.slice(mark.length))];
        container[name] = new ExactNumber(text.slice(number?.start, number?.end));
      }
    }
  }
  return root.value;
}

/** The numbers of a valid JSON text that `JSON.stringify` would write differently, in their order. */
function changedNumbers(text: string): Span[] {
  const numbers: Span[] = [];
  const next = /["\d-]/g;
  const number = /[-+.eE\d]+/y;
  while (next.test(text)) {
    const start = next.lastIndex - 1;
    if (text[start] === '"') {
      next.lastIndex = endOfString(text, start);
    } else {
      number.lastIndex = start;
      number.test(text);
      next.lastIndex = number.lastIndex;
      if (isChanged(text.slice(start, number.lastIndex))) {
        numbers.push({ start, end: number.lastIndex });
      }
    }
  }
  return numbers;
}

/** The end of the string that starts at a quote, in a valid JSON text. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

function isChanged(number: string): boolean {
  // Most numbers are short integers.
  const isShort = number.length <= 15 && /^\d+$/.test(number);
  return !isShort && String(Number(number)) !== number;
}
