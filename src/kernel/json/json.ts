import { forgetBlock } from './jsonBlocks';
import { findRecord, found } from './jsonRecords';
import { isName, Json, jsonOf, maxNameBytes, Name, nameOf, Node, nodeAt } from './jsonShape';
import {
  addressBits,
  afterBlanks,
  closeBrace,
  colon,
  comma,
  openBrace,
  quote,
  textEnd,
  valueEnd,
} from './jsonSyntax';
import { setResult } from '../memory';
import {
  addKinds,
  findsOnly,
  growsShape,
  hasValueBit,
  isBroken,
  isInvalid,
  missing,
  Reader,
  readsValues,
  recordWords,
  setStop,
  stoppedFull,
  stoppedNew,
  valueAt,
} from '../reader';
import { isDate } from '../values/textKinds';
import { kindInForm } from '../values/valueForms';
import { kindDate, kindNull, kindText, otherKind } from '../values/values';

/* Finds JSON records, and walks through them: which values they have, and whether they are valid. */

const dateBit: u32 = 1 << kindDate;
const textBit: u32 = 1 << kindText;
const nullBit: u32 = 1 << kindNull;
/** There was an object without members before any member was known. */
const emptyObjectBit: u32 = 1 << 8;

/**
 * Finds records, and walks through them as `reader.mode` says. The results of `setStop` say why it
 * stopped. After `stoppedNew`, the record at `reader.next` has members with new names: result 3 is how
 * many were found, and result 4 the address of all of them: see `newNames`. Say with `addName` where
 * they lead, or at least the first of them, and search again.
 *
 * @param isFinal whether the bytes of the file end at `to`.
 * @param most the most records to find.
 * @returns how many records were found; they are in `reader.records`.
 */
export function findJson(reader: Reader, from: usize, to: usize, isFinal: i32, most: i32): i32 {
  const limit = min(most, reader.room);
  let count = 0;
  let reason = stoppedFull;
  forgetBlock();
  reader.next = from;
  while (count < limit) {
    const searchedFrom = reader.next;
    const record = reader.records + (((count * recordWords) as usize) << 2);
    const result = findRecord(reader, record, to, isFinal != 0);
    if (result != found) {
      reason = result;
      break;
    }
    if (reader.mode != findsOnly && !walk(reader, record, count)) {
      reader.next = searchedFrom;
      reason = stoppedNew;
      break;
    }
    count += 1;
  }
  setStop(reader, reason);
  return count;
}

/* The state of a walk. */

let json: Json = changetype<Json>(0);
let walked: Reader = changetype<Reader>(0);
/** The values of the record. */
let values: usize = 0;
/** The slots of nodes by number. */
let slotOf: usize = 0;
/** The kinds of nodes by number, if they are collected; otherwise 0. */
let kinds: usize = 0;
/** The forms of the dates of nodes by number. */
let forms: usize = 0;
/** How many slots have no value yet, if the walk ends when all have one; otherwise negative. */
let left: i32 = -1;
/** The number of this walk. */
let current: u32 = 0;
/** Whether two members of the record have one name. */
let hasTwice: bool = false;

/**
 * New names of the record in their order, three words each: the node of the object, the start and the end of
 * the name. For an object below a new name, -1 less the number of that name is there instead of a node.
 */
let newNames: usize = 0;
let newCount: i32 = 0;
/** With more of them, the walk ends. */
const maxNewNames: i32 = 4096;
/** As in `engine/read/records/shape.ts`: objects at this depth are one value, and names below them are not needed. */
const maxDepth: i32 = 4;

