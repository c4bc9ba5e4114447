import { bits, equalMask, prefixXor } from './blocks';
import {
  addKinds,
  formOf,
  growsShape,
  hasCommas,
  hasEscapes,
  hasValueBit,
  isBroken,
  isInvalid,
  missing,
  Reader,
  recordWords,
  setStop,
  stoppedEnd,
  stoppedFull,
  stoppedMore,
  stoppedNew,
  valueAt,
} from './reader';
import { setResult } from './memory';
import { csvKind } from './values/textKinds';
import { decimalComma, kindInForm } from './values/valueForms';
import { kindNull, kindNumber, kindText, quote, space, tab, undatedKind } from './values/values';
import { isLetter } from './values/writtenTimes';

/*
 * Records of CSV (RFC 4180) with any delimiter of one byte. A record ends at CR, LF or CRLF.
 *
 * Blocks of 64 bytes give bit masks: of quotes, delimiters and line ends. The prefix XOR of the
 * quotes tells which bytes are within quotes. That holds as long as each quote opens a field, closes
 * it before a delimiter or a line end, or is doubled. From the first quote that does not on, a record
 * is read byte by byte, and after it the blocks start again.
 */

const newline: u8 = 0x0a;
const carriageReturn: u8 = 0x0d;

/** A quote that is not closed within this many bytes belongs to its text. */
let longestQuoted: usize = 16 << 20;

/** Sets how long a quoted field may be, for tests. */
export function setLongestQuoted(bytes: usize): void {
  longestQuoted = bytes;
}

/** @inline */
function isBreak(byte: u8): bool {
  return byte == newline || byte == carriageReturn;
}

/** @inline */
function isBlank(byte: u8, delimiter: u8): bool {
  return byte == delimiter || byte == space || byte == tab;
}

/** Whether a record has blank fields only, up to its end or that of the bytes: then it is none. */
function isBlankRecord(from: usize, to: usize, delimiter: u8): bool {
  let at = from;
  while (at < to && isBlank(load<u8>(at), delimiter)) {
    at += 1;
  }
  return at == to || isBreak(load<u8>(at));
}

/**
 * The position after CR, LF or CRLF.
 * @inline
 */
function afterBreak(at: usize, to: usize): usize {
  return load<u8>(at) == carriageReturn && at + 1 < to && load<u8>(at + 1) == newline
    ? at + 2
    : at + 1;
}

/** Where the record that is read byte by byte ends, and where the next one starts. */
let slowEnd: usize = 0;
let slowNext: usize = 0;
let slowFlags: u32 = 0;

/** Finds the next records. @returns how many */
export function findCsv(reader: Reader, from: usize, to: usize, isFinal: bool, most: i32): i32 {
  const delimiter = reader.delimiter as u8;
  const room = min(most, reader.room);
  const hasFields = reader.mode > 0;
  let count = 0;
  let start = from;
  reader.next = from;
  while (count < room) {
    // Blocks from here on, up to a quote that is unlike CSV.
    const found = findInBlocks(reader, start, to, count, room);
    count = found;
    start = reader.next;
    if (count == room) {
      break;
    }
    if (stop == atEnd) {
      if (!isFinal) {
        if (to - fieldFrom >= longestQuoted) {
          // Its quote may be a letter, also if it is closed by the last byte.
          stop = atQuote;
        } else {
          setStop(reader, stoppedMore);
          return count;
        }
      } else if (start == to || isBlankRecord(start, to, delimiter)) {
        reader.next = to;
        setStop(reader, stoppedEnd);
        return count;
      } else {
        stop = atQuote;
      }
    }
    if (stop == atNew) {
      setStop(reader, stoppedNew);
      return count;
    }
    // One record byte by byte.
    if (!findSlowly(start, to, isFinal, delimiter)) {
      setStop(reader, stoppedMore);
      return count;
    }
    let flags = slowFlags;
    if (hasFields) {
      clearValues(reader, count);
      const isValid = readFieldsSlowly(reader, count, start, slowEnd);
      if (lastField > reader.nodes && reader.mode == growsShape) {
        setNew(lastField);
        setStop(reader, stoppedNew);
        return count;
      }
      flags |= isValid ? 0 : isInvalid;
    }
    addRecord(reader, count, start, slowEnd, slowNext, flags);
    count += 1;
    start = slowNext;
    reader.next = start;
  }
  setStop(reader, stoppedFull);
  return count;
}

