import { isSame } from '../hash';
import {
  blockCloses,
  blockOpens,
  blockOthers,
  continueText,
  forgetBlock,
  inText,
  isEscaped,
  readBlock,
} from '../json/jsonBlocks';
import { isLongName, nameBefore, nameEnd } from '../json/jsonNames';
import {
  addRoom,
  endOf,
  foundEnd,
  isOnPath,
  memberStep,
  needsMore,
  nestedRoom,
  Parent,
  parentOf,
  Walk,
} from './jsonPath';
import {
  addressBits,
  afterBlanks,
  colon,
  comma,
  openBrace,
  quote,
  textEnd,
  valueEnd,
} from '../json/jsonSyntax';
import { setResult } from '../memory';

/*
 * Collects the plain members of parents: texts, numbers and booleans, also those of objects in them, but
 * nothing that is in an array. If there are any after the list in a parent, this goes through the document
 * before the rows are written.
 */

/** Longer values are left out. */
const maxValueBytes: usize = 2048;
/** Members of nested objects are collected down to this depth. */
const maxNested: i32 = 3;

/**
 * Continues with the next bytes of the document, which starts with its first bracket.
 * @param lowest bytes of the document from here on can be read, too.
 * @param origin what is added to an address to get the position in the file.
 * @returns `needsMore` or `foundEnd`
 */
export function collectMembers(
  walk: Walk,
  from: usize,
  to: usize,
  lowest: usize,
  origin: f64,
): i32 {
  forgetBlock();
  continueText(walk.inText, walk.isEscaped);
  for (let at = from; at < to; at += 64) {
    readBlock(at, to, comma);
    const opening = blockOpens;
    const closing = blockCloses;
    const closings = popcnt(closing) as i32;
    if (walk.depth - walk.path - walk.nested > closings) {
      // What is skipped does not end in this block.
      walk.depth += (popcnt(opening) as i32) - closings;
      continue;
    }
    let rest = opening | closing | blockOthers;
    while (rest != 0) {
      const bit = rest & -rest;
      rest ^= bit;
      const byteAt = at + (ctz(bit) as usize);
      const isSkipped = walk.depth > walk.path + walk.nested;
      if ((bit & opening) != 0) {
        if (!isSkipped) {
          open(walk, byteAt, lowest, origin);
        }
        walk.depth += 1;
      } else if ((bit & closing) != 0) {
        walk.depth -= 1;
        if (!isSkipped) {
          endMember(walk, byteAt, lowest, origin);
          close(walk);
        }
        walk.isInner = true;
        if (walk.depth == 0 || (walk.endsWithFirst && hasFirst(walk))) {
          setResult(0, byteAt + 1);
          return foundEnd;
        }
      } else if (!isSkipped) {
        endMember(walk, byteAt, lowest, origin);
        beginMember(walk, byteAt, origin);
      }
    }
  }
  walk.inText = inText;
  walk.isEscaped = isEscaped;
  return needsMore;
}

/** Whether the first parent before the last step has ended. */
function hasFirst(walk: Walk): bool {
  return walk.path == walk.steps - 1 && parentOf(walk, walk.path).used > 0;
}

/** Ends what is open where the document is cut off. */
export function endParents(walk: Walk): void {
  walk.nested = 0;
  while (walk.path > 0) {
    close(walk);
  }
}

/**
 * Begins a member after a bracket or a comma.
 * @inline
 */
export function beginMember(walk: Walk, at: usize, origin: f64): void {
  walk.memberStart = origin + ((at + 1) as f64);
  walk.isInner = false;
}

function open(walk: Walk, bracket: usize, lowest: usize, origin: f64): void {
  const path = walk.path;
  const isObject = load<u8>(bracket) == openBrace;
  if (walk.nested == 0 && (path == 0 || isOnPath(walk, bracket, lowest))) {
    if (path == walk.steps) {
      // An element of the list. Its members are not needed.
      return;
    }
    const parent = parentOf(walk, path);
    addRoom(parent, 4);
    parent.used += 4;
    parent.start = parent.used;
    parent.isObject = isObject;
    walk.path = path + 1;
    beginMember(walk, bracket, origin);
  } else {
    openNested(walk, bracket, lowest, origin);
  }
}

/** Opens an object in a parent whose plain members are collected, too. */
export function openNested(walk: Walk, bracket: usize, lowest: usize, origin: f64): void {
  const isObject = load<u8>(bracket) == openBrace;
  if (isObject && !walk.isOnlyThese && collects(walk) && addToPath(walk, bracket, lowest)) {
    beginMember(walk, bracket, origin);
  }
}

/**
 * Whether plain members of the innermost object are collected. Those of an object whose members lead to
 * the list, whatever their names, do not describe it.
 * @inline
 */
function collects(walk: Walk): bool {
  const path = walk.path;
  return (
    path > walk.firstParent &&
    parentOf(walk, path - 1).isObject &&
    parentOf(walk, path).step != memberStep
  );
}

/** Adds the name of a nested object to the path, unless that is too deep. */
function addToPath(walk: Walk, bracket: usize, lowest: usize): bool {
  const start = walk.nested < maxNested ? nameBefore(bracket, lowest) : 0;
  const length = nameEnd - start;
  if (start == 0 || isLongName || walk.nestedLength + length + 1 + 2 > nestedRoom) {
    return false;
  }
  const path = walk.nestedPath + walk.nestedLength;
  memory.copy(path, start, length);
  store<u8>(path + length, 0x2e);
  // Its length follows, for the way back.
  store<u16>(path + length + 1, (length + 1) as u16);
  walk.nestedLength += length + 3;
  walk.nested += 1;
  return true;
}

