import { daysSinceEpoch, isDigit, millisecondsPerDay, noDay, twoDigits } from './values';
import { hasTime, hasZone, slashTimeOf } from './writtenTimes';

/*
 * Dates that can be read only if the form of all dates of their column is known: 02/03/2026, 02-03-2026, 20260302,
 * and times as seconds, milliseconds, microseconds or nanoseconds since 1970-01-01. Values of such a column are read as if they were written as in ISO 8601.
 */

/** The forms of dates, as `ValueForm` has them; 0 is none of them. */
const dayFirst: i32 = 1;
const monthFirst: i32 = 2;
const inSeconds: i32 = 3;
const inDigits: i32 = 7;
const inMicroseconds: i32 = 8;
const inNanoseconds: i32 = 9;

/** The last second of the year 9999, since 1970. */
const lastSecond: f64 = 253_402_300_799;

let isDay: bool = false;
let isLocal: bool = false;

/** The time of a value of a column with a form in milliseconds since 1970; NaN if it does not have the form. */
export function timeInForm(form: i32, from: usize, to: usize): f64 {
  if (form == dayFirst || form == monthFirst) {
    if (to - from < 6 || to - from > 40 || !isDigit(load<u8>(from))) {
      return NaN;
    }
    const time = slashTimeOf(from, to, form == dayFirst);
    isDay = !hasTime;
    isLocal = !hasZone;
    return time;
  }
  isDay = form == inDigits;
  isLocal = false;
  if (isDay) {
    return digitsTimeOf(from, to);
  }
  const fraction = form == inMicroseconds ? 3 : form == inNanoseconds ? 6 : 0;
  return fraction == 0
    ? epochTimeOf(from, to, form == inSeconds)
    : epochTimeOf(from, withoutDigits(from, to, fraction), false);
}

/** The end of a number without so many digits; its start if it has no more, or something else than digits. */
function withoutDigits(from: usize, to: usize, count: i32): usize {
  const end = to - (count as usize);
  if (to - from <= (count as usize)) {
    return from;
  }
  for (let at = end; at < to; at += 1) {
    if (!isDigit(load<u8>(at))) {
      return from;
    }
  }
  return end;
}

/** Reads a year, month and day of two digits each, after a century. */
function digitsTimeOf(from: usize, to: usize): f64 {
  if (to - from != 8) {
    return NaN;
  }
  const century = twoDigits(from);
  const year = twoDigits(from + 2);
  const month = twoDigits(from + 4);
  const day = twoDigits(from + 6);
  if (century < 0 || year < 0 || month < 0 || day < 0) {
    return NaN;
  }
  const days = daysSinceEpoch(century, year, month, day);
  return days == noDay ? NaN : (days as f64) * millisecondsPerDay;
}

/** Reads a number without sign or exponent as a time. */
function epochTimeOf(from: usize, to: usize, isSeconds: bool): f64 {
  let at = from;
  let value: f64 = 0;
  while (at < to && at - from < 16 && isDigit(load<u8>(at))) {
    value = value * 10 + ((load<u8>(at) - 0x30) as f64);
    at += 1;
  }
  if (at == from) {
    return NaN;
  }
  const whole = isSeconds ? value * 1000 : value;
  const time = at == to ? whole : whole + fractionOf(at, to) * (isSeconds ? 1000 : 1);
  return time < (lastSecond + 1) * 1000 ? floor(time) : NaN;
}

/** The value of a point and the digits after it, to the third; NaN if there is something else. */
function fractionOf(from: usize, to: usize): f64 {
  let at = from + 1;
  let value: i32 = 0;
  let unit = 100;
  while (at < to && isDigit(load<u8>(at))) {
    value += ((load<u8>(at) - 0x30) as i32) * unit;
    unit /= 10;
    at += 1;
  }
  return load<u8>(from) == 0x2e && at == to && at > from + 1 ? (value as f64) / 1000 : NaN;
}

/**
 * Writes a time that `timeInForm` has just read, as in ISO 8601: only the date if there was no time of day, and
 * without a zone if there was none. The longest is 2026-02-13T07:08:28.123Z.
 * @returns the end of what was written
 */
export function writeIso(time: f64, target: usize): usize {
  const days = floor(time / millisecondsPerDay);
  const rest = (time - days * millisecondsPerDay) as i32;
  let at = writeDay(days as i32, target);
  if (isDay) {
    return at;
  }
  store<u8>(at, 0x54);
  at = writeTwo(rest / 3_600_000, at + 1);
  store<u8>(at, 0x3a);
  at = writeTwo((rest / 60_000) % 60, at + 1);
  store<u8>(at, 0x3a);
  at = writeTwo((rest / 1000) % 60, at + 1);
  const milliseconds = rest % 1000;
  if (milliseconds > 0) {
    store<u8>(at, 0x2e);
    store<u8>(at, (0x30 + milliseconds / 100) as u8, 1);
    at = writeTwo(milliseconds % 100, at + 2);
  }
  if (!isLocal) {
    store<u8>(at, 0x5a);
    at += 1;
  }
  return at;
}

/** Writes a day by its number since 1970-01-01, in a calendar whose years begin with March. */
function writeDay(number: i32, target: usize): usize {
  // Since 0000-03-01; 400 years have 146,097 days. Years before that are not written.
  const days = number + 719_468;
  const era = (days >= 0 ? days : days - 146_096) / 146_097;
  const ofEra = days - era * 146_097;
  const yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
  const ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const fromMarch = (5 * ofYear + 2) / 153;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + ((month <= 2) as i32);
  let at = writeTwo(year / 100, target);
  at = writeTwo(year % 100, at);
  store<u8>(at, 0x2d);
  at = writeTwo(month, at + 1);
  store<u8>(at, 0x2d);
  return writeTwo(ofYear - (153 * fromMarch + 2) / 5 + 1, at + 1);
}

function writeTwo(value: i32, at: usize): usize {
  store<u8>(at, (0x30 + value / 10) as u8);
  store<u8>(at, (0x30 + (value % 10)) as u8, 1);
  return at + 2;
}
