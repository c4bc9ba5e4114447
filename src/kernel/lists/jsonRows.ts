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
  append,
  beginMember,
  clearMembers,
  closeNested,
  collectMembers,
  endMember,
  openNested,
} from './jsonParents';
import {
  asksCommon,
  asksKey,
  asksRow,
  endOf,
  foundEnd,
  isFull,
  isOnPath,
  keepKey,
  maxCommonBytes,
  memberStep,
  needsMembers,
  needsMore,
  needsNext,
  Parent,
  parentOf,
  Walk,
} from './jsonPath';
import {
  afterBlanks,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  quote,
} from '../json/jsonSyntax';
import { copyOf, setResult } from '../memory';
import { freeIfAny } from '../reader';

/*
 * Writes the elements of a list as the objects of one array, each with the plain members of its parents
 * before its own: where two have one name, readers take the last one.
 */

/** What is written around a row, and the name of a cell that has none. */
const spareBytes: usize = 64;
/** The most bytes that are added to a row, and the most that wait for the rest of it. */
const maxAddedBytes: usize = 32 * 1024;
const maxWaitingBytes: usize = 512 * 1024;

/**
 * @param bytes how much is written until it must be fetched; at least `maxCommonBytes` and some thousand
 *   more than are given in a call. @param commonBytes the most bytes of parents in a row.
 * @param isCollecting whether no parent has plain members after the list, so that they are collected now.
 */
export function setOutput(walk: Walk, bytes: usize, commonBytes: usize, isCollecting: i32): void {
  walk.isCollecting = isCollecting != 0;
  freeIfAny(walk.out);
  walk.out = heap.alloc(bytes);
  walk.outRoom = bytes;
  walk.commonBytes = min(commonBytes, maxCommonBytes);
}

/**
 * Says that elements are arrays, and what their cells are called.
 * @param names their names with quotes and a colon, one after another. @param ends where each ends
 * @param skipsFirst whether the first element is a heading.
 */
export function setCells(walk: Walk, names: usize, ends: usize, count: i32, skipsFirst: i32): void {
  walk.hasCells = true;
  walk.skipsFirst = skipsFirst != 0;
  walk.cellNameEnds = copyOf(ends, (count as usize) << 2);
  walk.cellNames = copyOf(names, endOf(ends, count - 1));
  walk.cellCount = count;
}

/** Gives the members of the next parents with a number, as `completeMembers` found them. They are copied. */
export function giveMembers(walk: Walk, number: i32, address: usize, bytes: usize): void {
  const parent = parentOf(walk, number);
  freeIfAny(parent.members);
  parent.members = copyOf(address, bytes);
  parent.used = bytes;
  parent.start = 0;
  parent.length = 0;
}

/** Answers `asksKey`. */
export function answerKey(walk: Walk, isSecret: i32): void {
  walk.isAnswered = true;
  parentOf(walk, walk.path).isSecret = isSecret != 0;
}

/** The state of this call. */
let end: usize = 0;
let copyFrom: usize = 0;

/**
 * Continues with the next bytes of the document, which starts with its first bracket. Result 0 is the
 * address to go on, result 1 how many bytes are written, which `takeOutput` has, result 2 the rows so far.
 * `needsMembers`: result 3 is the number of the parent; `asksKey`: results 3 and 4 are the start and the
 * length of the key as it is written, and result 5 says whether it is too long to be read; `asksCommon`:
 * results 3 and 4 are the members of parents; `asksRow`: results 3 and 4 are the members of a row that are asked for,
 * results 5 and 6 the row, and result 7 how many parents two steps from the document there were so far.
 *
 * @param lowest bytes of the document from here on can be read, too.
 * @returns why it stopped; only after questions, `takeOutput` is not needed
 */
