import {
  type ColumnData,
  type ColumnLimits,
  type WideColumn,
  type DictionaryColumn,
  firstValueCode,
  SortKeyMaker,
} from './columnData';
import { enlarged, releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import { rankDictionary, type Ranks, rankWide } from './ranks';
import type { ShapeNode } from '../read/records/shape';
import type { RangeJob, Scanner } from '../read/ranges/scanner';
import { rowsUpTo } from '../read/records/recordIndex';
import { newValue, type RecordReader, type Value } from '../read/records/recordReader';
import type { TableFile } from '../read/tableFile';
import type { ReadableFile } from '../read/records/visitor';
import type { ReadRows } from './ties';
import type { Kept, NewTask, RangeRequest, RangeTask } from '../read/ranges/rangeReader';
import { TextList, TextSet, type TextsPart } from '../values/texts';
import { threadKernel } from '../threads/kernel';
import { kindText } from '../values/kinds';

/** Bytes of the columns in the cache; the least recently used are evicted first. */
const defaultCachedBytes = 64 * 1024 ** 2;
/** The most rows that are read one by one. For more rows, the file is scanned. */
export const maxSingleReads = 10_000;
/** A kind and a key. */
const wideBytesPerRow = 9;
const defaultTieBytes = 48 * 1024 ** 2;

const defaultColumnLimits: ColumnLimits = {
  maxValues: 1_000_000,
  maxTextBytes: 64 * 1024 ** 2,
  // If values are drawn at random from 200,000, less than three in four of these are different.
  triedRows: 250_000,
};

interface StoredColumn {
  data: ColumnData;
  ranks?: Ranks;
}

/** Columns by node, built when they are first needed. */
export class ColumnStore {
  /** How many columns were built so far. */
  built = 0;
  private readonly file: TableFile;
  private readonly cached = new Map<ShapeNode, StoredColumn>();
  /** Resolves when all earlier calls are done; never rejects. */
  private lastCall: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly scanner: Scanner,
    private readonly limits: ColumnLimits = defaultColumnLimits,
    private readonly maxCachedBytes = defaultCachedBytes,
  ) {
    this.file = scanner.file;
  }

  /**
   * Builds the missing columns, in one scan of the file.
   * @param more as in `ScanOptions`; absent if all records are found.
   */
  async columns(
    nodes: readonly ShapeNode[],
    budget: YieldBudget,
    more?: () => Promise<void>,
  ): Promise<ColumnData[]> {
    return this.enqueue(budget, async () =>
      (await this.getOrBuild(nodes, budget, more)).map(({ data }) => data),
    );
  }

  /** Whether columns need not be built. */
  has(nodes: readonly ShapeNode[]): boolean {
    return nodes.every((node) => this.cached.has(node));
  }

  async ranks(node: ShapeNode, budget: YieldBudget): Promise<Ranks> {
    return this.enqueue(budget, () => this.rank(node, budget));
  }

  /**
   * Runs one call after another: sorting a wide column consumes its keys, and no other call may
   * read them during that time. A cancelled call rejects immediately and does not delay others.
   */
  private enqueue<T>(budget: YieldBudget, work: () => Promise<T>): Promise<T> {
    const before = this.lastCall;
    const result = budget.wait(before).then(work);
    // Drops the results of the promises. Otherwise each would stay in memory until the next is done.
    this.lastCall = Promise.allSettled([before, result]).then(() => undefined);
    return result;
  }

  private async rank(node: ShapeNode, budget: YieldBudget): Promise<Ranks> {
    const column = (await this.getOrBuild([node], budget))[0]!;
    if (column.ranks) {
      return column.ranks;
    }
    const { data } = column;
    if (data.type === 'dictionary') {
      column.ranks = await rankDictionary(data, node.name, budget);
    } else {
      const readValues: ReadRows = (rows, visit) => this.read(node, rows, visit, budget);
      try {
        column.ranks = await rankWide(
          data,
          budget,
          readValues,
          this.limits.tieBytes ?? defaultTieBytes,
        );
      } catch (error) {
        // The sort was cancelled after it consumed the keys.
        this.cached.delete(node);
        throw error;
      }
      // The keys are no longer needed.
      column.data = { ...data, high: new Uint32Array(), low: new Uint32Array() };
    }
    this.evict([node]);
    return column.ranks;
  }

  /**
   * Returns the cached columns and builds those that are missing. All of them become the most
   * recently used.
   */
  private async getOrBuild(
    nodes: readonly ShapeNode[],
    budget: YieldBudget,
    more?: () => Promise<void>,
  ): Promise<StoredColumn[]> {
    const unique = [...new Set(nodes)];
    // References are taken from the start: columns may be evicted while others are built.
    const found = new Map(
      unique.flatMap((node) => {
        const column = this.cached.get(node);
        return column ? [[node, column] as const] : [];
      }),
    );
    const missing = unique.filter((node) => !found.has(node));
    if (missing.length > 0) {
      const built = await this.build(missing, unique, budget, more);
      missing.forEach((node, slot) => {
        found.set(node, { data: built[slot]! });
      });
    }
    for (const [node, column] of found) {
      this.cached.delete(node);
      this.cached.set(node, column);
    }
    this.evict(unique);
    return nodes.map((node) => found.get(node)!);
  }

  /** @param reservedBytes bytes that will be needed in addition to the cached columns. */
  private evict(inUse: readonly ShapeNode[], reservedBytes = 0): void {
    let bytes = reservedBytes;
    for (const [node, { data, ranks }] of [...this.cached].reverse()) {
      bytes += sizeOf(data);
      for (const { byteLength } of ranks?.arrays ?? []) {
        bytes += byteLength;
      }
      if (bytes > this.maxCachedBytes && !inUse.includes(node)) {
        this.cached.delete(node);
        // Its last receiver uses it before the next iteration of the event loop.
        setImmediate(() => {
          releaseBuffers(...arraysOf(data), ...(ranks?.arrays ?? []));
        });
      }
    }
  }

  /** @param inUse columns that must not be dropped to make room. */
  private async build(
    nodes: readonly ShapeNode[],
    inUse: readonly ShapeNode[],
    budget: YieldBudget,
    more?: () => Promise<void>,
  ): Promise<ColumnData[]> {
    const { index } = this.file;
    const { maxValues, triedRows } = this.limits;
    // The threads start while records are still being found.
    this.scanner.startThreads();
    // Which columns are wide must not depend on how many records have been found so far.
    while (more && !index.done && index.rows <= Math.max(maxValues, rowsUpTo(triedRows))) {
      await more();
    }
    const mayBeWide = index.rows > maxValues;
    const prefixes = new Map<ShapeNode, Buffer>();
    for (;;) {
      const rows = index.expectedRows;
      // Wide columns are large, and need the same amount of memory again while they are sorted.
      this.evict(inUse, prefixes.size * rows * 2 * wideBytesPerRow);
      const builders = nodes.map((node) => {
        const prefix = prefixes.get(node);
        return prefix
          ? new WideBuilder(rows, prefix)
          : new DictionaryBuilder(rows, this.limits, { mayBeWide });
      });
      let overflowed = 0;
      const addTo = (slot: number, add: (builder: Builder) => boolean) => {
        const builder = builders[slot]!;
        const node = nodes[slot]!;
        const isOpen = builder instanceof WideBuilder || !prefixes.has(node);
        if (isOpen && !add(builder) && builder instanceof DictionaryBuilder) {
          prefixes.set(node, builder.commonPrefix());
          builder.drop();
          overflowed += 1;
        }
      };
      const payload: ColumnsPayload = {
        columns: nodes.map((node) => ({ id: node.id, prefix: prefixes.get(node) })),
        limits: this.limits,
      };
      const decided = rowsUpTo(triedRows);
      const job: RangeJob = {
        task: 'columns',
        // These rows decide whether a column is wide. Until that is decided, no threads build it.
        firstRows: mayBeWide && prefixes.size < nodes.length ? Math.min(index.rows, decided) : 0,
        payload: () => payload,
        visitor: {
          nodes,
          boundary: decided,
          visit: (records, row) => {
            for (let slot = 0; slot < nodes.length; slot += 1) {
              addTo(slot, (builder) => builder.add(records, slot, row));
            }
          },
        },
        addResult: (result, { from }) => {
          (result as readonly ColumnPart[]).forEach((part, slot) => {
            addTo(slot, (builder) => builder.addPart(part, from));
          });
        },
      };
      // All are built again: what one scan builds of the others is not kept.
      const isEnough = () => overflowed > 0;
      try {
        await this.scanner.scan(budget, job, { isEnough, ...(more && { more }) });
        if (overflowed === 0) {
          this.built += nodes.length;
          return builders.map((builder) => builder.finish(index.rows));
        }
      } finally {
        builders.forEach((builder) => {
          builder.dispose();
        });
      }
    }
  }

  /** Reads the values of rows that are in ascending order. */
  private async read(
    node: ShapeNode,
    rows: Uint32Array,
    visit: (row: number, value: Value) => void,
    budget: YieldBudget,
  ): Promise<void> {
    if (rows.length > maxSingleReads) {
      let at = 0;
      await this.file.scanValues(budget, [node], (row, _slot, value) => {
        if (row === rows[at]) {
          at += 1;
          visit(row, value);
        }
      });
      return;
    }
    const nodes = [node];
    const value = newValue();
    for (const row of rows) {
      const reader = this.file.read(row, nodes);
      reader.read(0, 0, value);
      const bytes = reader.end(0) - reader.start(0);
      visit(row, value);
      if (budget.shouldYield(Math.max(16 * 1024, bytes))) {
        await budget.pause();
      }
    }
  }
}

