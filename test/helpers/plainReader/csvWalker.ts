import { kindBoolean, kindNull, kindNumber, kindText } from '../../../src/engine/values/kinds';
import type { ShapeNode, Shape } from '../../../src/engine/read/records/shape';
import { isWrittenNumber, textKind } from './values';
import type { Value, Walker, WalkerFactory } from './walker';
import { firstBit, hasZero, repeated, wordsOf, zeros } from './words';

const quote = 0x22;
const unknownKind = -1;
/** A text whose quotes belong to it, because they are not as CSV requires. */
const literalText = -2;

/** Reads the fields of a CSV record (RFC 4180). */
class CsvWalker implements Walker {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** By slot: the kind of the value if it is known, and its time if it is a date. */
  private readonly kinds: Int8Array;
  private readonly times: Float64Array;
  private readonly date = { time: NaN };
  /** The slot of each field by its number; -1 if the field is not needed. */
  private readonly slots: Int32Array;
  /** The last field that is needed; -1 if no field is needed. */
  private readonly lastField: number;

  constructor(
    private readonly fields: CsvFields,
    nodes: readonly ShapeNode[],
    private readonly growsShape: boolean,
  ) {
    this.starts = new Int32Array(nodes.length);
    this.ends = new Int32Array(nodes.length);
    this.kinds = new Int8Array(nodes.length);
    this.times = new Float64Array(nodes.length);
    const orders = nodes.map(({ depth, order }) => (depth > 0 ? order : -1));
    this.lastField = orders.reduce((last, order) => Math.max(last, order), -1);
    // Other walkers may have found fields that no record read here has.
    this.slots = new Int32Array(this.lastField + 1).fill(-1);
    orders.forEach((order, slot) => {
      if (order >= 0) {
        this.slots[order] = slot;
      }
    });
  }

  /** @returns whether the quotes are as CSV requires; the fields are found in any case. */
  walk(bytes: Buffer, from: number, to: number, hasQuotes = true): boolean {
    const { starts } = this;
    // `fill` would take longer than the walk, because it calls out of compiled code.
    for (let slot = 0; slot < starts.length; slot += 1) {
      starts[slot] = -1;
    }
    if (!hasQuotes && !this.growsShape) {
      this.walkPlain(bytes, from, to);
      return true;
    }
    const { delimiter } = this.fields;
    const words = wordsOf(bytes);
    const delimiters = repeated(delimiter);
    let isWellFormed = true;
    let at = from;
    for (let field = 0; ; field += 1) {
      const start = at;
      const isQuoted = at < to && bytes[at] === quote;
      let isLiteral = false;
      if (isQuoted) {
        for (at += 1; at < to; at += 1) {
          if (bytes[at] === quote) {
            if (at + 1 < to && bytes[at + 1] === quote) {
              at += 1;
            } else {
              break;
            }
          }
        }
        // Only a delimiter may follow the closing quote. Without a closing quote, the first one is
        // a letter like others.
        at = at < to ? at + 1 : start;
        isLiteral = at < to && bytes[at] !== delimiter;
        isWellFormed &&= !isLiteral;
      }
      while (at + 4 <= to && !hasZero(words.getInt32(at, true) ^ delimiters)) {
        at += 4;
      }
      while (at < to && bytes[at] !== delimiter) {
        at += 1;
      }
      const inset = isQuoted && !isLiteral ? 1 : 0;
      const found = this.growsShape
        ? this.fields.addToShape(field, bytes, start + inset, at - inset, this.date)
        : unknownKind;
      const kind = isLiteral ? literalText : found;
      const slot = field < this.slots.length ? (this.slots[field] ?? 0) : -1;
      if (slot >= 0) {
        this.starts[slot] = start;
        this.ends[slot] = Math.min(at, to);
        this.kinds[slot] = kind;
        this.times[slot] = this.date.time;
      }
      if (at >= to) {
        return isWellFormed;
      }
      at += 1;
    }
  }

  /** Walks a record without quotes up to the last field that is needed. */
  private walkPlain(bytes: Buffer, from: number, to: number): void {
    const { lastField } = this;
    const words = wordsOf(bytes);
    const { delimiter } = this.fields;
    const delimiters = repeated(delimiter);
    let field = 0;
    let start = from;
    let at = from;
    for (const stop = to - 3; at < stop && field <= lastField; at += 4) {
      for (
        let found = zeros(words.getInt32(at, true) ^ delimiters);
        found !== 0 && field <= lastField;
        found &= found - 1
      ) {
        const end = at + (firstBit(found) >>> 3);
        this.setSlot(field, start, end);
        field += 1;
        start = end + 1;
      }
    }
    for (; at < to && field <= lastField; at += 1) {
      if (bytes[at] === delimiter) {
        this.setSlot(field, start, at);
        field += 1;
        start = at + 1;
      }
    }
    if (field <= lastField) {
      this.setSlot(field, start, to);
    }
  }

