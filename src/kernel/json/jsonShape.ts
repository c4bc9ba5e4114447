import { hashOf, hashReadAhead, isSame } from '../hash';
import { addNodes, enlarged, freeIfAny, Reader } from '../reader';

/*
 * The shape of JSON records: the nodes are the record and its members, and a table leads from the
 * names of members, as they are written, to nodes.
 */

/** What a reader of JSON keeps, in `reader.state`. */
@unmanaged
export class Json {
  /** The state of a record that is skipped: see `jsonRecords.ts`. */
  depth: i32 = 0;
  inText: u64 = 0;
  isEscaped: u64 = 0;
  hasBegun: bool = false;
  /** Top arrays: whether the last record is what follows the array. */
  isTrailing: bool = false;
  /** The addresses of nodes by number; 0 for numbers that have none. */
  nodes: usize = 0;
  nodeRoom: i32 = 0;
  /** Addresses of names by hash, with open addressing; a power of two of them. */
  names: usize = 0;
  nameRoom: u32 = 0;
  nameCount: u32 = 0;
  /** The walk through a record, as a number. */
  walk: u32 = 0;
}

@unmanaged
export class Node {
  number: i32 = 0;
  /** 0 at the top. */
  depth: i32 = 0;
  /** Its objects are one value, and not described by nodes of their members. */
  isClosed: bool = false;
  /** Members with names that are not in the table are skipped without a question. */
  ignoresNew: bool = false;
  /** The last walk that found it. */
  walk: u32 = 0;
  /** Its members, and the next one of its parent. */
  firstMember: Node | null = null;
  nextSibling: Node | null = null;
  /** The name of the first member in the last record whose first member was another one. */
  firstName: Name | null = null;
}

/** A name of a member of a node. Its bytes follow, with the closing quote and padding. */
@unmanaged
export class Name {
  parent: i32 = 0;
  hash: u32 = 0;
  /** With the closing quote. */
  length: usize = 0;
  /** The bits of a comparison of the first 16 bytes that count. */
  mask: i32 = 0;
  /** The node that it leads to, or null: then the member is skipped. */
  node: Node | null = null;
  /** The name after this one, when it was last another one than expected. */
  follower: Name | null = null;
}

/** Longer names, in bytes, are never nodes. */
export const maxNameBytes: usize = 1000;

/** @inline */
export function jsonOf(reader: Reader): Json {
  return changetype<Json>(reader.state);
}

export function newJson(reader: Reader): void {
  const json = new Json();
  json.nameRoom = 64;
  json.names = newTable(json.nameRoom);
  reader.state = changetype<usize>(json);
  putNode(reader, new Node(), 0);
}

export function freeJson(reader: Reader): void {
  const json = jsonOf(reader);
  for (let number = 0; number < reader.nodes; number += 1) {
    const node = nodeAt(json, number);
    if (node) {
      heap.free(changetype<usize>(node));
    }
  }
  for (let at: u32 = 0; at < json.nameRoom; at += 1) {
    freeIfAny(load<usize>(slotAt(json, at)));
  }
  heap.free(json.nodes);
  heap.free(json.names);
  heap.free(changetype<usize>(json));
}

/** The node with a number, or null. */
export function nodeAt(json: Json, number: i32): Node | null {
  return number >= 0 && number < json.nodeRoom
    ? changetype<Node | null>(load<usize>(json.nodes + ((number as usize) << 2)))
    : null;
}

/**
 * Adds a node with a new number. `addName` adds the names that lead to it.
 *
 * @param isClosed see `closeNode`.
 */
export function addNode(reader: Reader, number: i32, parent: i32, isClosed: i32): void {
  const node = new Node();
  const above = nodeAt(jsonOf(reader), parent)!;
  node.depth = above.depth + 1;
  node.isClosed = isClosed != 0;
  node.nextSibling = above.firstMember;
  above.firstMember = node;
  putNode(reader, node, number);
}

function putNode(reader: Reader, node: Node, number: i32): void {
  const json = jsonOf(reader);
  addNodes(reader, number + 1);
  if (json.nodeRoom < reader.nodeRoom) {
    const used = (json.nodeRoom as usize) << 2;
    const room = (reader.nodeRoom as usize) << 2;
    json.nodes = enlarged(json.nodes, room);
    memory.fill(json.nodes + used, 0, room - used);
    json.nodeRoom = reader.nodeRoom;
  }
  node.number = number;
  store<usize>(json.nodes + ((number as usize) << 2), changetype<usize>(node));
}

/** From now on, the objects of a node are one value. */
export function closeNode(reader: Reader, number: i32): void {
  nodeAt(jsonOf(reader), number)!.isClosed = true;
}

