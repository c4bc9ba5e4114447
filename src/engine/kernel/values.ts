import { setNumber, setResult } from './memory';

/* What values are. A value is a range of bytes, from its first to after its last. */

/** Kinds of values, as in `src/engine/values/kinds.ts`. */
export const kindNumber: i32 = 0;
export const kindDate: i32 = 1;
export const kindText: i32 = 2;
export const kindBoolean: i32 = 3;
export const kindJson: i32 = 4;
export const kindNull: i32 = 5;
export const kindMissing: i32 = 6;
export const kindInvalid: i32 = 7;

const tab: u8 = 0x09;
const space: u8 = 0x20;
const quote: u8 = 0x22;
const plus: u8 = 0x2b;
const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const point: u8 = 0x2e;
const colon: u8 = 0x3a;
const backslash: u8 = 0x5c;

/** @inline */
function isDigit(byte: u8): bool {
  return ((byte - 0x30) as u8) < 10;
}

/**
 * Which of the next 16 bytes are digits.
 * @inline
 */
function digitMask(at: usize): i32 {
  return i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(at), i8x16.splat(0x30)), i8x16.splat(10)));
}

/**
 * The position after the digits that start here.
 * @inline
 */
function skipDigits(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const count = ctz(~digitMask(at));
    at += count as usize;
    if (count < 16) {
      break;
    }
  }
  return min(at, to);
}

/** @inline */
function skipBlanks(from: usize, to: usize): usize {
  let at = from;
  while (at < to && (load<u8>(at) == space || load<u8>(at) == tab)) {
    at += 1;
  }
  return at;
}

/**
 * The position after the exponent that starts here, if any; 0 if it has no digits.
 * @inline
 */
function skipExponent(from: usize, to: usize): usize {
  if (from >= to || (load<u8>(from) | 0x20) != 0x65) {
    return from;
  }
  const sign = from + 1 < to ? load<u8>(from, 1) : 0;
  const first = from + (sign == plus || sign == minus ? 2 : 1);
  const end = skipDigits(first, to);
  return end > first ? end : 0;
}

/** Whether the bytes are a number as JSON writes it (RFC 8259 section 6). */
export function isJsonNumber(from: usize, to: usize): bool {
  const first = from < to && load<u8>(from) == minus ? from + 1 : from;
  if (first >= to || !isDigit(load<u8>(first))) {
    return false;
  }
  let at = load<u8>(first) == 0x30 ? first + 1 : skipDigits(first, to);
  if (at < to && load<u8>(at) == point) {
    const fraction = at + 1;
    at = skipDigits(fraction, to);
    if (at <= fraction) {
      return false;
    }
  }
  return skipExponent(at, to) == to;
}

/**
 * Whether the bytes are a number as programs write it into CSV: as in JSON, with blanks around it
 * or a plus, or without digits on one side of the point. A number that starts with a useless zero
 * is a text, such as a code.
 * @param hasCommas whether its point may be a comma.
 */
export function isWrittenNumber(from: usize, to: usize, hasCommas: bool): bool {
  let at = skipBlanks(from, to);
  if (at < to && (load<u8>(at) == plus || load<u8>(at) == minus)) {
    at += 1;
  }
  const first = at;
  at = skipDigits(at, to);
  let digits = at - first;
  if (digits > 1 && load<u8>(first) == 0x30) {
    return false;
  }
  if (at < to && (load<u8>(at) == point || (hasCommas && load<u8>(at) == comma))) {
    const start = at + 1;
    at = skipDigits(start, to);
    digits += at - start;
  }
  if (digits == 0) {
    return false;
  }
  at = skipExponent(at, to);
  return at != 0 && skipBlanks(at, to) == to;
}

/** The powers of ten that are exact as doubles. */
const powers: usize = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]);
const exactPowers: i32 = 22;
/** All integers up to this one are exact as doubles. */
const exactIntegers: u64 = 1 << 53;
/** The result that says whether the caller must ask `Number()` for the value. */
const needsNumber: usize = 15;

