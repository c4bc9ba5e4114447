import {
  type ColumnData,
  type ColumnLimits,
  defaultColumnLimits,
  DictionaryBuilder,
  sizeOf,
  WideBuilder,
} from './columnData';
import type { Pace } from './pace';
import { rankDictionary, type Ranks, rankWide, type RowTexts } from './ranks';
import type { Place } from './shape';
import { readSlot, type TableFile } from './tableFile';
import { newValue, type Value } from './walker';

/** Bytes of built columns that are kept; the longest unused go first. */
const defaultKeptBytes = 64 * 1024 ** 2;
/** So many rows are read one by one; for more the file is gone through. */
const maxSingleReads = 10_000;
/** A kind and a key. */
const wideBytesPerRow = 9;
const maxTiedBytes = 128 * 1024 ** 2;

interface Kept {
  data: ColumnData;
  ranks?: Ranks;
}

/** Columns by place, built when they are first asked for. The index must be complete by then. */
export class ColumnStore {
  /** How many columns were built so far. */
  built = 0;
  private readonly kept = new Map<Place, Kept>();
  /** Resolves when all who asked so far are answered; never rejects. */
  private answered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: TableFile,
    private readonly limits: ColumnLimits = defaultColumnLimits,
    private readonly keptBytes = defaultKeptBytes,
  ) {}

  /** Builds what is missing of these columns, in one walk through the file. */
  async columns(places: readonly Place[], pace: Pace): Promise<ColumnData[]> {
    return this.inTurn(pace, async () => (await this.take(places, pace)).map(({ data }) => data));
  }

  async ranks(place: Place, pace: Pace): Promise<Ranks> {
    return this.inTurn(pace, () => this.rank(place, pace));
  }

  /**
   * One after the other: to put a wide column in order uses up its keys, and nobody may read them
   * meanwhile. Who waits for that finds it done. One who is ended goes at once and holds up nobody.
   */
  private inTurn<T>(pace: Pace, work: () => Promise<T>): Promise<T> {
    const before = this.answered;
    const answer = pace.wait(before).then(work);
    this.answered = Promise.allSettled([before, answer]);
    return answer;
  }

  private async rank(place: Place, pace: Pace): Promise<Ranks> {
    const kept = (await this.take([place], pace))[0]!;
    if (kept.ranks) {
      return kept.ranks;
    }
    const { data } = kept;
    if (data.type === 'dictionary') {
      kept.ranks = await rankDictionary(data, pace);
    } else {
      kept.ranks = await rankWide(data, pace, (rows) => this.texts(place, rows, pace));
      // The keys have done their work.
      kept.data = { ...data, high: new Uint32Array(), low: new Uint32Array() };
    }
    this.forget([place]);
    return kept.ranks;
  }

  /** What is kept of these columns, built where it is missing; they are the latest used then. */
  private async take(places: readonly Place[], pace: Pace): Promise<Kept[]> {
    const wanted = [...new Set(places)];
    // Held from the start: while others are built, whatever else is kept may go.
    const held = new Map(
      wanted.flatMap((place) => {
        const kept = this.kept.get(place);
        return kept ? [[place, kept] as const] : [];
      }),
    );
    const missing = wanted.filter((place) => !held.has(place));
    if (missing.length > 0) {
      const built = await this.build(missing, wanted, pace);
      missing.forEach((place, slot) => {
        held.set(place, { data: built[slot]! });
      });
    }
    for (const [place, kept] of held) {
      this.kept.delete(place);
      this.kept.set(place, kept);
    }
    this.forget(wanted);
    return places.map((place) => held.get(place)!);
  }

  /** @param coming bytes that will be needed beside what is kept. */
  private forget(inUse: readonly Place[], coming = 0): void {
    let bytes = coming;
    for (const [place, { data, ranks }] of [...this.kept].reverse()) {
      bytes += sizeOf(data) + (ranks?.ranks.byteLength ?? 0) + (ranks?.order?.byteLength ?? 0);
      if (bytes > this.keptBytes && !inUse.includes(place)) {
        this.kept.delete(place);
      }
    }
  }

  /** @param inUse what may not go to make room. */
  private async build(
    places: readonly Place[],
    inUse: readonly Place[],
    pace: Pace,
  ): Promise<ColumnData[]> {
    const { rows } = this.file.index;
    const prefixes = new Map<Place, Buffer>();
    for (;;) {
      // Wide columns are large, and need as much again while they are put in order.
      this.forget(inUse, prefixes.size * rows * 2 * wideBytesPerRow);
      const builders = places.map((place) => {
        const prefix = prefixes.get(place);
        return prefix ? new WideBuilder(rows, prefix) : new DictionaryBuilder(rows, this.limits);
      });
      let overflowed = 0;
      await this.file.scanValues(
        pace,
        places,
        (row, slot, value) => {
          const builder = builders[slot]!;
          if (builder instanceof WideBuilder) {
            builder.add(row, value);
          } else if (!prefixes.has(places[slot]!) && !builder.add(row, value)) {
            prefixes.set(places[slot]!, builder.commonPrefix());
            overflowed += 1;
          }
        },
        () => overflowed === places.length,
      );
      if (overflowed === 0) {
        this.built += places.length;
        return builders.map((builder) => builder.finish());
      }
    }
  }

  /** The texts of rows that are in ascending order. */
  private async texts(place: Place, rows: Uint32Array, pace: Pace): Promise<RowTexts> {
    const most = Math.max(64, Math.floor(maxTiedBytes / rows.length));
    const starts = new Uint32Array(rows.length + 1);
    let bytes = Buffer.allocUnsafeSlow(Math.min(maxTiedBytes, rows.length * 32));
    let filled = 0;
    let at = 0;
    const take = (value: Value) => {
      const length = Math.min(most, value.to - value.from);
      if (filled + length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, filled + length));
        bytes.copy(larger, 0, 0, filled);
        bytes = larger;
      }
      value.bytes.copy(bytes, filled, value.from, value.from + length);
      filled += length;
      at += 1;
      starts[at] = filled;
    };
    if (rows.length <= maxSingleReads) {
      const walker = this.file.walker([place]);
      const value = newValue();
      for (const row of rows) {
        const cursor = this.file.index.read(row);
        readSlot(walker, 0, this.file.walk(walker, cursor), cursor, value);
        take(value);
        if (pace.isDue(16 * 1024)) {
          await pace.pause();
        }
      }
    } else {
      await this.file.scanValues(pace, [place], (row, _slot, value) => {
        if (row === rows[at]) {
          take(value);
        }
      });
    }
    const numberOf = (row: number) => {
      let [low, high] = [0, rows.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (rows[middle]! < row) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    };
    return {
      bytes,
      from: (row) => starts[numberOf(row)]!,
      to: (row) => starts[numberOf(row) + 1]!,
    };
  }
}
