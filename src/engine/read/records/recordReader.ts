import { isUtf8 } from 'node:buffer';
import { readAhead, threadKernel } from '../../threads/kernel';
import type { TextSet } from '../../values/texts';
import { kindNull } from '../../values/kinds';
import type { InvalidReason } from '../../data/answers';
import { valueForms } from '../../data/column';
import type { ByteSource } from '../bytes/byteSource';
import { Shape, type ShapeNode } from './shape';

/** How records follow one another in a file, as plain data that can be posted to threads. */
export type RecordForm =
  | { readonly kind: 'lines' | 'array' | 'topArray' | 'texts' | 'whole' }
  | { readonly kind: 'csv'; readonly delimiter: number };

/** The numbers of forms in the kernel. */
const forms = ['csv', 'lines', 'array', 'topArray', 'texts', 'whole'] as const;

/** The result of a step: records, a need to wait for more bytes or to pause, or the end. */
export type Step = 'records' | 'wait' | 'end';

export interface ReaderOptions {
  /** How many bytes are read in one call. */
  readonly chunkBytes?: number;
  /** A record that does not end within this many bytes is not read completely and is invalid. */
  readonly maxRecordBytes?: number;
  /** The shape of the records. Without it, they are only found. */
  readonly shape?: Shape;
}

/** What is read of the records. It is asked before each step, and again after the shape has grown. */
export interface Selection {
  /** The columns whose values are read. The same array stands for the same columns. */
  readonly nodes: readonly ShapeNode[];
  /** Whether no values are needed, nor whether a record is valid. */
  readonly findsOnly?: boolean;
  /** Whether the records add to the shape; by default not. */
  readonly growsShape?: boolean;
}

/** A value: its bytes, without the quotes and escapes around and in a text. */
export interface Value {
  kind: number;
  bytes: Buffer;
  from: number;
  to: number;
  /** The time of a date. */
  time: number;
}

export function newValue(): Value {
  return { kind: kindNull, bytes: Buffer.alloc(0), from: 0, to: 0, time: NaN };
}

/** A name that the kernel did not know: the node of the object, its bytes, and where it leads. */
interface NewName {
  readonly parent: ShapeNode | undefined;
  readonly written: Buffer;
  readonly node: ShapeNode | undefined;
}

export const defaultChunkBytes = 1024 ** 2;
const sampledChunkBytes = 64 * 1024;
const sampledRecords = 64;
const defaultMaxRecordBytes = 64 * 1024 ** 2;
/** How many bytes of a record that is too long are shown. */
const shownBytesOfLong = 64 * 1024;
/** The most records of a step. */
const maxRecords = 4096;
/** After this many names that lead nowhere, unknown members of an object are left. */
const maxIgnored = 100_000;

/** It starts a text of a JSON text sequence (RFC 7464 section 2.2). */
export const recordSeparator = 0x1e;

const findsOnly = 0;
const readsValues = 1;
const growsShape = 2;

const stoppedEnd = 2;
const stoppedNew = 3;

const isInvalid = 1;
const isBroken = 2;
const isTooLong = 4;
const hasValueBit = 0x1_0000;
const emptyObjectBit = 0x100;

/**
 * Reads records through a window over the bytes, many at a time. The window grows to hold the longest
 * record. It is in the memory of the kernel, so that what is found in it stays there.
 */