/** Why `findInBlocks` stopped: at the end of the bytes, at a quote that is unlike CSV, at a new field. */
const atEnd: i32 = 0;
const atQuote: i32 = 1;
const atNew: i32 = 2;
let stop: i32 = 0;
/** At the end of the bytes: where the last field starts, or the record if fields are not read. */
let fieldFrom: usize = 0;

/**
 * Finds records in blocks, as long as their quotes are like those of CSV.
 * @param first the number of the first record.
 * @returns the number of the next record; `reader.next` is where it starts.
 */
function findInBlocks(reader: Reader, from: usize, to: usize, first: i32, room: i32): i32 {
  const delimiter = reader.delimiter as u8;
  const quotes = i8x16.splat(quote as i8);
  const delimiters = i8x16.splat(reader.delimiter as i8);
  const newlines = i8x16.splat(newline as i8);
  const returns = i8x16.splat(carriageReturn as i8);
  const hasFields = reader.mode > 0;
  const grows = reader.mode == growsShape;
  const fields = reader.nodes;
  let count = first;
  /** All ones if the last byte was within quotes. */
  let inside: u64 = 0;
  /** Whether the last byte was a delimiter or line end, a quote, or a closing quote. */
  let afterStructure: u64 = 1;
  let afterQuote: u64 = 0;
  let afterClose: u64 = 0;
  let start = from;
  let fieldStart = from;
  let field = 0;
  let lastDouble: usize = 0;
  /** The record has blank fields only. */
  let isSkipped = false;
  if (hasFields) {
    clearValues(reader, count);
  }
  for (let block = from; block < to; block += 64) {
    const a = v128.load(block);
    const b = v128.load(block, 16);
    const c = v128.load(block, 32);
    const d = v128.load(block, 48);
    let quoteMask = equalMask(a, b, c, d, quotes);
    let breakMask = bits(
      v128.or(i8x16.eq(a, newlines), i8x16.eq(a, returns)),
      v128.or(i8x16.eq(b, newlines), i8x16.eq(b, returns)),
      v128.or(i8x16.eq(c, newlines), i8x16.eq(c, returns)),
      v128.or(i8x16.eq(d, newlines), i8x16.eq(d, returns)),
    );
    const isLast = block + 64 > to;
    const valid: u64 = isLast ? ((1 as u64) << ((to - block) as u64)) - 1 : -1;
    let structure = breakMask;
    let bad: u64 = 0;
    let doubles: u64 = 0;
    const hasQuotes = (quoteMask | inside | afterClose) != 0;
    if (hasFields || hasQuotes) {
      structure |= equalMask(a, b, c, d, delimiters);
    }
    if (hasQuotes) {
      quoteMask &= valid;
      const within = prefixXor(quoteMask) ^ inside;
      structure &= ~within;
      breakMask &= ~within;
      const opening = quoteMask & within;
      const closing = quoteMask & ~within;
      const mayOpen = (structure << 1) | afterStructure | (quoteMask << 1) | afterQuote;
      const closed = (closing << 1) | afterClose;
      bad = ((opening & ~mayOpen) | (closed & ~(structure | quoteMask))) & valid;
      doubles = quoteMask & ((quoteMask << 1) | afterQuote);
      inside = ((within as i64) >> 63) as u64;
      afterQuote = quoteMask >> 63;
      afterClose = closing >> 63;
    } else {
      afterQuote = 0;
    }
    afterStructure =
      hasFields || hasQuotes
        ? structure >> 63
        : (breakMask >> 63) | ((load<u8>(block, 63) == delimiter) as u64);
    let marks = (hasFields ? structure : breakMask) & valid;
    if (bad != 0) {
      // Only what is before the first bad quote counts.
      marks &= (bad & -bad) - 1;
    }
    while (marks != 0) {
      const bit = ctz(marks);
      const at = block + (bit as usize);
      marks &= marks - 1;
      const isEnd = !hasFields || ((breakMask >> bit) & 1) != 0;
      if (isEnd && at == start) {
        // A blank line, or the newline after a carriage return.
        start = at + 1;
        fieldStart = start;
        reader.next = max(reader.next, start);
        continue;
      }
      if (!isSkipped && field == 0 && isBlank(load<u8>(start), delimiter)) {
        isSkipped = isBlankRecord(start, to, delimiter);
      }
      if (hasFields && !isSkipped) {
        let valueFrom = fieldStart;
        let valueTo = at;
        let mark: u32 = 0;
        if (load<u8>(fieldStart) == quote && fieldStart < at) {
          if (at - fieldStart > longestQuoted) {
            // The quote is a letter, so that what follows it has other fields.
            stop = atQuote;
            reader.next = max(reader.next, start);
            return count;
          }
          valueFrom += 1;
          valueTo -= 1;
          const inBlock = doubles & (((1 as u64) << bit) - 1);
          const last = inBlock != 0 ? block + 63 - (clz(inBlock) as usize) : lastDouble;
          mark = last >= fieldStart + 2 ? hasEscapes : 0;
        }
        if (field < fields) {
          const slot = load<i32>(reader.slotOf + ((field as usize) << 2));
          if (slot >= 0) {
            const value = valueAt(reader, count, slot);
            store<u32>(value, valueFrom as u32);
            store<u32>(value, (valueTo as u32) | mark, 4);
          }
          if (grows) {
            addKind(reader, field, valueFrom, valueTo);
          }
        }
        field += 1;
        fieldStart = at + 1;
      }
      if (isEnd) {
        const isReturn = load<u8>(at) == carriageReturn;
        if (isReturn && at + 1 == to) {
          // A newline that follows belongs to the line end.
          stop = atEnd;
          fieldFrom = fieldStart;
          reader.next = max(reader.next, start);
          return count;
        }
        if (isSkipped) {
          isSkipped = false;
        } else if (at - start > longestQuoted) {
          stop = atQuote;
          reader.next = max(reader.next, start);
          return count;
        } else {
          if (grows && field > fields) {
            setNew(field);
            stop = atNew;
            reader.next = max(reader.next, start);
            return count;
          }
          const next = isReturn && load<u8>(at + 1) == newline ? at + 2 : at + 1;
          addRecord(reader, count, start, at, next, 0);
          count += 1;
          reader.next = next;
          if (count == room) {
            return count;
          }
          if (hasFields) {
            clearValues(reader, count);
          }
        }
        field = 0;
        start = at + 1;
        fieldStart = start;
        reader.next = max(reader.next, start);
      }
    }
    if (bad != 0) {
      stop = atQuote;
      reader.next = max(reader.next, start);
      return count;
    }
    if (doubles != 0) {
      lastDouble = block + 63 - (clz(doubles) as usize);
    }
  }
  stop = atEnd;
  fieldFrom = fieldStart;
  reader.next = max(reader.next, start);
  return count;
}

