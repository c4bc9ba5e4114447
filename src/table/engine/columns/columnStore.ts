import {
  arraysOf,
  type ColumnData,
  type ColumnLimits,
  defaultColumnLimits,
  DictionaryBuilder,
  sizeOf,
  type TieLimits,
  WideBuilder,
} from './columnData';
import { type ColumnParts, type ColumnsQuestion, valuesVisitor } from './columnJob';
import { releaseBuffers } from './memory';
import type { Pace } from '../pace';
import { rankDictionary, type Ranks, rankWide } from './ranks';
import type { ShapeNode } from '../read/shape';
import type { RangeJob } from '../read/rangeScan';
import { rowsUpTo } from '../read/recordIndex';
import { readSlot, type TableFile } from '../read/tableFile';
import type { ReadRows } from './ties';
import { newValue, type Value } from '../read/walker';

/** Bytes of built columns that are kept; the least recently used go first. */
const defaultKeptBytes = 64 * 1024 ** 2;
/** The most rows that are read one by one. For more rows, the file is scanned. */
const maxSingleReads = 10_000;
/** A kind and a key. */
const wideBytesPerRow = 9;
const defaultTies: TieLimits = { bytes: 48 * 1024 ** 2, rounds: 4 };

interface Kept {
  data: ColumnData;
  ranks?: Ranks;
}