/** The data for a thread to build a part of some columns. */
interface ColumnsPayload {
  readonly columns: readonly {
    readonly id: string;
    /** Only for a wide column: see `WideColumn`. */
    readonly prefix: Uint8Array | undefined;
  }[];
  readonly limits: ColumnLimits;
}

/** A part of the rows of a column. */
type ColumnPart = WideColumn | DictionaryPart;

/** Builds a column row by row. */
interface Builder {
  /**
   * Adds the values of some records.
   * @returns whether the column can still be built in this way.
   */
  add(records: RecordReader, slot: number, row: number): boolean;
  /** Adds the next rows, which were built by a thread. @returns as `add` */
  addPart(part: ColumnPart, from: number): boolean;
  /** The column for a part of the rows, as plain data. */
  part(): ColumnPart;
  /** @param rows how many there are. */
  finish(rows: number): ColumnData;
  /** Releases the memory that no result has. */
  dispose(): void;
}

/** Builds a part of each column. */
class ColumnsTask implements RangeTask {
  readonly nodes: readonly ShapeNode[];
  private readonly builders: readonly Builder[];
  /** By slot: whether the column has too many values for a dictionary. */
  private readonly isFull: boolean[];
  private readonly first: number;

  constructor({ shape }: ReadableFile, { row, rows, payload }: RangeRequest, kept: Kept) {
    const { columns, limits } = payload as ColumnsPayload;
    kept.value ??= new KeptTexts(columns.length);
    const { sets } = kept.value as KeptTexts;
    this.first = row;
    this.nodes = columns.map(({ id }) => shape.get(id));
    this.builders = columns.map(({ prefix }, slot) =>
      prefix
        ? new WideBuilder(rows, Buffer.from(prefix))
        : new DictionaryBuilder(rows, limits, { texts: sets[slot] }),
    );
    this.isFull = columns.map(() => false);
  }