/**
 * The double of a number for which `isJsonNumber` or `isWrittenNumber` is true. Where its digits
 * are an integer below 2^53 and its power of ten is at most 22, both are exact doubles, so that one
 * operation rounds correctly (Clinger, "How to read floating point numbers accurately", 1990).
 * @returns NaN for others; then result 15 is 1, otherwise 0.
 */
export function numberValue(from: usize, to: usize): f64 {
  let at = skipBlanks(from, to);
  let byte = at < to ? load<u8>(at) : 0;
  const isNegative = byte == minus;
  if (isNegative || byte == plus) {
    at += 1;
  }
  let digits: u64 = 0;
  let exponent = 0;
  let isFraction = false;
  let isExact = true;
  for (; at < to; at += 1) {
    byte = load<u8>(at);
    if (isDigit(byte)) {
      // Further digits could overflow.
      isExact = isExact && digits < exactIntegers;
      digits = digits * 10 + ((byte - 0x30) as u64);
      exponent -= isFraction ? 1 : 0;
    } else if (byte == point || byte == comma) {
      isFraction = true;
    } else {
      break;
    }
  }
  if (at < to && (byte | 0x20) == 0x65) {
    exponent += exponentValue(at + 1, to);
  }
  isExact = isExact && digits <= exactIntegers && abs(exponent) <= exactPowers;
  setResult(needsNumber, isExact ? 0 : 1);
  if (!isExact) {
    return NaN;
  }
  const power = load<f64>(powers + ((abs(exponent) as usize) << 3));
  const value = exponent < 0 ? (digits as f64) / power : (digits as f64) * power;
  return isNegative ? -value : value;
}

function exponentValue(from: usize, to: usize): i32 {
  const sign = from < to ? load<u8>(from) : 0;
  let at = sign == plus || sign == minus ? from + 1 : from;
  let value = 0;
  for (; at < to && isDigit(load<u8>(at)); at += 1) {
    // A larger one is never exact.
    value = min(value * 10 + (load<u8>(at) - 0x30), 1_000_000);
  }
  return sign == minus ? -value : value;
}

