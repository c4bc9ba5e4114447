import { csvKind, isDate } from '../values/textKinds';
import { asText, decimalComma, formRoom, writeInForm } from '../values/valueForms';
import { hashOf, isSame } from '../hash';
import { resultNumber, results, setResult } from '../memory';
import {
  csvForm,
  formOfSlot,
  hasCommas,
  hasEscapes,
  isBroken,
  isInvalid,
  isTooLong,
  missing,
  Reader,
  recordWords,
  valueAt,
} from '../reader';
import {
  decodeJson,
  kindDate,
  kindInvalid,
  kindMissing,
  kindText,
  otherKind,
  scratchFor,
  unquoteCsv,
} from '../values/values';

/*
 * The distinct values of a column: their bytes are in one arena, and a hash table finds them. Bytes
 * are compared, not only hashes.
 */

const initialBytes: usize = 4096;
const initialValues: i32 = 256;
/** Reads may run so many bytes beyond the values. */
const margin: usize = 64;

/** Codes of records without a value. */
export const nullCode: u32 = 0;
const missingCode: u32 = 1;
const invalidCode: u32 = 2;
/** The code of the first value. */
export const firstValueCode: u32 = 3;

/** The kinds of a value with the same bytes as another: one bit each. */
const anyKind: u32 = 0xff;
const textKinds: u32 = (1 << kindDate) | (1 << kindText);

@unmanaged
export class Texts {
  /** Values, numbered from 0 in the order in which they are added. */
  count: i32 = 0;
  /** For how many values there is room. */
  room: i32 = initialValues;
  /** The bytes of all values. */
  arena: usize = heap.alloc(initialBytes + margin);
  arenaRoom: usize = initialBytes;
  /** By number, words of 32 bits: where the value starts in the arena. It ends where the next one starts. */
  offsets: usize = heap.alloc((initialValues + 1) << 2);
  /** By number, bytes. */
  kinds: usize = heap.alloc(initialValues);
  /**
   * The highest bits of the hash of a value say where in the table the search for it starts. Each
   * entry is the hash, and a word: 0, or the number plus 1, and the kind from bit `kindShift` on.
   */
  table: usize = 0;
  /** The number of bits by which a hash is shifted to the right, so that it is an entry's number. */
  tableShift: u32 = 0;
}

const kindShift: u32 = 29;
const numberMask: u32 = (1 << kindShift) - 1;

export function newTexts(): Texts {
  const texts = new Texts();
  store<u32>(texts.offsets, 0);
  setTable(texts, 32 - 9);
  return texts;
}

export function freeTexts(texts: Texts): void {
  heap.free(texts.arena);
  heap.free(texts.offsets);
  heap.free(texts.kinds);
  heap.free(texts.table);
  heap.free(changetype<usize>(texts));
}

/** How many values there are. */
export function textCount(texts: Texts): i32 {
  return texts.count;
}

/** The bytes of all values. */
export function textBytes(texts: Texts): usize {
  return load<u32>(texts.offsets + ((texts.count as usize) << 2));
}

/** The address of the bytes of all values, until the next value is added. */
export function textsArena(texts: Texts): usize {
  return texts.arena;
}

/** The address of `textCount + 1` words of 32 bits: where each value starts, and the last one ends. */
export function textsOffsets(texts: Texts): usize {
  return texts.offsets;
}

/** The address of the kinds, one byte for each value. */
export function textsKinds(texts: Texts): usize {
  return texts.kinds;
}

function tableBytes(texts: Texts): usize {
  return (8 as usize) << (32 - texts.tableShift);
}

function setTable(texts: Texts, shift: u32): void {
  texts.tableShift = shift;
  texts.table = heap.alloc(tableBytes(texts));
  memory.fill(texts.table, 0, tableBytes(texts));
}

/**
 * The entry of a value, or the free one where it belongs.
 * @param kinds which kinds the value may have, one bit each.
 * @inline
 */
function findEntry(texts: Texts, kinds: u32, from: usize, length: usize, hash: u32): usize {
  const table = texts.table;
  const last = (tableBytes(texts) - 8) as usize;
  let at = ((hash >> texts.tableShift) as usize) << 3;
  while (true) {
    const entry = load<u64>(table + at);
    const word = (entry >> 32) as u32;
    if (word == 0) {
      return table + at;
    }
    if ((entry as u32) == hash && ((kinds >> (word >> kindShift)) & 1) != 0) {
      const offset = texts.offsets + (((word & numberMask) - 1) << 2);
      const start = load<u32>(offset) as usize;
      if (
        (load<u32>(offset, 4) as usize) - start == length &&
        isSame(texts.arena + start, from, length)
      ) {
        return table + at;
      }
    }
    at = (at + 8) & last;
  }
}

