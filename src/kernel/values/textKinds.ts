import { setNumber } from '../memory';
import { isoTimeOf, kindDate, kindText, space, undatedKind } from './values';
import { mayBeTime, writtenTimeOf } from './writtenTimes';

/* Which texts are dates: those of ISO 8601 (`values.ts`), and those that tools write (`writtenTimes.ts`). */

/** The time that Go and .NET write where there is none: 0001-01-01T00:00:00Z. */
const noTime: f64 = -62_135_596_800_000;

/**
 * Reads a date: see `isoTimeOf` and `writtenTimeOf`. Spaces around it do not matter.
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
  const iso = isoTimeOf(from, to);
  const time = iso == iso || !mayBeTime(from, to) ? iso : writtenTimeOf(from, to);
  return time == noTime && to - from > 10 ? NaN : time;
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

/**
 * The kind of a field of CSV without its quotes. The time of a date becomes the result that is a
 * double.
 * @param hasCommas whether the point of a number may be a comma.
 */
export function csvKind(from: usize, to: usize, hasCommas: bool): i32 {
  const kind = undatedKind(from, to, hasCommas);
  return kind == kindText ? textKind(from, to) : kind;
}
