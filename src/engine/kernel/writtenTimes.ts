import {
  daysSinceEpoch,
  isDigit,
  millisecondsPerDay,
  noDay,
  timeOfDayOf,
  twoDigits,
} from './values';

/*
 * Dates and times as tools write them beside ISO 8601, where their parts can only mean one thing:
 * `2014-12-05 14:53:43 +0000 UTC`, `2020/10/30`, `Oct 17, 2024 17:24:54 UTC`, `31-OCT-2023`,
 * `Tue, 17 Oct 2024 17:24:54 -0500` (RFC 5322 section 3.3), `Tue Oct 17 17:24:54 2024`,
 * `Feb 03, 2026 07:00 AM` and `13.02.2026`.
 */

/** No longer text is a date. */
const longest: usize = 64;
const shortest: usize = 8;

/* The parts that are read so far; -1 for those that are not. */
let year: i32 = -1;
let month: i32 = -1;
let day: i32 = -1;
/** Milliseconds since midnight. */
let time: f64 = -1;
/** The hour, and 0 for AM or 12 for PM. */
let hour: i32 = -1;
let half: i32 = -1;
/** The offset from UTC in minutes, and whether one is given as digits or as a name. */
let offset: i32 = 0;
let hasOffset: bool = false;
let hasZone: bool = false;
let hasWeekday: bool = false;

/**
 * The first three letters of a word in lower case, as a number; 0 if there are fewer.
 * @inline
 */
function letters(at: usize): u32 {
  return (load<u32>(at) & 0x00ff_ffff) | 0x0020_2020;
}

/** The words `jan` to `dec`, then `sun` to `sat`, as `letters` reads them. */
const names: usize = memory.data<u32>([
  0x6e_616a, 0x62_6566, 0x72_616d, 0x72_7061, 0x79_616d, 0x6e_756a, 0x6c_756a, 0x67_7561, 0x70_6573,
  0x74_636f, 0x76_6f6e, 0x63_6564, 0x6e_7573, 0x6e_6f6d, 0x65_7574, 0x64_6577, 0x75_6874, 0x69_7266,
  0x74_6173,
]);
/** How many letters each of the names has when it is written out. */
const nameLengths: usize = memory.data<u8>([
  7, 8, 5, 5, 3, 4, 4, 6, 9, 7, 8, 8, 6, 6, 7, 9, 8, 6, 8,
]);

/** The number of a name of a month from 0, or of a day of the week from 12; -1 for other words. */
function nameAt(at: usize, length: usize): i32 {
  const word = letters(at);
  for (let number = 0; number < 19; number += 1) {
    if (load<u32>(names + ((number as usize) << 2)) == word) {
      const whole = load<u8>(nameLengths + (number as usize)) as usize;
      // September and Tuesday have a usual form of four letters.
      const isShort = length == 3 || (length == 4 && (number == 8 || number == 14));
      return isShort || length == whole ? number : -1;
    }
  }
  return -1;
}

/** @inline */
function isLetter(byte: u8): bool {
  return (((byte | 0x20) - 0x61) as u8) < 26;
}

/**
 * Whether a text may be such a date, by its first bytes.
 * @inline
 */
export function mayBeTime(from: usize, to: usize): bool {
  const length = to - from;
  if (length < shortest || length > longest) {
    return false;
  }
  const first = load<u8>(from);
  // Names at the start have three letters.
  return isDigit(first) || (load<u8>(from, 3) < 0x30 && nameAt(from, 3) >= 0);
}

function wordLength(from: usize, to: usize): usize {
  let at = from;
  while (at < to && isLetter(load<u8>(at))) {
    at += 1;
  }
  return at - from;
}

/** Milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a date. */
export function writtenTimeOf(from: usize, to: usize): f64 {
  year = month = day = hour = half = -1;
  time = -1;
  offset = 0;
  hasOffset = hasZone = hasWeekday = false;
  let at = from;
  while (at < to) {
    const byte = load<u8>(at);
    const next = isDigit(byte)
      ? readDigits(at, to)
      : isLetter(byte)
        ? readWord(at, to)
        : readMark(at, to);
    if (next == 0) {
      return NaN;
    }
    at = next;
  }
  if (year < 0 || month < 0 || day < 0) {
    return NaN;
  }
  const days = daysSinceEpoch(year / 100, year % 100, month, day);
  if (days == noDay) {
    return NaN;
  }
  if (time < 0) {
    return hasZone || half >= 0 ? NaN : (days as f64) * millisecondsPerDay;
  }
  if (half >= 0) {
    if (hour < 1 || hour > 12) {
      return NaN;
    }
    time += (((hour % 12) + half - hour) * 3_600_000) as f64;
  }
  return (days as f64) * millisecondsPerDay + time - ((offset * 60_000) as f64);
}

/** The value of the digits of a range. @inline */
function numberOf(from: usize, to: usize): i32 {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    value = value * 10 + (load<u8>(at) - 0x30);
  }
  return value;
}