export function writeRows(walk: Walk, from: usize, to: usize, lowest: usize, origin: f64): i32 {
  forgetBlock();
  continueText(walk.inText, walk.isEscaped);
  end = to;
  copyFrom = from;
  if (walk.isTaken) {
    removeTaken(walk);
  }
  for (let at = from; at < to; at += 64) {
    readBlock(at, to, comma);
    const opening = blockOpens;
    const closing = blockCloses;
    const closings = popcnt(closing) as i32;
    if (walk.depth - trackedDepth(walk) > closings) {
      walk.depth += (popcnt(opening) as i32) - closings;
      continue;
    }
    let rest = opening | closing | blockOthers;
    while (rest != 0) {
      const isInside = walk.depth > trackedDepth(walk);
      const wanted = isInside ? rest & (opening | closing) : rest;
      if (wanted == 0) {
        break;
      }
      const bit = wanted & -wanted;
      rest &= ~(bit | (bit - 1));
      const byteAt = at + (ctz(bit) as usize);
      let reason = needsMore;
      if ((bit & opening) != 0) {
        if (!isInside && !isInRow(walk)) {
          reason = open(walk, byteAt, lowest, origin, byteAt == from);
        }
        walk.depth += reason == needsMore ? 1 : 0;
      } else if ((bit & closing) != 0) {
        walk.depth -= 1;
        if (!isInside) {
          close(walk, byteAt, lowest, origin);
        } else if (walk.isCopying && walk.depth == walk.path) {
          reason = endRow(walk, byteAt);
        }
        walk.isInner = true;
        reason = walk.depth == 0 ? foundEnd : reason;
      } else if (isInRow(walk)) {
        reason = isInside ? needsMore : nextCell(walk, byteAt);
      } else if (!isInside && walk.isCollecting) {
        endMember(walk, byteAt, lowest, origin);
        beginMember(walk, byteAt, origin);
      }
      if (reason != needsMore) {
        return stop(walk, reason, reason == foundEnd || reason == asksRow ? byteAt + 1 : byteAt);
      }
    }
  }
  walk.inText = inText;
  walk.isEscaped = isEscaped;
  if (walk.isCopying) {
    copyTo(walk, to);
  }
  return result(walk, needsMore, to);
}

/** The address of what was written. The next rows are written there again. */
export function takeOutput(walk: Walk): usize {
  walk.isTaken = true;
  return walk.out;
}

/** Makes room for the next rows: of the output, only a row that may get more members stays. */
function removeTaken(walk: Walk): void {
  walk.outUsed -= walk.taken;
  memory.copy(walk.out, walk.out + walk.taken, walk.outUsed);
  walk.isRowWhole = walk.isRowWhole && walk.rowStart >= walk.taken;
  walk.rowStart -= walk.taken;
  walk.isTaken = false;
}

/** Stops at a bracket or comma. */
function stop(walk: Walk, reason: i32, at: usize): i32 {
  walk.inText = 0;
  walk.isEscaped = 0;
  return result(walk, reason, at);
}

function result(walk: Walk, reason: i32, at: usize): i32 {
  const isWaiting =
    isAdding(walk) &&
    walk.isCopying &&
    walk.isRowWhole &&
    walk.outUsed - walk.rowStart <= maxWaitingBytes;
  walk.taken = isWaiting ? walk.rowStart : walk.outUsed;
  setResult(0, at);
  setResult(1, walk.taken);
  setResult(2, walk.rows as usize);
  return reason;
}

/**
 * Whether an array is open whose cells are written.
 * @inline
 */
function isInRow(walk: Walk): bool {
  return walk.isCopying && walk.hasCells && !walk.isCovered;
}

/**
 * How many of the open objects and arrays matter: the parents, plain objects in them, and a row of cells.
 * @inline
 */
function trackedDepth(walk: Walk): i32 {
  return walk.path + walk.nested + (isInRow(walk) ? 1 : 0);
}

