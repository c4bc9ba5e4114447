import {
  daysSinceEpoch,
  isDigit,
  millisecondsPerDay,
  noDay,
  secondsAt,
  secondsEnd,
  twoDigits,
} from './values';

/*
 * Dates and times as tools write them beside ISO 8601, where their parts can only mean one thing. A date is
 *   2020/10/30 or 2020.10.30,  13.02.2026,  31-OCT-2023 or 17 October 2024 (RFC 5322 section 3.3),
 *   02-Jan-26,  Oct 17, 2024,  or Oct 17 17:24:54 UTC 2024 (as `ctime` of C writes it),
 * after the name of its day, if there is one. A time such as 17:24:54.5, 5:24 PM or 17:24 +0200 CEST may follow,
 * after an @ as Kibana writes it.
 * Case does not matter.
 */

/** No longer text is a date. */
const longest: usize = 64;
/** The shortest is `2-May-26`, or `May 2 2026`. */
const shortest: usize = 8;
const shortestNamed: usize = 10;

/** What is read next, and where the text ends. */
let at: usize = 0;
let end: usize = 0;

/* What is read so far. */
let year: i32 = -1;
let month: i32 = -1;
let day: i32 = -1;
/** Milliseconds since midnight UTC, and whether a time and a zone are given. */
let time: f64 = 0;
export let hasTime: bool = false;
export let hasZone: bool = false;

/**
 * The first three letters of a word in lower case, as a number.
 * @inline
 */
function letters(from: usize): u32 {
  return (load<u32>(from) & 0x00ff_ffff) | 0x0020_2020;
}

/** The words `jan` to `dec`, then `sun` to `sat`, as `letters` reads them. */
const names: usize = memory.data<u32>([
  0x6e_616a, 0x62_6566, 0x72_616d, 0x72_7061, 0x79_616d, 0x6e_756a, 0x6c_756a, 0x67_7561, 0x70_6573,
  0x74_636f, 0x76_6f6e, 0x63_6564, 0x6e_7573, 0x6e_6f6d, 0x65_7574, 0x64_6577, 0x75_6874, 0x69_7266,
  0x74_6173,
]);
/** What follows the three letters where the names are written out. */
const nameEnds: usize = memory.data<u64>([
  0x7972_6175, 0x79_7261_7572, 0x6863, 0x6c69, 0x0, 0x65, 0x79, 0x74_7375, 0x7265_626d_6574,
  0x7265_626f, 0x72_6562_6d65, 0x72_6562_6d65, 0x79_6164, 0x79_6164, 0x7961_6473, 0x7961_6473_656e,
  0x79_6164_7372, 0x79_6164, 0x79_6164_7275,
]);
const nameCount = 19;
/** The names from this one on are days. */
const firstDay = 12;

/** @inline */
export function isLetter(byte: u8): bool {
  return (((byte | 0x20) - 0x61) as u8) < 26;
}

/** @inline */
function byteAt(offset: usize): u8 {
  return at + offset < end ? load<u8>(at + offset) : 0;
}

/**
 * Whether one of the next 32 bytes is a digit.
 * @inline
 */
function hasDigit(from: usize): bool {
  const zero = i8x16.splat(0x30);
  const ten = i8x16.splat(10);
  const first = i8x16.lt_u(i8x16.sub(v128.load(from), zero), ten);
  const second = i8x16.lt_u(i8x16.sub(v128.load(from, 16), zero), ten);
  return v128.any_true(v128.or(first, second));
}

/** One bit for each letter with which the name of a month or a day begins. */
const firstLetters: u32 = 0x4c7229;

/** @inline */
function isMark(byte: u8): bool {
  return byte == 0x20 || (byte >= 0x2d && byte <= 0x2f);
}

/**
 * Whether a text without spaces around it may be such a date, by its first bytes. Most texts are none.
 * @inline
 */
export function mayBeTime(from: usize, to: usize): bool {
  const length = to - from;
  if (length < shortest || length > longest) {
    return false;
  }
  const first = load<u8>(from);
  const letter = ((first | 0x20) - 0x61) as u8;
  return letter < 26
    ? length >= shortestNamed && ((firstLetters >> (letter as u32)) & 1) != 0 && hasDigit(from)
    : isDigit(first) &&
        (isMark(load<u8>(from, 1)) || isMark(load<u8>(from, 2)) || isMark(load<u8>(from, 4)));
}

/**
 * Reads such a date.
 * @returns milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a date.
 */