export class RecordReader {
  /** The records of the last step that found some. */
  count = 0;
  /** There is one record, which is longer than the window. */
  tooLong = false;
  /** After the end: whether the form marks the end. */
  closedByForm = false;
  private readonly kernel = threadKernel();
  private readonly isCsv: boolean;
  /** The reader in the kernel; 0 when it is freed. */
  private reader: number;
  /** Where the kernel has the records and their values, in words. */
  private recordsAt = 0;
  private valuesAt = 0;
  private slots = 0;
  private selection: Selection | undefined;
  /** What the kernel knows of the selection. */
  private mode = findsOnly;
  private nodes: readonly ShapeNode[] | undefined;
  /** The window: its address, its size, its position in the file, and the bytes in it. */
  private window: number;
  /** Room for the codes of a step. */
  private readonly codesAt: number;
  private windowBytes: number;
  private base = 0;
  private filled = 0;
  /** Where the next search starts, in the window. */
  private at = 0;
  private skipping: number | undefined;
  private longEnd = 0;
  /** How many bytes of a long record were searched for its end in vain. */
  private searched = 0;
  /** JSON: how much of the shape the kernel has, and how many names lead nowhere. */
  private sentNodes = 1;
  private sentVersion = 0;
  private sentClosings = 0;
  private ignored = 0;
  /** CSV: how many fields are known. */
  private fields = 0;
  private readonly chunkBytes: number;
  private readonly maxRecordBytes: number;
  private readonly shape: Shape | undefined;

  constructor(
    private readonly source: Pick<ByteSource, 'available' | 'complete' | 'read'>,
    private readonly form: RecordForm,
    {
      chunkBytes = defaultChunkBytes,
      maxRecordBytes = defaultMaxRecordBytes,
      shape,
    }: ReaderOptions = {},
  ) {
    this.isCsv = form.kind === 'csv';
    this.chunkBytes = chunkBytes;
    this.maxRecordBytes = maxRecordBytes;
    this.shape = shape;
    this.windowBytes = chunkBytes;
    this.window = this.kernel.exports.allocate(chunkBytes + readAhead);
    this.codesAt = this.kernel.exports.allocate(4 * maxRecords);
    this.reader = this.newReader();
  }

  /** Frees the memory in the kernel. Call nothing else afterwards. */
  dispose(): void {
    if (this.reader !== 0) {
      this.kernel.exports.freeReader(this.reader);
      this.kernel.exports.release(this.window);
      this.kernel.exports.release(this.codesAt);
      this.reader = 0;
    }
  }

  /** Reads this of the records from the next step on. Until it is called, they are only found. */
  select(selection: Selection): void {
    this.selection = selection;
  }

  /** The position in the file where the next search starts. */
  get nextPosition(): number {
    return this.tooLong ? this.longEnd : this.base + this.at;
  }

  /** Its address in the kernel, for calls that work on the records of the last step. */
  get inKernel(): number {
    return this.reader;
  }

  /** All bytes of the memory: addresses of records are positions in them. Valid until the next step. */
  get bytes(): Buffer {
    return this.kernel.bytes;
  }

  /** The address of the first byte of a record, and of the byte after its last. */
  start(record: number): number {
    return this.word(record, 0);
  }

  end(record: number): number {
    return this.word(record, 1);
  }

  /** The position of a record in the file. */
  position(record: number): number {
    return this.base + this.start(record) - this.window;
  }

  /** Whether the byte at a position of the file is in the window. */
  hasInWindow(position: number): boolean {
    return position >= this.base && position < this.base + this.filled;
  }

  /** The position in the file where the record after a record is searched; of one that is too long, its own. */
  positionAfter(record: number): number {
    return this.tooLong ? this.position(record) : this.base + this.word(record, 2) - this.window;
  }

  /** The record is truncated, or a quote is never closed. */
  isBroken(record: number): boolean {
    return (this.word(record, 3) & isBroken) !== 0;
  }

  /**
   * Whether the records are UTF-8; of one that is too long, that is not asked. Between them, there are only blanks,
   * commas and delimiters.
   */
  get areUtf8(): boolean {
    return this.tooLong || isUtf8(this.bytes.subarray(this.start(0), this.end(this.count - 1)));
  }

  /** Why a record is invalid; `undefined` if it is valid, or if no values are read. */
  invalid(record: number): InvalidReason | undefined {
    if (this.tooLong) {
      return 'tooLong';
    }
    const isBad = (this.word(record, 3) & (isInvalid | isBroken)) !== 0;
    return isBad ? (this.isCsv ? 'fields' : 'syntax') : undefined;
  }