/** @param isFirst whether the bracket is the first byte of this call. */
function open(walk: Walk, bracket: usize, lowest: usize, origin: f64, isFirst: bool): i32 {
  const path = walk.path;
  if (path > 0 && (walk.nested > 0 || !isOnPath(walk, bracket, lowest))) {
    if (walk.isCollecting) {
      openNested(walk, bracket, lowest, origin);
    }
    return needsMore;
  }
  const parent = parentOf(walk, path);
  const isRow = path == walk.steps;
  if (!isRow && !walk.isCollecting && parent.start + parent.length >= parent.used) {
    setResult(3, path as usize);
    return needsMembers;
  }
  if (path > 0 && parent.step == memberStep) {
    if (!walk.isAnswered) {
      const start = nameBefore(bracket, lowest);
      setResult(3, start);
      setResult(4, nameEnd - start);
      setResult(5, isLongName ? 1 : 0);
      return asksKey;
    }
    keepKey(parent, bracket, lowest);
  }
  let reason = needsMore;
  if (isRow) {
    reason = beginRow(walk, bracket, isFirst);
  } else {
    openParent(walk, parent);
    parent.isObject = load<u8>(bracket) == openBrace;
    beginMember(walk, bracket, origin);
  }
  walk.isAnswered = walk.isAnswered && reason != needsMore;
  return reason;
}

function openParent(walk: Walk, parent: Parent): void {
  walk.path += 1;
  parent.opened += 1;
  walk.isCommonOld = true;
  if (walk.isCollecting) {
    parent.start = 0;
    parent.used = 0;
    parent.length = 0;
  } else {
    const next = parent.start + parent.length;
    parent.length = load<u32>(parent.members + next) as usize;
    parent.start = next + 4;
  }
}

function beginRow(walk: Walk, bracket: usize, isFirst: bool): i32 {
  const isObject = load<u8>(bracket) == openBrace;
  if (isObject == walk.hasCells) {
    return needsMore;
  }
  if (walk.skipsFirst) {
    walk.skipsFirst = false;
    return needsMore;
  }
  if (walk.isCommonOld) {
    writeCommon(walk);
    walk.isCommonAsked = mayNameSecret(walk.common, walk.commonUsed);
  }
  if (walk.isCommonAsked) {
    setResult(3, walk.common);
    setResult(4, walk.commonUsed);
    return asksCommon;
  }
  const own = parentOf(walk, walk.steps);
  const keyBytes = 2 * own.keyLength + own.keyNameLength;
  const addedBytes: usize = isAdding(walk) ? maxAddedBytes : 0;
  const ownBytes = cellNameBytes(walk, 0) + (end - bracket) + addedBytes;
  const needed = walk.commonUsed + keyBytes + ownBytes;
  if (walk.outUsed + needed + spareBytes > walk.outRoom) {
    return isFull;
  }
  const next = afterBlanks(bracket + 1, end);
  if (next >= end && !isFirst) {
    return needsNext;
  }
  const isEmpty = next < end && load<u8>(next) == (isObject ? closeBrace : closeBracket);
  let at = walk.out + walk.outUsed;
  if (walk.rows > 0) {
    store<u16>(at, 0x0a2c);
    at += 2;
  }
  store<u8>(at, openBrace);
  walk.rowStart = at - walk.out;
  const first = at + 1;
  at = appendKey(first, own);
  at = append(at, walk.common, walk.commonUsed);
  const secret = walk.secretParent > 0 ? parentOf(walk, walk.secretParent) : own;
  walk.isCovered = secret.isSecret;
  walk.isRowWhole = !walk.isCovered;
  walk.isRowEmpty = isEmpty && at == first;
  copyFrom = bracket + 1;
  if (walk.isCovered) {
    at = appendSecret(at, secret);
    copyFrom = bracket;
  } else if (isEmpty) {
    at -= at > first ? 1 : 0;
  } else if (walk.hasCells) {
    walk.cell = 0;
    at = appendCellName(walk, at);
  }
  walk.outUsed = at - walk.out;
  walk.isCopying = true;
  walk.rows += 1;
  return needsMore;
}

/** Writes the members that all rows of the innermost parent have, those of that parent first. */
function writeCommon(walk: Walk): void {
  walk.secretParent = 0;
  for (let number = walk.steps - 1; number > 0; number -= 1) {
    if (parentOf(walk, number).isSecret) {
      walk.secretParent = number;
    }
  }
  let at = walk.common;
  const limit = at + walk.commonBytes;
  for (let number = walk.steps - 1; number >= 0; number -= 1) {
    const parent = parentOf(walk, number);
    if (at + parent.keyNameLength + parent.keyLength + 3 <= limit) {
      at = appendKey(at, parent);
    }
    const isCovered = walk.secretParent > 0 && number >= walk.secretParent;
    if (!isCovered && at + parent.length <= limit) {
      at = append(at, parent.members + parent.start, parent.length);
    }
  }
  walk.commonUsed = at - walk.common;
  walk.isCommonOld = false;
}