/** @inline */
function numberAt(entry: usize): i32 {
  return (load<u32>(entry, 4) & numberMask) - 1;
}

/** Adds a value that is not there. @returns its number */
function addNew(texts: Texts, kind: i32, from: usize, length: usize, hash: u32, entry: usize): i32 {
  const number = texts.count;
  const start = textBytes(texts);
  const stop = start + length;
  if (stop > texts.arenaRoom) {
    texts.arenaRoom = max(stop, texts.arenaRoom * 2);
    texts.arena = heap.realloc(texts.arena, texts.arenaRoom + margin);
  }
  if (number == texts.room) {
    texts.room *= 2;
    texts.offsets = heap.realloc(texts.offsets, (texts.room + 1) << 2);
    texts.kinds = heap.realloc(texts.kinds, texts.room);
  }
  memory.copy(texts.arena + start, from, length);
  store<u32>(texts.offsets + ((number as usize) << 2), stop as u32, 4);
  store<u8>(texts.kinds + (number as usize), kind as u8);
  texts.count = number + 1;
  store<u32>(entry, hash);
  store<u32>(entry, (texts.count as u32) | ((kind as u32) << kindShift), 4);
  if ((texts.count as usize) << 4 > tableBytes(texts)) {
    growTable(texts);
  }
  return number;
}

/** Doubles the table, which is then at most half full again. */
function growTable(texts: Texts): void {
  const old = texts.table;
  const oldEnd = old + tableBytes(texts);
  setTable(texts, texts.tableShift - 1);
  const last = tableBytes(texts) - 8;
  for (let from = old; from < oldEnd; from += 8) {
    const entry = load<u64>(from);
    if (entry >> 32 != 0) {
      let at = (((entry as u32) >> texts.tableShift) as usize) << 3;
      while (load<u32>(texts.table + at, 4) != 0) {
        at = (at + 8) & last;
      }
      store<u64>(texts.table + at, entry);
    }
  }
  heap.free(old);
}

/** Adds a value unless it is there: its kind and its bytes make it. @returns its number */
export function addText(texts: Texts, kind: i32, from: usize, to: usize): i32 {
  const length = to - from;
  const hash = hashOf(from, length);
  const entry = findEntry(texts, (1 as u32) << kind, from, length, hash);
  return load<u32>(entry, 4) == 0
    ? addNew(texts, kind, from, length, hash, entry)
    : numberAt(entry);
}

/**
 * Adds the values of another dictionary, given by its arrays.
 * @param numbers gets the number of each value, words of 32 bits.
 */
export function mergeTexts(
  texts: Texts,
  arena: usize,
  offsets: usize,
  kinds: usize,
  count: i32,
  numbers: usize,
): void {
  for (let other = 0; other < count; other += 1) {
    const at = (other as usize) << 2;
    const from = arena + (load<u32>(offsets + at) as usize);
    const to = arena + (load<u32>(offsets + at, 4) as usize);
    const kind = load<u8>(kinds + (other as usize)) as i32;
    store<u32>(numbers + at, addText(texts, kind, from, to));
  }
}

/**
 * The flags of records that have no values: fields of CSV are found in any text.
 * @inline
 */
function invalidFlags(reader: Reader): u32 {
  return reader.form == csvForm ? isTooLong : isInvalid | isBroken | isTooLong;
}

/** @inline */
function flagsOf(reader: Reader, record: i32): u32 {
  return load<u32>(reader.records + (((record * recordWords) as usize) << 2), 12);
}

/**
 * Decodes a text of JSON or CSV, without its quotes.
 * @returns the end of the bytes, which start at `target`.
 */
function decode(isCsv: bool, from: usize, to: usize, target: usize): usize {
  return isCsv ? unquoteCsv(from, to, target) : decodeJson(from, to, target);
}

/* Values are looked up in blocks, so that the memory is asked for many of them at a time. */

const blockValues: i32 = 128;
/**
 * A block has six words of 32 bits for each record: where its value starts, without quotes and
 * decoded; its length; its hash; what is to be done (below); and two for `warm`.
 */
const block: usize = memory.data(128 * 32, 8);
const blockShift: usize = 5;

/* What is to be done for a record: up to `invalidCode` its code, or the kinds of the values to look for. */
const previousValue: u32 = firstValueCode;

/** @inline */
function blockAt(at: i32): usize {
  return block + ((at as usize) << blockShift);
}

/** Where decoded texts of a block start: there is room for one block. */
const decodedRoom: usize = 1 << 16;

/**
 * Writes values into the block.
 * @returns how many
 */
