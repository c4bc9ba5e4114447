import { columnType, kindNull } from '../columns/kinds';
import type { Column, ColumnId } from '../types';
import { isSecretField } from '../../../base/secretFields';
import { wordsOf } from './words';

/** Nested members are columns up to this depth; deeper ones are shown as JSON. */
const maxDepth = 4;
/** An object with more members is a map, not a record; it is shown as JSON. */
const maxMembers = 200;
const maxTopMembers = 2000;
const maxListed = 1000;
const maxKeyBytes = 1000;

/** A node of the records' shape: a member, or a field of CSV. */
export interface ShapeNode {
  /** Its number among all nodes, which never changes. */
  readonly number: number;
  readonly id: ColumnId;
  readonly name: string;
  /** The bytes of its own name, as usually written; empty at the top. */
  readonly key: Uint8Array;
  /** The same by words of 32 bits, as far as it has whole ones. */
  readonly keyWords: Int32Array;
  /** Whether the name is written without escapes, so that its bytes are found as they are. */
  readonly isPlain: boolean;
  readonly depth: number;
  /** Its number among its siblings. */
  readonly order: number;
  readonly secret: boolean;
  readonly members: ShapeNode[];
  readonly byKey: Map<string, ShapeNode>;
  /** The kinds of its values, one bit each; objects with members of their own do not count. */
  kinds: number;
  /** Whether a row has a value that is neither null nor an empty text. */
  hasValue: boolean;
  /** Whether it has too many members, or is too deep, to be expanded. */
  closed: boolean;
  /** The last walk that visited it. */
  walk: number;
}

/** All nodes seen so far. It only grows. */
export class Shape {
  readonly nodes: ShapeNode[] = [];
  readonly top: ShapeNode;
  /** Whether all records were seen. */
  isComplete = false;
  /** Whether a record has two members with the same name; the last one counts. */
  hasDuplicates = false;
  /** Whether an invalid record was found. */
  hasInvalid = false;
  private readonly byId = new Map<ColumnId, ShapeNode>();

  /** @param member the name of what all records are in, where it has one; it may be secret-like. */
  constructor(member = '') {
    this.top = this.create('', 'value', new Uint8Array(), 0, 0, isSecretField(member));
  }

  find(id: ColumnId): ShapeNode | undefined {
    return this.byId.get(id);
  }

  /**
   * The member with this name; created if new, unless the node has too many.
   * @param title the shown name, if different.
   */
  member(parent: ShapeNode, name: string, title = name): ShapeNode | undefined {
    const known = parent.byKey.get(name);
    if (known || parent.closed) {
      return known;
    }
    const key = Buffer.from(name);
    const isFull = parent.members.length >= (parent.depth === 0 ? maxTopMembers : maxMembers);
    if (isFull || key.length > maxKeyBytes) {
      // A record keeps its columns; a map is shown as a whole.
      parent.closed = parent.depth > 0 && isFull;
      return undefined;
    }
    const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1');
    const fullName = parent.depth === 0 ? title : `${parent.name}.${title}`;
    const member = this.create(
      `${parent.id}/${pointer}`,
      fullName,
      key,
      parent.depth + 1,
      parent.members.length,
      parent.secret || isSecretField(title),
    );
    parent.members.push(member);
    parent.byKey.set(name, member);
    return member;
  }

  /** The columns so far, nested members in the position of their object. */
  columns(): { columns: Column[]; more: number } {
    const listed: Column[] = [];
    const columnOf = ({ id, name, secret, kinds, hasValue }: ShapeNode): Column => ({
      id,
      name,
      secret,
      type: columnType(kinds),
      verified: this.isComplete,
      ...(!hasValue && { empty: true }),
    });
    const visit = (node: ShapeNode) => {
      const hasMembers = node.members.length > 0 && !node.closed;
      const values = node.kinds & ~(1 << kindNull);
      if (values !== 0 || (node.kinds !== 0 && !hasMembers)) {
        listed.push(columnOf(node));
      }
      if (hasMembers) {
        node.members.forEach(visit);
      }
    };
    visit(this.top);
    if (listed.length === 0 && this.hasInvalid) {
      // Invalid rows show their text in the first column.
      listed.push(columnOf(this.top));
    }
    return { columns: listed.slice(0, maxListed), more: Math.max(0, listed.length - maxListed) };
  }

  private create(
    id: ColumnId,
    name: string,
    key: Uint8Array,
    depth: number,
    order: number,
    secret: boolean,
  ): ShapeNode {
    const node = {
      number: this.nodes.length,
      id,
      name,
      key,
      keyWords: Int32Array.from({ length: key.length >> 2 }, (_, at) =>
        wordsOf(key).getInt32(4 * at, true),
      ),
      depth,
      order,
      secret,
      isPlain: !key.some((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c),
      members: [],
      byKey: new Map<string, ShapeNode>(),
      kinds: 0,
      hasValue: false,
      walk: 0,
      closed: depth >= maxDepth,
    };
    this.nodes.push(node);
    this.byId.set(id, node);
    return node;
  }
}
