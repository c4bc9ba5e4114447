import { kindDate, kindText } from '../../../src/engine/values/kinds';
import { wordsOf } from './words';
import { writtenTime } from './writtenTime';

/* What values are, in plain code, which the kernel is compared with. */

/**
 * The kind of a text: a date, or else a text.
 * @param parsed gets the time of a date, otherwise NaN.
 */
export function textKind(
  bytes: Uint8Array,
  from: number,
  to: number,
  parsed: { time: number },
): number {
  parsed.time = parseDate(bytes, from, to);
  return Number.isNaN(parsed.time) ? kindText : kindDate;
}

const day = 86_400_000;

/**
 * Reads a date: ISO 8601, or as `writtenTime` does. Spaces around it do not matter.
 * @returns milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a date.
 */
export function parseDate(bytes: Uint8Array, from: number, to: number): number {
  const iso = parseIsoDate(bytes, from, to);
  const text = latin1(bytes, from, to);
  const time = Number.isNaN(iso) ? writtenTime(text) : iso;
  // Go writes this where there is none.
  const isNone = time === Date.parse('0001-01-01T00:00:00Z') && text.trim().length > 10;
  return isNone ? NaN : time;
}

/**
 * Reads an ISO 8601 date (`2026-11-21`) or date and time (`2026-11-21T08:30:00.5+01:00`; a space for
 * the `T`, seconds and zone may be absent; spaces around it do not matter).
 * @returns milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a
 *   date.
 */
function parseIsoDate(bytes: Uint8Array, first: number, last: number): number {
  if (last - first === 20) {
    const time = secondInUtc(bytes, first);
    if (!Number.isNaN(time)) {
      return time;
    }
  }
  let [from, to] = [first, last];
  while (from < to && bytes[from] === 0x20) {
    from += 1;
  }
  while (from < to && bytes[to - 1] === 0x20) {
    to -= 1;
  }
  if (to - from < 10 || bytes[from + 4] !== 0x2d || bytes[from + 7] !== 0x2d) {
    return NaN;
  }
  const year = digits(bytes, from, 4);
  const month = digits(bytes, from + 5, 2);
  const date = digits(bytes, from + 8, 2);
  let time = daysFromCivil(year, month, date) * day;
  if (to - from === 10) {
    return time;
  }
  const separator = bytes[from + 10];
  if ((separator !== 0x54 && separator !== 0x20) || to - from < 16 || bytes[from + 13] !== 0x3a) {
    return NaN;
  }
  const hour = digits(bytes, from + 11, 2);
  const minute = digits(bytes, from + 14, 2);
  let at = from + 16;
  let second = 0;
  if (at < to && bytes[at] === 0x3a) {
    second = at + 3 <= to ? digits(bytes, at + 1, 2) : NaN;
    at += 3;
    if (at < to && (bytes[at] === 0x2e || bytes[at] === 0x2c)) {
      const start = (at += 1);
      let fraction = 0;
      let unit = 1;
      for (; at < to && isDigit(bytes[at]); at += 1) {
        unit /= 10;
        fraction += ((bytes[at] ?? 0) - 0x30) * unit;
      }
      second += at > start ? fraction : NaN;
    }
  }
  if (!(hour <= 23 && minute <= 59 && second < 61)) {
    return NaN;
  }
  time += hour * 3_600_000 + minute * 60_000 + Math.round(second * 1e6) / 1e3;
  if (at === to || (at === to - 1 && (bytes[at] === 0x5a || bytes[at] === 0x7a))) {
    return time;
  }
  const sign = bytes[at] === 0x2b ? 1 : bytes[at] === 0x2d ? -1 : NaN;
  const length = to - at;
  const zoneHour = length >= 3 ? digits(bytes, at + 1, 2) : NaN;
  const zoneMinute =
    length === 3
      ? 0
      : length === 5
        ? digits(bytes, at + 3, 2)
        : length === 6 && bytes[at + 3] === 0x3a
          ? digits(bytes, at + 4, 2)
          : NaN;
  return zoneHour <= 23 && zoneMinute <= 59
    ? time - sign * (zoneHour * 60 + zoneMinute) * 60_000
    : NaN;
}

/**
 * Reads `2026-11-21T08:30:00Z` in words of four bytes, because nearly all times are written this
 * way.
 * @returns NaN for anything else, which may be a date.
 */
