import { columnType, kindJson, kindNull } from '../../values/kinds';
import type { Column, ColumnId, FormChoice, ValueForm } from '../../data/column';
import {
  findAroundSecret,
  isBesideSecret,
  isSecretField,
  isSecretMaterial,
} from '../../../vocabulary/secretFields';
import { TableError } from '../../data/tableError';

/** Nested members are columns up to this depth; deeper ones are shown as JSON. */
export const maxDepth = 4;
/** An object with more members is a map, not a record; it is shown as JSON. */
export const maxMembers = 200;
const maxTopMembers = 2000;
const maxListed = 1000;
/** Members of a record beyond the limit are counted up to this number, by the first letters of their names. */
const maxCounted = 20_000;
const maxCountedLength = 200;
const maxKeyBytes = 1000;

/** A node of the records' shape: a JSON member or a CSV field. */
export interface ShapeNode {
  /** Its number among all nodes, which never changes. */
  readonly number: number;
  readonly id: ColumnId;
  readonly name: string;
  readonly parent: ShapeNode | undefined;
  /** Its own name, and the name that is shown. */
  readonly ownName: string;
  readonly title: string;
  readonly depth: number;
  /** Its number among its siblings. */
  readonly order: number;
  secret: boolean;
  readonly members: ShapeNode[];
  readonly byKey: Map<string, ShapeNode>;
  /**
   * The kinds of its values, one bit each. Objects with members do not count, and an empty text
   * counts as null.
   */
  kinds: number;
  /** Whether any row has a value that is neither null nor an empty text. */
  hasValue: boolean;
  /** Whether it has too many members, or is too deep, to be expanded. */
  isCollapsed: boolean;
  /** The form of its values, if only all of them together tell it, or a user. */
  form: ValueForm | undefined;
  /** What a user may choose for its form, as its first values allow, and what was chosen. */
  formChoices: readonly FormChoice[];
  chosenForm: FormChoice | undefined;
}

/** A shape as plain data, for another thread. */
export interface ShapeState {
  readonly member: string;
  readonly headings: readonly string[] | undefined;
  readonly areFindings: boolean;
  readonly isComplete: boolean;
  readonly hasDuplicates: boolean;
  readonly hasInvalid: boolean;
  /** All nodes by number. */
  readonly nodes: readonly NodeState[];
  /** Of a part, its invalid rows, and the names of members that are not kept as nodes. */
  readonly invalidRows: number;
  readonly more: readonly string[];
}

type NodeState = Pick<
  ShapeNode,
  'ownName' | 'title' | 'secret' | 'kinds' | 'hasValue' | 'isCollapsed' | 'form'
> & { readonly parent: number };

/** All nodes seen so far. It only grows. */
export class Shape {
  readonly nodes: ShapeNode[] = [];
  readonly top: ShapeNode;
  /** Whether the records are findings about secrets: only some of their members are secret, see `isSecretMaterial`. */
  readonly isAboutSecrets: boolean;
  /** Whether all records have been seen. */
  isComplete = false;
  /** Whether a record has two members with the same name; the last one counts. */
  hasDuplicates = false;
  /** Whether an invalid record was found. */
  hasInvalid = false;
  /** How many were found among the records that were checked. */
  invalidRows = 0;
  /** How many nodes were collapsed because they have too many members. */
  closings = 0;
  /** How many nodes had an object without members before any with members. */
  private emptyObjects = 0;
  /** The names of members of the records that are not kept as nodes, because there are too many. */
  private readonly more = new Set<string>();
  private isPart = false;
  private readonly byId = new Map<ColumnId, ShapeNode>();

  /**
   * @param memberName the name of the member that contains all records, if there is one. It may be
   *   secret-like.
   * @param headings CSV: the names of the fields, if the file has them.
   * @param areFindings whether the records are findings: what says it of secrets is none itself.
   */
  constructor(
    private readonly memberName = '',
    readonly headings?: readonly string[],
    private readonly areFindings = false,
  ) {
    const isSecret = isSecretField(memberName);
    this.isAboutSecrets = isSecret && areFindings;
    this.top = this.create(undefined, '', '', isSecret && !areFindings);
  }

