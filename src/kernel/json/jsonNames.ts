import { backslash, colon, isBlank, quote } from './jsonSyntax';

/* Reads the name of a member backwards from its value. */

/** Longer names are not read. */
const maxNameBytes: usize = 1000;

/** Where the name ends that `nameBefore` found, and whether it is too long to be read. */
export let nameEnd: usize = 0;
export let isLongName: bool = false;

/**
 * The start of the name of the member whose value starts at `at`, or 0 if there is none.
 * @param lowest bytes before it cannot be read.
 */
export function nameBefore(at: usize, lowest: usize): usize {
  let last = beforeBlanks(at, lowest);
  if (last < lowest || load<u8>(last) != colon) {
    return 0;
  }
  last = beforeBlanks(last, lowest);
  if (last < lowest || load<u8>(last) != quote) {
    return 0;
  }
  nameEnd = last;
  isLongName = false;
  if (last >= lowest + 16) {
    // Most names are short and have no escapes.
    const bytes = v128.load(last - 16);
    const marks = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(quote as i8)));
    const slashes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(backslash as i8)));
    if (marks != 0 && slashes == 0) {
      return last - (clz(marks) as usize) + 16;
    }
  }
  const stop = last > lowest + maxNameBytes ? last - maxNameBytes : lowest;
  let start = last;
  while (start > stop) {
    start -= 1;
    if (load<u8>(start) == quote && !isEscapedAt(start, stop)) {
      return start + 1;
    }
  }
  isLongName = true;
  return last;
}

/** Whether an odd number of backslashes is before this byte. */
function isEscapedAt(at: usize, stop: usize): bool {
  let first = at;
  while (first > stop && load<u8>(first - 1) == backslash) {
    first -= 1;
  }
  return ((at - first) & 1) != 0;
}

/** The position of the last byte before `at` that is no blank, or one before `lowest`. */
function beforeBlanks(at: usize, lowest: usize): usize {
  let last = at - 1;
  while (last >= lowest && isBlank(load<u8>(last))) {
    last -= 1;
  }
  return last;
}

/** The last byte before `at` that is no blank, or 0. */
export function previousByte(at: usize, lowest: usize): u8 {
  const last = beforeBlanks(at, lowest);
  return last < lowest ? 0 : load<u8>(last);
}
