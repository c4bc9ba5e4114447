import { timeInForm, writeIso } from './dateForms';
import { isDigit, kindDate, kindNumber, kindText, minus, point, space, tab, zero } from './values';

/* Values that can be read only if the form of all values of their column is known. */

/** The forms of values, as `ValueForm` has them, besides those of dates; 0 is none of them. */
export const decimalComma: i32 = 5;
export const asText: i32 = 6;

/** Room for a value as `writeInForm` writes it. */
export const formRoom: u32 = 64;

const plus: u8 = 0x2b;
const comma: u8 = 0x2c;

/**
 * Writes a value of a column with a form as it is shown: a date as in ISO 8601, and a number with a decimal comma
 * without the points between thousands.
 * @param target room for `formRoom` bytes
 * @returns the end of what was written, or 0 if the value stays as it is
 */
export function writeInForm(form: i32, from: usize, to: usize, target: usize): usize {
  if (form == decimalComma) {
    return isGrouped(from, to) ? writeWithoutPoints(from, to, target) : 0;
  }
  const time = form == asText ? NaN : timeInForm(form, from, to);
  return time == time ? writeIso(time, target) : 0;
}

/** The kind that the form of its column gives to a value that is not empty; -1 if it gives none. */
export function kindInForm(form: i32, from: usize, to: usize): i32 {
  if (form == asText) {
    return kindText;
  }
  if (form == decimalComma) {
    return isGrouped(from, to) ? kindNumber : -1;
  }
  const time = timeInForm(form, from, to);
  return time == time ? kindDate : -1;
}

/** Whether the bytes are a number with points between thousands, and maybe a decimal comma: 1.234,56. */
function isGrouped(from: usize, to: usize): bool {
  if (to - from > (formRoom as usize)) {
    return false;
  }
  let at = skipBlanks(from, to);
  if (at < to && (load<u8>(at) == plus || load<u8>(at) == minus)) {
    at += 1;
  }
  const first = at;
  at = skipDigits(at, to);
  if (at == first || at - first > 3 || load<u8>(first) == zero || !isPoint(at, to)) {
    return false;
  }
  while (isPoint(at, to)) {
    const group = at + 1;
    at = skipDigits(group, to);
    if (at - group != 3) {
      return false;
    }
  }
  if (at < to && load<u8>(at) == comma) {
    at = skipDigits(at + 1, to);
  }
  return skipBlanks(at, to) == to;
}

/** @inline */
function isPoint(at: usize, to: usize): bool {
  return at < to && load<u8>(at) == point;
}

function skipDigits(from: usize, to: usize): usize {
  let at = from;
  while (at < to && isDigit(load<u8>(at))) {
    at += 1;
  }
  return at;
}

function skipBlanks(from: usize, to: usize): usize {
  let at = from;
  while (at < to && (load<u8>(at) == space || load<u8>(at) == tab)) {
    at += 1;
  }
  return at;
}

function writeWithoutPoints(from: usize, to: usize, target: usize): usize {
  let end = target;
  for (let at = from; at < to; at += 1) {
    const byte = load<u8>(at);
    if (byte != point) {
      store<u8>(end, byte);
      end += 1;
    }
  }
  return end;
}
