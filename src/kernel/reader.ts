import { setResult } from './memory';

/* A reader finds the records in bytes, and the values in each of them. */

/** Forms of files. */
export const csvForm: i32 = 0;
export const linesForm: i32 = 1;
export const arrayForm: i32 = 2;
export const topArrayForm: i32 = 3;
export const textsForm: i32 = 4;
export const wholeForm: i32 = 5;

/** What a reader does with a record besides finding it. */
export const findsOnly: i32 = 0;
/** Finds its values and whether it is valid. */
export const readsValues: i32 = 1;
/** Also collects the kinds of all values, and stops at names that are new. */
export const growsShape: i32 = 2;

/** Why `find` stopped. */
export const stoppedFull: i32 = 0;
/** The next record does not end in these bytes. */
export const stoppedMore: i32 = 1;
/** There is no further record. */
export const stoppedEnd: i32 = 2;
/** The next record has a member or a field that is new. */
export const stoppedNew: i32 = 3;

/** Words of a record: its first byte, the position after its last, where the next search starts, flags. */
export const recordWords: i32 = 4;
/** The record is invalid: not JSON, or with quotes that CSV does not allow. */
export const isInvalid: u32 = 1;
/** The record ends with the bytes, or its quote is never closed. */
export const isBroken: u32 = 2;
/** The record is longer than a window, so it has no values. */
export const isTooLong: u32 = 4;

/** Set in the end of a value: its text has escapes, or doubled quotes. */
export const hasEscapes: u32 = 0x8000_0000;
/** The start of a value that the record does not have. */
export const missing: u32 = 0xffff_ffff;

@unmanaged
export class Reader {
  form: i32 = 0;
  mode: i32 = 0;
  delimiter: i32 = 0;
  /** The most records that one search finds: fewer than there is capacity for if they have many slots. */
  room: i32 = 0;
  capacity: i32 = 0;
  /** The records found by the last call of `find`: `recordWords` words each. */
  records: usize = 0;
  /** The values of each record: two words for each slot, its start and its end. */
  slots: i32 = 0;
  values: usize = 0;
  /** Where a search goes on, and after the end, whether the form marks it. */
  next: usize = 0;
  closed: i32 = 1;
  /** Whether a record may be left when all values that have a slot are found. */
  mayStop: i32 = 0;
  /** Whether a record has two members with one name. */
  hasDuplicates: i32 = 0;
  /** CSV: by field, its slot, or -1; JSON: by node. */
  slotOf: usize = 0;
  /** By field or node: one bit for each kind of its values; and `hasValueBit`. */
  kinds: usize = 0;
  /** By field or node, and by slot: the form of its values, see `valueForms.ts`. */
  forms: usize = 0;
  slotForms: usize = 0;
  /** The fields or nodes whose kinds have changed since `takeChanged`, words of 32 bits: some several times. */
  changed: usize = 0;
  changedCount: i32 = 0;
  changedRoom: i32 = 0;
  /** The number of fields or nodes, and how many there is room for. */
  nodes: i32 = 0;
  nodeRoom: i32 = 0;
  /** What a form keeps beside this, from `json.ts` or `csv.ts`. */
  state: usize = 0;
}

/** Set in the kinds of a node if any of its values is neither null nor an empty text. */
export const hasValueBit: u32 = 0x1_0000;

/**
 * The address of the two words of a value.
 * @inline
 */
export function valueAt(reader: Reader, record: i32, slot: i32): usize {
  return reader.values + (((record * reader.slots + slot) as usize) << 3);
}

/** Results of `find`: why it stopped, where it goes on, and after the end, whether the form marks it. */
export function setStop(reader: Reader, reason: i32): void {
  setResult(0, reason as usize);
  setResult(1, reader.next);
  setResult(2, reader.closed as usize);
}

/**
 * CSV: whether the point of a number may be a comma, as it may between semicolons.
 * @inline
 */
export function hasCommas(reader: Reader): bool {
  return reader.delimiter == 0x3b;
}

/** @param mode `findsOnly`, `readsValues` or `growsShape`. */
export function setMode(reader: Reader, mode: i32): void {
  reader.mode = mode;
}

/** A search finds at most so many values, but always those of some records. */
const maxValues: i32 = 256 * 1024;
const fewRecords: i32 = 64;

/** Makes room for the values of so many slots of each record. No field or node has a slot afterwards. */
export function setSlotCount(reader: Reader, slots: i32): void {
  freeIfAny(reader.values);
  freeIfAny(reader.slotForms);
  reader.slots = slots;
  reader.slotForms = heap.alloc(((slots as usize) << 2) + 4);
  memory.fill(reader.slotForms, 0, (slots as usize) << 2);
  reader.room = min(reader.capacity, max(fewRecords, maxValues / max(slots, 1)));
  reader.values = slots == 0 ? 0 : heap.alloc((reader.room as usize) * (slots as usize) * 8);
  memory.fill(reader.slotOf, 0xff, (reader.nodes as usize) << 2);
}