/** Walks through a record. Returns false if it has a new name, which is in the results. */
function walk(reader: Reader, record: usize, index: i32): bool {
  json = jsonOf(reader);
  walked = reader;
  values = valueAt(reader, index, 0);
  clearValues(reader.slots);
  if ((load<u32>(record, 12) & isBroken) != 0) {
    return true;
  }
  left = reader.mode == readsValues && reader.mayStop != 0 ? reader.slots : -1;
  if (left == 0) {
    return true;
  }
  slotOf = reader.slotOf;
  kinds = reader.mode == growsShape ? reader.kinds : 0;
  forms = reader.forms;
  current = json.walk += 1;
  hasTwice = false;
  newCount = 0;
  const to = load<u32>(record, 4) as usize;
  const start = afterBlanks(load<u32>(record) as usize, to);
  const end = readNode(nodeAt(json, 0)!, start, to);
  reader.hasDuplicates |= hasTwice ? 1 : 0;
  if (newCount != 0) {
    setResult(3, newCount as usize);
    setResult(4, newNames);
    return false;
  }
  if (end == 0 || (left != 0 && afterBlanks(end, to) < to)) {
    store<u32>(record, load<u32>(record, 12) | isInvalid, 12);
    clearValues(reader.slots);
  }
  return true;
}

function clearValues(slots: i32): void {
  const end = values + ((slots as usize) << 3);
  for (let at = values; at < end; at += 8) {
    store<i64>(at, -1);
  }
}

/** Reads the value of a node. Returns the position after it, or 0. */
function readNode(node: Node, from: usize, to: usize): usize {
  if (from >= to) {
    return 0;
  }
  const first = load<u8>(from);
  const isObject = first == openBrace;
  let end: usize;
  if (first == quote) {
    end = textEnd(from + 1, to);
  } else if (isObject && !node.isClosed) {
    end = readMembers(node, from, to);
    if (left == 0) {
      return end;
    }
    if (end > to) {
      return 0;
    }
  } else {
    end = valueEnd(from, to);
  }
  if (end == 0) {
    return 0;
  }
  const slot = load<i32>(slotOf + ((node.number as usize) << 2));
  // The values of a record are its members, not the record.
  if (slot >= 0 && !(isObject && node.depth == 0)) {
    const value = values + ((slot as usize) << 3);
    store<u32>(value, from as u32);
    store<u32>(value, end as u32, 4);
    left -= 1;
  }
  end &= addressBits;
  if (kinds != 0) {
    addKind(node, first, from, end);
  }
  return end;
}

/** Adds the kind of a value to those of its node. */
function addKind(node: Node, first: u8, from: usize, to: usize): void {
  let kind: u32;
  const form = load<i32>(forms + ((node.number as usize) << 2));
  const inset: usize = first == quote ? 1 : 0;
  if (form != 0 && kindInForm(form, from + inset, to - inset) == kindDate) {
    kind = hasValueBit | dateBit;
  } else if (first == quote) {
    if (to - from == 2) {
      // An empty text has no type.
      kind = nullBit;
    } else if ((load<u32>(kinds + ((node.number as usize) << 2)) & textBit) != 0) {
      // After a text, a date no longer changes the type of the column.
      kind = hasValueBit;
    } else {
      kind = hasValueBit | (isDate(from + 1, to - 1) ? dateBit : textBit);
    }
  } else if (first == openBrace && !node.isClosed) {
    // An object is represented by its members, unless it has none. The record itself is not a value.
    kind = hasValueBit | (node.depth > 0 && !node.firstMember ? emptyObjectBit : 0);
  } else {
    const bit = (1 as u32) << otherKind(first);
    kind = bit == nullBit ? nullBit : hasValueBit | bit;
  }
  addKinds(walked, node.number, kind);
}