function close(walk: Walk): void {
  if (walk.nested > 0) {
    closeNested(walk);
    return;
  }
  walk.path -= 1;
  const parent = parentOf(walk, walk.path);
  store<u32>(parent.members + parent.start - 4, (parent.used - parent.start) as u32);
}

export function closeNested(walk: Walk): void {
  const length = load<u16>(walk.nestedPath + walk.nestedLength - 2) as usize;
  walk.nestedLength -= length + 2;
  walk.nested -= 1;
}

/** Collects the current member, which ends before `end`, if it is plain. */
export function endMember(walk: Walk, end: usize, lowest: usize, origin: f64): void {
  const start = walk.memberStart - origin;
  if (walk.isInner || start < (lowest as f64) || !collects(walk)) {
    return;
  }
  const name = afterBlanks(start as usize, end);
  if (name >= end || load<u8>(name) != quote) {
    return;
  }
  const nameStop = textEnd(name + 1, end) & addressBits;
  const separator = nameStop == 0 ? end : afterBlanks(nameStop, end);
  if (separator >= end || load<u8>(separator) != colon) {
    return;
  }
  if (walk.isOnlyThese && !isListed(walk, name + 1, nameStop - 1)) {
    return;
  }
  const value = afterBlanks(separator + 1, end);
  const stop = valueEnd(value, end);
  if (stop == 0 || afterBlanks(stop, end) < end || !isWorthKeeping(value, stop)) {
    return;
  }
  addMember(walk, name + 1, nameStop - 1, value, stop);
}

/** Neither null nor an empty or long text. */
function isWorthKeeping(value: usize, stop: usize): bool {
  const length = stop - value;
  const isEmpty = length == 2 && load<u8>(value) == quote;
  return !isEmpty && length <= maxValueBytes && load<u8>(value) != 0x6e;
}

function addMember(walk: Walk, name: usize, nameStop: usize, value: usize, stop: usize): void {
  const parent = parentOf(walk, walk.path - 1);
  const nestedBytes = walk.nestedLength - ((walk.nested as usize) << 1);
  const length = parent.prefixLength + nestedBytes + (nameStop - name) + (stop - value) + 4;
  if (parent.used - parent.start + length > walk.mostBytes) {
    return;
  }
  addRoom(parent, length);
  let at = parent.members + parent.used;
  store<u8>(at, quote);
  at = append(at + 1, parent.prefix, parent.prefixLength);
  at = appendNested(walk, at);
  at = append(at, name, nameStop - name);
  if (!walk.isOnlyThese && isListed(walk, parent.members + parent.used + 1, at)) {
    return;
  }
  store<u8>(at, quote);
  store<u8>(at, colon, 1);
  at = append(at + 2, value, stop - value);
  store<u8>(at, comma);
  parent.used += length;
  parent.length = parent.used - parent.start;
}

/** Whether a name is one of those that are excluded, or collected alone. */
function isListed(walk: Walk, name: usize, stop: usize): bool {
  const length = stop - name;
  for (let number = 0; number < walk.excludedCount; number += 1) {
    const start = endOf(walk.excludedEnds, number - 1);
    if (
      endOf(walk.excludedEnds, number) - start == length &&
      isSame(walk.excluded + start, name, length)
    ) {
      return true;
    }
  }
  return false;
}

/** Appends the path to nested objects. */
function appendNested(walk: Walk, to: usize): usize {
  // The lengths are behind the names, so this goes backwards.
  let left = walk.nestedLength;
  let end = to + left - ((walk.nested as usize) << 1);
  const last = end;
  while (left > 0) {
    const length = load<u16>(walk.nestedPath + left - 2) as usize;
    end -= length;
    left -= length + 2;
    memory.copy(end, walk.nestedPath + left, length);
  }
  return last;
}

/** @inline */
export function append(to: usize, from: usize, length: usize): usize {
  memory.copy(to, from, length);
  return to + length;
}

/**
 * The members that are complete: of each parent with this number their length in 32 bits, and then they
 * themselves. Results: the address, and how many bytes. `dropMembers` makes room for more.
 */
export function completeMembers(walk: Walk, number: i32): void {
  const parent = parentOf(walk, number);
  setResult(0, parent.members);
  setResult(1, completeBytes(walk, number, parent));
}

export function dropMembers(walk: Walk, number: i32): void {
  const parent = parentOf(walk, number);
  const complete = completeBytes(walk, number, parent);
  memory.copy(parent.members, parent.members + complete, parent.used - complete);
  parent.used -= complete;
  parent.start -= min(parent.start, complete);
}

/** Begins again, with another object. */
export function clearMembers(walk: Walk): void {
  for (let number = 0; number < walk.steps; number += 1) {
    const parent = parentOf(walk, number);
    parent.used = 0;
    parent.start = 0;
    parent.length = 0;
  }
  walk.path = 0;
  walk.depth = 0;
  walk.nested = 0;
  walk.nestedLength = 0;
  walk.inText = 0;
  walk.isEscaped = 0;
}

function completeBytes(walk: Walk, number: i32, parent: Parent): usize {
  return number < walk.path ? parent.start - 4 : parent.used;
}