  /** How many of the records are invalid. */
  invalidCount(): number {
    const { words } = this.kernel;
    let count = 0;
    for (let at = this.recordsAt + 3; at < this.recordsAt + 4 * this.count; at += 4) {
      count += words[at] === 0 ? 0 : 1;
    }
    return count;
  }

  /** Whether a record has a value for a node, by its index among those that were selected. */
  has(record: number, slot: number): boolean {
    return this.kernel.words[this.valuesAt + 2 * (record * this.slots + slot)] !== -1;
  }

  /** Reads a value. It is valid until the next call. */
  read(record: number, slot: number, value: Value): void {
    const { kernel: of } = this;
    value.kind = of.exports.readValue(this.reader, record, slot);
    value.bytes = of.bytes;
    value.from = of.result(8);
    value.to = of.result(9);
    value.time = of.resultNumber;
  }

  /**
   * The codes of the values of a node: 0 for null, 1 where it is missing, 2 in a record without
   * values, otherwise the number of the value plus 3.
   * @param texts gets the values. They end right after one that exceeds a limit.
   * @returns valid until the next call; fewer than there are records if a limit is exceeded.
   */
  codes(slot: number, texts: TextSet, maxTexts: number, maxTextBytes: number): Int32Array {
    const { exports } = this.kernel;
    const done = exports.codesOf(
      this.reader,
      this.count,
      slot,
      texts.inKernel,
      this.codesAt,
      maxTexts,
      maxTextBytes,
    );
    const at = this.codesAt >>> 2;
    return this.kernel.words.subarray(at, at + done);
  }

  /** Makes a record one that has no values. */
  hideValues(record: number): void {
    const at = this.valuesAt + 2 * record * this.slots;
    this.kernel.words.fill(-1, at, at + 2 * this.slots);
  }

  seek(position: number): void {
    this.skipping = undefined;
    this.tooLong = false;
    this.searched = 0;
    if (position >= this.base && position <= this.base + this.filled) {
      this.at = position - this.base;
    } else {
      this.base = position;
      this.filled = 0;
      this.at = 0;
    }
  }

  /**
   * The next records, which were found before: they are available.
   * @param most the most records. @returns how many there are; 0 if the file has become shorter
   */
  take(most: number): number {
    let step = this.next(most);
    while (step === 'wait') {
      step = this.next(most);
    }
    return step === 'records' ? this.count : 0;
  }

  /**
   * Finds the next records. After `wait`, call it again when the source has more, or after a pause.
   * @param most the most records. If it is given, there are so many.
   */
  next(most = Infinity): Step {
    if (this.tooLong) {
      this.seek(this.longEnd);
    }
    const step = this.skipping === undefined ? this.search(most) : this.skipOn();
    if (step === 'records' && this.mode === growsShape) {
      this.shape!.addInvalid(this.invalidCount());
    }
    return step;
  }

  private search(most: number): Step {
    for (;;) {
      const isFinal = this.source.complete && this.base + this.filled >= this.source.available;
      const held = this.filled - this.at;
      // Each search restarts at the beginning; doubling keeps the total linear.
      if (isFinal || held >= Math.min(2 * this.searched, this.maxRecordBytes)) {
        this.update();
        // Whether a record is too long must not depend on how many bytes after it were read.
        const to = Math.min(this.filled, this.at + this.maxRecordBytes);
        const before = this.at;
        const stopped = this.find(to, isFinal && to === this.filled, most);
        this.searched = 0;
        if (this.count > 0) {
          return 'records';
        }
        if (stopped === stoppedEnd) {
          return 'end';
        }
        if (stopped === stoppedNew) {
          this.addNew();
          continue;
        }
        if (this.at > before && to < this.filled) {
          continue;
        }
        if (this.filled - this.at >= this.chunkBytes) {
          this.searched = this.filled - this.at;
        }
      }
      if (this.filled - this.at >= this.maxRecordBytes) {
        this.kernel.exports.beginSkip(this.reader);
        this.skipping = this.base + this.at;
        return this.skipOn();
      }
      if (!this.fill()) {
        if (isFinal) {
          return 'end';
        }
        const mayBeThere = most < Infinity && this.searched > 0 && this.searched < held;
        // The source may have completed while it was read.
        if (!mayBeThere && !this.source.complete) {
          return 'wait';
        }
        this.searched = 0;
      }
    }
  }

