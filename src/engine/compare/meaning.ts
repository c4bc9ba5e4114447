import { isUtf8 } from 'node:buffer';
import { deepestShown } from '../../base/json/json';
import { threadKernel } from '../threads/kernel';
import { decimal } from '../../vocabulary/compareNumbers';
import { kindDate, kindNumber } from '../values/kinds';
import { JsonSyntax } from '../values/jsonSyntax';
import { maxDepth, maxMembers } from '../read/records/shape';

/**
 * How values are compared: `text` for two CSV files, which have only texts; `json` for two JSON or NDJSON
 * files; `mixed` if only one of them is CSV, so that types cannot be compared; `mixedCommas` if that has
 * decimal commas.
 */
export type ComparisonMode = 'text' | 'json' | 'mixed' | 'mixedCommas';

const brace = 0x7b;
const squareBracket = 0x5b;

/** Reads JSON as raw text. */
class JsonTexts extends JsonSyntax {
  /**
   * The members of a valid object, with their names, or the items of an array, without; `undefined` if the value
   * does not start with this bracket.
   */
  parts(bytes: Buffer, from: number, to: number, bracket: number): [string, string][] | undefined {
    this.begin(bytes, to);
    let at = this.skipWhitespace(from);
    if (bytes[at] !== bracket) {
      return undefined;
    }
    const hasUtf8 = isUtf8(bytes.subarray(from, to));
    const parts: [string, string][] = [];
    at = this.skipWhitespace(at + 1);
    // A closing bracket is two after the opening one in ASCII.
    while (bytes[at] !== bracket + 2) {
      let name = '';
      if (bracket === brace) {
        const nameEnd = this.text(at);
        name = parseText(decode(bytes, at, nameEnd, hasUtf8));
        at = this.skipWhitespace(this.skipWhitespace(nameEnd) + 1);
      }
      const end = this.skip(at);
      parts.push([name, decode(bytes, at, end, hasUtf8)]);
      at = this.skipWhitespace(end);
      at = bytes[at] === 0x2c ? this.skipWhitespace(at + 1) : at;
    }
    return parts;
  }

  /** Whether a text is a single valid JSON value. */
  isValid(text: string): boolean {
    const bytes = Buffer.from(text);
    this.begin(bytes, bytes.length);
    const end = this.skip(this.skipWhitespace(0));
    return end >= 0 && this.skipWhitespace(end) === this.to;
  }
}

const syntax = new JsonTexts();

/**
 * The members of a valid object as written, by name; of two members with the same name, the last. `undefined` if
 * the value is not an object.
 */
export function readMembers(bytes: Buffer, from = 0, to = bytes.length) {
  const parts = syntax.parts(bytes, from, to, brace);
  return parts && new Map(parts);
}

/**
 * Decodes bytes. Bytes that are not UTF-8 are decoded as Latin-1, so that different bytes give different
 * texts.
 * @param isPartOfUtf8 whether the bytes are known to be part of valid UTF-8.
 */
export function decode(bytes: Buffer, from: number, to: number, isPartOfUtf8 = false): string {
  const encoding = isPartOfUtf8 || isUtf8(bytes.subarray(from, to)) ? 'utf8' : 'latin1';
  return bytes.toString(encoding, from, to);
}

