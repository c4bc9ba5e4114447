import { endOfString } from './parseJson';

/** A member of an object: its name, and its value as it is written, without blanks around it. */
export type RawMember = readonly [name: string, value: string];

/**
 * The members of an object, in their order: numbers keep all of their digits, unlike with `JSON.parse`.
 * @param text valid JSON of one object.
 */
export function rawMembers(text: string): readonly RawMember[] {
  const members: RawMember[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('"', at);
    if (start < 0) {
      return members;
    }
    const nameEnd = endOfString(text, start);
    const from = text.indexOf(':', nameEnd) + 1;
    at = endOfValue(text, from);
    members.push([JSON.parse(text.slice(start, nameEnd)) as string, text.slice(from, at).trim()]);
  }
}

/** The position of the comma or bracket after a value. */
function endOfValue(text: string, start: number): number {
  const mark = /["[\]{},]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [sign] = found;
    if (sign === '"') {
      mark.lastIndex = endOfString(text, found.index);
    } else if (depth === 0 && /[\]},]/.test(sign)) {
      return found.index;
    } else if (sign !== ',') {
      depth += /[[{]/.test(sign) ? 1 : -1;
    }
  }
  return text.length;
}