/** Columns by node, built when they are first needed. */
export class ColumnStore {
  /** How many columns were built so far. */
  built = 0;
  private readonly kept = new Map<ShapeNode, Kept>();
  /** Resolves when all earlier calls are answered; never rejects. */
  private answered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: TableFile,
    private readonly limits: ColumnLimits = defaultColumnLimits,
    private readonly keptBytes = defaultKeptBytes,
  ) {}

  /**
   * Builds the missing columns, in one scan of the file.
   * @param more as in `ScanOptions`; absent if all records are found.
   */
  async columns(
    nodes: readonly ShapeNode[],
    pace: Pace,
    more?: () => Promise<void>,
  ): Promise<ColumnData[]> {
    return this.inTurn(pace, async () =>
      (await this.take(nodes, pace, more)).map(({ data }) => data),
    );
  }

  async ranks(node: ShapeNode, pace: Pace): Promise<Ranks> {
    return this.inTurn(pace, () => this.rank(node, pace));
  }

  /**
   * Runs one call after another: sorting a wide column consumes its keys, and no other call may
   * read them during that time. A cancelled call rejects immediately and does not delay others.
   */
  private inTurn<T>(pace: Pace, work: () => Promise<T>): Promise<T> {
    const before = this.answered;
    const answer = pace.wait(before).then(work);
    // Drops the results of the promises. Otherwise each would be kept by the next.
    this.answered = Promise.allSettled([before, answer]).then(() => undefined);
    return answer;
  }

  private async rank(node: ShapeNode, pace: Pace): Promise<Ranks> {
    const kept = (await this.take([node], pace))[0]!;
    if (kept.ranks) {
      return kept.ranks;
    }
    const { data } = kept;
    if (data.type === 'dictionary') {
      kept.ranks = await rankDictionary(data, node.name, pace);
    } else {
      const read: ReadRows = (rows, visit) => this.read(node, rows, visit, pace);
      try {
        kept.ranks = await rankWide(data, pace, read, this.limits.ties ?? defaultTies);
      } catch (error) {
        // The sort was cancelled after it consumed the keys.
        this.kept.delete(node);
        throw error;
      }
      // The keys are no longer needed.
      kept.data = { ...data, high: new Uint32Array(), low: new Uint32Array() };
    }
    this.forget([node]);
    return kept.ranks;
  }

  /**
   * Returns the kept columns and builds those that are missing. All of them become the most
   * recently used.
   */
  private async take(
    nodes: readonly ShapeNode[],
    pace: Pace,
    more?: () => Promise<void>,
  ): Promise<Kept[]> {
    const wanted = [...new Set(nodes)];
    // References are held from the start: kept columns may be dropped while columns are built.
    const held = new Map(
      wanted.flatMap((node) => {
        const kept = this.kept.get(node);
        return kept ? [[node, kept] as const] : [];
      }),
    );
    const missing = wanted.filter((node) => !held.has(node));
    if (missing.length > 0) {
      const built = await this.build(missing, wanted, pace, more);
      missing.forEach((node, slot) => {
        held.set(node, { data: built[slot]! });
      });
    }
    for (const [node, kept] of held) {
      this.kept.delete(node);
      this.kept.set(node, kept);
    }
    this.forget(wanted);
    return nodes.map((node) => held.get(node)!);
  }

  /** @param coming bytes that will be needed in addition to the kept columns. */
  private forget(inUse: readonly ShapeNode[], coming = 0): void {
    let bytes = coming;
    for (const [node, { data, ranks }] of [...this.kept].reverse()) {
      bytes += sizeOf(data);
      for (const { byteLength } of ranks?.arrays ?? []) {
        bytes += byteLength;
      }
      if (bytes > this.keptBytes && !inUse.includes(node)) {
        this.kept.delete(node);
        // Its last receiver uses it before the next turn of the event loop.
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
    pace: Pace,
    more?: () => Promise<void>,
  ): Promise<ColumnData[]> {
    const { index } = this.file;
    const { maxValues, triedRows } = this.limits;
    // The threads start while records are still being found.
    this.file.wakeThreads();
    // Which columns are wide must not depend on how many records have been found so far.
    while (more && !index.done && index.rows <= Math.max(maxValues, rowsUpTo(triedRows))) {
      await more();
    }
    const mayBeWide = index.rows > maxValues;
    const prefixes = new Map<ShapeNode, Buffer>();
    for (;;) {
      const rows = index.expectedRows;
      // Wide columns are large, and need the same amount of memory again while they are sorted.
      this.forget(inUse, prefixes.size * rows * 2 * wideBytesPerRow);
      const builders = nodes.map((node) => {
        const prefix = prefixes.get(node);
        return prefix
          ? new WideBuilder(rows, prefix)
          : new DictionaryBuilder(rows, this.limits, mayBeWide);
      });
      let overflowed = 0;
      const addTo = (
        slot: number,
        addWide: (builder: WideBuilder) => void,
        addTexts: (builder: DictionaryBuilder) => boolean,
      ) => {
        const builder = builders[slot]!;
        if (builder instanceof WideBuilder) {
          addWide(builder);
        } else if (!prefixes.has(nodes[slot]!) && !addTexts(builder)) {
          prefixes.set(nodes[slot]!, builder.commonPrefix());
          builder.drop();
          overflowed += 1;
        }
      };
      const question: ColumnsQuestion = {
        columns: nodes.map((node) => ({ id: node.id, prefix: prefixes.get(node) })),
        limits: this.limits,
      };
      const job: RangeJob = {
        task: 'columns',
        learns: false,
        // These rows decide whether a column is wide. Until that is decided, no threads build it.
        firstRows:
          mayBeWide && prefixes.size < nodes.length ? Math.min(index.rows, rowsUpTo(triedRows)) : 0,
        question: () => question,
        visitor: valuesVisitor(this.file, nodes, (row, slot, value) => {
          addTo(
            slot,
            (builder) => {
              builder.add(row, value);
            },
            (builder) => builder.add(row, value),
          );
        }),
        take: (answer, { from }) => {
          (answer as ColumnParts).forEach((part, slot) => {
            addTo(
              slot,
              (builder) => {
                if ('wide' in part) {
                  builder.take(part.wide, from);
                }
              },
              (builder) => 'dictionary' in part && builder.take(part.dictionary, from),
            );
          });
        },
      };
      const isEnough = () => overflowed === nodes.length;
      await this.file.scanJob(pace, job, { isEnough, ...(more && { more }) });
      if (overflowed === 0) {
        this.built += nodes.length;
        return builders.map((builder) => builder.finish(index.rows));
      }
    }
  }

  /** Reads the values of rows that are in ascending order. */
  private async read(
    node: ShapeNode,
    rows: Uint32Array,
    visit: (row: number, value: Value) => void,
    pace: Pace,
  ): Promise<void> {
    if (rows.length > maxSingleReads) {
      let at = 0;
      await this.file.scanValues(pace, [node], (row, _slot, value) => {
        if (row === rows[at]) {
          at += 1;
          visit(row, value);
        }
      });
      return;
    }
    const walker = this.file.walker([node]);
    const value = newValue();
    for (const row of rows) {
      const cursor = this.file.index.read(row);
      readSlot(walker, 0, this.file.walk(walker, cursor), cursor, value);
      visit(row, value);
      if (pace.isDue(Math.max(16 * 1024, cursor.end - cursor.start))) {
        await pace.pause();
      }
    }
  }
}
