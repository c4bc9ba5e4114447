/** Each level indents all that is in it: a few megabytes of brackets would become terabytes. */
const deepest = 200;

/**
 * Lays out a JSON text over lines, two blanks a level. Only what is between its tokens changes:
 * numbers of any length, escapes and double keys stay as they were written, which they would not
 * if the text were parsed and written anew.
 *
 * @returns `undefined` for what is not one JSON text (RFC 8259), or is nested deeper than 200 levels.
 */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const parts: string[] = [];
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  const word = /[^\s"{}[\],:]+/y;
  const blank = /\s*/y;
  let end: number;
  for (let at = skip(0); at < text.length; at = skip(end)) {
    end = endOfToken(at);
    const part = text.slice(at, end);
    if (part === '{' || part === '[') {
      const next = skip(end);
      if (text[next] === '}' || text[next] === ']') {
        parts.push(part, text[next] ?? '');
        end = next + 1;
      } else {
        depth += 1;
        if (depth > deepest) {
          return undefined;
        }
        parts.push(part, newLine());
      }
    } else if (part === '}' || part === ']') {
      depth -= 1;
      parts.push(newLine(), part);
    } else {
      parts.push(part, part === ',' ? newLine() : part === ':' ? ' ' : '');
    }
  }
  return `${parts.join('')}\n`;

  /** No pattern finds the end of a string: one of megabytes would exhaust its stack. */
  function endOfToken(start: number): number {
    if (text[start] === '"') {
      let at = start + 1;
      while (text[at] !== '"') {
        at += text[at] === '\\' ? 2 : 1;
      }
      return at + 1;
    }
    word.lastIndex = start;
    return word.test(text) ? word.lastIndex : start + 1;
  }

  /** Where the next token begins. */
  function skip(from: number): number {
    blank.lastIndex = from;
    blank.exec(text);
    return blank.lastIndex;
  }
}