/** Whether a text, such as a CSV field, is a JSON object or array. */
export function isNested(text: string): boolean {
  return /^\s*[{[]/.test(text) && syntax.isValid(text);
}

/** The value of a JSON string, which rarely has escapes. */
function parseText(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}

/**
 * A value without some members, at any depth; `undefined` if nothing is left.
 * @param name its own name, before those of its members.
 */
export function withoutMembers(
  json: string,
  name: string,
  ignores: (name: string) => boolean,
  depth = 0,
): string | undefined {
  if (ignores(name)) {
    return undefined;
  }
  if (depth > deepestShown || !/^[{[]/.test(json)) {
    return json;
  }
  const bytes = Buffer.from(json);
  const isObject = json.startsWith('{');
  const parts = syntax.parts(bytes, 0, bytes.length, isObject ? brace : squareBracket) ?? [];
  const left = parts.flatMap(([member, value]) => {
    const whole = isObject ? `${name}.${member}` : name;
    const rest = withoutMembers(value, whole, ignores, depth + 1);
    return rest === undefined ? [] : isObject ? `${JSON.stringify(member)}:${rest}` : rest;
  });
  return isObject ? `{${left.join()}}` : `[${left.join()}]`;
}

/**
 * The meaning of a record, as a text that is the same for all records with that meaning.
 * @param ignores members that say nothing, at any depth.
 */
export function meaningOfFields(
  fields: ReadonlyMap<string, string>,
  comparing: ComparisonMode,
  ignores?: (name: string) => boolean,
): string {
  const parts = Array.from(fields).flatMap(([name, json]) => {
    const left = ignores ? withoutMembers(json, name, ignores) : json;
    const meaning = readMeaning(left, comparing);
    return meaning === undefined ? [] : [JSON.stringify([name, meaning])];
  });
  return parts.sort().join();
}

/**
 * The meaning of a value, as a text that is the same for all values with that meaning. `undefined` means no
 * value: null, a missing field, and in CSV an empty one.
 *
 * Between CSV files, values are the same if they are written the same. Between JSON files, a number is the same
 * however it is written (`1` and `1.0`), and an object is the same in any order of its members. If only one of
 * the files is CSV, the number 0.5 is also the same as the texts `0.5`, `.5` and ` +0.50`, a date is the same
 * however it is written, true is the same as the text `true`, and an object is the same as its text.
 * @param json the value as JSON text.
 */
export function readMeaning(
  json: string | undefined,
  comparing: ComparisonMode,
): string | undefined {
  if (json === undefined || json === 'null') {
    return undefined;
  }
  switch (comparing) {
    case 'text':
      return json;
    case 'json':
      return jsonMeaning(json);
    default:
      return textMeaning(
        json.startsWith('"') ? parseText(json) : json,
        comparing === 'mixedCommas',
      );
  }
}

/** The meaning of a text that may be a number, a date or an object. */
function textMeaning(text: string, hasCommas: boolean): string | undefined {
  if (text === '') {
    return undefined;
  }
  const kernel = threadKernel();
  const bytes = Buffer.from(text);
  const at = kernel.place(bytes, 0, bytes.length);
  switch (kernel.exports.csvKind(at, at + bytes.length, hasCommas ? 1 : 0)) {
    case kindNumber:
      return numberMeaning(text);
    case kindDate:
      return `@${kernel.resultNumber}`;
    default:
      return isNested(text) ? jsonMeaning(text.trim()) : `"${text}`;
  }
}

/** The meaning of a value between JSON files. */
export function jsonMeaning(json: string, depth = 0): string {
  if (depth > deepestShown) {
    return json;
  }
  switch (json[0]) {
    case '"':
      return JSON.stringify(parseText(json));
    case '{': {
      const written = [...readMembers(Buffer.from(json))!]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => `${JSON.stringify(name)}:${jsonMeaning(value, depth + 1)}`);
      return `{${written.join()}}`;
    }
    case '[': {
      const bytes = Buffer.from(json);
      const items = syntax.parts(bytes, 0, bytes.length, squareBracket)!;
      return `[${items.map(([, item]) => jsonMeaning(item, depth + 1)).join()}]`;
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
 * The old value of a field, as JSON. If it is an object that a table shows by its members, only the members
 * whose meaning changed, and null for new members: otherwise a masked member that did not change would look
 * like one that did.
 * @param depth the depth of the value in its record.
 */
export function oldValue(was: string | undefined, is: string | undefined, depth = 1): string {
  const isNest = is?.startsWith('{') === true && (was ?? '{').startsWith('{');
  if (!isNest || depth >= maxDepth) {
    return was ?? 'null';
  }
  const [older, newer] = [readMembers(Buffer.from(was ?? '{}'))!, readMembers(Buffer.from(is))!];
  const names = [...new Set([...older.keys(), ...newer.keys()])].filter((name) => {
    const [one, other] = [older.get(name), newer.get(name)];
    const isInBoth = one !== undefined && other !== undefined;
    return !isInBoth || (one !== other && jsonMeaning(one) !== jsonMeaning(other));
  });
  // Between CSV files, objects with the same meaning may be written differently.
  if (names.length === 0 || Math.max(older.size, newer.size) > maxMembers) {
    return was ?? 'null';
  }
  const old = names.map(
    (name) => `${JSON.stringify(name)}:${oldValue(older.get(name), newer.get(name), depth + 1)}`,
  );
  return `{${old.join()}}`;
}

/** The meaning of a number, as a JSON number: short numbers stay as users write them. */
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
