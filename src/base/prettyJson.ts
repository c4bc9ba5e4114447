import { deepestShown } from './json';

/**
 * Lays out a JSON text over lines, two spaces a level. Only what is between its tokens changes:
 * numbers of any length, escapes and double keys stay as they were written, which they would not
 * if the text were parsed and rewritten.
 *
 * @param maxBytes what the laid-out text may take in UTF-8: spaces may be a hundred times the rest.
 * @returns `undefined` for what is not one JSON text (RFC 8259), is nested deeper than 200 levels, or
 * would take more bytes.
 */
export function prettyJson(text: string, maxBytes = Infinity): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const parts: string[] = [];
  /** The starts of lines, by depth. */
  const lines: string[] = [];
  let depth = 0;
  /** How many bytes the layout may still add, after the whole text itself is counted. */
  let room = maxBytes - Buffer.byteLength(text) - 1;
  let end: number;
  for (let at = skip(0); at < text.length; at = skip(end)) {
    if (room + text.length - at < 0) {
      // Too large, even if all the text that is left were spaces, which are left out.
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
          // Every level adds its indentation to each line in it: a few megabytes of brackets would
          // become terabytes.
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
   * Without a regular expression: one call per token takes seconds for millions of tokens, and a
   * long string would overflow the stack.
   */
  function endOfToken(start: number): number {
    let at = start;
    if (text[start] === '"') {
      at += 1;
      while (text[at] !== '"') {
        at += text[at] === '\\' ? 2 : 1;
      }
      return at + 1;
    }
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

/** What numbers and the words `true`, `false` and `null` are made of. */
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
