import { isUtf8 } from 'node:buffer';
import { deepestShown } from '../../base/json';
import {
  decimal,
  isNumber,
  kindDate,
  kindNumber,
  kindText,
  parseDate,
} from '../../table/engine/columns/kinds';
import { JsonSyntax } from '../../table/engine/read/jsonSyntax';
import { maxDepth, maxMembers } from '../../table/engine/read/shape';

/**
 * How values are compared: `text` between two files of CSV, which have nothing else; `json` between two of
 * JSON or NDJSON; `mixed` where only one of them is CSV, so that types cannot count.
 */
export type Comparing = 'text' | 'json' | 'mixed';

/** The raw texts of the members of an object, and of its names. */
export class JsonMembers extends JsonSyntax {
  /**
   * The members of a valid object as they are written, by name; of two with one name the last.
   * `undefined` where the value is no object.
   */
  of(bytes: Buffer, from: number, to: number): Map<string, string> | undefined {
    this.begin(bytes, to);
    let at = this.blank(from);
    if (bytes[at] !== 0x7b) {
      return undefined;
    }
    const members = new Map<string, string>();
    const hasUtf8 = isUtf8(bytes.subarray(from, to));
    at = this.blank(at + 1);
    while (at < to && bytes[at] !== 0x7d) {
      const nameEnd = this.text(at);
      const name = textOf(decoded(bytes, at, nameEnd, hasUtf8));
      const start = this.blank(this.blank(nameEnd) + 1);
      const end = this.skip(start);
      members.set(name, decoded(bytes, start, end, hasUtf8));
      at = this.blank(end);
      at = bytes[at] === 0x2c ? this.blank(at + 1) : at;
    }
    return members;
  }

  /** The items of a valid array as they are written. */
  items(bytes: Buffer): string[] {
    this.begin(bytes, bytes.length);
    const items: string[] = [];
    let at = this.blank(this.blank(0) + 1);
    while (at < this.to && bytes[at] !== 0x5d) {
      const end = this.skip(at);
      items.push(bytes.toString('utf8', at, end));
      at = this.blank(end);
      at = bytes[at] === 0x2c ? this.blank(at + 1) : at;
    }
    return items;
  }

  /** Whether a text is one value of JSON. */
  isValid(text: string): boolean {
    const bytes = Buffer.from(text);
    this.begin(bytes, bytes.length);
    const end = this.skip(this.blank(0));
    return end >= 0 && this.blank(end) === this.to;
  }
}

const syntax = new JsonMembers();

/**
 * The text of bytes; as Latin-1 where they are not UTF-8, so that other bytes are another text.
 * @param isPartOfUtf8 whether all around them is known to be UTF-8.
 */
export function decoded(bytes: Buffer, from: number, to: number, isPartOfUtf8 = false): string {
  const encoding = isPartOfUtf8 || isUtf8(bytes.subarray(from, to)) ? 'utf8' : 'latin1';
  return bytes.toString(encoding, from, to);
}