  private setSlot(field: number, start: number, end: number): void {
    const slot = this.slots[field] ?? 0;
    if (slot >= 0) {
      this.starts[slot] = start;
      this.ends[slot] = end;
      this.kinds[slot] = unknownKind;
    }
  }

  read(slot: number, bytes: Buffer, value: Value): void {
    const from = this.starts[slot] ?? 0;
    const to = this.ends[slot] ?? 0;
    value.bytes = bytes;
    value.from = from;
    value.to = to;
    if (this.kinds[slot] === literalText) {
      value.kind = kindText;
      return;
    }
    if (from < to && bytes[from] === quote) {
      value.from += 1;
      value.to -= 1;
      for (let at = from + 1; at < to - 1; at += 1) {
        if (bytes[at] === quote) {
          // Latin-1 keeps all bytes unchanged.
          const text = bytes.toString('latin1', from + 1, to - 1).replaceAll('""', '"');
          value.bytes = Buffer.from(text, 'latin1');
          value.from = 0;
          value.to = value.bytes.length;
          break;
        }
      }
    }
    if (this.kinds[slot] === unknownKind) {
      value.kind = this.fields.kindOf(value.bytes, value.from, value.to, value);
    } else {
      value.kind = this.kinds[slot] ?? 0;
      value.time = this.times[slot] ?? 0;
    }
  }
}

/** The fields of the records in a CSV file. */
export class CsvFields implements WalkerFactory {
  private readonly byNumber: (ShapeNode | undefined)[] = [];
  /** Programs separate fields by semicolons where commas are in numbers. */
  private readonly hasCommas: boolean;

  /** @param headings the names of the fields, if the file has them. */
  constructor(
    private readonly shape: Shape,
    readonly delimiter: number,
    private readonly headings: readonly string[] | undefined,
  ) {
    this.hasCommas = delimiter === 0x3b;
    headings?.forEach((_, field) => {
      const node = this.node(field);
      if (node) {
        // A field with a heading is a column, even if all its values are empty.
        node.kinds |= 1 << kindNull;
      }
    });
    for (let field = this.count; field < shape.top.members.length; field += 1) {
      this.node(field);
    }
  }

  get count(): number {
    return this.byNumber.length;
  }

  create(nodes: readonly ShapeNode[], growsShape: boolean): CsvWalker {
    return new CsvWalker(this, nodes, growsShape);
  }

  /**
   * Adds the value of a field, which has no quotes around it.
   * @param date gets the time of a date.
   * @returns the kind of the field
   */
  addToShape(
    field: number,
    bytes: Buffer,
    from: number,
    to: number,
    date: Pick<Value, 'time'>,
  ): number {
    const kind = this.kindOf(bytes, from, to, date);
    const node = field < this.byNumber.length ? this.byNumber[field] : this.node(field);
    if (node) {
      node.kinds |= 1 << kind;
      node.hasValue ||= kind !== kindNull;
    }
    return kind;
  }

  /** @param date gets the time of a date. */
  kindOf(bytes: Buffer, from: number, to: number, date: Pick<Value, 'time'>): number {
    if (from === to) {
      return kindNull;
    }
    if (isWord(bytes, from, to, 'true') || isWord(bytes, from, to, 'false')) {
      return kindBoolean;
    }
    return isWrittenNumber(bytes, from, to, this.hasCommas)
      ? kindNumber
      : textKind(bytes, from, to, date);
  }

  private node(field: number): ShapeNode | undefined {
    const heading = this.headings?.[field]?.trim() ?? '';
    const node = this.shape.member(
      this.shape.top,
      String(field),
      heading === '' ? `#${field + 1}` : heading,
    );
    this.byNumber[field] = node;
    return node;
  }
}

function isWord(bytes: Buffer, from: number, to: number, word: string): boolean {
  if (to - from !== word.length) {
    return false;
  }
  for (let at = 0; at < word.length; at += 1) {
    if (bytes[from + at] !== word.charCodeAt(at)) {
      return false;
    }
  }
  return true;
}
