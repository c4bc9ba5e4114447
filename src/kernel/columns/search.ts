import {
  csvForm,
  hasEscapes,
  isBroken,
  isInvalid,
  missing,
  Reader,
  recordWords,
  valueAt,
} from '../reader';
import { decodeJson, scratchFor, unquoteCsv } from '../values/values';

/*
 * Finds a text in any case. The text is ASCII in lower case. Two other letters become ASCII letters
 * in lower case: U+212A (Kelvin sign, `k`) and U+0130 (capital I with dot above, an `i` and a dot).
 * Where they are, the caller has to look.
 */

const backslash: u8 = 0x5c;
const quote: u8 = 0x22;
const slash: u8 = 0x2f;

@unmanaged
export class Search {
  text: usize = 0;
  length: usize = 0;
  /** Whether the text has a letter that another one becomes in lower case. */
  hasK: bool = false;
  hasI: bool = false;
  hasQuote: bool = false;
  hasBackslash: bool = false;
  hasSlash: bool = false;
  hasControl: bool = false;
}

/** @param text the address of at least one byte; they are copied. */
export function newSearch(text: usize, length: usize): Search {
  const search = new Search();
  search.text = heap.alloc(length + 64);
  search.length = length;
  memory.copy(search.text, text, length);
  for (let at: usize = 0; at < length; at += 1) {
    const byte = load<u8>(text + at);
    search.hasK = search.hasK || byte == 0x6b;
    search.hasI = search.hasI || byte == 0x69;
    search.hasQuote = search.hasQuote || byte == quote;
    search.hasBackslash = search.hasBackslash || byte == backslash;
    search.hasSlash = search.hasSlash || byte == slash;
    search.hasControl = search.hasControl || byte < 0x20;
  }
  return search;
}

export function freeSearch(search: Search): void {
  heap.free(search.text);
  heap.free(changetype<usize>(search));
}

/** @inline */
function lower(byte: u8): u8 {
  return byte - 0x41 < 26 ? byte + 0x20 : byte;
}

/** @inline */
function upper(byte: u8): u8 {
  return byte - 0x61 < 26 ? byte - 0x20 : byte;
}

function matchesAt(search: Search, at: usize): bool {
  const text = search.text;
  const length = search.length;
  for (let each: usize = 0; each < length; each += 1) {
    if (lower(load<u8>(at + each)) != load<u8>(text + each)) {
      return false;
    }
  }
  return true;
}

/** Whether the text is in bytes. */
function contains(search: Search, from: usize, to: usize): bool {
  const length = search.length;
  if (from + length > to) {
    return false;
  }
  const first = load<u8>(search.text);
  const last = load<u8>(search.text + length - 1);
  const firstLower = i8x16.splat(first as i8);
  const firstUpper = i8x16.splat(upper(first) as i8);
  const lastLower = i8x16.splat(last as i8);
  const lastUpper = i8x16.splat(upper(last) as i8);
  const end = to - length + 1;
  for (let at = from; at < end; at += 16) {
    const a = v128.load(at);
    const b = v128.load(at + length - 1);
    let mask = i8x16.bitmask(
      v128.and(
        v128.or(i8x16.eq(a, firstLower), i8x16.eq(a, firstUpper)),
        v128.or(i8x16.eq(b, lastLower), i8x16.eq(b, lastUpper)),
      ),
    );
    while (mask != 0) {
      const found = at + (ctz(mask) as usize);
      mask &= mask - 1;
      if (found < end && matchesAt(search, found)) {
        return true;
      }
    }
  }
  return false;
}

/** Whether bytes have a letter that becomes a letter of the text in lower case. */
function hasOtherForms(search: Search, from: usize, to: usize): bool {
  if (!search.hasK && !search.hasI) {
    return false;
  }
  const high = i8x16.splat(0);
  for (let at = from; at < to; at += 16) {
    let mask = i8x16.bitmask(i8x16.lt_s(v128.load(at), high));
    while (mask != 0) {
      const found = at + (ctz(mask) as usize);
      mask &= mask - 1;
      if (found + 1 < to) {
        const byte = load<u8>(found);
        const next = load<u8>(found + 1);
        if (search.hasI && byte == 0xc4 && next == 0xb0) {
          return true;
        }
        if (
          search.hasK &&
          byte == 0xe2 &&
          next == 0x84 &&
          found + 2 < to &&
          load<u8>(found + 2) == 0xaa
        ) {
          return true;
        }
      }
    }
  }
  return false;
}

/**
 * Whether an escape of JSON may stand for a letter of the text, by the byte after the backslash (RFC
 * 8259 section 7).
 */
function mayBeEscaped(search: Search, letter: u8): bool {
  switch (letter) {
    case 0x75:
      return true;
    case quote:
      return search.hasQuote;
    case backslash:
      return search.hasBackslash;
    case slash:
      return search.hasSlash;
    default:
      return search.hasControl;
  }
}