/** @inline */
function addRecord(
  reader: Reader,
  record: i32,
  start: usize,
  end: usize,
  next: usize,
  flags: u32,
): void {
  const words = reader.records + (((record * recordWords) as usize) << 2);
  store<u32>(words, start as u32);
  store<u32>(words, end as u32, 4);
  store<u32>(words, next as u32, 8);
  store<u32>(words, flags, 12);
}

/** @inline */
function clearValues(reader: Reader, record: i32): void {
  const slots = reader.slots;
  const values = valueAt(reader, record, 0);
  for (let slot = 0; slot < slots; slot += 1) {
    store<u32>(values + ((slot as usize) << 3), missing);
  }
}

/** The result of `find` after `stoppedNew`: how many fields the next record has. */
function setNew(fields: i32): void {
  setResult(3, fields as usize);
}

const mixedBits: u32 = (1 << kindNumber) | (1 << kindText);

/** @inline */
function addKind(reader: Reader, field: i32, from: usize, to: usize): void {
  const kinds = load<u32>(reader.kinds + ((field as usize) << 2));
  if (from == to) {
    addKinds(reader, field, 1 << kindNull);
  } else if ((kinds & mixedBits) != mixedBits && !isMoreText(kinds, load<u8>(from))) {
    // Texts and numbers together are mixed, whatever else there is.
    addKinds(reader, field, ((1 as u32) << kindOf(reader, field, kinds, from, to)) | hasValueBit);
  }
}

/**
 * Whether a field changes no kinds, as there are texts and it begins like a text or a date: most fields do.
 * @inline
 */
function isMoreText(kinds: u32, first: u8): bool {
  // Only `true` and `false` are something else.
  return (kinds & (1 << kindText)) != 0 && isLetter(first) && first != 0x74 && first != 0x66;
}

/** The kind of a field. After a text, a date no longer changes the type of the column. */
function kindOf(reader: Reader, field: i32, kinds: u32, from: usize, to: usize): i32 {
  const form = formOf(reader, field);
  const kind = form == 0 ? -1 : kindInForm(form, from, to);
  if (kind >= 0) {
    return kind;
  }
  const mayHaveComma = hasCommas(reader) || form == decimalComma;
  return (kinds & (1 << kindText)) != 0
    ? undatedKind(from, to, mayHaveComma)
    : csvKind(from, to, mayHaveComma);
}

/**
 * Finds the end of one record byte by byte.
 * @returns whether it ends in these bytes.
 */
