/** A member of an array or object: its name or index, and its value as written. */
export type Member = readonly [name: string, value: string];

/**
 * The members of a JSON array or object. Values stay as written: numbers keep their digits, and
 * duplicate members are not lost, as they would be in parsed values.
 */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = [];
  let depth = 0;
  let start = 0;
  let name: string | undefined;
  const add = (end: number): void => {
    const value = text.slice(start, end).trim();
    if (value !== '') {
      members.push([name ?? String(members.length), value]);
    }
    start = end + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        depth += 1;
        start = depth === 1 ? at + 1 : start;
        break;
      case ':':
        if (depth === 1) {
          name = JSON.parse(text.slice(start, at)) as string;
          start = at + 1;
        }
        break;
      case ',':
        if (depth === 1) {
          add(at);
        }
        break;
      case '}':
      case ']':
        if (depth === 1) {
          add(at);
        }
        depth -= 1;
        break;
      default:
        break;
    }
  }
  return members;
}

/**
 * The beginning of a JSON text without white space between its tokens: slightly more than `length`
 * units.
 */
export function beginningOf(text: string, length: number): string {
  let beginning = '';
  for (let at = 0; at < text.length && beginning.length <= length; at += 1) {
    const end = text[at] === '"' ? Math.min(endOfString(text, at), at + length) : at;
    beginning += text.slice(at, end + 1).trim();
    at = end;
  }
  return beginning;
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}
