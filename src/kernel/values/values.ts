import { setResult } from '../memory';

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
export const kindEmptyText: i32 = 8;

export const tab: u8 = 0x09;
export const space: u8 = 0x20;
export const quote: u8 = 0x22;
const plus: u8 = 0x2b;
const comma: u8 = 0x2c;
export const minus: u8 = 0x2d;
export const point: u8 = 0x2e;
export const zero: u8 = 0x30;
const colon: u8 = 0x3a;
const backslash: u8 = 0x5c;

/** @inline */
export function isDigit(byte: u8): bool {
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
/** All integers below 2^53 are exact as doubles. */
const exactIntegers: f64 = 9_007_199_254_740_992;
/** Digits that are counted at once, less one: there may be more of them. */
const countedDigits: usize = 15;

/** @inline */
function powerOfTen(exponent: usize): f64 {
  return load<f64>(powers + (exponent << 3));
}

/**
 * The double of a number of JSON, or one for which `isWrittenNumber` is true. Where its digits
 * are an integer below 2^53 and its power of ten is at most 22, both are exact doubles, so that one
 * operation rounds correctly (Clinger, "How to read floating point numbers accurately", 1990).
 * @returns NaN for others, or where a part has more than 15 digits; then result 15 is 1, otherwise 0.
 */
export function numberValue(from: usize, to: usize): f64 {
  let at = skipBlanks(from, to);
  const sign = at < to ? load<u8>(at) : 0;
  if (sign == minus || sign == plus) {
    at += 1;
  }
  const whole = countDigits(at, to);
  let digits = digitsValue(at, whole) as f64;
  let fraction: usize = 0;
  at += whole;
  if (at < to && (load<u8>(at) == point || load<u8>(at) == comma)) {
    fraction = countDigits(at + 1, to);
    // If this is rounded, it is not below 2^53.
    digits = digits * powerOfTen(fraction) + (digitsValue(at + 1, fraction) as f64);
    at += fraction + 1;
  }
  let exponent = -(fraction as i32);
  if (at < to && (load<u8>(at) | 0x20) == 0x65) {
    exponent += exponentValue(at + 1, to);
  }
  const isExact =
    whole <= countedDigits &&
    fraction <= countedDigits &&
    digits < exactIntegers &&
    abs(exponent) <= exactPowers;
  setResult(needsNumber, isExact ? 0 : 1);
  if (!isExact) {
    return NaN;
  }
  const power = powerOfTen(abs(exponent));
  const value = exponent < 0 ? digits / power : digits * power;
  return sign == minus ? -value : value;
}

/** The result that says whether the caller must ask `Number()` for the value. */
const needsNumber: usize = 15;

/**
 * How many digits start here; 16 if there may be more.
 * @inline
 */
function countDigits(from: usize, to: usize): usize {
  return from < to ? min(ctz(~digitMask(from)), to - from) : 0;
}

/**
 * The value of up to 16 digits.
 * @inline
 */
function digitsValue(from: usize, count: usize): i64 {
  if (count == 0) {
    return 0;
  }
  if (count <= 8) {
    // Bytes of 0 move before the first digit.
    return eightDigits(load<u64>(from) << ((8 - count) << 3));
  }
  const first = eightDigits(load<u64>(from) << ((16 - count) << 3));
  return first * 100_000_000 + eightDigits(load<u64>(from + count - 8));
}

/** The value of eight digits, of which bytes of 0 are leading zeros. */
function eightDigits(bytes: u64): i64 {
  // Neighbours are added: ten times the one and the other; then pairs, then fours.
  let value = ((bytes & 0x0f0f_0f0f_0f0f_0f0f) * (10 * 256 + 1)) >> 8;
  value = ((value & 0x00ff_00ff_00ff_00ff) * (100 * 65_536 + 1)) >> 16;
  return (((value & 0x0000_ffff_0000_ffff) * (10_000 * 4_294_967_296 + 1)) >> 32) as i64;
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

export const millisecondsPerDay: f64 = 86_400_000;
/** Days before 1970-01-01 since the beginning of the year 0. */
const epoch: i32 = 719_528;
const monthDays: usize = memory.data<u8>([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
/** Days of a year before each month, without a leap day. */
const daysBefore: usize = memory.data<u16>([
  0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334,
]);

/* Eight characters of a date or time: after this XOR, digits are 0 to 9, and those between are 0. */
const dateTemplate: u64 = 0x2d30_302d_3030_3030;
const timeTemplate: u64 = 0x3030_3a30_3000_3030;
const secondTemplate: u64 = 0x5a30_303a;
/* Added to the lower seven bits, this sets the highest bit for other characters. */
const dateOthers: u64 = 0x7f76_767f_7676_7676;
const timeOthers: u64 = 0x7676_7f76_7600_7676;
const secondOthers: u64 = 0x7f76_767f;
/** The separator between date and time, which is one of two. */
const separatorByte: u64 = 0xff_0000;

/** @inline */
function areExpected(bytes: u64, others: u64): bool {
  return ((((bytes & 0x7f7f_7f7f_7f7f_7f7f) + others) | bytes) & 0x8080_8080_8080_8080) == 0;
}

/**
 * For each byte, the value of the two digits that start there.
 * @inline
 */
function pairsOf(digits: u64): u64 {
  return digits * 10 + (digits >> 8);
}

/** @inline */
function pairAt(pairs: u64, at: u64): i32 {
  return ((pairs >> (8 * at)) & 0xff) as i32;
}

/**
 * Reads an ISO 8601 date (`2026-11-21`) or date and time (`2026-11-21T08:30:00.5+01:00`; a space for
 * the `T`, seconds and zone may be absent).
 * @returns milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a
 *   date.
 */
export function isoTimeOf(from: usize, to: usize): f64 {
  if (to - from < 10) {
    return NaN;
  }
  const dateBytes = load<u64>(from) ^ dateTemplate;
  if (!areExpected(dateBytes, dateOthers)) {
    return NaN;
  }
  const isDay = to - from == 10;
  const others = load<u64>(from, 8) ^ timeTemplate;
  const separator = load<u8>(from, 10);
  const timeBytes = isDay ? others & 0xffff : others & ~separatorByte;
  if (
    !areExpected(timeBytes, timeOthers) ||
    (!isDay && (to - from < 16 || (separator != 0x54 && separator != space)))
  ) {
    return NaN;
  }
  const datePairs = pairsOf(dateBytes);
  const timePairs = pairsOf(timeBytes);
  const days = daysSinceEpoch(
    pairAt(datePairs, 0),
    pairAt(datePairs, 2),
    pairAt(datePairs, 5),
    pairAt(timePairs, 0),
  );
  const hour = pairAt(timePairs, 3);
  const minute = pairAt(timePairs, 6);
  if (days == noDay || hour > 23 || minute > 59) {
    return NaN;
  }
  const time = (days as f64) * millisecondsPerDay;
  if (isDay) {
    return time;
  }
  const minutes = (hour * 60 + minute) * 60_000;
  const secondBytes = (load<u32>(from, 16) as u64) ^ secondTemplate;
  if (to - from == 20 && areExpected(secondBytes, secondOthers)) {
    const second = pairAt(pairsOf(secondBytes), 1);
    return second <= 60 ? time + ((minutes + second * 1000) as f64) : NaN;
  }
  return timeOfDay(time, minutes, from + 16, to);
}

export const noDay: i32 = i32.MIN_VALUE;

/**
 * Days since 1970-01-01 of a date of the Gregorian calendar; `noDay` if there is no such day.
 * @param year of the century.
 * @inline
 */
export function daysSinceEpoch(century: i32, year: i32, month: i32, date: i32): i32 {
  const isLeap = ((year == 0 ? century : year) & 3) == 0;
  if (
    month < 1 ||
    month > 12 ||
    date < 1 ||
    date > (load<u8>(monthDays + (month as usize)) as i32) ||
    (month == 2 && date == 29 && !isLeap)
  ) {
    return noDay;
  }
  const years = century * 100 + year;
  // The leap days of the earlier years; year 0 is a leap year.
  const centuries = year == 0 ? century : century + 1;
  const leapDays = ((years + 3) >> 2) - centuries + ((centuries + 3) >> 2);
  const leapDay = (isLeap as i32) & ((month > 2) as i32);
  const before = load<u16>(daysBefore + ((month as usize) << 1)) as i32;
  return years * 365 + leapDays + before + leapDay + date - 1 - epoch;
}

/**
 * What a digit of a fraction counts, by its place: rounded as by divisions by ten, one after the
 * other, which would take longer than all else.
 */
const units: usize = memory.data<f64>([
  0.1, 0.01, 0.001, 0.0001, 0.00001, 0.0000010000000000000002, 1.0000000000000002e-7,
  1.0000000000000002e-8, 1.0000000000000003e-9,
]);
const unitCount: usize = 9;

/** Where the seconds that `secondsAt` read end. */
export let secondsEnd: usize = 0;

/** Reads seconds after a colon, which may be absent, in milliseconds; NaN if they are not seconds. */
export function secondsAt(from: usize, to: usize): f64 {
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
        const place = at - start;
        unit = place < unitCount ? load<f64>(units + (place << 3)) : unit / 10;
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
  secondsEnd = at;
  return milliseconds;
}

/**
 * Reads seconds and zone, both of which may be absent.
 * @param minutes the hour and minute, in milliseconds.
 */
function timeOfDay(date: f64, minutes: i32, from: usize, to: usize): f64 {
  const milliseconds = secondsAt(from, to);
  if (milliseconds != milliseconds) {
    return NaN;
  }
  const at = secondsEnd;
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
export function twoDigits(at: usize): i32 {
  const tens = (load<u8>(at) as i32) - 0x30;
  const ones = (load<u8>(at, 1) as i32) - 0x30;
  return (tens as u32) < 10 && (ones as u32) < 10 ? tens * 10 + ones : -1;
}

/** One bit for each byte from 0 to 63 with which a number in CSV may begin. */
const numberStarts: u64 =
  (1 << 0x09) |
  (1 << 0x20) |
  (1 << 0x2b) |
  (1 << 0x2c) |
  (1 << 0x2d) |
  (1 << 0x2e) |
  (0x3ff << 0x30);

/** As `csvKind`, but a date is a text. */
export function undatedKind(from: usize, to: usize, hasCommas: bool): i32 {
  if (from == to) {
    return kindNull;
  }
  const first = load<u8>(from);
  if (first < 64) {
    const mayStart = ((numberStarts >> (first as u64)) & 1) != 0;
    // Nothing like a date is a number, and dates are long.
    const isLikeDate = to - from >= 10 && load<u8>(from, 4) == minus && load<u8>(from, 7) == minus;
    return mayStart && !(isLikeDate && isDigit(first)) && isWrittenNumber(from, to, hasCommas)
      ? kindNumber
      : kindText;
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