  visit(records: RecordReader, row: number): void {
    this.builders.forEach((builder, slot) => {
      this.isFull[slot] ||= !builder.add(records, slot, row - this.first);
    });
  }

  finish() {
    const result = this.builders.map((builder) => builder.part());
    const transferred = result.flatMap((part): ArrayBufferView[] =>
      'codes' in part
        ? [part.codes, part.texts.bytes, part.texts.offsets]
        : [part.kinds, part.high, part.low],
    );
    return { result, transferred };
  }

  dispose(): void {
    this.builders.forEach((builder) => {
      if (builder instanceof WideBuilder) {
        builder.dispose();
      }
    });
  }
}

/** The values of each column that are known from earlier ranges of a thread. */
class KeptTexts {
  readonly sets: readonly TextSet[];

  constructor(columns: number) {
    this.sets = Array.from({ length: columns }, () => new TextSet());
  }

  dispose(): void {
    this.sets.forEach((texts) => {
      texts.release();
    });
  }
}

// The task is a class, because V8 compiles the code that it inlines for only one closure.
export const columnsTask: NewTask = (file, request, kept) => new ColumnsTask(file, request, kept);

/** The bytes of memory that a column holds. */
function sizeOf(column: ColumnData): number {
  return column.type === 'dictionary'
    ? column.codes.byteLength + column.texts.size
    : column.kinds.length + column.high.length * 8;
}

/** All arrays that hold the memory of a column. */
function arraysOf(column: ColumnData): readonly ArrayBufferView[] {
  return column.type === 'dictionary'
    ? [column.codes, column.texts.bytes]
    : [column.kinds, column.high, column.low];
}