/** Reads the members of an object. Returns the position after it, or 0. */
function readMembers(node: Node, from: usize, to: usize): usize {
  let at = afterBlanks(from + 1, to);
  if (load<u8>(at) == closeBrace) {
    return at + 1;
  }
  let last: Name | null = null;
  let expected = node.firstName;
  while (true) {
    let isNew = false;
    if (load<u8>(at) != quote) {
      return 0;
    }
    at += 1;
    // The records of a file usually have their members in the same order.
    let name = expected;
    if (name && isName(name, at, to)) {
      at += name.length;
    } else {
      const written = textEnd(at, to);
      if (written == 0) {
        return 0;
      }
      const end = written & addressBits;
      const length = end - 1 - at;
      name = nameOf(json, node.number, at, length);
      if (name) {
        if (last) {
          last.follower = name;
        } else {
          node.firstName = name;
        }
      } else if (!node.ignoresNew && length <= maxNameBytes) {
        if (newCount == maxNewNames) {
          return 0;
        }
        addNewName(node.number, at, end - 1);
        isNew = true;
      }
      at = end;
    }
    at = afterBlanks(at, to);
    if (load<u8>(at) != colon) {
      return 0;
    }
    at = afterBlanks(at + 1, to);
    let member: Node | null = null;
    if (name) {
      last = name;
      expected = name.follower;
      member = name.node;
    }
    if (member) {
      if (member.walk == current) {
        if (newCount != 0) {
          // What is new below it may not be known before this walk has seen its first value.
          return 0;
        }
        // If members have the same name, the last one counts, as in `JSON.parse`.
        hasTwice = true;
        clearSlots(member);
      }
      member.walk = current;
      at = readNode(member, at, to);
    } else if (isNew) {
      at = readNew(newCount - 1, node.depth + 1, at, to);
    } else {
      at = valueEnd(at, to);
    }
    if (at == 0 || left == 0) {
      return at;
    }
    at = afterBlanks(at, to);
    const byte = load<u8>(at);
    if (byte == closeBrace) {
      return at + 1;
    }
    if (byte != comma) {
      return 0;
    }
    at = afterBlanks(at + 1, to);
  }
}

/** The record will be walked through again, so all of its new names are found at once. */
function addNewName(parent: i32, from: usize, to: usize): void {
  if (newNames == 0) {
    newNames = heap.alloc((maxNewNames as usize) * 12);
  }
  const at = newNames + (newCount as usize) * 12;
  store<i32>(at, parent);
  store<u32>(at, from as u32, 4);
  store<u32>(at, to as u32, 8);
  newCount += 1;
  // What comes after it may have another kind then: an object may have members that are known.
  kinds = 0;
}

/**
 * Reads the value below a new name: so are all names in it.
 *
 * @param number the number of the name among those that are new.
 * @returns the position after the value, or 0.
 */
function readNew(number: i32, depth: i32, from: usize, to: usize): usize {
  if (from >= to || load<u8>(from) != openBrace || depth >= maxDepth) {
    return valueEnd(from, to);
  }
  let at = afterBlanks(from + 1, to);
  if (load<u8>(at) == closeBrace) {
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) != quote) {
      return 0;
    }
    const start = at + 1;
    const end = textEnd(start, to) & addressBits;
    if (end == 0) {
      return 0;
    }
    const isShort = end - 1 - start <= maxNameBytes;
    if (isShort) {
      if (newCount == maxNewNames) {
        return 0;
      }
      addNewName(-1 - number, start, end - 1);
    }
    at = afterBlanks(end, to);
    if (load<u8>(at) != colon) {
      return 0;
    }
    at = afterBlanks(at + 1, to);
    at = isShort ? readNew(newCount - 1, depth + 1, at, to) : valueEnd(at, to);
    if (at == 0) {
      return 0;
    }
    at = afterBlanks(at, to);
    const byte = load<u8>(at);
    if (byte == closeBrace) {
      return at + 1;
    }
    if (byte != comma) {
      return 0;
    }
    at = afterBlanks(at + 1, to);
  }
}

/** Clears the values of a node and its members. */
function clearSlots(node: Node): void {
  const slot = load<i32>(slotOf + ((node.number as usize) << 2));
  if (slot >= 0) {
    const value = values + ((slot as usize) << 3);
    left += left > 0 && load<u32>(value) != missing ? 1 : 0;
    store<u32>(value, missing);
  }
  let member = node.firstMember;
  while (member) {
    clearSlots(member);
    member = member.nextSibling;
  }
}