function fillBlock(reader: Reader, first: i32, count: i32, slot: i32): i32 {
  const isCsv = reader.form == csvForm;
  const invalid = invalidFlags(reader);
  /** The previous value as written: many columns have runs of one value. */
  let lastFrom: usize = 0;
  /** Its length, and whether it has escapes; no value has this one. */
  let lastLength: u32 = missing;
  let decoded: usize = 0;
  const form = formOfSlot(reader, slot);
  for (let at = 0; at < count; at += 1) {
    const target = blockAt(at);
    const words = valueAt(reader, first + at, slot);
    let from = load<u32>(words) as usize;
    let length = load<u32>(words, 4) - (from as u32);
    if ((flagsOf(reader, first + at) & invalid) != 0) {
      store<u32>(target, invalidCode, 12);
      continue;
    }
    if (from == missing) {
      store<u32>(target, missingCode, 12);
      continue;
    }
    if (length == lastLength && isSame(from, lastFrom, length & ~hasEscapes)) {
      store<u32>(target, previousValue, 12);
      continue;
    }
    const isEscaped = (length & hasEscapes) != 0;
    const decodedLength = (isEscaped ? length & ~hasEscapes : 0) + (form == 0 ? 0 : formRoom);
    if (decoded + decodedLength > decodedRoom && at > 0) {
      return at;
    }
    const written = from;
    const writtenLength = length;
    length &= ~hasEscapes;
    let kinds = anyKind;
    if (!isCsv) {
      const byte = load<u8>(from);
      if (byte == 0x22) {
        kinds = textKinds;
        from += 1;
        length -= 2;
      } else {
        kinds = byte == 0x6e ? nullCode : ~textKinds;
      }
    } else if (length == 0) {
      kinds = nullCode;
    }
    store<u32>(target, kinds, 12);
    if (kinds == nullCode) {
      continue;
    }
    lastFrom = written;
    lastLength = writtenLength;
    if (isEscaped) {
      const room = scratchFor(max(length + formRoom, decodedRoom)) + decoded;
      length = (decode(isCsv, from, from + length, room) - room) as u32;
      from = room;
      decoded += length;
    }
    if (form != 0) {
      const room = scratchFor(max(decoded + formRoom, decodedRoom)) + decoded;
      const end = writeInForm(form, from, from + length, room);
      if (end != 0) {
        from = room;
        length = (end - room) as u32;
        decoded += length;
        store<u32>(target, isCsv ? kinds : textKinds, 12);
      }
    }
    const hash = hashOf(from, length);
    store<u32>(target, from as u32);
    store<u32>(target, length, 4);
    store<u32>(target, hash, 8);
  }
  return count;
}

/**
 * Writes the codes of a value of the records that the last `find` of a reader found: 0 for null, 1
 * where it is missing, 2 for an invalid record, otherwise the number of the value in the dictionary
 * plus 3. All values of a dictionary must come from readers of one form and delimiter.
 * @param codes words of 32 bits, one for each record.
 * @param maxValues how many values, and `maxBytes` how many bytes of them, a dictionary may have.
 * @returns how many records were done: it stops right after a new value that exceeds a limit.
 */
export function codesOf(
  reader: Reader,
  count: i32,
  slot: i32,
  texts: Texts,
  codes: usize,
  maxValues: i32,
  maxBytes: i32,
): i32 {
  const isCsv = reader.form == csvForm;
  const form = formOfSlot(reader, slot);
  let code: u32 = nullCode;
  for (let first = 0; first < count;) {
    const size = fillBlock(reader, first, min(count - first, blockValues), slot);
    if (tableBytes(texts) > largeTable) {
      warm(texts, size);
    }
    for (let at = 0; at < size; at += 1) {
      const value = blockAt(at);
      const target = codes + (((first + at) as usize) << 2);
      const kinds = load<u32>(value, 12);
      if (kinds <= previousValue) {
        store<u32>(target, kinds == previousValue ? code : kinds);
        continue;
      }
      const from = load<u32>(value) as usize;
      const length = load<u32>(value, 4) as usize;
      const hash = load<u32>(value, 8);
      const entry = findEntry(texts, kinds, from, length, hash);
      if (load<u32>(entry, 4) != 0) {
        code = numberAt(entry) + firstValueCode;
        store<u32>(target, code);
        continue;
      }
      const to = from + length;
      const isText = isCsv || kinds == textKinds;
      const kind = isText ? kindOfText(reader, form, from, to) : otherKind(load<u8>(from));
      code = addNew(texts, kind, from, length, hash, entry) + firstValueCode;
      store<u32>(target, code);
      if (texts.count > maxValues || textBytes(texts) > (maxBytes as usize)) {
        return first + at + 1;
      }
    }
    first += size;
  }
  return count;
}

/**
 * The kind of a text of JSON, or of a field of CSV, in a column with a form or without.
 * @inline
 */
