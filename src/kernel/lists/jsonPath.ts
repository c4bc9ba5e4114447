import { isSame } from '../hash';
import { isLongName, nameBefore, nameEnd } from '../json/jsonNames';
import { copyOf } from '../memory';
import { enlarged, freeIfAny } from '../reader';

/*
 * A path through a JSON document to the elements of a list: `runs[].results[]` leads from the document
 * through a member, an element and a member to an element. The objects and arrays on the way are the
 * parents of the elements, by the number of steps that lead to them: the document is parent 0.
 */

/** What a step leads to: the member with a name, any element, or any member. */
export const namedStep: i32 = 0;
export const elementStep: i32 = 1;
export const memberStep: i32 = 2;

/** Why a walk along a path stopped. */
export const needsMore: i32 = 0;
export const foundEnd: i32 = 1;
/** The output must be written first. */
export const isFull: i32 = 2;
/** Whether a key is like the name of a secret must be said first. */
export const asksKey: i32 = 3;
/** The members of more parents must be given first. */
export const needsMembers: i32 = 4;
/** What is after a bracket must be there first. */
export const needsNext: i32 = 5;
/** Whether the members of parents name a secret among them must be said first. */
export const asksCommon: i32 = 6;
/** A row has ended, and what it gets must be said first. */
export const asksRow: i32 = 7;

/** The most bytes of parents in a row. */
export const maxCommonBytes: usize = 16 * 1024;

/** A parent, and the step that leads to it. There is one more for the elements themselves. */
@unmanaged
export class Parent {
  step: i32 = 0;
  /** The name of the step, as it is written. */
  name: usize = 0;
  nameLength: usize = 0;
  isObject: bool = false;
  /** How many of these there were so far. */
  opened: u32 = 0;
  /** The plain members of parents, as JSON with a comma after each, and their lengths before them. */
  members: usize = 0;
  room: usize = 0;
  used: usize = 0;
  /** Where those of the open parent start, and their length. */
  start: usize = 0;
  length: usize = 0;
  /** What is before the names of its members: `runs.tool.` */
  prefix: usize = 0;
  prefixLength: usize = 0;
  /** The name of a member for the key, with quotes and a colon, if the step leads to any member. */
  keyName: usize = 0;
  keyNameLength: usize = 0;
  /** The key as it is written, without quotes. */
  key: usize = 0;
  keyLength: usize = 0;
  isSecret: bool = false;
}

@unmanaged
export class Walk {
  parents: usize = 0;
  /** The number of steps. */
  steps: i32 = 0;
  /** How many objects and arrays are open, and how many of them are parents. */
  depth: i32 = 0;
  path: i32 = 0;
  inText: u64 = 0;
  isEscaped: u64 = 0;

  /* For members of parents. */

  /** The first parent whose members are collected. */
  firstParent: i32 = 0;
  /** Whether they are collected while rows are written. */
  isCollecting: bool = false;
  /** The most bytes that are kept of a parent. */
  mostBytes: usize = 0;
  /** How many objects in the innermost parent are open, all of which are plain, and the path to them. */
  nested: i32 = 0;
  nestedPath: usize = 0;
  nestedLength: usize = 0;
  /** The position in the file where the current member starts, and whether it is an object or an array. */
  memberStart: f64 = 0;
  isInner: bool = false;

  /** Names that members of parents must not get, one after another, and their ends. */
  excluded: usize = 0;
  excludedEnds: usize = 0;
  excludedCount: i32 = 0;
  /** Whether these names are instead the only ones that are collected, and nothing of nested objects. */
  isOnlyThese: bool = false;
  /** Whether the walk ends with the first parent before its last step. */
  endsWithFirst: bool = false;

  /* For rows. */

  out: usize = 0;
  outRoom: usize = 0;
  outUsed: usize = 0;
  rows: u32 = 0;
  /** Walks through each row to members that it gets, and to those on which depends what else it gets. */
  inner: Walk | null = null;
  asked: Walk | null = null;
  /** The next one of the walks through each row. */
  next: Walk | null = null;
  /** Where the last row starts, if all of it is in the output, and whether it has no members yet. */
  rowStart: usize = 0;
  isRowWhole: bool = false;
  isRowEmpty: bool = false;
  /** How much of the output is taken, and whether it is to be removed. */
  taken: usize = 0;
  isTaken: bool = false;
  /** Whether the elements are arrays, the first of which may be a heading. */
  hasCells: bool = false;
  skipsFirst: bool = false;
  cell: i32 = 0;
  /** The names of cells with quotes and a colon, one after another, and their ends. */
  cellNames: usize = 0;
  cellNameEnds: usize = 0;
  cellCount: i32 = 0;
  isCopying: bool = false;
  /** Whether the element is below a key like the name of a secret, which then stays its name. */
  isCovered: bool = false;
  isAnswered: bool = false;
  /** The members that are the same until another parent opens. */
  common: usize = 0;
  commonBytes: usize = 0;
  commonUsed: usize = 0;
  isCommonOld: bool = true;
  isCommonAsked: bool = false;
  /** The first parent that is a member with a name like that of a secret, or 0. */
  secretParent: i32 = 0;
}

