import {
  blockCloses,
  blockOf,
  blockOpens,
  blockOthers,
  continueText,
  forgetBlock,
  inText,
  isEscaped,
  isInBlock,
} from './jsonBlocks';
import { jsonOf } from './jsonShape';
import { afterBlanks, closeBracket, comma, isBlank, openBracket, opens } from './jsonSyntax';
import {
  arrayForm,
  isBroken,
  linesForm,
  Reader,
  stoppedEnd,
  stoppedMore,
  textsForm,
  topArrayForm,
  wholeForm,
} from '../reader';

/*
 * Finds where JSON records start and end, without parsing them: only brackets, commas and the quotes
 * around texts count. A search starts after the previous record and needs no other state.
 */

const newline: u8 = 0x0a;
/** It starts a text of a JSON text sequence (RFC 7464 section 2.2). */
const recordSeparator: u8 = 0x1e;

/** The result of a search that found a record; otherwise `stoppedMore` or `stoppedEnd`. */
export const found: i32 = 0;

/**
 * Finds the record after `reader.next`, and moves that.
 *
 * @param record gets the record.
 */
export function findRecord(reader: Reader, record: usize, to: usize, isFinal: bool): i32 {
  switch (reader.form) {
    case linesForm:
      return findLine(reader, record, to, isFinal);
    case arrayForm:
      return findElement(reader, record, to, isFinal);
    case topArrayForm:
      return findTopElement(reader, record, to, isFinal);
    case textsForm:
      return findJsonText(reader, record, to, isFinal);
    default:
      return findWhole(reader, record, to, isFinal);
  }
}

/** @inline */
function setRecord(record: usize, start: usize, end: usize, next: usize, flags: u32): void {
  store<u32>(record, start as u32);
  store<u32>(record, end as u32, 4);
  store<u32>(record, next as u32, 8);
  store<u32>(record, flags, 12);
}

/**
 * The end of a record without the blanks before it.
 * @inline
 */
function withoutBlanks(start: usize, end: usize): usize {
  let last = end;
  while (last > start && isBlank(load<u8>(last - 1))) {
    last -= 1;
  }
  return last;
}

/** One record per line (NDJSON); blank lines are skipped. */
function findLine(reader: Reader, record: usize, to: usize, isFinal: bool): i32 {
  while (true) {
    const at = reader.next;
    const lineEnd = newlineFrom(at, to);
    const isOpen = lineEnd == to;
    if (isOpen && !isFinal) {
      return stoppedMore;
    }
    const next = isOpen ? to : lineEnd + 1;
    const end = withoutBlanks(at, lineEnd);
    reader.next = next;
    if (end > at) {
      setRecord(record, at, end, next, 0);
      return found;
    }
    if (isOpen) {
      return stoppedEnd;
    }
  }
}

/** @inline */
function newlineFrom(from: usize, to: usize): usize {
  const wanted = i8x16.splat(newline as i8);
  let at = from;
  while (at < to) {
    const lineEnds = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (lineEnds != 0) {
      return min(at + ctz(lineEnds), to);
    }
    at += 16;
  }
  return to;
}

/** The elements of an array (RFC 8259 section 5). The search starts after `[` or a comma. */
function findElement(reader: Reader, record: usize, to: usize, isFinal: bool): i32 {
  const at = min(afterBlanks(reader.next, to), to);
  reader.next = at;
  if (at == to) {
    reader.closed = 0;
    return isFinal ? stoppedEnd : stoppedMore;
  }
  if (load<u8>(at) == closeBracket) {
    reader.closed = 1;
    return stoppedEnd;
  }
  begin(at);
  const stop = elementEnd(at, to);
  if (stop == 0 && !isFinal) {
    return stoppedMore;
  }
  const end = stop == 0 ? to : stop;
  // The next search finds a bracket again; a comma is consumed.
  reader.next = stop != 0 && load<u8>(stop) == comma ? stop + 1 : end;
  setRecord(record, at, withoutBlanks(at, end), reader.next, stop == 0 ? isBroken : 0);
  return found;
}

/**
 * The elements of the top array, and of arrays that follow it as further texts. Anything else after
 * them is one last record that starts at the bracket, so that it is invalid regardless of where the
 * search started.
 */
function findTopElement(reader: Reader, record: usize, to: usize, isFinal: bool): i32 {
  const json = jsonOf(reader);
  let result = findElement(reader, record, to, isFinal);
  while (result == stoppedEnd && reader.closed != 0) {
    const next = afterBlanks(reader.next + 1, to);
    if (next >= to || load<u8>(next) != openBracket) {
      break;
    }
    reader.next = next + 1;
    result = findElement(reader, record, to, isFinal);
  }
  if (result != stoppedEnd) {
    json.isTrailing = false;
    return result;
  }
  if (reader.closed == 0) {
    reader.closed = json.isTrailing ? 1 : 0;
    return stoppedEnd;
  }
  if (!isFinal) {
    return stoppedMore;
  }
  const bracket = reader.next;
  const end = withoutBlanks(bracket + 1, to);
  if (end == bracket + 1) {
    return stoppedEnd;
  }
  json.isTrailing = true;
  reader.next = to;
  setRecord(record, bracket, end, to, 0);
  return found;
}

/**
 * Consecutive values over any number of lines: objects and arrays, each perhaps after a record
 * separator. Anything else is a record up to the end of its line or the next value.
 */
