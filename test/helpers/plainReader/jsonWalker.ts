import {
  kindBoolean,
  kindJson,
  kindNull,
  kindNumber,
  kindText,
} from '../../../src/engine/values/kinds';
import type { ShapeNode, Shape } from '../../../src/engine/read/records/shape';
import { JsonSyntax } from './jsonSyntax';
import { textKind } from './values';
import type { Value, Walker, WalkerFactory } from './walker';

const quote = 0x22;
const unknownKind = -1;

/** Reads JSON records. */
export class JsonWalker extends JsonSyntax implements Walker {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** By slot: the kind of the value if it is known, and its time if it is a date. */
  private readonly kinds: Int8Array;
  private readonly times: Float64Array;
  private readonly date = { time: NaN };
  /** By slot: 1 if the value is a text with escapes. */
  private readonly escapes: Uint8Array;
  private readonly visited = new Set<ShapeNode>();
  /** The slot of each node by its number; -1 if the node is not requested. */
  private readonly slots: Int32Array;
  /**
   * How many of the requested nodes have not been found yet, if the rest can be skipped; otherwise
   * negative.
   */
  private left = -1;

  constructor(
    private readonly shape: Shape,
    nodes: readonly ShapeNode[],
    private readonly growsShape: boolean,
    /** Whether all records are valid, so that a walk may end early. */
    private readonly mayStop = false,
  ) {
    super();
    this.starts = new Int32Array(nodes.length);
    this.ends = new Int32Array(nodes.length);
    this.kinds = new Int8Array(nodes.length);
    this.times = new Float64Array(nodes.length);
    this.escapes = new Uint8Array(nodes.length);
    this.slots = new Int32Array(shape.nodes.length).fill(-1);
    nodes.forEach((node, slot) => {
      this.slots[node.number] = slot;
    });
  }

  walk(bytes: Buffer, from: number, to: number): boolean {
    this.begin(bytes, to);
    const { starts } = this;
    // `fill` would call out of compiled code.
    for (let slot = 0; slot < starts.length; slot += 1) {
      starts[slot] = -1;
    }
    this.visited.clear();
    this.left = this.mayStop ? this.starts.length : -1;
    if (this.left === 0) {
      return true;
    }
    const at = this.value(this.shape.top, this.skipWhitespace(from));
    return at >= 0 && (this.left === 0 || this.skipWhitespace(at) === to);
  }

  read(slot: number, bytes: Buffer, value: Value): void {
    const from = this.starts[slot] ?? 0;
    const to = this.ends[slot] ?? 0;
    value.bytes = bytes;
    value.from = from;
    value.to = to;
    if (bytes[from] !== quote) {
      value.kind = otherKind(bytes[from]);
      return;
    }
    value.from += 1;
    value.to -= 1;
    if (this.escapes[slot] === 1) {
      value.bytes = Buffer.from(JSON.parse(bytes.toString('utf8', from, to)) as string);
      value.from = 0;
      value.to = value.bytes.length;
    } else if (this.kinds[slot] !== unknownKind) {
      value.kind = this.kinds[slot] ?? 0;
      value.time = this.times[slot] ?? 0;
      return;
    }
    value.kind = textKind(value.bytes, value.from, value.to, value);
  }

  /** Reads the value of a node. @returns the position after it, or -1 */
  private value(node: ShapeNode, from: number): number {
    const first = from < this.to ? this.bytes[from] : 0;
    const isObject = first === 0x7b;
    const stop =
      first === quote
        ? this.text(from)
        : isObject && !node.isCollapsed
          ? this.object(node, from)
          : this.skip(from);
    if (stop < 0 || this.left === 0) {
      return stop;
    }
    const slot = node.number < this.slots.length ? (this.slots[node.number] ?? 0) : -1;
    // The values of a record are its members, not the record.
    if (slot >= 0 && !(isObject && node.depth === 0)) {
      this.starts[slot] = from;
      this.ends[slot] = stop;
      this.escapes[slot] = first === quote && this.hasEscapes ? 1 : 0;
      this.kinds[slot] = unknownKind;
      this.left -= 1;
    }
    if (this.growsShape) {
      this.addToShape(node, slot, from, stop);
    }
    return stop;
  }

  private addToShape(node: ShapeNode, slot: number, from: number, to: number): void {
    const first = this.bytes[from];
    if (first === quote && to - from === 2) {
      // An empty text has no type.
      node.kinds |= 1 << kindNull;
      return;
    }
    if (first === quote) {
      // After a text, a date no longer changes the type: see `columnType`.
      if ((node.kinds & (1 << kindText)) === 0) {
        const kind = textKind(this.bytes, from + 1, to - 1, this.date);
        node.kinds |= 1 << kind;
        if (slot >= 0) {
          this.kinds[slot] = kind;
          this.times[slot] = this.date.time;
        }
      }
      node.hasValue = true;
      return;
    }
    if (first === 0x7b && !node.isCollapsed) {
      // An object is represented by its members, unless it has none. The record itself is not a
      // value.
      this.shape.addEmptyObject(node);
    } else {
      node.kinds |= 1 << otherKind(first);
    }
    node.hasValue ||= first !== 0x6e;
  }

  private object(node: ShapeNode, from: number): number {
    const { bytes, to } = this;
    let at = this.skipWhitespace(from + 1);
    if (at < to && bytes[at] === 0x7d) {
      return at + 1;
    }
    for (;;) {
      if (at >= to || bytes[at] !== quote) {
        return -1;
      }
      const stop = this.text(at);
      if (stop < 0) {
        return -1;
      }
      const member = this.lookUp(node, at, stop);
      at = this.skipWhitespace(stop);
      if (at >= to || bytes[at] !== 0x3a) {
        return -1;
      }
      at = this.skipWhitespace(at + 1);
      if (member) {
        if (this.visited.has(member)) {
          // If members have the same name, the last one counts, as in `JSON.parse`.
          this.shape.hasDuplicates = true;
          this.clearSlots(member);
        }
        this.visited.add(member);
        at = this.value(member, at);
      } else {
        at = this.skip(at);
      }
      if (at < 0 || this.left === 0) {
        return at;
      }
      at = this.skipWhitespace(at);
      const byte = at < to ? bytes[at] : 0;
      if (byte === 0x7d) {
        return at + 1;
      }
      if (byte !== 0x2c) {
        return -1;
      }
      at = this.skipWhitespace(at + 1);
    }
  }

  private lookUp(node: ShapeNode, from: number, to: number): ShapeNode | undefined {
    const text = this.bytes.toString('utf8', from, to);
    const name = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
    return this.growsShape ? this.shape.member(node, name) : node.byKey.get(name);
  }

  private clearSlots(node: ShapeNode): void {
    const slot = this.slots[node.number];
    if (slot !== undefined && slot >= 0) {
      this.starts[slot] = -1;
    }
    for (const member of node.members) {
      this.clearSlots(member);
    }
  }
}

/** Creates walkers for JSON records. */
export class JsonWalkers implements WalkerFactory {
  constructor(private readonly shape: Shape) {}

  create(nodes: readonly ShapeNode[], growsShape: boolean, mayStop: boolean): JsonWalker {
    return new JsonWalker(this.shape, nodes, growsShape, mayStop && !growsShape);
  }
}

/** The kind of a valid JSON value that is not a text, by its first byte. */
function otherKind(first: number | undefined): number {
  switch (first) {
    case 0x7b:
    case 0x5b:
      return kindJson;
    case 0x74:
    case 0x66:
      return kindBoolean;
    case 0x6e:
      return kindNull;
    default:
      return kindNumber;
  }
}
