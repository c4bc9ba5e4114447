import { parseDate } from '../../values/measures';
import { decimal } from '../../../vocabulary/compareNumbers';
import { formatJsonNumber } from '../../../vocabulary/writtenNumbers';
import type { Cell } from '../../data/cell';
import type { ColumnType } from '../../data/column';

/* The cells of a sheet, as SpreadsheetML writes them (ECMA-376, 18.3). */

/** The longest text of a cell that Excel opens, in UTF-16 code units. */
export const maxCellLength = 32_767;

/** Formats of cells, by their place among those in `styleSheet`. */
export const styles = {
  plain: 0,
  heading: 1,
  date: 2,
  time: 3,
  milliseconds: 4,
  longInteger: 5,
  /** A text that stays one when a user edits it. */
  formula: 6,
} as const;

/** The type of a column; `version` where its name says that its numbers and dates are only written as such. */
export type SheetType = ColumnType | 'version';

/** A value as a cell has it: a number, which may be a date, with its style, a boolean, or a text. */
type SheetValue =
  | { readonly type: 'number'; readonly text: string; readonly style: number }
  | { readonly type: 'boolean'; readonly text: string }
  | { readonly type: 'text'; readonly text: string };

/**
 * A cell; empty where there is no value.
 * @param reference such as `B2`
 * @param type of the column: only where all values are numbers, or dates, is `1.10` no version, nor is `2019.11.28`.
 */
export function writeCell(reference: string, cell: Cell, type: SheetType | undefined): string {
  const value = findValue(cell, type);
  switch (value?.type) {
    case undefined:
      return '';
    case 'number':
      return `<c r="${reference}"${styleAttribute(value.style)}><v>${value.text}</v></c>`;
    case 'boolean':
      return `<c r="${reference}" t="b"><v>${value.text}</v></c>`;
    case 'text':
      return writeText(reference, value.text);
  }
}

/** A cell with a text, which is never a formula. */
export function writeText(
  reference: string,
  text: string,
  style: number = formulaStart.test(text) ? styles.formula : styles.plain,
): string {
  const space = blankEnds.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${reference}"${styleAttribute(style)} t="inlineStr"><is><t${space}>${escapeText(text)}</t></is></c>`;
}

function styleAttribute(style: number): string {
  return style === styles.plain ? '' : ` s="${style}"`;
}

/** What Excel reads as a formula when a user has edited a cell. */
const formulaStart = /^[=+\-@]/;

const blankEnds = /^\s|\s$|\n/;

function findValue(cell: Cell, type: SheetType | undefined): SheetValue | undefined {
  const { kind, text, masked } = cell;
  if (text === '') {
    return undefined;
  }
  if (masked || (type === 'version' && kind !== 'boolean')) {
    return { type: 'text', text };
  }
  switch (kind) {
    case 'number': {
      const number = findNumber(text, type === 'number');
      return number === undefined
        ? { type: 'text', text }
        : { type: 'number', text: number, style: numberStyle(number) };
    }
    case 'date':
      return findDate(text, type === 'date') ?? { type: 'text', text };
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { type: 'boolean', text: text === 'true' ? '1' : '0' }
        : { type: 'text', text };
    default:
      return { type: 'text', text };
  }
}

/** The most digits that Excel keeps of a number. */
const maxDigits = 15;

/** The ends of the doubles that Excel has: none is denormalized. */
const [least, most] = [2.23e-308, 1e308];

const fewDigits = /^-?(?:\d{1,15}|(?=[\d.]{3,16}$)\d+\.\d+)$/;

/** A number as XML has it, if Excel keeps all its digits. */
function findNumber(text: string, areNumbers: boolean): string | undefined {
  const number = formatJsonNumber(text);
  if (number === undefined) {
    return undefined;
  }
  const value = Number(number);
  const isWritten = areNumbers || String(value) === text;
  return isWritten && !Object.is(value, -0) && (fewDigits.test(number) || isKept(number, value))
    ? number
    : undefined;
}

function isKept(number: string, value: number): boolean {
  const { digits } = decimal(number);
  const size = Math.abs(value);
  return digits === '' || (digits.length <= maxDigits && size >= least && size < most);
}

/** Excel shows longer integers as 1.23E+11. */
const longInteger = /^-?\d{12,}$/;

function numberStyle(number: string): number {
  return longInteger.test(number) ? styles.longInteger : styles.plain;
}

const time =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?\s*$/i;

const millisecondsPerDay = 86_400_000;

/** The days from 1899-12-30, which is 0 in Excel, to 1970-01-01. */
const epochDay = 25_569;
/** 1900-03-01: Excel counts a February 29 before, which there was not. */
const firstDay = 61;
/** 9999-12-31 */
const lastDay = 2_958_465;

/**
 * A date, or a time to the millisecond, in UTC if it has a zone; nothing for those that Excel does not have.
 * @param areDates whether all values of the column are dates: in another one, only ISO 8601 is surely one.
 */
function findDate(text: string, areDates: boolean): SheetValue | undefined {
  const parts = time.exec(text);
  if (!parts && !areDates) {
    return undefined;
  }
  const milliseconds = parts
    ? timeOfParts(parts)
    : parseDate(Buffer.from(text), 0, Buffer.byteLength(text));
  const days = milliseconds / millisecondsPerDay + epochDay;
  if (!(days >= firstDay && days < lastDay + 1)) {
    return undefined;
  }
  const style =
    parts?.[4] === undefined && Number.isInteger(days)
      ? styles.date
      : milliseconds % 1000 === 0
        ? styles.time
        : styles.milliseconds;
  return { type: 'number', text: String(days), style };
}

/** @param parts of `time`, of a day that exists; `NaN` in years that `Date.UTC` would move into the 20th century */
function timeOfParts(parts: RegExpExecArray): number {
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = ''] = parts;
  if (Number(year) < 100) {
    return NaN;
  }
  const [, sign = '', zoneHour = 0, zoneMinute = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -60_000 : 60_000);
  const ofSecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    ofSecond,
  );
  return local - offset;
}

/** Characters that XML does not have or reads otherwise, and what would be read as one of `_x000A_`. */
// oxlint-disable-next-line no-control-regex
const special = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[\dA-Fa-f]{4}_)/g;

/**
 * Text between two tags. What XML does not have is written as `_x0007_` (ECMA-376, 22.9.2.19); ends of lines become
 * those of a cell. A surrogate without its other half becomes U+FFFD when it is written as UTF-8.
 */
export function escapeText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.replace(special, (character) => {
    switch (character) {
      case '&':
        return '&amp;';
      case '<':
        return '&lt;';
      case '>':
        return '&gt;';
      default: {
        const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        return `_x${code}_`;
      }
    }
  });
}

/** `A`, …, `Z`, `AA` for columns from 0. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : `${columnLetters(Math.floor(column / 26) - 1)}${letter}`;
}