function findJsonText(reader: Reader, record: usize, to: usize, isFinal: bool): i32 {
  let at = afterBlanks(reader.next, to);
  while (at < to && load<u8>(at) == recordSeparator) {
    at = afterBlanks(at + 1, to);
  }
  at = min(at, to);
  reader.next = at;
  if (at == to) {
    return isFinal ? stoppedEnd : stoppedMore;
  }
  begin(at);
  const stop = jsonTextEnd(at, to);
  if (stop == 0 && !isFinal) {
    return stoppedMore;
  }
  const next = stop == 0 ? to : stop;
  reader.next = next;
  setRecord(record, at, withoutBlanks(at, next), next, stop == 0 ? isBroken : 0);
  return found;
}

/** The whole file as one record: a value without an array. */
function findWhole(reader: Reader, record: usize, to: usize, isFinal: bool): i32 {
  const at = min(afterBlanks(reader.next, to), to);
  reader.next = isFinal ? to : at;
  if (!isFinal) {
    return stoppedMore;
  }
  if (at == to) {
    return stoppedEnd;
  }
  setRecord(record, at, withoutBlanks(at, to), to, 0);
  return found;
}

/** Starts to skip a record that is too long for the window. */
export function beginSkip(reader: Reader): void {
  const json = jsonOf(reader);
  json.depth = 0;
  json.inText = 0;
  json.isEscaped = 0;
  json.hasBegun = false;
}

/**
 * The position after the record if it ends in these bytes, otherwise -1. The next call continues where
 * this one stopped.
 */
export function skip(reader: Reader, from: usize, to: usize): i32 {
  if (reader.form == linesForm) {
    const lineEnd = newlineFrom(from, to);
    return lineEnd == to ? -1 : ((lineEnd + 1) as i32);
  }
  if (from == to || reader.form == wholeForm) {
    return -1;
  }
  const json = jsonOf(reader);
  if (reader.form == topArrayForm) {
    if (!json.hasBegun) {
      json.isTrailing = load<u8>(from) == closeBracket;
    }
    json.hasBegun = true;
    if (json.isTrailing) {
      return -1;
    }
  }
  forgetBlock();
  depth = json.depth;
  continueText(json.inText, json.isEscaped);
  hasBegun = json.hasBegun;
  let stop: usize;
  if (reader.form == textsForm) {
    stop = jsonTextEnd(from, to);
  } else {
    stop = elementEnd(from, to);
    if (stop != 0 && load<u8>(stop) == comma) {
      stop += 1;
    }
  }
  json.depth = depth;
  json.inText = inText;
  json.isEscaped = isEscaped;
  json.hasBegun = hasBegun;
  return stop == 0 ? -1 : (stop as i32);
}

/* The state of a scan. */

/** How many objects and arrays are open. */
let depth: i32 = 0;
/** Texts: whether the first byte of the record was read. */
let hasBegun: bool = false;

/** Begins a scan at the start of a record. */
function begin(at: usize): void {
  depth = 0;
  hasBegun = false;
  // Since the end of the record before it, there were no quotes.
  if (!isInBlock(at)) {
    continueText(0, 0);
  }
}

/** The position of the comma or the closing bracket after this element, or 0. */
function elementEnd(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const block = blockOf(at, to, comma);
    const wanted = ~(0 as u64) << ((at - block) as u64);
    const opening = blockOpens & wanted;
    const closing = blockCloses & wanted;
    const closings = popcnt(closing) as i32;
    if (depth > closings) {
      // The element cannot end in this block.
      depth += (popcnt(opening) as i32) - closings;
    } else {
      let rest = opening | closing | (blockOthers & wanted);
      while (rest != 0) {
        const bit = rest & -rest;
        if ((bit & opening) != 0) {
          depth += 1;
        } else if (depth != 0) {
          depth -= (bit & closing) != 0 ? 1 : 0;
        } else if ((bit & closing) == 0 || load<u8>(block + (ctz(bit) as usize)) == closeBracket) {
          return block + (ctz(bit) as usize);
        }
        rest ^= bit;
      }
    }
    at = block + 64;
  }
  return 0;
}

/** The position after the text or other record that starts here, or 0. */
function jsonTextEnd(from: usize, to: usize): usize {
  let at = from;
  if (depth == 0) {
    at = bracketFrom(from, to);
    if (at == to || hasBegun || !opens(load<u8>(at))) {
      // It ends before a value, or after its line.
      hasBegun = true;
      return at == to ? 0 : load<u8>(at) == newline ? at + 1 : at;
    }
    depth = 1;
    at += 1;
  } else if (!hasBegun && load<u8>(at) == recordSeparator) {
    at += 1;
  }
  hasBegun = true;
  while (at < to) {
    const block = blockOf(at, to, recordSeparator);
    const wanted = ~(0 as u64) << ((at - block) as u64);
    const opening = blockOpens & wanted;
    const closing = blockCloses & wanted;
    const separators = blockOthers & wanted;
    const closings = popcnt(closing) as i32;
    if (separators == 0 && depth > closings) {
      depth += (popcnt(opening) as i32) - closings;
    } else {
      let rest = opening | closing | separators;
      while (rest != 0) {
        const bit = rest & -rest;
        if ((bit & opening) != 0) {
          depth += 1;
        } else if ((bit & closing) == 0) {
          // The text before a separator is cut off.
          return block + (ctz(bit) as usize);
        } else {
          depth -= 1;
          if (depth == 0) {
            return block + (ctz(bit) as usize) + 1;
          }
        }
        rest ^= bit;
      }
    }
    at = block + 64;
  }
  return 0;
}

/**
 * The position of the first byte that opens a value or, if it is not the first byte of the record,
 * ends one: an opening bracket, a newline, or a record separator; or `to`.
 */
function bracketFrom(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const byte = load<u8>(at);
    if (opens(byte) || byte == newline || (byte == recordSeparator && hasBegun)) {
      break;
    }
    hasBegun = true;
    // Quotes do not count here, so the masks of this block are of no use.
    forgetBlock();
    at += 1;
  }
  return at;
}