export function writtenTimeOf(from: usize, to: usize): f64 {
  start(from, to);
  let name = nameHere();
  if (name >= firstDay) {
    skip(0x2c);
    if (!skipSpaces()) {
      return NaN;
    }
    name = nameHere();
  }
  return (name < 0 ? readDate() : readDateAfter(name)) ? timeRead() : NaN;
}

/**
 * Reads a date such as 13/02/2026, 2/13/26, 13-02-2026 or 02/13/2026 07:08 AM. Years below 70 of two digits are
 * after 2000; between dashes, they may also be days.
 * @returns as `writtenTimeOf`
 */
export function slashTimeOf(from: usize, to: usize, isDayFirst: bool): f64 {
  start(from, to);
  const first = readNumber();
  const one = first.value;
  const mark: u8 = byteAt(0) == 0x2d ? 0x2d : 0x2f;
  if (first.length == 0 || first.length > 2 || !skip(mark)) {
    return NaN;
  }
  const second = readNumber();
  const other = second.value;
  if (second.length == 0 || second.length > 2 || !skip(mark)) {
    return NaN;
  }
  day = isDayFirst ? one : other;
  month = isDayFirst ? other : one;
  return readYear(mark == 0x2f) && readRest() ? timeRead() : NaN;
}

function start(from: usize, to: usize): void {
  at = from;
  end = to;
  time = 0;
  hasTime = hasZone = false;
}

/** The time that was read, if there is such a day and nothing follows. */
function timeRead(): f64 {
  const days = daysSinceEpoch(year / 100, year % 100, month, day);
  return days == noDay || at != end ? NaN : (days as f64) * millisecondsPerDay + time;
}

/** Reads the name of a month or a day. @returns its number, or -1 if there is none */
function nameHere(): i32 {
  let length: usize = 0;
  while (isLetter(byteAt(length))) {
    length += 1;
  }
  if (length < 3) {
    return -1;
  }
  const word = letters(at);
  let name = 0;
  while (name < nameCount && load<u32>(names + ((name as usize) << 2)) != word) {
    name += 1;
  }
  if (name == nameCount) {
    return -1;
  }
  const bits = (length - 3) << 3;
  const ending =
    length <= 9
      ? (load<u64>(at, 3) | 0x0020_2020_2020_2020) & (((1 as u64) << bits) - 1)
      : u64.MAX_VALUE;
  const whole = load<u64>(nameEnds + ((name as usize) << 3));
  // September and Tuesday are often shortened to four letters.
  const isFour = length == 4 && (name == 8 || name == 14) && ending == (whole & 0xff);
  if (length != 3 && ending != whole && !isFour) {
    return -1;
  }
  at += length;
  return name;
}

/** Reads a date that begins with a digit, and the time after it. */
function readDate(): bool {
  const first = readNumber();
  const mark = byteAt(0);
  if (first.length == 4) {
    year = first.value;
    month = twoDigitsHere(1);
    day = twoDigitsHere(4);
    const isDate =
      (mark == 0x2d || mark == 0x2f || mark == 0x2e) && byteAt(3) == mark && month >= 0 && day >= 0;
    at += 6;
    return isDate && readRest();
  }
  day = first.value;
  if (first.length == 2 && mark == 0x2e && byteAt(3) == mark) {
    month = twoDigitsHere(1);
    at += 4;
    return month >= 0 && readYear(false) && readRest();
  }
  if (first.length == 0 || first.length > 2 || (mark != 0x20 && mark != 0x2d && mark != 0x2f)) {
    return false;
  }
  at += 1;
  const name = nameHere();
  month = name + 1;
  return name >= 0 && name < firstDay && skip(mark) && readYear(mark != 0x20) && readRest();
}

/** Reads a date after the name of its month. */
function readDateAfter(name: i32): bool {
  month = name + 1;
  if (name >= firstDay || !skipSpaces()) {
    return false;
  }
  const date = readNumber();
  day = date.value;
  const hasComma = skip(0x2c);
  if (date.length == 0 || date.length > 2 || !skipSpaces()) {
    return false;
  }
  if (!hasComma && (byteAt(1) == 0x3a || byteAt(2) == 0x3a)) {
    return readTime() && load<u8>(at - 1) == 0x20 && readYear(false);
  }
  return readYear(false) && readRest();
}

function readYear(mayBeShort: bool): bool {
  const found = readNumber();
  year = found.value;
  if (mayBeShort && found.length == 2) {
    year += year < 70 ? 2000 : 1900;
    return true;
  }
  return found.length == 4;
}