  /** Tells the kernel what is selected now. */
  private update(): void {
    const { selection, shape, kernel } = this;
    if (!shape || !selection || selection.findsOnly === true) {
      this.setMode(findsOnly);
      return;
    }
    const { nodes } = selection;
    const mode = selection.growsShape === true ? growsShape : readsValues;
    if (mode === this.mode && nodes === this.nodes) {
      return;
    }
    if (this.ignored > 0 && (mode === growsShape || shape.version !== this.sentVersion)) {
      // A name that led nowhere may lead to a node now.
      kernel.exports.freeReader(this.reader);
      this.reader = this.newReader();
    }
    this.setMode(mode);
    kernel.exports.setMayStop(this.reader, shape.mayStop && mode !== growsShape ? 1 : 0);
    if (nodes !== this.nodes) {
      this.sendNodes(shape, nodes);
    }
  }

  private sendNodes(shape: Shape, nodes: readonly ShapeNode[]): void {
    const { exports } = this.kernel;
    if (this.isCsv) {
      this.addFields(Math.max(shape.top.members.length, shape.headings?.length ?? 0));
    }
    this.sendShape(shape);
    exports.setSlotCount(this.reader, nodes.length);
    for (const node of shape.nodes) {
      const number = this.numberOf(node);
      if (node.form && number >= 0) {
        exports.setForm(this.reader, number, valueForms.indexOf(node.form) + 1);
      }
    }
    this.nodes = nodes;
    this.slots = nodes.length;
    this.valuesAt = exports.valuesOf(this.reader) >>> 2;
    nodes.forEach((node, slot) => {
      const number = this.numberOf(node);
      if (number >= 0) {
        exports.setSlot(this.reader, number, slot);
      }
    });
  }

  /** The number of a node in the kernel, or -1: the fields of CSV are numbered without the record. */
  private numberOf({ depth, order, number }: ShapeNode): number {
    return !this.isCsv ? number : depth > 0 ? order : -1;
  }

  /** Adds what the records have shown about their shape so far. */
  private collect(shape: Shape): void {
    const { exports, words } = this.kernel;
    const at = exports.kindsOf(this.reader) >>> 2;
    const nodes = this.isCsv ? shape.top.members : shape.nodes;
    // All nodes would be too many to look at for each record with a new name.
    const count = exports.takeChanged(this.reader);
    const first = exports.changedOf(this.reader) >>> 2;
    for (let index = first; index < first + count; index += 1) {
      const number = words[index]!;
      const kinds = words[at + number]!;
      const node = nodes[number];
      // There are more fields than columns.
      if (node) {
        node.kinds |= kinds & 0xff;
        node.hasValue ||= (kinds & hasValueBit) !== 0;
        if ((kinds & emptyObjectBit) !== 0) {
          shape.addEmptyObject(node);
        }
      }
    }
    if (exports.hasDuplicates(this.reader) !== 0) {
      shape.hasDuplicates = true;
    }
  }