  /** A shape that continues another one, for a part of the records. */
  static partOf(state: ShapeState): Shape {
    const shape = new Shape(state.member, state.headings, state.areFindings);
    shape.grow(state);
    shape.isPart = true;
    shape.isComplete = state.isComplete;
    return shape;
  }

  /** Whether the values of any node are masked, in some rows or in all, or those of a field for which there is no node. */
  get hasSecrets(): boolean {
    return (
      this.nodes.some((node) => node.secret || isAroundSecret(node)) ||
      this.headings?.some((name) => isSecretField(name)) === true
    );
  }

  /** Whether all records are valid, so that the rest of a record may be left. */
  get mayStop(): boolean {
    return this.isComplete && !this.hasDuplicates && !this.hasInvalid;
  }

  /** Whether records have members that are not kept as nodes. */
  get isPartial(): boolean {
    return this.more.size > 0;
  }

  /** Changes when a node is added or collapsed, or has an object without members for the first time. */
  get version(): number {
    return this.nodes.length + this.closings + this.emptyObjects;
  }

  state(): ShapeState {
    const { memberName: member, headings, areFindings } = this;
    const { isComplete, hasDuplicates, hasInvalid } = this;
    const nodes = this.nodes.map(saveNode);
    const [invalidRows, more] = this.isPart ? [this.invalidRows, [...this.more]] : [0, []];
    return {
      ...{ member, headings, areFindings, isComplete, hasDuplicates, hasInvalid },
      ...{ nodes, invalidRows, more },
    };
  }

  /**
   * Adds what a part found. The result is the same as if its records had been read here, if this is
   * still the shape that the part continued, or if the part found nothing new and no node was
   * collapsed here.
   */
  grow({ nodes, more, hasDuplicates, hasInvalid, invalidRows }: ShapeState): void {
    for (const name of more) {
      if (this.more.size < maxCounted) {
        this.more.add(name);
      }
    }
    for (const [number, state] of nodes.entries()) {
      const { parent, ownName, title, secret, kinds, hasValue, isCollapsed, form } = state;
      const node = this.nodes[number] ?? this.create(this.nodes[parent], ownName, title, secret);
      node.form ??= form;
      node.secret ||= secret;
      node.kinds |= kinds;
      node.hasValue ||= hasValue;
      if (isCollapsed && !node.isCollapsed) {
        node.isCollapsed = true;
        this.closings += 1;
      }
    }
    this.hasDuplicates ||= hasDuplicates;
    this.hasInvalid ||= hasInvalid;
    this.invalidRows += invalidRows;
  }

  /** Forgets what kinds of values some nodes have, which are read in another way from now on. */
  forgetKinds(nodes: readonly ShapeNode[]): void {
    for (const node of nodes) {
      node.kinds &= 1 << kindNull;
      node.hasValue = false;
    }
  }

  addInvalid(count: number): void {
    this.hasInvalid ||= count > 0;
    this.invalidRows += count;
  }

  /** Adds an object without members. It counts as a value unless one before it had members. */
  addEmptyObject(node: ShapeNode): void {
    const isKnown = (node.kinds & (1 << kindJson)) !== 0;
    if (!isKnown && node.depth > 0 && node.members.length === 0) {
      node.kinds |= 1 << kindJson;
      this.emptyObjects += 1;
    }
  }

  /** @throws TableError `badRequest` if no record has a column with this id. */
  get(id: ColumnId): ShapeNode {
    const node = this.find(id);
    if (!node) {
      throw new TableError('badRequest', 'Unknown column.');
    }
    return node;
  }

  find(id: ColumnId): ShapeNode | undefined {
    return this.byId.get(id);
  }