/** A part of the rows, with its own codes. */
interface DictionaryPart {
  readonly codes: DictionaryColumn['codes'];
  readonly texts: TextsPart;
}

/** Builds a dictionary column row by row, as long as a dictionary is worth it. */
class DictionaryBuilder implements Builder {
  private codes: Uint8Array | Uint16Array | Uint32Array;
  /** The highest code that fits. It is stored, because a power of two would be calculated for each row. */
  private maxCode = 0xff;

  private readonly mayBeWide: boolean;
  private readonly texts: TextSet;

  /**
   * @param rows how many are expected; there may be more.
   * @param mayBeWide whether there are more rows than values that a dictionary may have.
   */
  constructor(
    rows: number,
    private readonly limits: ColumnLimits,
    {
      mayBeWide = false,
      texts = new TextSet(),
    }: { readonly mayBeWide?: boolean; readonly texts?: TextSet | undefined },
  ) {
    this.codes = new Uint8Array(rows);
    this.mayBeWide = mayBeWide;
    this.texts = texts;
  }

  /** @returns whether the column is still a dictionary. If not, it must be built as a wide column. */
  add(records: RecordReader, slot: number, row: number): boolean {
    const { texts } = this;
    const { maxValues, maxTextBytes } = this.limits;
    const end = row + records.count;
    if (end > this.codes.length) {
      this.codes = lengthened(this.codes, end);
    }
    const codes = records.codes(slot, texts, maxValues, maxTextBytes);
    this.makeRoom(texts.count + firstValueCode - 1);
    this.codes.set(codes, row);
    return this.fits() && !this.isUnlikelyDictionary(end);
  }

  private fits(): boolean {
    const { maxValues, maxTextBytes } = this.limits;
    return this.texts.count <= maxValues && this.texts.textBytes <= maxTextBytes;
  }

  /** Whether the values in the first rows are so many that the column is unlikely to stay a dictionary. */
  private isUnlikelyDictionary(rows: number): boolean {
    return (
      this.mayBeWide && rows === rowsUpTo(this.limits.triedRows) && this.texts.count * 8 > rows * 7
    );
  }

  part(): DictionaryPart {
    return { codes: this.codes, texts: this.texts.part() };
  }

  addPart({ codes, texts }: DictionaryPart, from: number): boolean {
    const numbers = this.texts.merge(texts);
    if (!this.fits()) {
      return false;
    }
    const codeOf = new Uint32Array(numbers.length + firstValueCode);
    for (let code = 0; code < firstValueCode; code += 1) {
      codeOf[code] = code;
    }
    for (let at = 0; at < numbers.length; at += 1) {
      codeOf[at + firstValueCode] = numbers[at]! + firstValueCode;
    }
    this.makeRoom(this.texts.count + firstValueCode - 1);
    if (from + codes.length > this.codes.length) {
      this.codes = lengthened(this.codes, from + codes.length);
    }
    for (let row = 0; row < codes.length; row += 1) {
      this.codes[from + row] = codeOf[codes[row]!]!;
    }
    releaseBuffers(codes, texts.bytes, texts.offsets);
    return true;
  }

  private makeRoom(code: number): void {
    if (code > this.maxCode) {
      const { length } = this.codes;
      const larger = code < 65_536 ? new Uint16Array(length) : new Uint32Array(length);
      larger.set(this.codes);
      releaseBuffers(this.codes);
      this.codes = larger;
      this.maxCode = code < 65_536 ? 0xffff : 0xffff_ffff;
    }
  }

  /** The common prefix of all texts so far. */
  commonPrefix(): Buffer {
    const { texts } = this;
    let prefix: Buffer | undefined;
    for (let number = 0; number < texts.count; number += 1) {
      if (texts.kind(number) === kindText && texts.to(number) > texts.from(number)) {
        const text = texts.bytes.subarray(texts.from(number), texts.to(number));
        prefix ??= Buffer.from(text);
        let length = 0;
        while (length < prefix.length && prefix[length] === text[length]) {
          length += 1;
        }
        prefix = prefix.subarray(0, length);
      }
    }
    return prefix ?? Buffer.alloc(0);
  }

  finish(rows: number): DictionaryColumn {
    const texts = new TextList(this.texts.part());
    return { type: 'dictionary', codes: this.codes.subarray(0, rows), texts };
  }

  /** Releases the memory; the column is built as a wide one. */
  drop(): void {
    releaseBuffers(this.codes);
    this.dispose();
  }