/** Whether a text, such as a field of CSV, is an object or an array of JSON. */
export function isNested(text: string): boolean {
  return /^\s*[{[]/.test(text) && syntax.isValid(text);
}

/** The value of a text of JSON, which mostly has no escapes. */
function textOf(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}

/**
 * What a value means, as a text that is the same for all values of that meaning. `undefined`: no value,
 * which null and a missing field are, and in CSV an empty one.
 *
 * Between files of JSON a number is the same however it is written (`1` and `1.0`), and an object in whatever
 * order its members are. Where only one of the files is CSV, the number 5 is also the text `5`, a date is the
 * same however it is written, true the text `true`, and an object the text of it.
 * @param json the value as JSON writes it.
 */
export function meaningOf(json: string, comparing: Exclude<Comparing, 'text'>): string | undefined {
  if (json === 'null') {
    return undefined;
  }
  if (comparing === 'json') {
    return jsonMeaning(json);
  }
  switch (json[0]) {
    case '"':
      return textMeaning(textOf(json));
    case '{':
    case '[':
      return jsonMeaning(json);
    case 't':
    case 'f':
      return `"${json}`;
    default:
      return numberMeaning(json);
  }
}

/** What a text means that may be a number, a date or an object. */
function textMeaning(text: string): string | undefined {
  if (text === '') {
    return undefined;
  }
  switch (kindOfText(text)) {
    case kindNumber:
      return numberMeaning(text);
    case kindDate:
      return `@${parseDate(Buffer.from(text), 0, Buffer.byteLength(text))}`;
    default:
      return isNested(text) ? jsonMeaning(text.trim()) : `"${text}`;
  }
}

function kindOfText(text: string): number {
  if (!/^[-\d]/.test(text)) {
    return kindText;
  }
  const bytes = Buffer.from(text);
  return isNumber(bytes, 0, bytes.length)
    ? kindNumber
    : Number.isNaN(parseDate(bytes, 0, bytes.length))
      ? kindText
      : kindDate;
}

/** What a value means between files of JSON. */
export function jsonMeaning(json: string, depth = 0): string {
  if (depth > deepestShown) {
    return json;
  }
  switch (json[0]) {
    case '"':
      return JSON.stringify(textOf(json));
    case '{': {
      const bytes = Buffer.from(json);
      const members = syntax.of(bytes, 0, bytes.length) ?? new Map<string, string>();
      const written = [...members]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => `${JSON.stringify(name)}:${jsonMeaning(value, depth + 1)}`);
      return `{${written.join()}}`;
    }
    case '[': {
      const items = syntax.items(Buffer.from(json));
      return `[${items.map((item) => jsonMeaning(item, depth + 1)).join()}]`;
    }
    case 't':
    case 'f':
    case 'n':
      return json;
    default:
      return numberMeaning(json);
  }
}

/**
 * What a value was before another one. Of an object that a table shows by its members, only those that mean
 * something else now, and null for new ones: a masked one that did not change looks like one that did.
 * @param depth of the value in its record.
 */
export function oldValue(was: string | undefined, is: string | undefined, depth = 1): string {
  const isNest = is?.startsWith('{') === true && (was ?? '{').startsWith('{');
  if (!isNest || depth >= maxDepth) {
    return was ?? 'null';
  }
  const [older, newer] = [was ?? '{}', is].map((json) => {
    const bytes = Buffer.from(json);
    return syntax.of(bytes, 0, bytes.length) ?? new Map<string, string>();
  }) as [Map<string, string>, Map<string, string>];
  const names = [...new Set([...older.keys(), ...newer.keys()])].filter((name) => {
    const [one, other] = [older.get(name), newer.get(name)];
    const isInBoth = one !== undefined && other !== undefined;
    return !isInBoth || (one !== other && jsonMeaning(one) !== jsonMeaning(other));
  });
  // Between files of CSV, objects that mean the same may differ in how they are written.
  if (names.length === 0 || Math.max(older.size, newer.size) > maxMembers) {
    return was ?? 'null';
  }
  const old = names.map(
    (name) => `${JSON.stringify(name)}:${oldValue(older.get(name), newer.get(name), depth + 1)}`,
  );
  return `{${old.join()}}`;
}

/** A number as people write it where it is short, so that a meaning is a text of JSON. */
export function numberMeaning(number: string): string {
  if (/^-?(?:0|[1-9]\d{0,14})$/.test(number) && number !== '-0') {
    return number;
  }
  const { sign, digits, exponent } = decimal(number);
  if (sign === 0) {
    return '0';
  }
  if (!Number.isSafeInteger(exponent)) {
    return number;
  }
  const isWhole = exponent >= digits.length && exponent <= 15;
  const written = isWhole ? digits.padEnd(exponent, '0') : `0.${digits}e${exponent}`;
  return `${sign < 0 ? '-' : ''}${written}`;
}