const maxKeyBytes: usize = 1000;
/** A path to nested objects may have this many bytes. */
export const nestedRoom: usize = 4096;

/**
 * @param firstParent the first parent whose members are collected.
 * @param mostBytes the most bytes that they may have.
 */
export function newWalk(steps: i32, firstParent: i32, mostBytes: usize): Walk {
  const walk = new Walk();
  walk.firstParent = firstParent;
  walk.steps = steps;
  walk.mostBytes = mostBytes;
  const bytes = ((steps + 1) as usize) * offsetof<Parent>();
  walk.parents = heap.alloc(bytes);
  memory.fill(walk.parents, 0, bytes);
  walk.nestedPath = heap.alloc(nestedRoom);
  walk.common = heap.alloc(maxCommonBytes);
  return walk;
}

export function freeWalk(walk: Walk): void {
  for (let number = 0; number <= walk.steps; number += 1) {
    const parent = parentOf(walk, number);
    freeIfAny(parent.name);
    freeIfAny(parent.members);
    freeIfAny(parent.prefix);
    freeIfAny(parent.keyName);
    freeIfAny(parent.key);
  }
  heap.free(walk.parents);
  heap.free(walk.nestedPath);
  heap.free(walk.common);
  freeIfAny(walk.excluded);
  freeIfAny(walk.excludedEnds);
  freeIfAny(walk.out);
  freeIfAny(walk.cellNames);
  freeIfAny(walk.cellNameEnds);
  heap.free(changetype<usize>(walk));
}

/**
 * Says which names members of parents must not get, because the elements have members with these names.
 * @param names as they are written, one after another. @param ends where each ends
 */
export function excludeNames(walk: Walk, names: usize, ends: usize, count: i32): void {
  walk.excludedEnds = copyOf(ends, (count as usize) << 2);
  walk.excluded = copyOf(names, endOf(ends, count - 1));
  walk.excludedCount = count;
}

/** Says which names alone are collected, from the innermost parent itself. See `excludeNames`. */
export function collectOnly(walk: Walk, names: usize, ends: usize, count: i32): void {
  excludeNames(walk, names, ends, count);
  walk.isOnlyThese = true;
}

/**
 * Where one of several texts ends, of which the first has the number 0.
 * @inline
 */
export function endOf(ends: usize, number: i32): usize {
  return number < 0 ? 0 : (load<u32>(ends + ((number as usize) << 2)) as usize);
}

/** @inline */
export function parentOf(walk: Walk, number: i32): Parent {
  return changetype<Parent>(walk.parents + (number as usize) * offsetof<Parent>());
}

/**
 * Says which step leads to a parent, or with the number of all steps to the elements. Texts are copied.
 * @param name as it is written in the document, if it is a named step.
 * @param prefix what is before the names of the parent's members.
 * @param keyName what is before the key, if it is any member: `"key":`
 */
export function setParent(
  walk: Walk,
  number: i32,
  step: i32,
  name: usize,
  nameLength: usize,
  prefix: usize,
  prefixLength: usize,
  keyName: usize,
  keyNameLength: usize,
): void {
  const parent = parentOf(walk, number);
  parent.step = step;
  parent.name = copyOf(name, nameLength);
  parent.nameLength = nameLength;
  parent.prefix = copyOf(prefix, prefixLength);
  parent.prefixLength = prefixLength;
  parent.keyName = copyOf(keyName, keyNameLength);
  parent.keyNameLength = keyNameLength;
  parent.key = step == memberStep ? heap.alloc(maxKeyBytes) : 0;
}

/** Makes room for more bytes in the members of a parent. */
export function addRoom(parent: Parent, bytes: usize): void {
  if (parent.used + bytes > parent.room) {
    parent.room = max(parent.room * 2, parent.used + bytes + 1024);
    parent.members = enlarged(parent.members, parent.room);
  }
}

/** Whether an object or array in the innermost parent is the next one of the path. */
export function isOnPath(walk: Walk, bracket: usize, lowest: usize): bool {
  const parent = parentOf(walk, walk.path);
  const isMember = parentOf(walk, walk.path - 1).isObject;
  if (parent.step == elementStep || !isMember) {
    return parent.step == elementStep && !isMember;
  }
  const start = nameBefore(bracket, lowest);
  if (start == 0 || parent.step == memberStep) {
    return start != 0;
  }
  return (
    !isLongName &&
    nameEnd - start == parent.nameLength &&
    isSame(parent.name, start, parent.nameLength)
  );
}

/** Keeps the key of the member that `isOnPath` has found. One that is too long is left out. */
export function keepKey(parent: Parent, bracket: usize, lowest: usize): void {
  const start = nameBefore(bracket, lowest);
  const length = isLongName ? 0 : nameEnd - start;
  parent.keyLength = length;
  memory.copy(parent.key, start, length);
}
