import { readAhead, threadKernel } from '../values/kernel';
import type { TextSet } from '../values/texts';
import { kindNull } from '../values/kinds';
import type { InvalidReason } from '../types';
import type { ByteSource } from './byteSource';
import { Shape, type ShapeNode } from './shape';

/** How records follow one another in a file, as plain data that can be posted to threads. */
export type RecordForm =
  | { readonly kind: 'lines' | 'array' | 'topArray' | 'texts' | 'whole' }
  | { readonly kind: 'csv'; readonly delimiter: number };

/** The numbers of forms in the kernel. */
const forms = ['csv', 'lines', 'array', 'topArray', 'texts', 'whole'] as const;

/**
 * The result of a step: records, nodes that are new in the shape, a need to wait for more bytes or to
 * pause, or the end.
 */
export type Step = 'records' | 'grown' | 'wait' | 'end';

export interface ReaderOptions {
  /** How many bytes are read in one call. */
  readonly chunkBytes?: number;
  /** A record that does not end within this many bytes is not read completely and is invalid. */
  readonly maxRecordBytes?: number;
  /** The most records of a step. */
  readonly maxRecords?: number;
  /** Called with all bytes that are read, in order. Some bytes are passed twice. */
  readonly onRead?: (bytes: Buffer, position: number) => void;
}

/** Which values of the records are read. */
export interface Selection {
  readonly shape: Shape;
  readonly nodes: readonly ShapeNode[];
  /** CSV: the names of the fields, if the file has them. */
  readonly headings?: readonly string[] | undefined;
  /** Whether the records add to the shape. */
  readonly growsShape: boolean;
  /** Whether all records are valid, so that the rest of a record may be left. */
  readonly mayStop: boolean;
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

const defaultChunkBytes = 1024 ** 2;
const sampledChunkBytes = 64 * 1024;
const defaultMaxRecordBytes = 64 * 1024 ** 2;
/** How many bytes of a record that is too long are shown. */
const shownBytesOfLong = 64 * 1024;
/** The most records of a step, and the most values. */
const defaultMaxRecords = 4096;
const maxValues = 256 * 1024;
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
  private readonly kernel = threadKernel();
  private readonly isCsv: boolean;
  /** The reader in the kernel; 0 when it is freed. */
  private reader = 0;
  private capacity = 0;
  /** Where the kernel has the records and their values, in words. */
  private recordsAt = 0;
  private valuesAt = 0;
  private slots = 0;
  private selection: Selection | undefined;
  private mode = findsOnly;
  /** The window: its address, its size, its position in the file, and the bytes in it. */
  private window: number;
  /** Eight bytes for each record of a step. */
  private readonly scratch: number;
  private windowBytes: number;
  private base = 0;
  private filled = 0;
  /** Where the next search starts, in the window. */
  private at = 0;
  private skipping: number | undefined;
  private longEnd = 0;
  private isLong = false;
  /** How many bytes of a long record must be available before the search for its end is repeated. */
  private awaited = 0;
  /** JSON: the shape, and how much of it the kernel has. */
  private sentShape: Shape | undefined;
  private sentNodes = 1;
  private sentVersion = 0;
  private readonly closed = new Set<number>();
  private ignored = 0;
  /** CSV: how many fields are known. */
  private fields = 0;
  private isMarkedEnd = false;
  private readonly chunkBytes: number;
  private readonly maxRecordBytes: number;
  private readonly maxRecords: number;
  private readonly onRead: ReaderOptions['onRead'];

  constructor(
    private readonly source: Pick<ByteSource, 'available' | 'complete' | 'read'>,
    private readonly form: RecordForm,
    {
      chunkBytes = defaultChunkBytes,
      maxRecordBytes = defaultMaxRecordBytes,
      maxRecords = defaultMaxRecords,
      onRead,
    }: ReaderOptions = {},
  ) {
    this.isCsv = form.kind === 'csv';
    this.onRead = onRead;
    this.chunkBytes = chunkBytes;
    this.maxRecordBytes = maxRecordBytes;
    this.maxRecords = maxRecords;
    this.windowBytes = chunkBytes;
    this.window = this.kernel.exports.allocate(chunkBytes + readAhead);
    this.scratch = this.kernel.exports.allocate(8 * maxRecords);
    this.newReader(0);
  }

  /** Frees the memory in the kernel. Call nothing else afterwards. */
  dispose(): void {
    if (this.reader !== 0) {
      this.kernel.exports.freeReader(this.reader);
      this.kernel.exports.release(this.window);
      this.kernel.exports.release(this.scratch);
      this.reader = 0;
    }
  }

  /** Only finds records from the next step on. */
  skipValues(): void {
    this.selection = undefined;
    this.setMode(findsOnly);
  }