/**
 * Marks records that may contain the text, by their bytes as written: a byte for each of the records
 * of the last search, 1 where it may be. Also marked are records of JSON with escapes that may
 * stand for its letters, and those with other forms of them.
 * @returns how many are marked.
 */
export function findCandidates(reader: Reader, count: i32, search: Search, marks: usize): i32 {
  memory.fill(marks, 0, count as usize);
  const length = search.length;
  const isCsv = reader.form == csvForm;
  const first = load<u8>(search.text);
  const last = load<u8>(search.text + length - 1);
  const firstLower = i8x16.splat(first as i8);
  const firstUpper = i8x16.splat(upper(first) as i8);
  const lastLower = i8x16.splat(last as i8);
  const lastUpper = i8x16.splat(upper(last) as i8);
  // Escapes may stand for the text, and so may doubled quotes; bytes beyond ASCII for its letters.
  const escape = i8x16.splat((isCsv ? (search.hasQuote ? quote : 0xff) : backslash) as i8);
  const zero = i8x16.splat(0);
  const looksHigh = search.hasK || search.hasI;
  let marked = 0;
  let record = 0;
  let words = reader.records;
  let start = load<u32>(words) as usize;
  let end = load<u32>(words, 4) as usize;
  const lastWords = reader.records + ((((count - 1) * recordWords) as usize) << 2);
  const stop = load<u32>(lastWords, 4) as usize;
  let at = start;
  while (at < stop) {
    const a = v128.load(at);
    const b = v128.load(at + length - 1);
    const isText = v128.and(
      v128.or(i8x16.eq(a, firstLower), i8x16.eq(a, firstUpper)),
      v128.or(i8x16.eq(b, lastLower), i8x16.eq(b, lastUpper)),
    );
    let isOther = i8x16.eq(a, escape);
    if (looksHigh) {
      isOther = v128.or(isOther, i8x16.lt_s(a, zero));
    }
    let mask = i8x16.bitmask(v128.or(isText, isOther));
    at += 16;
    while (mask != 0) {
      const found = at - 16 + (ctz(mask) as usize);
      mask &= mask - 1;
      if (found >= stop) {
        break;
      }
      while (found >= end) {
        record += 1;
        words += recordWords << 2;
        start = load<u32>(words) as usize;
        end = load<u32>(words, 4) as usize;
      }
      if (found < start) {
        // Between two records.
        continue;
      }
      const byte = load<u8>(found);
      const isMarked =
        (found + length <= end && matchesAt(search, found)) ||
        (isCsv
          ? search.hasQuote && byte == quote
          : byte == backslash && mayBeEscaped(search, load<u8>(found, 1))) ||
        (byte >= 0x80 && looksHigh && hasOtherForms(search, found, min(end, found + 3)));
      if (isMarked) {
        store<u8>(marks + (record as usize), 1);
        marked += 1;
        // The rest of this record does not matter.
        at = end;
        break;
      }
    }
  }
  return marked;
}

/**
 * Marks records with the text in the value of any slot: a byte for each of the records of the last
 * search, 1 where it is, 2 where the caller has to look.
 */
export function findMatches(reader: Reader, count: i32, search: Search, marks: usize): void {
  const isCsv = reader.form == csvForm;
  const slots = reader.slots;
  for (let record = 0; record < count; record += 1) {
    const words = reader.records + (((record * recordWords) as usize) << 2);
    const start = load<u32>(words) as usize;
    const end = load<u32>(words, 4) as usize;
    let mark: u8 = 0;
    if (!isCsv && (load<u32>(words, 12) & (isInvalid | isBroken)) != 0) {
      // It has no values.
      mark = contains(search, start, end) ? 1 : hasOtherForms(search, start, end) ? 2 : 0;
    } else {
      for (let slot = 0; slot < slots && mark != 1; slot += 1) {
        const value = valueAt(reader, record, slot);
        let from = load<u32>(value) as usize;
        if (from == missing) {
          continue;
        }
        const word = load<u32>(value, 4);
        let to = (word & ~hasEscapes) as usize;
        if (!isCsv && load<u8>(from) == quote) {
          from += 1;
          to -= 1;
        } else if (!isCsv && load<u8>(from) == 0x6e) {
          continue;
        }
        if ((word & hasEscapes) != 0) {
          const target = scratchFor(to - from);
          to = isCsv ? unquoteCsv(from, to, target) : decodeJson(from, to, target);
          from = scratchFor(0);
        }
        if (contains(search, from, to)) {
          mark = 1;
        } else if (mark == 0 && hasOtherForms(search, from, to)) {
          mark = 2;
        }
      }
    }
    store<u8>(marks + (record as usize), mark);
  }
}
