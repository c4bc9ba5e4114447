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
  /** The records found by the last call of `find`: `recordWords` words each. */
  capacity: i32 = 0;
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