  /** Reads these values of the records from the next step on. */
  select(selection: Selection): void {
    const before = this.selection;
    if (
      before?.nodes === selection.nodes &&
      before.shape === selection.shape &&
      before.growsShape === selection.growsShape &&
      before.mayStop === selection.mayStop
    ) {
      return;
    }
    const { nodes, shape } = selection;
    if (
      this.capacityFor(nodes.length) < this.capacity ||
      shape !== this.sentShape ||
      // A name that led nowhere may lead to a node now.
      (this.ignored > 0 && (selection.growsShape || shape.version !== this.sentVersion))
    ) {
      this.kernel.exports.freeReader(this.reader);
      this.newReader(nodes.length);
    }
    this.selection = selection;
    this.sentShape = shape;
    const { exports } = this.kernel;
    this.setMode(selection.growsShape ? growsShape : readsValues);
    exports.setMayStop(this.reader, selection.mayStop && !selection.growsShape ? 1 : 0);
    if (this.isCsv) {
      this.addFields(Math.max(shape.top.members.length, selection.headings?.length ?? 0));
    }
    this.sendShape();
    exports.setSlotCount(this.reader, nodes.length);
    this.slots = nodes.length;
    this.valuesAt = exports.valuesOf(this.reader) >>> 2;
    nodes.forEach((node, slot) => {
      const number = this.isCsv ? (node.depth > 0 ? node.order : -1) : node.number;
      if (number >= 0) {
        exports.setSlot(this.reader, number, slot);
      }
    });
  }

  /** The position in the file where the next search starts. */
  get nextPosition(): number {
    return this.base + this.at;
  }

  /** The position in the file where the bytes in the window end. */
  get readTo(): number {
    return this.base + this.filled;
  }

  /** After the end: whether the form marks the end. */
  get closedByForm(): boolean {
    return this.isMarkedEnd;
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
    return this.isLong ? this.nextPosition : this.base + this.word(record, 2) - this.window;
  }

  /** The record is truncated, or a quote is never closed. */
  isBroken(record: number): boolean {
    return (this.word(record, 3) & isBroken) !== 0;
  }

  get tooLong(): boolean {
    return this.isLong;
  }

  /** Why a record is invalid; `undefined` if it is valid, or if no values are read. */
  invalid(record: number): InvalidReason | undefined {
    if (this.isLong) {
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
      this.scratch,
      maxTexts,
      maxTextBytes,
    );
    const at = this.scratch >>> 2;
    return this.kernel.words.subarray(at, at + done);
  }

  /** The times of the dates of a node, NaN for other values; valid until the next call. */
  times(slot: number): Float64Array {
    const { exports } = this.kernel;
    exports.timesOf(this.reader, this.count, slot, this.scratch);
    const at = this.scratch >>> 3;
    return this.kernel.doubles.subarray(at, at + this.count);
  }

  /**
   * Marks the records that may have a text, by their bytes: a byte for each from `marks` on.
   * @param search from the kernel's `newSearch`. @returns how many records are marked
   */
  findCandidates(search: number, marks: number): number {
    return this.kernel.exports.findCandidates(this.reader, this.count, search, marks);
  }

  /** Marks the records with a text in a value: 1 where it is, 2 where the caller has to look. */
  findMatches(search: number, marks: number): void {
    this.kernel.exports.findMatches(this.reader, this.count, search, marks);
  }

  /** Makes a record one that has no values. */
  hideValues(record: number): void {
    const at = this.valuesAt + 2 * record * this.slots;
    this.kernel.words.fill(-1, at, at + 2 * this.slots);
  }

  seek(position: number): void {
    this.skipping = undefined;
    this.isLong = false;
    this.awaited = 0;
    if (position >= this.base && position <= this.base + this.filled) {
      this.at = position - this.base;
    } else {
      this.base = position;
      this.filled = 0;
      this.at = 0;
    }
  }

  /**
   * After `wait`, for a record that is completely available: the next step searches the window
   * without waiting for more.
   */
  searchAvailable(): void {
    this.awaited = 0;
  }

