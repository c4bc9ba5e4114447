import { deepestShown } from './json';
import { endOfString } from './parseJson';

/**
 * Indents a JSON text by two spaces per level. Only the white space between tokens changes: numbers of any
 * length, escapes and duplicate keys stay as they were written. Parsing and serializing the text would
 * change them.
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
  /** Line breaks with their indentation, by depth. */
  const lines: string[] = [];
  let depth = 0;
  /** How many bytes may still be added to those of the text. */
  let room = maxBytes - Buffer.byteLength(text) - 1;
  let end: number;
  for (let at = skip(0); at < text.length; at = skip(end)) {
    if (room + text.length - at < 0) {
      // Too large, even if the rest of the text were spaces, which are dropped.
      return undefined;
    }
    end = endOfToken(at);
    const part = text.slice(at, end);
    if (part === '{' || part === '[') {
      const next = skip(end);
      if (text[next] === '}' || text[next] === ']') {
        parts.push(part, text[next] ?? '');
        end = next + 1;
      } else {
        depth += 1;
        if (depth > deepestShown) {
          // Each line is indented by its depth: a few megabytes of brackets would become terabytes.
          return undefined;
        }
        parts.push(part, newLine());
      }
    } else if (part === '}' || part === ']') {
      depth -= 1;
      parts.push(newLine(), part);
    } else if (part === ',') {
      parts.push(part, newLine());
    } else if (part === ':') {
      room -= 1;
      parts.push(': ');
    } else {
      parts.push(part);
    }
  }
  return room < 0 ? undefined : `${parts.join('')}\n`;

  function newLine(): string {
    room -= 1 + 2 * depth;
    return (lines[depth] ??= `\n${'  '.repeat(depth)}`);
  }

  /**
   * Uses no regular expression: one call per token takes seconds for millions of tokens, and a long string
   * would overflow the stack.
   */
  function endOfToken(start: number): number {
    if (text[start] === '"') {
      return endOfString(text, start);
    }
    let at = start;
    while (isOfWord(text.charCodeAt(at))) {
      at += 1;
    }
    return Math.max(at, start + 1);
  }

  /** Where the next token begins; the spaces before it are not written. */
  function skip(from: number): number {
    let at = from;
    while (isBlank(text.charCodeAt(at))) {
      at += 1;
    }
    room += at - from;
    return at;
  }
}

/** White space of JSON (RFC 8259, section 2). */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The characters of numbers and of `true`, `false` and `null`. */
function isOfWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x45
  );
}