function kindOfText(reader: Reader, form: i32, from: usize, to: usize): i32 {
  if (form == asText && from != to) {
    return kindText;
  }
  if (reader.form == csvForm) {
    return csvKind(from, to, hasCommas(reader) || form == decimalComma);
  }
  return isDate(from, to) ? kindDate : kindText;
}

/** A table that is larger than this is not in the nearest caches. */
const largeTable: usize = 1 << 17;

/**
 * Reads where the values of the block would be found, step by step for all of them: the processor
 * waits for many cache lines at the same time, which would otherwise be one after the other.
 */
function warm(texts: Texts, size: i32): void {
  const table = texts.table;
  const shift = texts.tableShift;
  const last = tableBytes(texts) - 8;
  for (let at = 0; at < size; at += 1) {
    const value = blockAt(at);
    const slot = ((load<u32>(value, 8) >> shift) as usize) << 3;
    store<u32>(value, load<u32>(table + slot), 16);
  }
  for (let at = 0; at < size; at += 1) {
    const value = blockAt(at);
    const hash = load<u32>(value, 8);
    let slot = ((hash >> shift) as usize) << 3;
    let entry = load<u64>(table + slot);
    while (entry >> 32 != 0 && (entry as u32) != hash) {
      slot = (slot + 8) & last;
      entry = load<u64>(table + slot);
    }
    const number = ((entry >> 32) as u32) & numberMask;
    store<u64>(value, load<u64>(texts.offsets + ((max(number, 1) - 1) << 2)), 16);
  }
  for (let at = 0; at < size; at += 1) {
    const value = blockAt(at);
    const start = load<u32>(value, 16) as usize;
    const stop = load<u32>(value, 20) as usize;
    store<u32>(value, load<u32>(texts.arena + start) + load<u32>(texts.arena + stop), 16);
  }
}

/** Where the bytes of a value are, without quotes and decoded, until the next call of `locate`. */
export let valueFrom: usize = 0;
export let valueTo: usize = 0;

const inForm: usize = memory.data(64, 8);

/**
 * Finds the bytes of a value that is not missing. One in the form of its column is written as it is shown.
 * @param words the words of the value.
 * @returns whether it is a text: in CSV, all values are.
 */
export function locate(reader: Reader, words: usize, form: i32): bool {
  const isText = locateWritten(reader, words);
  const end = form == 0 ? 0 : writeInForm(form, valueFrom, valueTo, inForm);
  if (end == 0) {
    return isText;
  }
  valueFrom = inForm;
  valueTo = end;
  return true;
}

function locateWritten(reader: Reader, words: usize): bool {
  const isCsv = reader.form == csvForm;
  const mark = load<u32>(words, 4);
  valueFrom = load<u32>(words) as usize;
  valueTo = (mark & ~hasEscapes) as usize;
  if (!isCsv) {
    if (load<u8>(valueFrom) != 0x22) {
      return false;
    }
    valueFrom += 1;
    valueTo -= 1;
  }
  if ((mark & hasEscapes) != 0) {
    const target = scratchFor(valueTo - valueFrom);
    valueTo = decode(isCsv, valueFrom, valueTo, target);
    valueFrom = target;
  }
  return true;
}

/**
 * Whether a record has no values, as an invalid one.
 * @inline
 */
export function hasNoValues(reader: Reader, record: i32): bool {
  return (flagsOf(reader, record) & invalidFlags(reader)) != 0;
}

/**
 * The kind of a value of a record that the last `find` of a reader found. Results 8 and 9 are where
 * its bytes start and end, without quotes and decoded, until the next call; the time of a date is
 * the result that is a double.
 */
export function readValue(reader: Reader, record: i32, slot: i32): i32 {
  const words = valueAt(reader, record, slot);
  if (hasNoValues(reader, record)) {
    return setValue(kindInvalid, 0, 0);
  }
  if (load<u32>(words) == missing) {
    return setValue(kindMissing, 0, 0);
  }
  const form = formOfSlot(reader, slot);
  const isText = locate(reader, words, form);
  const from = valueFrom;
  const to = valueTo;
  const kind = isText ? kindOfText(reader, form, from, to) : otherKind(load<u8>(from));
  return setValue(kind, from, to);
}

function setValue(kind: i32, from: usize, to: usize): i32 {
  setResult(8, from);
  setResult(9, to);
  return kind;
}

/** Writes the times of the dates, a double for each of the records: NaN for other values. */
export function timesOf(reader: Reader, count: i32, slot: i32, times: usize): void {
  for (let record = 0; record < count; record += 1) {
    const time =
      readValue(reader, record, slot) == kindDate ? load<f64>(results, resultNumber) : NaN;
    store<f64>(times + ((record as usize) << 3), time);
  }
}
