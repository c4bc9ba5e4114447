import { columnType, kindNull } from '../columns/kinds';
import type { Column, ColumnId } from '../types';
import { isSecretField } from '../../../base/secretFields';

/** Members of members are columns of their own down to here; what is deeper is shown as JSON. */
const maxDepth = 4;
/** An object with more members than this is no record but a map; it is shown as JSON. */
const maxMembers = 200;
const maxTopMembers = 2000;
const maxListed = 1000;
const maxKeyBytes = 1000;

/** A place in the records where values are: a member, or a field of CSV. */
export interface ShapeNode {
  /** Its number among all places, which never changes. */
  readonly number: number;
  readonly id: ColumnId;
  readonly name: string;
  /** The bytes of its own name, as they are mostly written; empty at the top. */
  readonly key: Uint8Array;
  /** Whether the name is written without escapes, so that its bytes are found as they are. */
  readonly isPlain: boolean;
  readonly depth: number;
  /** Its number among its siblings. */
  readonly order: number;
  readonly secret: boolean;
  readonly members: ShapeNode[];
  readonly byKey: Map<string, ShapeNode>;
  /** The kinds of values seen here, one bit each; objects with members of their own are not counted. */
  kinds: number;
  /** Whether it has too many members, or is too deep, to go into. */
  closed: boolean;
  /** The last walk that came by. */
  walk: number;
}

/** All places seen so far. It only grows. */
export class Shape {
  readonly nodes: ShapeNode[] = [];
  readonly top: ShapeNode;
  /** Whether all records were seen. */
  isComplete = false;
  /** Whether some record has two members of one name, of which the last counts. */
  hasDuplicates = false;
  /** Whether some record is known that cannot be read. */
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
   * The member of this name; made where there is none, unless the place has too many.
   * @param title what a person reads, where that is not the name.
   */
  member(parent: ShapeNode, name: string, title = name): ShapeNode | undefined {
    const known = parent.byKey.get(name);
    if (known || parent.closed) {
      return known;
    }
    const key = Buffer.from(name);
    const isFull = parent.members.length >= (parent.depth === 0 ? maxTopMembers : maxMembers);
    if (isFull || key.length > maxKeyBytes) {
      // A record keeps the columns it has; a map is shown as a whole.
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

  /** The columns by now, members behind each other where their object stands. */
  columns(): { columns: Column[]; more: number } {
    const listed: Column[] = [];
    const columnOf = ({ id, name, secret, kinds }: ShapeNode): Column => ({
      id,
      name,
      secret,
      type: columnType(kinds),
      verified: this.isComplete,
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
      // Wrong rows show their texts in the first column.
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
      depth,
      order,
      secret,
      isPlain: !key.some((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c),
      members: [],
      byKey: new Map<string, ShapeNode>(),
      kinds: 0,
      walk: 0,
      closed: depth >= maxDepth,
    };
    this.nodes.push(node);
    this.byId.set(id, node);
    return node;
  }
}