  dispose(): void {
    this.texts.release();
  }
}

/** Builds a wide column row by row. */
class WideBuilder implements Builder {
  private readonly column: { -readonly [Key in keyof WideColumn]: WideColumn[Key] };
  private readonly kernel = threadKernel();
  private readonly key = new SortKeyMaker();
  private readonly value = newValue();
  private readonly prefix: number;
  /** Where the kernel writes, and room for how many records: a byte and two words for each. */
  private block = 0;
  private room = 0;

  /** @param rows how many are expected; there may be more. */
  constructor(rows: number, prefix: Buffer) {
    this.prefix = this.kernel.exports.allocate(prefix.length + 1);
    this.kernel.bytes.set(prefix, this.prefix);
    this.column = {
      type: 'wide',
      isPlain: true,
      prefixLength: prefix.length,
      kinds: new Uint8Array(rows),
      high: new Uint32Array(rows),
      low: new Uint32Array(rows),
    };
  }

  /** @returns true: any value fits. */
  add(records: RecordReader, slot: number, row: number): boolean {
    const { column } = this;
    if (row + records.count > column.kinds.length) {
      this.lengthen(row + records.count);
    }
    const { count, inKernel } = records;
    this.makeBlock(count);
    const { block, room, prefix, kernel } = this;
    const [low, kinds] = [block + 4 * room, block + 8 * room];
    for (let first = 0; first < count;) {
      const { prefixLength } = column;
      const end = kernel.exports.keysOf(
        inKernel,
        first,
        count,
        slot,
        prefix,
        prefixLength,
        kinds,
        block,
        low,
      );
      column.isPlain &&= kernel.result(0) !== 0;
      this.copyBlock(first, end, row);
      if (end < count) {
        this.addNumber(records, slot, end, row);
      }
      first = end + 1;
    }
    return true;
  }

  /** Adds a number that has more digits than the kernel reads. */
  private addNumber(records: RecordReader, slot: number, record: number, row: number): void {
    const { column, key, value } = this;
    records.read(record, slot, value);
    const { kind, bytes, from, to } = value;
    key.set(kind, bytes, from, to);
    column.kinds[row + record] = kind;
    column.high[row + record] = key.high;
    column.low[row + record] = key.low;
    // The kernel reads all numbers that are written in the canonical way.
    column.isPlain = false;
  }

  private makeBlock(records: number): void {
    if (records > this.room) {
      const { exports } = this.kernel;
      if (this.block !== 0) {
        exports.release(this.block);
      }
      this.block = exports.allocate(9 * records);
      this.room = records;
    }
  }

  private copyBlock(from: number, to: number, row: number): void {
    const { column, kernel, block, room } = this;
    const words = (half: number) => {
      const at = (block >>> 2) + half * room;
      return kernel.words.subarray(at + from, at + to);
    };
    const kinds = block + 8 * room;
    column.high.set(words(0), row + from);
    column.low.set(words(1), row + from);
    column.kinds.set(kernel.bytes.subarray(kinds + from, kinds + to), row + from);
  }

  addPart({ kinds, high, low, isPlain }: WideColumn, from: number): boolean {
    const { column } = this;
    if (from + kinds.length > column.kinds.length) {
      this.lengthen(from + kinds.length);
    }
    column.kinds.set(kinds, from);
    column.high.set(high, from);
    column.low.set(low, from);
    column.isPlain &&= isPlain;
    releaseBuffers(kinds, high, low);
    return true;
  }

  part(): WideColumn {
    return this.column;
  }

  finish(rows: number): WideColumn {
    const { kinds, high, low } = this.column;
    return {
      ...this.column,
      kinds: kinds.subarray(0, rows),
      high: high.subarray(0, rows),
      low: low.subarray(0, rows),
    };
  }

  dispose(): void {
    const { exports } = this.kernel;
    exports.release(this.prefix);
    if (this.block !== 0) {
      exports.release(this.block);
      this.block = 0;
    }
  }

  private lengthen(rows: number): void {
    const { column } = this;
    column.kinds = lengthened(column.kinds, rows);
    column.high = lengthened(column.high, rows);
    column.low = lengthened(column.low, rows);
  }
}

/** A copy with room for this many rows and some more. */
function lengthened<T extends Uint8Array | Uint16Array | Uint32Array>(array: T, rows: number): T {
  return enlarged(array, Math.max(rows, Math.ceil(1.25 * array.length)));
}