/** Answers `asksCommon`. @param members with a comma after each; shorter than before, or the same */
export function setCommon(walk: Walk, members: usize, bytes: usize): void {
  memory.copy(walk.common, members, bytes);
  walk.commonUsed = bytes;
  walk.isCommonAsked = false;
}

/** Whether one of some members may be a value that another one names: its name ends like `value`. */
function mayNameSecret(members: usize, bytes: usize): bool {
  const end = members + bytes;
  for (let at = members + 4; at < end; at += 1) {
    if (load<u16>(at) == 0x3a22 && isLikeValue(load<u32>(at - 4) | 0x2020_2020)) {
      return true;
    }
  }
  return false;
}

/** Whether these are the last letters of val, value, values, wert or werte. */
function isLikeValue(letters: u32): bool {
  return (
    letters >> 8 == 0x6c_6176 ||
    letters == 0x6575_6c61 ||
    letters == 0x7365_756c ||
    letters == 0x7472_6577 ||
    letters == 0x6574_7265
  );
}

/** Appends the key of a member whose name is not fixed. */
function appendKey(to: usize, parent: Parent): usize {
  if (parent.step != memberStep) {
    return to;
  }
  let at = append(to, parent.keyName, parent.keyNameLength);
  store<u8>(at, quote);
  at = append(at + 1, parent.key, parent.keyLength);
  store<u8>(at, quote);
  store<u8>(at, comma, 1);
  return at + 2;
}

/** Appends the name that says that its value is a secret. Of one that is too long, only this is known. */
function appendSecret(to: usize, parent: Parent): usize {
  store<u8>(to, quote);
  let at = to + 1;
  if (parent.keyLength == 0) {
    // secret
    store<u64>(at, 0x7465_7263_6573);
    at += 6;
  } else {
    at = append(at, parent.key, parent.keyLength);
  }
  store<u8>(at, quote);
  store<u8>(at, colon, 1);
  return at + 2;
}

function close(walk: Walk, bracket: usize, lowest: usize, origin: f64): void {
  if (walk.isCopying) {
    endRow(walk, bracket);
    return;
  }
  if (walk.isCollecting) {
    endMember(walk, bracket, lowest, origin);
  }
  if (walk.nested > 0) {
    closeNested(walk);
  } else {
    walk.path -= 1;
  }
}

function endRow(walk: Walk, bracket: usize): i32 {
  const isRow = isInRow(walk);
  copyTo(walk, isRow ? bracket : bracket + 1);
  if (isRow || walk.isCovered) {
    store<u8>(walk.out + walk.outUsed, closeBrace);
    walk.outUsed += 1;
  }
  walk.isCopying = false;
  if (!walk.isRowWhole) {
    return needsMore;
  }
  addInnerMembers(walk);
  const asked = walk.asked;
  if (!asked) {
    return needsMore;
  }
  collectFrom(asked, walk);
  setResult(3, firstMembers(asked));
  setResult(4, firstBytes(asked));
  setResult(5, walk.out + walk.rowStart);
  setResult(6, walk.outUsed - walk.rowStart);
  setResult(7, walk.steps > 2 ? parentOf(walk, 2).opened : 0);
  return asksRow;
}

/**
 * Adds the members that a walk finds in each row: those of the first parent before its last step, which leads
 * nowhere, unless one may name a secret. The walk is used until this one is freed.
 */
export function addInnerWalk(walk: Walk, inner: Walk): void {
  inner.endsWithFirst = true;
  inner.next = walk.inner;
  walk.inner = inner;
}

/** Asks for each row what it gets, which depends on the members that a walk finds in it. See `addInnerWalk`. */
export function askRows(walk: Walk, asked: Walk): void {
  walk.asked = asked;
}