  /** Adds the fields or the names that are new in the record at which the search has stopped. */
  private addNew(): void {
    const { kernel: of } = this;
    const shape = this.shape!;
    if (this.isCsv) {
      const fields = of.result(3);
      shape.addFields(fields);
      this.addFields(fields);
      return;
    }
    const names = this.newNames(shape);
    this.sendShape(shape);
    for (const { parent, written, node } of names) {
      if (parent) {
        this.ignored += node ? 0 : 1;
        if (this.ignored > maxIgnored) {
          of.exports.ignoreNewNames(this.reader, parent.number);
        } else {
          const at = of.place(written, 0, written.length);
          of.exports.addName(this.reader, parent.number, at, written.length, node?.number ?? -1);
        }
      }
    }
  }

  /** The names that the kernel has found, in the order of the record, and the nodes they lead to. */
  private newNames(shape: Shape): NewName[] {
    const { kernel: of } = this;
    const grows = this.mode === growsShape;
    const { bytes, words } = of;
    const first = of.result(4) >>> 2;
    const end = first + 3 * of.result(3);
    const names: NewName[] = [];
    /** Nodes that the record has under another name, too, or twice. */
    const again = new Set<ShapeNode>();
    for (let at = first; at < end; at += 3) {
      const number = words[at]!;
      const above = number < 0 ? names[-1 - number]!.node : shape.nodes[number]!;
      if (above && again.has(above)) {
        // Whether an earlier object of the node is empty is seen before it has members.
        break;
      }
      // The kernel does not need names below an object that is one value.
      const parent = number < 0 && above?.isCollapsed === true ? undefined : above;
      const written = Buffer.from(bytes.subarray(words[at + 1], words[at + 2]));
      const text = written.toString();
      const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
      const known = shape.nodes.length;
      const node = grows ? parent && shape.member(parent, name) : parent?.byKey.get(name);
      names.push({ parent, written, node });
      if (grows && node && shape.nodes.length === known) {
        again.add(node);
      }
    }
    return names;
  }

  /** Sends the nodes that the kernel does not have yet, and those that have become one value. */
  private sendShape(shape: Shape): void {
    if (this.isCsv || shape.version === this.sentVersion) {
      return;
    }
    const { exports } = this.kernel;
    for (; this.sentNodes < shape.nodes.length; this.sentNodes += 1) {
      const { number, parent, isCollapsed, ownName } = shape.nodes[this.sentNodes]!;
      exports.addNode(this.reader, number, parent!.number, isCollapsed ? 1 : 0);
      const written = Buffer.from(JSON.stringify(ownName).slice(1, -1));
      const address = this.kernel.place(written, 0, written.length);
      exports.addName(this.reader, parent!.number, address, written.length, number);
    }
    if (shape.closings !== this.sentClosings) {
      for (const { number, isCollapsed } of shape.nodes) {
        if (isCollapsed) {
          exports.closeNode(this.reader, number);
        }
      }
      this.sentClosings = shape.closings;
    }
    this.sentVersion = shape.version;
  }

  private addFields(fields: number): void {
    this.fields = Math.max(this.fields, fields);
    this.kernel.exports.setNodeCount(this.reader, this.fields);
  }

  private newReader(): number {
    const { form, kernel } = this;
    const reader = kernel.exports.newReader(
      forms.indexOf(form.kind),
      form.kind === 'csv' ? form.delimiter : 0,
      maxRecords,
    );
    this.recordsAt = kernel.exports.recordsOf(reader) >>> 2;
    this.nodes = undefined;
    this.sentNodes = 1;
    this.sentVersion = 0;
    this.sentClosings = 0;
    this.ignored = 0;
    this.fields = 0;
    return reader;
  }

  private setMode(mode: number): void {
    this.mode = mode;
    this.kernel.exports.setMode(this.reader, mode);
  }

  private find(to: number, isFinal: boolean, most: number): number {
    const { kernel: of, window } = this;
    const from = window + this.at;
    this.count = of.exports.find(
      this.reader,
      from,
      window + to,
      isFinal ? 1 : 0,
      Math.min(most, maxRecords),
    );
    this.at = of.result(1) - window;
    this.closedByForm = of.result(2) !== 0;
    const stopped = of.result(0);
    if (this.mode === growsShape) {
      this.collect(this.shape!);
    }
    return stopped;
  }