  /**
   * Finds the next records, at most `most`. After `wait`, call it again when the source has more, or
   * after a pause.
   */
  next(most = Infinity): Step {
    if (this.isLong) {
      this.seek(this.longEnd);
    }
    if (this.skipping !== undefined) {
      return this.skipOn();
    }
    for (;;) {
      const isFinal = this.source.complete && this.base + this.filled >= this.source.available;
      if (isFinal || this.filled - this.at >= this.awaited) {
        // Whether a record is too long must not depend on how many bytes after it were read.
        const to = Math.min(this.filled, this.at + this.maxRecordBytes);
        const before = this.at;
        const stopped = this.find(to, isFinal && to === this.filled, most);
        this.awaited = 0;
        if (this.count > 0) {
          return 'records';
        }
        if (stopped === stoppedNew) {
          this.addNew();
          return 'grown';
        }
        if (stopped === stoppedEnd) {
          return 'end';
        }
        if (this.at > before && to < this.filled) {
          continue;
        }
        const held = this.filled - this.at;
        if (held >= this.chunkBytes) {
          // Each search restarts at the beginning; doubling keeps the total linear.
          this.awaited = Math.min(2 * held, this.maxRecordBytes);
        }
      }
      if (this.filled - this.at >= this.maxRecordBytes) {
        this.kernel.exports.beginSkip(this.reader);
        this.skipping = this.base + this.at;
        return this.skipOn();
      }
      if (!this.fill()) {
        // The source may have completed while it was read.
        if (!this.source.complete || !isFinal) {
          return this.source.complete ? this.next(most) : 'wait';
        }
        return 'end';
      }
    }
  }