/** Reads the time after a date, if there is one. */
function readRest(): bool {
  if (at == end) {
    return true;
  }
  skip(0x2c);
  return skipSpaces() && (!skip(0x40) || skipSpaces()) && readTime();
}

/** Reads hours, minutes, seconds and a zone, and the spaces after them. */
function readTime(): bool {
  const hours = readNumber();
  const minute = twoDigitsHere(1);
  let hour = hours.value;
  if (hours.length == 0 || hours.length > 2 || byteAt(0) != 0x3a || minute < 0 || minute > 59) {
    return false;
  }
  const seconds = secondsAt(at + 3, end);
  if (seconds != seconds) {
    return false;
  }
  at = secondsEnd;
  skipSpaces();
  const half = byteAt(0) | 0x20;
  if ((half == 0x61 || half == 0x70) && (byteAt(1) | 0x20) == 0x6d && !isLetter(byteAt(2))) {
    if (hour > 12) {
      return false;
    }
    hour = (hour % 12) + (half == 0x70 ? 12 : 0);
    at += 2;
    skipSpaces();
  }
  const offset = readZone();
  if (hour > 23 || offset == noOffset) {
    return false;
  }
  hasTime = true;
  time = (((hour * 60 + minute - offset) * 60_000) as f64) + seconds;
  skipSpaces();
  return true;
}

const noOffset: i32 = i32.MIN_VALUE;

/**
 * Reads digits such as +0200 or +02:00, the name of a zone, or both; the name then means nothing.
 * @returns minutes to the east of UTC, 0 if there is no zone, or `noOffset` if the name is unknown
 */
function readZone(): i32 {
  const sign = byteAt(0);
  if (sign != 0x2b && sign != 0x2d) {
    hasZone = isLetter(sign);
    return hasZone ? readZoneName() : 0;
  }
  hasZone = true;
  const hours = twoDigitsHere(1);
  const colon: usize = byteAt(3) == 0x3a ? 4 : 3;
  const minutes = twoDigitsHere(colon);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
    return noOffset;
  }
  at += colon + 2;
  if (skipSpaces()) {
    const isComment = skip(0x28);
    const from = at;
    while (isLetter(byteAt(0))) {
      at += 1;
    }
    if (at - from > 5 || (isComment && !skip(0x29))) {
      return noOffset;
    }
  }
  const offset = hours * 60 + minutes;
  return sign == 0x2d ? -offset : offset;
}

/** Reads `Z`, `UT`, `UTC`, `GMT`, or a zone of North America (RFC 5322 section 4.3). */
function readZoneName(): i32 {
  const from = at;
  while (isLetter(byteAt(0))) {
    at += 1;
  }
  const length = at - from;
  const first = load<u8>(from) | 0x20;
  const second = load<u8>(from, 1) | 0x20;
  const word = letters(from);
  if (
    (length == 1 && first == 0x7a) ||
    (length == 2 && first == 0x75 && second == 0x74) ||
    (length == 3 && (word == 0x63_7475 || word == 0x74_6d67))
  ) {
    return 0;
  }
  const hours = first == 0x65 ? 5 : first == 0x63 ? 6 : first == 0x6d ? 7 : first == 0x70 ? 8 : 0;
  if (length != 3 || hours == 0 || word >> 16 != 0x74 || (second != 0x73 && second != 0x64)) {
    return noOffset;
  }
  return -60 * (second == 0x64 ? hours - 1 : hours);
}

@unmanaged
class Digits {
  value: i32;
  length: usize;
}
const digits = changetype<Digits>(memory.data(8, 4));

/** Reads digits, and only the first five of them. */
function readNumber(): Digits {
  const from = at;
  let value = 0;
  while (at - from < 5 && isDigit(byteAt(0))) {
    value = value * 10 + (load<u8>(at) - 0x30);
    at += 1;
  }
  digits.value = value;
  digits.length = at - from;
  return digits;
}

/** The number of two digits at this offset, or -1. */
function twoDigitsHere(offset: usize): i32 {
  return at + offset + 2 <= end ? twoDigits(at + offset) : -1;
}

/** Whether the next byte is this one, which is then skipped. */
function skip(byte: u8): bool {
  const is = byteAt(0) == byte && at < end;
  at += is as usize;
  return is;
}

/** Whether spaces are next, which are then skipped. */
function skipSpaces(): bool {
  const from = at;
  while (byteAt(0) == 0x20) {
    at += 1;
  }
  return at > from;
}