  /**
   * The member with this name. It is created if it is new, unless the node has too many members.
   * @param title the shown name, if different.
   * @param isSecret whether it is secret although its name does not say so.
   */
  member(parent: ShapeNode, name: string, title = name, isSecret = false): ShapeNode | undefined {
    const existing = parent.byKey.get(name);
    if (existing || parent.isCollapsed) {
      return existing;
    }
    const isFull = parent.members.length >= (parent.depth === 0 ? maxTopMembers : maxMembers);
    if (isFull || Buffer.byteLength(name) > maxKeyBytes) {
      // A record keeps its columns, but a map is shown as one value.
      if (parent.depth > 0 && isFull) {
        parent.isCollapsed = true;
        this.closings += 1;
      }
      if (parent.depth === 0 && this.more.size < maxCounted) {
        this.more.add(name.slice(0, maxCountedLength));
      }
      return undefined;
    }
    const isNamed =
      isSecretField(title, parent.title) || (this.isAboutSecrets && isSecretMaterial(title));
    const node = this.create(parent, name, title, isSecret || parent.secret || isNamed);
    // The headings are those of all rows. In JSON, each row tells it of itself.
    if (this.headings && isBesideSecret(title)) {
      hideAroundSecret(parent);
    }
    return node;
  }

  /** CSV: adds fields until there are so many. */
  addFields(count: number): void {
    const { headings, top } = this;
    for (let field = top.members.length; field < count; field += 1) {
      const heading = headings?.[field]?.trim() ?? '';
      // The fields of a row with too many of them may be those of other columns.
      const isBeyond = headings !== undefined && field >= headings.length;
      const title = heading === '' ? `#${field + 1}` : heading;
      const node = this.member(top, String(field), title, isBeyond && this.hasSecrets);
      if (node && headings && !isBeyond) {
        // A field with a heading is a column, even if all its values are empty.
        node.kinds |= 1 << kindNull;
      }
    }
  }

  /** The columns so far, nested members in the position of their object. */
  columns(): { columns: Column[]; more: number } {
    const listed: Column[] = [];
    const columnOf = ({
      id,
      name,
      secret,
      kinds,
      hasValue,
      form,
      formChoices,
      chosenForm,
    }: ShapeNode): Column => ({
      id,
      name,
      secret,
      type: columnType(kinds),
      verified: this.isComplete,
      ...(!hasValue && { empty: true }),
      ...(form && { form }),
      ...(formChoices.length > 0 && { formChoices }),
      ...(chosenForm && { chosenForm }),
    });
    const visit = (node: ShapeNode) => {
      const hasMembers = node.members.length > 0 && !node.isCollapsed;
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
    const more = Math.max(0, listed.length - maxListed) + this.more.size;
    return { columns: listed.slice(0, maxListed), more };
  }

  private create(
    parent: ShapeNode | undefined,
    ownName: string,
    title: string,
    secret: boolean,
  ): ShapeNode {
    const pointer = ownName.replaceAll('~', '~0').replaceAll('/', '~1');
    const depth = parent ? parent.depth + 1 : 0;
    const node: ShapeNode = {
      number: this.nodes.length,
      id: parent ? `${parent.id}/${pointer}` : '',
      name: !parent ? 'value' : depth === 1 ? title : `${parent.name}.${title}`,
      parent,
      ownName,
      title,
      depth,
      order: parent?.members.length ?? 0,
      secret,
      members: [],
      byKey: new Map<string, ShapeNode>(),
      kinds: 0,
      hasValue: false,
      isCollapsed: depth >= maxDepth,
      form: undefined,
      formChoices: [],
      chosenForm: undefined,
    };
    this.nodes.push(node);
    this.byId.set(node.id, node);
    parent?.members.push(node);
    parent?.byKey.set(ownName, node);
    return node;
  }
}

/** Whether rows that have all members of the same object have the code around a secret in this one. */
function isAroundSecret({ title, parent }: ShapeNode): boolean {
  return (
    parent !== undefined &&
    isBesideSecret(title) &&
    findAroundSecret((name) => parent.byKey.has(name)).includes(title)
  );
}

/** Hides columns with the code around a secret once all are there that tell it. */
function hideAroundSecret({ members }: ShapeNode): void {
  const found = findAroundSecret((name) => members.some(({ title }) => title === name));
  members.filter(({ title }) => found.includes(title)).forEach(hide);
}

function hide(node: ShapeNode): void {
  node.secret = true;
  node.members.forEach(hide);
}

function saveNode(node: ShapeNode): NodeState {
  const { parent, ownName, title, secret, kinds, hasValue, isCollapsed, form } = node;
  return {
    parent: parent?.number ?? 0,
    ownName,
    title,
    secret,
    kinds,
    hasValue,
    isCollapsed,
    form,
  };
}