function findSlowly(start: usize, to: usize, isFinal: bool, delimiter: u8): bool {
  slowFlags = 0;
  let isFieldStart = true;
  for (let at = start; at < to; at += 1) {
    const byte = load<u8>(at);
    if (isFieldStart && byte == quote) {
      const close = closingQuote(at + 1, min(to, at + longestQuoted));
      if (close == 0 && to - at < longestQuoted && !isFinal) {
        return false;
      }
      if (close == 0 || isLiteral(at, close, to, delimiter)) {
        slowFlags = isBroken;
        return endAtLine(at, to, isFinal);
      }
      at = close;
      isFieldStart = false;
    } else if (isBreak(byte)) {
      return endAt(at, to, isFinal);
    } else {
      isFieldStart = byte == delimiter;
    }
  }
  return isFinal ? endAt(to, to, isFinal) : false;
}

function endAtLine(from: usize, to: usize, isFinal: bool): bool {
  let at = from;
  while (at < to && !isBreak(load<u8>(at))) {
    at += 1;
  }
  return at < to || isFinal ? endAt(at, to, isFinal) : false;
}

function endAt(at: usize, to: usize, isFinal: bool): bool {
  if (at < to && load<u8>(at) == carriageReturn && at + 1 == to && !isFinal) {
    return false;
  }
  slowEnd = at;
  slowNext = at < to ? afterBreak(at, to) : to;
  return true;
}

/** The position of the quote that ends a field, or 0; a doubled quote is part of the text. */
function closingQuote(from: usize, to: usize): usize {
  for (let at = from; at < to; at += 1) {
    if (load<u8>(at) == quote) {
      if (at + 1 < to && load<u8>(at + 1) == quote) {
        at += 1;
      } else {
        return at;
      }
    }
  }
  return 0;
}

/**
 * Whether a quote at the start of a field is a letter like others, because what looks like its
 * closing quote is on another line and within a text. That is so between tabs, where no quotes are
 * usual. Elsewhere, the lines belong to one field, parts of which must not be read as other columns.
 */
function isLiteral(open: usize, close: usize, to: usize, delimiter: u8): bool {
  if (delimiter != tab) {
    return false;
  }
  if (close + 1 >= to) {
    return false;
  }
  const after = load<u8>(close + 1);
  if (after == delimiter || isBreak(after)) {
    return false;
  }
  for (let at = open; at < close; at += 1) {
    if (isBreak(load<u8>(at))) {
      return true;
    }
  }
  return false;
}

/** The number of fields of the record that was read byte by byte. */
let lastField: i32 = 0;

/**
 * Reads the fields of one record byte by byte. A quote that is not as CSV requires belongs to its
 * text.
 * @returns whether all quotes are as CSV requires.
 */
function readFieldsSlowly(reader: Reader, record: i32, from: usize, to: usize): bool {
  const delimiter = reader.delimiter as u8;
  let isValid = true;
  let at = from;
  let field = 0;
  while (true) {
    const start = at;
    const isQuoted = at < to && load<u8>(at) == quote;
    let isLiteral = false;
    let mark: u32 = 0;
    if (isQuoted) {
      const close = closingQuote(at + 1, to);
      at = close == 0 ? start : close + 1;
      isLiteral = at < to && load<u8>(at) != delimiter;
      isValid = isValid && !isLiteral;
    }
    while (at < to && load<u8>(at) != delimiter) {
      at += 1;
    }
    const inset: usize = isQuoted && !isLiteral ? 1 : 0;
    if (inset != 0) {
      for (let each = start + 1; each < at - 1; each += 1) {
        if (load<u8>(each) == quote) {
          mark = hasEscapes;
          break;
        }
      }
    }
    if (field < reader.nodes) {
      const slot = load<i32>(reader.slotOf + ((field as usize) << 2));
      if (slot >= 0) {
        const value = valueAt(reader, record, slot);
        store<u32>(value, (start + inset) as u32);
        store<u32>(value, ((at - inset) as u32) | mark, 4);
      }
      if (reader.mode == growsShape) {
        addKind(reader, field, start + inset, at - inset);
      }
    }
    field += 1;
    if (at >= to) {
      break;
    }
    at += 1;
  }
  lastField = field;
  return isValid;
}

/** A record that is too long ends at its first line end. @returns the position after it, or -1 */
export function skipCsv(from: usize, to: usize): i32 {
  for (let at = from; at < to; at += 1) {
    if (isBreak(load<u8>(at))) {
      return (at + 1) as i32;
    }
  }
  return -1;
}