const millisecondsPerDay: f64 = 86_400_000;
/** Days before 1970-01-01 since the beginning of the year 0. */
const epoch: i32 = 719_528;
const monthDays: usize = memory.data<u8>([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
/** Days of a year before each month, without a leap day. */
const daysBefore: usize = memory.data<u16>([
  0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334,
]);

/** By bytes of `0000-00-00T00:00`: those that must be digits. */
const dateDigits: i32 = 0b0000_0011_0110_1111;
const timeDigits: i32 = 0b1101_1000_0000_0000;

/**
 * Reads an ISO 8601 date (`2026-11-21`) or date and time (`2026-11-21T08:30:00.5+01:00`; a space for
 * the `T`, seconds and zone may be absent; spaces around it do not matter).
 * @returns milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a
 *   date.
 */
export function timeOf(first: usize, last: usize): f64 {
  let from = first;
  let to = last;
  while (from < to && load<u8>(from) == space) {
    from += 1;
  }
  while (from < to && load<u8>(to - 1) == space) {
    to -= 1;
  }
  if (to - from < 10 || load<u8>(from, 4) != minus || load<u8>(from, 7) != minus) {
    return NaN;
  }
  const digits = i8x16.sub(v128.load(from), i8x16.splat(0x30));
  const mask = i8x16.bitmask(i8x16.lt_u(digits, i8x16.splat(10)));
  if ((mask & dateDigits) != dateDigits) {
    return NaN;
  }
  // Pairs of digits: the two of the century, of the year in it, month, day, hour and minute.
  const tens = i8x16.shuffle(digits, digits, 0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 0, 0, 0, 0);
  const pairs = i16x8.add(
    i16x8.mul(v128.and(tens, i16x8.splat(0xff)), i16x8.splat(10)),
    i16x8.shr_u(tens, 8),
  );
  const century = i16x8.extract_lane_u(pairs, 0) as i32;
  const year = i16x8.extract_lane_u(pairs, 1) as i32;
  const month = i16x8.extract_lane_u(pairs, 2) as i32;
  const date = i16x8.extract_lane_u(pairs, 3) as i32;
  const isLeap = ((year == 0 ? century : year) & 3) == 0;
  if (
    month < 1 ||
    month > 12 ||
    date < 1 ||
    date > (load<u8>(monthDays + (month as usize)) as i32) ||
    (month == 2 && date == 29 && !isLeap)
  ) {
    return NaN;
  }
  // The leap days of the earlier years; year 0 is a leap year.
  const years = century * 100 + year;
  const centuries = year == 0 ? century : century + 1;
  const leapDays = ((years + 3) >> 2) - centuries + ((centuries + 3) >> 2);
  const leapDay = isLeap && month > 2 ? 1 : 0;
  const before = load<u16>(daysBefore + ((month as usize) << 1)) as i32;
  const time =
    ((years * 365 + leapDays + before + leapDay + date - 1 - epoch) as f64) * millisecondsPerDay;
  if (to - from == 10) {
    return time;
  }
  const separator = load<u8>(from, 10);
  const hour = i16x8.extract_lane_u(pairs, 4) as i32;
  const minute = i16x8.extract_lane_u(pairs, 5) as i32;
  if (
    to - from < 16 ||
    (separator != 0x54 && separator != space) ||
    load<u8>(from, 13) != colon ||
    (mask & timeDigits) != timeDigits ||
    hour > 23 ||
    minute > 59
  ) {
    return NaN;
  }
  return timeOfDay(time, (hour * 60 + minute) * 60_000, from + 16, to);
}

/**
 * Reads seconds and zone, both of which may be absent.
 * @param minutes the hour and minute, in milliseconds.
 * @inline
 */
function timeOfDay(date: f64, minutes: i32, from: usize, to: usize): f64 {
  let at = from;
  let milliseconds: f64 = 0;
  if (at < to && load<u8>(at) == colon) {
    const whole = at + 3 <= to ? twoDigits(at + 1) : -1;
    if (whole < 0) {
      return NaN;
    }
    let second = whole as f64;
    at += 3;
    if (at < to && (load<u8>(at) == point || load<u8>(at) == comma)) {
      const start = (at += 1);
      let fraction: f64 = 0;
      let unit: f64 = 1;
      for (; at < to && isDigit(load<u8>(at)); at += 1) {
        unit /= 10;
        fraction += ((load<u8>(at) - 0x30) as f64) * unit;
      }
      if (at == start) {
        return NaN;
      }
      second += fraction;
    }
    if (!(second < 61)) {
      return NaN;
    }
    // As Math.round does: a half is rounded up.
    const microseconds = second * 1e6;
    const up = ceil(microseconds);
    milliseconds = (up - 0.5 <= microseconds ? up : up - 1) / 1e3;
  }
  const time = date + ((minutes as f64) + milliseconds);
  if (at == to || (at + 1 == to && (load<u8>(at) | 0x20) == 0x7a)) {
    return time;
  }
  const sign = load<u8>(at);
  const length = to - at;
  if ((sign != plus && sign != minus) || length < 3) {
    return NaN;
  }
  const zoneHour = twoDigits(at + 1);
  let zoneMinute = -1;
  if (length == 3) {
    zoneMinute = 0;
  } else if (length == 5) {
    zoneMinute = twoDigits(at + 3);
  } else if (length == 6 && load<u8>(at, 3) == colon) {
    zoneMinute = twoDigits(at + 4);
  }
  if (zoneHour < 0 || zoneHour > 23 || zoneMinute < 0 || zoneMinute > 59) {
    return NaN;
  }
  const zone = ((zoneHour * 60 + zoneMinute) * 60_000) as f64;
  return sign == plus ? time - zone : time + zone;
}

/**
 * The number of two digits, or -1.
 * @inline
 */
function twoDigits(at: usize): i32 {
  const tens = (load<u8>(at) as i32) - 0x30;
  const ones = (load<u8>(at, 1) as i32) - 0x30;
  return (tens as u32) < 10 && (ones as u32) < 10 ? tens * 10 + ones : -1;
}

/** Whether a text is a date; its time, or NaN, becomes the result that is a double. */
export function isDate(from: usize, to: usize): bool {
  const time = timeOf(from, to);
  setNumber(time);
  return time == time;
}

/**
 * The kind of a text: a date, or else a text.
 * @inline
 */
function textKind(from: usize, to: usize): i32 {
  return isDate(from, to) ? kindDate : kindText;
}

/** One bit for each byte from 0 to 63 with which a number or a date in CSV may begin. */
const numberStarts: u64 =
  (1 << 0x09) |
  (1 << 0x20) |
  (1 << 0x2b) |
  (1 << 0x2c) |
  (1 << 0x2d) |
  (1 << 0x2e) |
  (0x3ff << 0x30);

/**
 * The kind of a field of CSV without its quotes. The time of a date becomes the result that is a
 * double.
 * @param hasCommas whether the point of a number may be a comma.
 */
export function csvKind(from: usize, to: usize, hasCommas: bool): i32 {
  if (from == to) {
    return kindNull;
  }
  const first = load<u8>(from);
  if (first < 64 && ((numberStarts >> (first as u64)) & 1) != 0) {
    return isWrittenNumber(from, to, hasCommas) ? kindNumber : textKind(from, to);
  }
  const isTrue = to - from == 4 && load<u32>(from) == 0x6575_7274;
  const isFalse = to - from == 5 && load<u32>(from) == 0x736c_6166 && load<u8>(from, 4) == 0x65;
  return isTrue || isFalse ? kindBoolean : kindText;
}

/**
 * The kind of a valid JSON value that is not a text, by its first byte.
 * @inline
 */
export function otherKind(first: u8): i32 {
  switch (first) {
    case 0x7b:
    case 0x5b:
      return kindJson;
    case 0x74:
    case 0x66:
      return kindBoolean;
    case 0x6e:
      return kindNull;
    default:
      return kindNumber;
  }
}

/**
 * The kind of a valid JSON value, a text with its quotes. The time of a date becomes the result
 * that is a double. An empty text is a text.
 * @param hasEscapes whether it is a text with escapes.
 */
export function jsonKind(from: usize, to: usize, hasEscapes: bool): i32 {
  if (load<u8>(from) != quote) {
    return otherKind(load<u8>(from));
  }
  if (!hasEscapes) {
    return textKind(from + 1, to - 1);
  }
  const target = scratchFor(to - from);
  return textKind(target, decodeJson(from + 1, to - 1, target));
}

let scratch: usize = 0;
let scratchRoom: usize = 0;

/** The address of memory for so many bytes, whose contents are valid until the next call. */
export function scratchFor(bytes: usize): usize {
  if (bytes > scratchRoom) {
    if (scratch != 0) {
      heap.free(scratch);
    }
    scratchRoom = max(bytes + (bytes >> 2), 4096);
    // Reads may run 64 bytes beyond.
    scratch = heap.alloc(scratchRoom + 64);
  }
  return scratch;
}

/**
 * Copies the bytes up to one that is special.
 * @returns how many
 * @inline
 */
function copyUntil(from: usize, to: usize, target: usize, special: u8): usize {
  const specials = i8x16.splat(special as i8);
  let at = from;
  let end = target;
  while (at + 16 <= to) {
    const bytes = v128.load(at);
    // As the decoded bytes are never longer, the room for them has 16 bytes left, too.
    v128.store(end, bytes);
    const found = i8x16.bitmask(i8x16.eq(bytes, specials));
    if (found != 0) {
      return at + (ctz(found) as usize) - from;
    }
    at += 16;
    end += 16;
  }
  for (; at < to && load<u8>(at) != special; at += 1) {
    store<u8>(end, load<u8>(at));
    end += 1;
  }
  return at - from;
}

/**
 * Writes the bytes of a valid JSON text, which is given without its quotes, decoded (RFC 8259
 * section 7). An escaped surrogate without its other half becomes U+FFFD. Bytes that are not UTF-8
 * stay as they are.
 * @param target room for as many bytes as the text has; it must not overlap it.
 * @returns the end of the decoded bytes.
 */
export function decodeJson(from: usize, to: usize, target: usize): usize {
  let at = from;
  let end = target;
  while (true) {
    const copied = copyUntil(at, to, end, backslash);
    at += copied;
    end += copied;
    if (at + 2 > to) {
      return end;
    }
    const escape = load<u8>(at, 1);
    if (escape != 0x75) {
      store<u8>(end, escapedByte(escape));
      at += 2;
      end += 1;
      continue;
    }
    if (at + 6 > to) {
      return end;
    }
    let character = hexadecimal(at + 2);
    at += 6;
    if ((character & 0xf800) == 0xd800) {
      const isHigh = character < 0xdc00;
      const low = at + 6 <= to && load<u16>(at) == 0x755c ? hexadecimal(at + 2) : 0;
      if (isHigh && (low & 0xfc00) == 0xdc00) {
        character = 0x1_0000 + ((character - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      } else {
        character = 0xfffd;
      }
    }
    end = writeUtf8(character, end);
  }
}

/** @inline */
function escapedByte(escape: u8): u8 {
  switch (escape) {
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
    default:
      return escape;
  }
}

/** The value of four hexadecimal digits. */
function hexadecimal(at: usize): u32 {
  let value: u32 = 0;
  for (let digit: usize = 0; digit < 4; digit += 1) {
    const byte = load<u8>(at + digit);
    // Letters have this bit, and their last four bits count from 1.
    const letter = (byte >> 6) & 1;
    value = (value << 4) | ((byte & 0x0f) + letter * 9);
  }
  return value & 0xffff;
}

function writeUtf8(character: u32, target: usize): usize {
  if (character < 0x80) {
    store<u8>(target, character as u8);
    return target + 1;
  }
  if (character < 0x800) {
    store<u8>(target, (0xc0 | (character >> 6)) as u8);
    store<u8>(target, (0x80 | (character & 0x3f)) as u8, 1);
    return target + 2;
  }
  if (character < 0x1_0000) {
    store<u8>(target, (0xe0 | (character >> 12)) as u8);
    store<u8>(target, (0x80 | ((character >> 6) & 0x3f)) as u8, 1);
    store<u8>(target, (0x80 | (character & 0x3f)) as u8, 2);
    return target + 3;
  }
  store<u8>(target, (0xf0 | (character >> 18)) as u8);
  store<u8>(target, (0x80 | ((character >> 12) & 0x3f)) as u8, 1);
  store<u8>(target, (0x80 | ((character >> 6) & 0x3f)) as u8, 2);
  store<u8>(target, (0x80 | (character & 0x3f)) as u8, 3);
  return target + 4;
}

/**
 * Writes the bytes of a field of CSV, which is given without its quotes, with each doubled quote as
 * one.
 * @param target room for as many bytes as the field has; it must not overlap it.
 * @returns the end of the bytes.
 */
export function unquoteCsv(from: usize, to: usize, target: usize): usize {
  let at = from;
  let end = target;
  while (true) {
    const copied = copyUntil(at, to, end, quote);
    at += copied;
    end += copied;
    if (at == to) {
      return end;
    }
    store<u8>(end, quote);
    end += 1;
    at += at + 1 < to && load<u8>(at, 1) == quote ? 2 : 1;
  }
}