/** Reads a number and what belongs to it. @returns the position after it, or 0 */
function readDigits(from: usize, to: usize): usize {
  let end = from;
  while (end < to && isDigit(load<u8>(end))) {
    end += 1;
  }
  const length = end - from;
  const mark = end < to ? load<u8>(end) : 0;
  if (mark == 0x3a && length <= 2 && time < 0) {
    return readTime(from, end, to);
  }
  if (length == 4 && year < 0) {
    year = numberOf(from, end);
    // Such as 2020/10/30.
    const isWhole = month < 0 && day < 0 && (mark == 0x2d || mark == 0x2f || mark == 0x2e);
    return isWhole ? readMonthAndDay(end, to, mark) : end;
  }
  // Such as 13.02.2026; the order of dates with slashes differs.
  if (length == 2 && mark == 0x2e && year < 0 && month < 0 && day < 0 && end + 8 <= to) {
    return readDotted(from, to);
  }
  if (length <= 2 && day < 0) {
    day = numberOf(from, end);
    return end;
  }
  return 0;
}

function readMonthAndDay(from: usize, to: usize, mark: u8): usize {
  if (from + 6 > to || load<u8>(from, 3) != mark) {
    return 0;
  }
  month = twoDigits(from + 1);
  day = twoDigits(from + 4);
  const end = from + 6;
  if (end < to && load<u8>(end) == 0x54) {
    return end + 1;
  }
  return end < to && isDigit(load<u8>(end)) ? 0 : end;
}

function readDotted(from: usize, to: usize): usize {
  day = twoDigits(from);
  month = twoDigits(from + 3);
  const century = twoDigits(from + 6);
  const years = twoDigits(from + 8);
  const end = from + 10;
  const isDate =
    load<u8>(from, 5) == 0x2e &&
    century >= 0 &&
    years >= 0 &&
    !(end < to && isDigit(load<u8>(end)));
  year = century * 100 + years;
  return isDate && month >= 0 ? end : 0;
}

/** Reads hours, minutes, and seconds if there are any. */
function readTime(from: usize, colon: usize, to: usize): usize {
  if (colon + 3 > to) {
    return 0;
  }
  hour = numberOf(from, colon);
  const minute = twoDigits(colon + 1);
  if (hour > 23 || minute < 0 || minute > 59) {
    return 0;
  }
  let end = colon + 3;
  if (end < to && load<u8>(end) == 0x3a) {
    end += 1;
    while (end < to && (isDigit(load<u8>(end)) || load<u8>(end) == 0x2e)) {
      end += 1;
    }
  }
  time = timeOfDayOf((hour * 60 + minute) * 60_000, colon + 3, end);
  return time >= 0 ? end : 0;
}

function readWord(from: usize, to: usize): usize {
  const length = wordLength(from, to);
  const end = from + length;
  const name = length >= 3 ? nameAt(from, length) : -1;
  if (name >= 12) {
    if (hasWeekday) {
      return 0;
    }
    hasWeekday = true;
    return end;
  }
  if (name >= 0) {
    if (month >= 0) {
      return 0;
    }
    month = name + 1;
    return end;
  }
  if (time < 0) {
    return 0;
  }
  const first = load<u8>(from) | 0x20;
  const second = load<u8>(from, 1) | 0x20;
  if (length == 2 && second == 0x6d && (first == 0x61 || first == 0x70)) {
    if (half >= 0) {
      return 0;
    }
    half = first == 0x61 ? 0 : 12;
    return end;
  }
  if (hasZone) {
    return 0;
  }
  hasZone = true;
  const word = letters(from);
  const isUtc =
    (length == 1 && first == 0x7a) ||
    (length == 2 && first == 0x75 && second == 0x74) ||
    (length == 3 && (word == 0x63_7475 || word == 0x74_6d67));
  if (isUtc) {
    return end;
  }
  // The zones of RFC 5322 section 4.3: E, C, M or P; S or D; T.
  const hours = first == 0x65 ? 5 : first == 0x63 ? 6 : first == 0x6d ? 7 : first == 0x70 ? 8 : 0;
  const isZone =
    length == 3 && hours > 0 && (second == 0x73 || second == 0x64) && word >> 16 == 0x74;
  if (!isZone) {
    return 0;
  }
  if (!hasOffset) {
    offset = -60 * (second == 0x64 ? hours - 1 : hours);
  }
  return end;
}

/** Reads an offset from UTC, or what is between the parts. */
function readMark(from: usize, to: usize): usize {
  const byte = load<u8>(from);
  const isSign = byte == 0x2b || byte == 0x2d;
  if (isSign && time >= 0 && !hasOffset && from + 1 < to && isDigit(load<u8>(from, 1))) {
    const hours = from + 3 <= to ? twoDigits(from + 1) : -1;
    const skipped: usize = from + 3 < to && load<u8>(from, 3) == 0x3a ? 4 : 3;
    const minutes = from + skipped + 2 <= to ? twoDigits(from + skipped) : -1;
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
      return 0;
    }
    offset = (byte == 0x2d ? -1 : 1) * (hours * 60 + minutes);
    hasOffset = true;
    return from + skipped + 2;
  }
  if (byte == 0x20 || byte == 0x2c) {
    return from + 1;
  }
  // Between a day, a name and a year.
  const isBetween = byte == 0x2d || byte == 0x2f || byte == 0x2e;
  const isNamed =
    (day >= 0 && month < 0 && from + 1 < to && isLetter(load<u8>(from, 1))) ||
    (month >= 0 && time < 0 && isLetter(load<u8>(from - 1)));
  return isBetween && isNamed ? from + 1 : 0;
}