/** @inline */
function isAdding(walk: Walk): bool {
  return walk.asked != null || walk.inner != null;
}

/** Goes through the last row, which is whole. */
function collectFrom(inner: Walk, walk: Walk): void {
  const row = walk.out + walk.rowStart;
  clearMembers(inner);
  collectMembers(inner, row, walk.out + walk.outUsed, row, 0);
}

/** The members of the first parent before the last step of a walk. Their length is before them. */
function firstMembers(walk: Walk): usize {
  return parentOf(walk, walk.steps - 1).members + 4;
}

function firstBytes(walk: Walk): usize {
  const parent = parentOf(walk, walk.steps - 1);
  return parent.used >= 4 ? (load<u32>(parent.members) as usize) : 0;
}

function addInnerMembers(walk: Walk): void {
  const text = inText;
  const escaped = isEscaped;
  for (let each = walk.inner; each != null; each = each!.next) {
    const inner = each!;
    collectFrom(inner, walk);
    const members = firstMembers(inner);
    const bytes = firstBytes(inner);
    if (!mayNameSecret(members, bytes)) {
      addToRow(walk, members, bytes);
    }
  }
  continueText(text, escaped);
}

/** Answers `asksRow`. @param members with a comma after each */
export function addToRow(walk: Walk, members: usize, bytes: usize): void {
  if (bytes == 0 || bytes > maxAddedBytes / 4 || walk.outUsed + bytes > walk.outRoom) {
    return;
  }
  // Instead of the bracket that ends the row.
  let at = walk.out + walk.outUsed - 1;
  if (!walk.isRowEmpty) {
    store<u8>(at, comma);
    at += 1;
  }
  at = append(at, members, bytes - 1);
  store<u8>(at, closeBrace);
  walk.isRowEmpty = false;
  walk.outUsed = at + 1 - walk.out;
}

/** Answers `asksRow`: puts another object in the place of the last row, if there is room. */
export function replaceRow(walk: Walk, row: usize, bytes: usize): void {
  if (walk.rowStart + bytes > walk.outRoom) {
    return;
  }
  append(walk.out + walk.rowStart, row, bytes);
  walk.outUsed = walk.rowStart + bytes;
  walk.isRowEmpty = bytes == 2;
}

/** Ends a cell at a comma, and begins the next one. */
function nextCell(walk: Walk, at: usize): i32 {
  copyTo(walk, at);
  copyFrom = at;
  const needed = cellNameBytes(walk, walk.cell + 1) + (end - at) + spareBytes;
  if (walk.outUsed + needed > walk.outRoom) {
    return isFull;
  }
  const to = walk.out + walk.outUsed;
  store<u8>(to, comma);
  walk.cell += 1;
  walk.outUsed = appendCellName(walk, to + 1) - walk.out;
  copyFrom = at + 1;
  return needsMore;
}

function cellNameBytes(walk: Walk, cell: i32): usize {
  return cell < walk.cellCount
    ? endOf(walk.cellNameEnds, cell) - endOf(walk.cellNameEnds, cell - 1)
    : 16;
}

function appendCellName(walk: Walk, to: usize): usize {
  const cell = walk.cell;
  if (cell < walk.cellCount) {
    const start = endOf(walk.cellNameEnds, cell - 1);
    return append(to, walk.cellNames + start, cellNameBytes(walk, cell));
  }
  // #1, and so on
  store<u16>(to, 0x2322);
  const number = cell + 1;
  let digits = 1;
  for (let left = number; left >= 10; left /= 10) {
    digits += 1;
  }
  let at = to + 2 + (digits as usize);
  store<u16>(at, 0x3a22);
  for (let left = number; left > 0; left /= 10) {
    at -= 1;
    store<u8>(at, (0x30 + (left % 10)) as u8);
  }
  return to + 4 + (digits as usize);
}

/** Copies bytes of the element. */
function copyTo(walk: Walk, to: usize): void {
  const length = to - copyFrom;
  memory.copy(walk.out + walk.outUsed, copyFrom, length);
  walk.outUsed += length;
}