  /** Adds what the records have shown about their shape so far. */
  private collect(): void {
    const { shape } = this.selection!;
    const { exports, words } = this.kernel;
    const at = exports.kindsOf(this.reader) >>> 2;
    const nodes = this.isCsv ? shape.top.members : shape.nodes;
    const count = Math.min(nodes.length, this.isCsv ? this.fields : this.sentNodes);
    for (let number = 0; number < count; number += 1) {
      const kinds = words[at + number]!;
      if (kinds !== 0) {
        const node = nodes[number]!;
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

  /** Adds the field or the name at which the search has stopped. */
  private addNew(): void {
    const { shape, headings, growsShape: grows } = this.selection!;
    const { kernel: of } = this;
    if (grows) {
      this.collect();
    }
    if (this.isCsv) {
      const fields = of.result(4);
      addFields(shape, this.fields, fields, headings);
      this.addFields(fields);
      return;
    }
    const [parentNumber, from, to] = [of.result(3), of.result(4), of.result(5)];
    const parent = shape.nodes[parentNumber]!;
    const written = of.bytes.toString('utf8', from, to);
    const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
    const node = grows ? shape.member(parent, name) : parent.byKey.get(name);
    const copy = Buffer.from(of.bytes.subarray(from, to));
    this.sendShape();
    if (!node) {
      this.ignored += 1;
    }
    if (this.ignored > maxIgnored) {
      of.exports.ignoreNewNames(this.reader, parentNumber);
    } else {
      this.sendName(parentNumber, copy, node?.number ?? -1);
    }
  }

  /** Sends the nodes that the kernel does not have yet, and those that have become one value. */
  private sendShape(): void {
    const { shape } = this.selection!;
    if (this.isCsv || (shape.version === this.sentVersion && this.sentNodes > 1)) {
      return;
    }
    const { exports } = this.kernel;
    for (; this.sentNodes < shape.nodes.length; this.sentNodes += 1) {
      const { number, parent, closed, ownName } = shape.nodes[this.sentNodes]!;
      exports.addNode(this.reader, number, parent!.number, closed ? 1 : 0);
      if (closed) {
        this.closed.add(number);
      }
      const written = JSON.stringify(ownName).slice(1, -1);
      this.sendName(parent!.number, Buffer.from(written), number);
    }
    for (const { number, closed } of shape.nodes) {
      if (closed && !this.closed.has(number)) {
        this.closed.add(number);
        exports.closeNode(this.reader, number);
      }
    }
    this.sentVersion = shape.version;
  }

  private sendName(parent: number, name: Buffer, number: number): void {
    const { kernel: of } = this;
    const address = of.exports.allocate(name.length + readAhead);
    name.copy(of.bytes, address);
    of.exports.addName(this.reader, parent, address, name.length, number);
    of.exports.release(address);
  }

  private addFields(fields: number): void {
    this.fields = Math.max(this.fields, fields);
    this.kernel.exports.setNodeCount(this.reader, this.fields);
  }

  private newReader(slots: number): void {
    const { form } = this;
    this.capacity = this.capacityFor(slots);
    this.reader = this.kernel.exports.newReader(
      forms.indexOf(form.kind),
      form.kind === 'csv' ? form.delimiter : 0,
      this.capacity,
    );
    this.recordsAt = this.kernel.exports.recordsOf(this.reader) >>> 2;
    this.slots = 0;
    this.sentNodes = 1;
    this.sentVersion = 0;
    this.closed.clear();
    this.ignored = 0;
    this.fields = 0;
    this.mode = findsOnly;
  }

  private capacityFor(slots: number): number {
    return Math.min(this.maxRecords, Math.max(64, Math.floor(maxValues / Math.max(1, slots))));
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
      Math.min(most, this.capacity),
    );
    this.at = of.result(1) - window;
    this.isMarkedEnd = of.result(2) !== 0;
    const stopped = of.result(0);
    if (this.count > 0 && this.mode === growsShape) {
      this.collect();
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
    const start = this.window + this.filled;
    this.onRead?.(of.bytes.subarray(start, start + count), this.base + this.filled);
    this.filled += count;
    return count > 0;
  }

  private skipOn(): Step {
    const { kernel: of } = this;
    const chunk = of.exports.allocate(this.chunkBytes + readAhead);
    try {
      const from = this.skipping ?? 0;
      const count = this.source.read(of.bytes, chunk, this.chunkBytes, from);
      this.onRead?.(of.bytes.subarray(chunk, chunk + count), from);
      const stop = of.exports.skip(this.reader, chunk, chunk + count);
      if (stop < 0 && (count > 0 || !this.source.complete)) {
        this.skipping = from + count;
        return 'wait';
      }
      this.longEnd = from + (stop < 0 ? count : stop - chunk);
      this.skipping = undefined;
      this.isLong = true;
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

/** Adds fields to the shape of a CSV file. */
export function addFields(
  shape: Shape,
  from: number,
  to: number,
  headings: readonly string[] | undefined,
): void {
  for (let field = from; field < to; field += 1) {
    const heading = headings?.[field]?.trim() ?? '';
    // The fields of a row with too many of them may be those of other columns.
    const isBeyond = headings !== undefined && field >= headings.length;
    const title = heading === '' ? `#${field + 1}` : heading;
    const node = shape.member(shape.top, String(field), title, isBeyond && shape.hasSecrets);
    if (node && headings && field < headings.length) {
      // A field with a heading is a column, even if all its values are empty.
      node.kinds |= 1 << kindNull;
    }
  }
}

/** A piece of a file, and the end in it of the value that is searched, or -1. */
interface SearchedChunk {
  readonly bytes: Buffer;
  readonly end: number;
  readonly position: number;
}

/**
 * Searches the end of a JSON value.
 * @param position a position in it, at this depth of objects and arrays.
 */
export function endOfTexts(
  source: Pick<ByteSource, 'available' | 'read'>,
  position: number,
  depth: number,
): { next(): SearchedChunk | undefined; dispose(): void } {
  const of = threadKernel();
  const reader = of.exports.newReader(forms.indexOf('texts'), 0, 1);
  const chunk = of.exports.allocate(defaultChunkBytes + readAhead);
  of.exports.setOuterDepth(reader, depth);
  of.exports.beginSkip(reader);
  let at = position;
  return {
    next: () => {
      if (at >= source.available) {
        return undefined;
      }
      const count = source.read(of.bytes, chunk, defaultChunkBytes, at);
      const end = of.exports.skip(reader, chunk, chunk + count);
      const found = { end: end < 0 ? -1 : end - chunk, position: at };
      at += count;
      return { ...found, bytes: of.bytes.subarray(chunk, chunk + count) };
    },
    dispose: () => {
      of.exports.freeReader(reader);
      of.exports.release(chunk);
    },
  };
}

/** A record in bytes that are in memory: positions in them. */
export interface RecordInBytes {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly isBroken: boolean;
  readonly isValid: boolean;
}

interface SearchedBytes {
  readonly from: number;
  readonly to: number;
  readonly isFinal: boolean;
  readonly validates?: boolean;
  /** Grows with the records, which are then also validated. */
  readonly shape?: Shape;
}

/**
 * The records in bytes from `from` to `to`, up to one that does not end there.
 * @param isFinal whether the file ends with the bytes.
 * @param validates whether `isValid` is needed; otherwise it is true.
 * @returns whether the form marks the end.
 */
export function* recordsIn(
  bytes: Buffer,
  form: RecordForm,
  { from, to, isFinal, validates = false, shape }: SearchedBytes,
): Generator<RecordInBytes, boolean, undefined> {
  const source = {
    available: to,
    complete: isFinal,
    read: (target: Uint8Array, offset: number, length: number, position: number) =>
      bytes.copy(target, offset, position, Math.min(to, position + length)),
  };
  const reader = new RecordReader(source, form, {
    maxRecords: 64,
    chunkBytes: sampledChunkBytes,
    maxRecordBytes: Infinity,
  });
  const selection: Selection = {
    shape: shape ?? new Shape(),
    nodes: [],
    growsShape: shape !== undefined,
    mayStop: false,
  };
  try {
    reader.seek(from);
    if (validates || shape) {
      reader.select(selection);
    }
    let isSearched = false;
    for (;;) {
      const step = reader.next();
      if (step === 'end') {
        return reader.closedByForm;
      }
      if (step === 'wait') {
        // All bytes are in the window, and were searched to the end.
        if (reader.readTo === to && isSearched) {
          return false;
        }
        isSearched = reader.readTo === to;
        reader.searchAvailable();
      } else {
        isSearched = false;
      }
      for (let record = 0; step === 'records' && record < reader.count; record += 1) {
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