function secondInUtc(bytes: Uint8Array, from: number): number {
  const words = wordsOf(bytes);
  // The XOR turns each character between the digits into a 0 if it is the expected one.
  const one = words.getInt32(from, true);
  const two = words.getInt32(from + 4, true) ^ 0x1d00_001d;
  const three = words.getInt32(from + 8, true) ^ 0x0064_0000;
  const four = words.getInt32(from + 12, true) ^ 0x0000_0a00;
  const five = words.getInt32(from + 16, true) ^ 0x6a00_000a;
  const others =
    (two & 0x0f00_000f) | (three & 0x000f_0000) | (four & 0x0000_0f00) | (five & 0x0f00_000f);
  if (
    others !== 0 ||
    !(areDigits(one) && areDigits(two) && areDigits(three) && areDigits(four) && areDigits(five))
  ) {
    return NaN;
  }
  const year = digit(one, 0) * 1000 + digit(one, 1) * 100 + digit(one, 2) * 10 + digit(one, 3);
  const month = digit(two, 1) * 10 + digit(two, 2);
  const date = digit(three, 0) * 10 + digit(three, 1);
  const hour = digit(three, 3) * 10 + digit(four, 0);
  const minute = digit(four, 2) * 10 + digit(four, 3);
  const second = digit(five, 1) * 10 + digit(five, 2);
  return hour <= 23 && minute <= 59 && second <= 60
    ? daysFromCivil(year, month, date) * day + (hour * 3600 + minute * 60 + second) * 1000
    : NaN;
}

/** Whether all four bytes of a word are digits. */
function areDigits(word: number): boolean {
  return ((word & 0xf0f0_f0f0) | (((word + 0x0606_0606) & 0xf0f0_f0f0) >>> 4)) === 0x3333_3333;
}

/** A digit of a word, from 0 to 3. */
function digit(word: number, at: number): number {
  return (word >>> (8 * at)) & 0x0f;
}

/** The end of the number that starts here, or -1. */
export function numberEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  if (bytes[at] === 0x2d) {
    at += 1;
  }
  if (at >= to || !isDigit(bytes[at])) {
    return -1;
  }
  at = bytes[at] === 0x30 ? at + 1 : skipDigits(bytes, at, to);
  if (at < to && bytes[at] === 0x2e) {
    const first = at + 1;
    at = skipDigits(bytes, first, to);
    if (at === first) {
      return -1;
    }
  }
  if (at < to && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    at += 1;
    if (at < to && (bytes[at] === 0x2b || bytes[at] === 0x2d)) {
      at += 1;
    }
    const first = at;
    at = skipDigits(bytes, first, to);
    if (at === first) {
      return -1;
    }
  }
  return at;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
}

/** The number in these bytes, as a double. */
export function numberValue(bytes: Uint8Array, from: number, to: number): number {
  // Nearly all numbers are integers with few digits, which do not need a text.
  if (to - from <= 15) {
    let at = bytes[from] === 0x2d ? from + 1 : from;
    const isNegative = at > from;
    let value = 0;
    for (; at < to && isDigit(bytes[at]); at += 1) {
      value = value * 10 + ((bytes[at] ?? 0) - 0x30);
    }
    if (at === to) {
      return isNegative ? -value : value;
    }
  }
  return Number(latin1(bytes, from, to).replace(',', '.'));
}

/**
 * Whether the bytes are a number as programs write it into CSV: as in JSON, with blanks around it
 * or a plus, or without digits on one side of the point. A number that starts with a useless zero
 * is a text, such as a code.
 * @param hasCommas whether its point may be a comma.
 */
export function isWrittenNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
  hasCommas: boolean,
): boolean {
  let at = skipBlanks(bytes, from, to);
  if (at < to && (bytes[at] === 0x2b || bytes[at] === 0x2d)) {
    at += 1;
  }
  const first = at;
  at = skipDigits(bytes, at, to);
  let digits = at - first;
  if (digits > 1 && bytes[first] === 0x30) {
    return false;
  }
  if (at < to && (bytes[at] === 0x2e || (hasCommas && bytes[at] === 0x2c))) {
    const start = at + 1;
    at = skipDigits(bytes, start, to);
    digits += at - start;
  }
  if (digits > 0 && at < to && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    at += 1;
    if (at < to && (bytes[at] === 0x2b || bytes[at] === 0x2d)) {
      at += 1;
    }
    const start = at;
    at = skipDigits(bytes, start, to);
    digits = at - start;
  }
  return digits > 0 && skipBlanks(bytes, at, to) === to;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function skipDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isDigit(bytes[at])) {
    at += 1;
  }
  return at;
}

function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09)) {
    at += 1;
  }
  return at;
}

function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x30 || byte > 0x39) {
      return NaN;
    }
    value = value * 10 + byte - 0x30;
  }
  return value;
}

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days of a year before each month, without a leap day. */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
/** Days before 1970-01-01 since the beginning of the year 0. */
const epoch = 719_528;

/** Days since 1970-01-01 of a date of the Gregorian calendar; NaN if there is no such day. */
function daysFromCivil(year: number, month: number, date: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (
    !(date >= 1 && date <= (monthDays[month - 1] ?? 0)) ||
    (month === 2 && date === 29 && !isLeap)
  ) {
    return NaN;
  }
  // The leap days of the earlier years; year 0 is a leap year.
  const leapDays =
    Math.trunc((year + 3) / 4) - Math.trunc((year + 99) / 100) + Math.trunc((year + 399) / 400);
  const leapDay = isLeap && month > 2 ? 1 : 0;
  return year * 365 + leapDays + (daysBefore[month - 1] ?? 0) + leapDay + date - 1 - epoch;
}