/** From now on, members of a node with unknown names are skipped. */
export function ignoreNewNames(reader: Reader, number: i32): void {
  nodeAt(jsonOf(reader), number)!.ignoresNew = true;
}

/**
 * Adds a name of a member, or changes where it leads.
 *
 * @param address the bytes between its quotes as they are written, with escapes. They are copied; up
 *   to `hashReadAhead` bytes after them are read, too.
 * @param number the number of its node, or -1: the member is skipped.
 */
export function addName(
  reader: Reader,
  parent: i32,
  address: usize,
  length: usize,
  number: i32,
): void {
  const json = jsonOf(reader);
  const hash = nameHash(parent, address, length);
  let name = findName(json, parent, address, length, hash);
  if (!name) {
    name = newName(parent, address, length, hash);
    if (++json.nameCount > json.nameRoom >> 1) {
      growTable(json);
    }
    putName(json, name);
  }
  name.node = nodeAt(json, number);
}

function newName(parent: i32, address: usize, length: usize, hash: u32): Name {
  const memoryOfName = heap.alloc(offsetof<Name>() + length + hashReadAhead);
  const name = changetype<Name>(memoryOfName);
  name.parent = parent;
  name.hash = hash;
  name.length = length + 1;
  name.mask = length + 1 < 16 ? (1 << ((length + 1) as i32)) - 1 : 0xffff;
  name.node = null;
  name.follower = null;
  const bytes = bytesOf(name);
  memory.copy(bytes, address, length);
  memory.fill(bytes + length, 0, 16);
  store<u8>(bytes + length, 0x22);
  return name;
}

/** @inline */
function bytesOf(name: Name): usize {
  return changetype<usize>(name) + offsetof<Name>();
}

/**
 * Whether a name and its closing quote start here. A name is a whole text, so no other text starts
 * with these bytes.
 * @inline
 */
export function isName(name: Name, from: usize, to: usize): bool {
  const found = i8x16.bitmask(i8x16.eq(v128.load(from), v128.load(bytesOf(name))));
  return (
    (found & name.mask) == name.mask &&
    from + name.length <= to &&
    (name.length <= 16 || isRestEqual(name, from))
  );
}

function isRestEqual(name: Name, from: usize): bool {
  const bytes = bytesOf(name);
  const last = name.length - 16;
  let at: usize = 16;
  while (at < last) {
    if (!areEqual(from + at, bytes + at)) {
      return false;
    }
    at += 16;
  }
  return areEqual(from + last, bytes + last);
}

/** @inline */
function areEqual(one: usize, other: usize): bool {
  return i8x16.all_true(i8x16.eq(v128.load(one), v128.load(other)));
}

/** The name of a member with these bytes, or null. */
export function nameOf(json: Json, parent: i32, address: usize, length: usize): Name | null {
  return findName(json, parent, address, length, nameHash(parent, address, length));
}

function findName(json: Json, parent: i32, address: usize, length: usize, hash: u32): Name | null {
  const mask = json.nameRoom - 1;
  let at = hash & mask;
  while (true) {
    const name = changetype<Name | null>(load<usize>(slotAt(json, at)));
    if (!name) {
      return null;
    }
    if (name.hash == hash && name.parent == parent && isNamed(name, address, length)) {
      return name;
    }
    at = (at + 1) & mask;
  }
}

/** @inline */
function isNamed(name: Name, address: usize, length: usize): bool {
  return name.length == length + 1 && isSame(bytesOf(name), address, length);
}

function putName(json: Json, name: Name): void {
  const mask = json.nameRoom - 1;
  let at = name.hash & mask;
  while (load<usize>(slotAt(json, at)) != 0) {
    at = (at + 1) & mask;
  }
  store<usize>(slotAt(json, at), changetype<usize>(name));
}

/** @inline */
function slotAt(json: Json, at: u32): usize {
  return json.names + ((at as usize) << 2);
}

function growTable(json: Json): void {
  const before = json.names;
  const room = json.nameRoom;
  json.nameRoom = room * 2;
  json.names = newTable(json.nameRoom);
  for (let at: u32 = 0; at < room; at += 1) {
    const name = load<usize>(before + ((at as usize) << 2));
    if (name != 0) {
      putName(json, changetype<Name>(name));
    }
  }
  heap.free(before);
}

function newTable(room: u32): usize {
  const table = heap.alloc((room as usize) << 2);
  memory.fill(table, 0, (room as usize) << 2);
  return table;
}

/**
 * A hash of a name of a member. Nobody can choose names with one hash: see `hash.ts`.
 * @param parent the number of the node of the object.
 */
export function nameHash(parent: i32, address: usize, length: usize): u32 {
  return hashOf(address, length) + (parent as u32) * 0x9e37_79b1;
}
