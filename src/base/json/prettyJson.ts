import { deepestShown } from './json';
import { endOfString } from './parseJson';

/**
 * Indents a JSON text by two spaces per level. Only the white space between tokens changes: numbers of any
 * length, escapes and duplicate keys stay as they were written. Parsing and serializing the text would
 * change them. Uses no regular expression: a long string would overflow its stack.
 *
 * @param maxBytes the largest result, in bytes of UTF-8. The added spaces may take a hundred times the rest.
 * @returns `undefined` if the text is not one JSON text (RFC 8259) or is nested deeper than 200 levels, or
 * if the result would be larger than `maxBytes`.
 */
export function prettyJson(text: string, maxBytes = Infinity): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  /** The line break before the next token; none in an empty list or object. */
  let pending = '';
  const put = (part: string) => {
    if (part !== '') {
      parts.push(pending, part);
      length += pending.length + part.length;
      pending = '';
    }
  };
  let start = 0;
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? '';
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    const isSeparator = '{}[],: \n\r\t'.includes(character);
    if (isSeparator) {
      put(text.slice(start, at));
      start = at + 1;
    }
    at += 1;
    if (character === '{' || character === '[') {
      put(character);
      depth += 1;
      pending = lineAt(depth);
    } else if (character === '}' || character === ']') {
      depth -= 1;
      pending = pending === '' ? lineAt(depth) : '';
      put(character);
    } else if (character === ',') {
      put(character);
      pending = lineAt(depth);
    } else if (character === ':') {
      put(': ');
    }
    // Each line is indented by its depth: a few megabytes of brackets would become terabytes.
    if (depth > deepestShown || length > maxBytes) {
      return undefined;
    }
  }
  put(text.slice(start));
  const pretty = `${parts.join('')}\n`;
  return Buffer.byteLength(pretty) > maxBytes ? undefined : pretty;
}

/** Line breaks with their indentation, by depth. */
const lines: string[] = [];

function lineAt(depth: number): string {
  return (lines[depth] ??= `\n${'  '.repeat(depth)}`);
}