  private word(record: number, word: number): number {
    return this.kernel.words[this.recordsAt + 4 * record + word]!;
  }

  /** Reads more bytes; keeps only the part of the window that is still searched. */
  private fill(): boolean {
    const { kernel: of } = this;
    if (this.at > 0) {
      of.bytes.copyWithin(this.window, this.window + this.at, this.window + this.filled);
      this.base += this.at;
      this.filled -= this.at;
      this.at = 0;
    }
    if (this.filled + this.chunkBytes > this.windowBytes && this.filled * 2 > this.windowBytes) {
      const larger = Math.max(this.windowBytes * 2, this.chunkBytes);
      const address = of.exports.allocate(larger + readAhead);
      of.bytes.copyWithin(address, this.window, this.window + this.filled);
      of.exports.release(this.window);
      this.window = address;
      this.windowBytes = larger;
    }
    const count = this.source.read(
      of.bytes,
      this.window + this.filled,
      Math.min(this.chunkBytes, this.windowBytes - this.filled),
      this.base + this.filled,
    );
    this.filled += count;
    return count > 0;
  }

  private skipOn(): Step {
    const { kernel: of, source } = this;
    const from = this.skipping ?? 0;
    const chunk = of.exports.allocate(this.chunkBytes + readAhead);
    try {
      const count = source.read(of.bytes, chunk, this.chunkBytes, from);
      const isEnd = source.complete && from + count >= source.available;
      const stop = of.exports.skip(this.reader, chunk, chunk + count);
      if (stop < 0 && !(isEnd && count === 0)) {
        this.skipping = from + count;
        return 'wait';
      }
      this.longEnd = from + (stop < 0 ? count : stop - chunk);
      this.skipping = undefined;
      this.tooLong = true;
      this.count = 1;
      const start = this.window + this.at;
      const end = this.window + Math.min(this.filled, this.at + shownBytesOfLong);
      of.words.set([start, end, end, isTooLong | (stop < 0 ? isBroken : 0)], this.recordsAt);
      return 'records';
    } finally {
      of.exports.release(chunk);
    }
  }
}

/** A record in bytes that are in memory: positions in them. */
export interface RecordInBytes {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly isBroken: boolean;
  readonly isValid: boolean;
}

interface SearchOptions {
  readonly from: number;
  /** Whether the file ends with the bytes; by default true. If not, a record that does not end there is none. */
  readonly isFinal?: boolean;
  /** The most records. */
  readonly most?: number;
  /** Grows with the records. */
  readonly shape?: Shape;
}

/** The records in bytes. */
export function* recordsIn(
  bytes: Buffer,
  form: RecordForm,
  { from, isFinal = true, most = Infinity, shape }: SearchOptions,
): Generator<RecordInBytes, void> {
  const source = {
    available: bytes.length,
    complete: isFinal,
    read: (target: Uint8Array, offset: number, length: number, position: number) =>
      bytes.copy(target, offset, position, position + length),
  };
  const reader = new RecordReader(source, form, {
    chunkBytes: sampledChunkBytes,
    maxRecordBytes: Infinity,
    shape: shape ?? new Shape(),
  });
  try {
    reader.seek(from);
    reader.select({ nodes: [], growsShape: shape !== undefined });
    let left = most;
    while (left > 0 && reader.next(Math.min(left, sampledRecords)) === 'records') {
      left -= reader.count;
      for (let record = 0; record < reader.count; record += 1) {
        const start = reader.position(record);
        yield {
          start,
          end: start + reader.end(record) - reader.start(record),
          next: reader.positionAfter(record),
          isBroken: reader.isBroken(record),
          isValid: reader.invalid(record) === undefined,
        };
      }
    }
  } finally {
    reader.dispose();
  }
}