/** @param number the number of a field or a node. */
export function setSlot(reader: Reader, number: i32, slot: i32): void {
  addNodes(reader, number + 1);
  const at = (number as usize) << 2;
  store<i32>(reader.slotOf + at, slot);
  store<i32>(reader.slotForms + ((slot as usize) << 2), load<i32>(reader.forms + at));
}

/** Sets the form of the values of a field or a node, before it gets a slot. */
export function setForm(reader: Reader, number: i32, form: i32): void {
  addNodes(reader, number + 1);
  store<i32>(reader.forms + ((number as usize) << 2), form);
}

/** @inline */
export function formOf(reader: Reader, number: i32): i32 {
  return load<i32>(reader.forms + ((number as usize) << 2));
}

/** @inline */
export function formOfSlot(reader: Reader, slot: i32): i32 {
  return load<i32>(reader.slotForms + ((slot as usize) << 2));
}

export function setMayStop(reader: Reader, mayStop: i32): void {
  reader.mayStop = mayStop;
}

export function recordsOf(reader: Reader): usize {
  return reader.records;
}

export function valuesOf(reader: Reader): usize {
  return reader.values;
}

/** The kinds of all fields or nodes by number, a word each. They move when there are more of them. */
export function kindsOf(reader: Reader): usize {
  return reader.kinds;
}

/**
 * Adds kinds to those of a field or a node.
 * @inline
 */
export function addKinds(reader: Reader, number: i32, added: u32): void {
  const at = reader.kinds + ((number as usize) << 2);
  const before = load<u32>(at);
  if ((added & ~before) != 0) {
    store<u32>(at, before | added);
    addChanged(reader, number);
  }
}

function addChanged(reader: Reader, number: i32): void {
  if (reader.changedCount == reader.changedRoom) {
    reader.changedRoom = max(64, reader.changedRoom * 2);
    reader.changed = enlarged(reader.changed, (reader.changedRoom as usize) << 2);
  }
  store<i32>(reader.changed + ((reader.changedCount as usize) << 2), number);
  reader.changedCount += 1;
}

/**
 * How many changes of kinds there were since the last call: a record may change few of many nodes.
 * The fields or nodes are at `changedOf` until the next `find`.
 */
export function takeChanged(reader: Reader): i32 {
  const count = reader.changedCount;
  reader.changedCount = 0;
  return count;
}

export function changedOf(reader: Reader): usize {
  return reader.changed;
}

/** Whether a record since the last call had two members with one name. */
export function hasDuplicates(reader: Reader): i32 {
  const had = reader.hasDuplicates;
  reader.hasDuplicates = 0;
  return had;
}

/** Where records have no value in a slot, gives them that of another slot. */
export function fillMissing(reader: Reader, count: i32, slot: i32, other: i32): void {
  for (let record = 0; record < count; record += 1) {
    const words = valueAt(reader, record, slot);
    if (isEmptyValue(reader, words)) {
      const found = valueAt(reader, record, other);
      if (!isEmptyValue(reader, found)) {
        store<u64>(words, load<u64>(found));
      }
    }
  }
}

/** Whether a value is missing, null, or an empty text. */
function isEmptyValue(reader: Reader, words: usize): bool {
  const from = load<u32>(words);
  if (from == missing) {
    return true;
  }
  const length = (load<u32>(words, 4) & ~hasEscapes) - from;
  if (reader.form == csvForm) {
    return length == 0;
  }
  const first = load<u8>(from as usize);
  return first == 0x6e || (first == 0x22 && length == 2);
}

/** Sees to it that there are at least so many fields or nodes. New ones have no slot and no kinds. */
export function addNodes(reader: Reader, count: i32): void {
  if (count <= reader.nodes) {
    return;
  }
  if (count > reader.nodeRoom) {
    reader.nodeRoom = max(count, max(16, reader.nodeRoom * 2));
    const room = (reader.nodeRoom as usize) << 2;
    reader.slotOf = enlarged(reader.slotOf, room);
    reader.kinds = enlarged(reader.kinds, room);
    reader.forms = enlarged(reader.forms, room);
  }
  const used = (reader.nodes as usize) << 2;
  const added = ((count as usize) << 2) - used;
  memory.fill(reader.slotOf + used, 0xff, added);
  memory.fill(reader.kinds + used, 0, added);
  memory.fill(reader.forms + used, 0, added);
  reader.nodes = count;
}

/** @param address memory on the heap, or 0. */
export function enlarged(address: usize, bytes: usize): usize {
  return address == 0 ? heap.alloc(bytes) : heap.realloc(address, bytes);
}

export function freeIfAny(address: usize): void {
  if (address != 0) {
    heap.free(address);
  }
}
