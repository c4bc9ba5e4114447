import { enlarged, releaseBuffers } from '../values/memory';

/**
 * The numbers of issue types and assets are below these limits, so that a pair of them fits into 32
 * bits.
 */
export const maxIssueTypes = 4095;
export const maxAssets = 1024 ** 2;
/**
 * The most pairs of an issue type and an asset that are distinguished. They take 32 MB if no two
 * are close.
 */
const defaultMaxPairs = 2 * 1024 ** 2;

interface TypeCounts {
  severities: number[];
  lastFirstSeen: number;
  assets: number;
}

/** The counts of a part of the rows; without pairs if there are too many. */
export interface IssueTypesPart {
  readonly types: readonly TypeCounts[];
  /** Pairs of a type and an asset, each at least once. */
  readonly pairs?: Uint32Array;
}

/**
 * Counts the severities, assets and dates of each issue type. Types, severities and assets are numbers
 * from 0.
 */
export class IssueTypeCounts {
  private readonly types: TypeCounts[] = [];
  private pairs: PairSet | PairList | undefined;

  /**
   * @param isPart whether only `part` is called for the result.
   * @param maxPairs the most pairs of types and assets; with more pairs, assets are not counted
   *   for any type.
   */
  constructor(
    isPart: boolean,
    private readonly maxPairs = defaultMaxPairs,
  ) {
    this.pairs = isPart ? new PairList() : new PairSet();
  }

  /**
   * Adds a row.
   * @param severity, asset -1 if the row has none.
   * @param firstSeen NaN if the row has none.
   */
  add(type: number, severity: number, asset: number, firstSeen: number): void {
    const countsOf = this.counts(type);
    if (severity >= 0) {
      countsOf.severities[severity] = (countsOf.severities[severity] ?? 0) + 1;
    }
    countsOf.lastFirstSeen = latest(countsOf.lastFirstSeen, firstSeen);
    if (asset >= 0) {
      this.addAsset(type, asset);
    }
  }

  part(): IssueTypesPart {
    const { types, pairs } = this;
    return { types, ...(pairs instanceof PairList && { pairs: pairs.part() }) };
  }

  /**
   * Adds the counts of other rows.
   * @param numbers the numbers of types, severities and assets here, by their numbers in the part;
   *   absent if these rows have none, or if they are no longer counted.
   */
  merge(
    { types, pairs }: IssueTypesPart,
    numbers: Readonly<Record<'type' | 'severity' | 'asset', Uint32Array | undefined>>,
  ): void {
    const { type, severity, asset } = numbers;
    if (!type) {
      return;
    }
    types.forEach(({ severities, lastFirstSeen }, number) => {
      const counts = this.counts(type[number]!);
      counts.lastFirstSeen = latest(counts.lastFirstSeen, lastFirstSeen);
      severities.forEach((count, each) => {
        if (severity && count > 0) {
          const at = severity[each]!;
          counts.severities[at] = (counts.severities[at] ?? 0) + count;
        }
      });
    });
    if (!pairs) {
      this.dropAssets();
    } else if (asset && this.pairs) {
      this.mergePairs(pairs, type, asset);
    }
  }

  private mergePairs(pairs: Uint32Array, types: Uint32Array, assets: Uint32Array): void {
    for (const pair of pairs) {
      this.addAsset(types[Math.floor(pair / maxAssets)]!, assets[pair % maxAssets]!);
    }
    releaseBuffers(pairs);
  }

  /** The severities of the rows of a type, and how many rows have each. */
  severities(type: number): { severity: number; count: number }[] {
    return (this.types[type]?.severities ?? []).flatMap((count, severity) =>
      count > 0 ? [{ severity, count }] : [],
    );
  }

  lastFirstSeen(type: number): number | undefined {
    const time = this.types[type]?.lastFirstSeen ?? NaN;
    return Number.isNaN(time) ? undefined : time;
  }

  /** Distinct assets of a type; `undefined` if there are too many pairs. */
  assets(type: number): number | undefined {
    return this.pairs && (this.types[type]?.assets ?? 0);
  }

  /** Stops counting assets. */
  dropAssets(): void {
    this.pairs?.release();
    this.pairs = undefined;
  }

  private counts(type: number): TypeCounts {
    return (this.types[type] ??= { severities: [], lastFirstSeen: NaN, assets: 0 });
  }

  private addAsset(type: number, asset: number): void {
    const { pairs } = this;
    if (pairs?.add(type * maxAssets + asset)) {
      this.counts(type).assets += 1;
      if (pairs instanceof PairSet && pairs.count > this.maxPairs) {
        this.dropAssets();
      }
    }
  }
}

/** The later time; NaN means no time. */
function latest(one: number, other: number): number {
  return other > one || Number.isNaN(one) ? other : one;
}

/** How many pairs are remembered. While a pair is remembered, it is not added to a list again. */
const rememberedPairs = 2 ** 14;

/**
 * Numbers below 2^32, each at least once. Duplicates in a part of the rows are removed when the
 * parts are combined: removing them here, too, would take most of the time of a row.
 */
class PairList {
  private pairs = new Uint32Array(1024);
  private count = 0;
  /** By hash: the last pair with it. These are few enough to stay in the cache of the CPU. */
  private readonly last = new Uint32Array(rememberedPairs).fill(0xffff_ffff);

  /** @returns whether the pair was added. */
  add(pair: number): boolean {
    const slot = Math.imul(pair, 0x9e37_79b1) >>> 18;
    if (this.last[slot] === pair) {
      return false;
    }
    this.last[slot] = pair;
    if (this.count === this.pairs.length) {
      this.pairs = enlarged(this.pairs, 2 * this.count);
    }
    this.pairs[this.count] = pair;
    this.count += 1;
    return true;
  }

  part(): Uint32Array {
    return this.pairs.slice(0, this.count);
  }

  release(): void {
    releaseBuffers(this.pairs, this.last);
  }
}

/**
 * Distinct numbers below 2^32, stored as bits in words of 32 bits that are found by their index.
 * Numbers that are close share a word, so that the word for a row is mostly in the cache of the
 * CPU.
 */
class PairSet {
  count = 0;
  /**
   * For each slot, the index of a word (starting at 1, or 0 if empty) and the word. They are next
   * to each other, so that one memory access reads both.
   */
  private table = new Int32Array(2 * 1024);
  private used = 0;

  /** @returns whether the pair is new. */
  add(pair: number): boolean {
    const wordIndex = pair >>> 5;
    const bit = 1 << (pair & 31);
    let slot = slotOf(this.table, wordIndex + 1);
    if (this.table[slot] === 0) {
      if (4 * (this.used + 1) > this.table.length) {
        this.grow();
        slot = slotOf(this.table, wordIndex + 1);
      }
      this.table[slot] = wordIndex + 1;
      this.used += 1;
    }
    if ((this.table[slot + 1]! & bit) !== 0) {
      return false;
    }
    this.table[slot + 1]! |= bit;
    this.count += 1;
    return true;
  }

  release(): void {
    releaseBuffers(this.table);
  }

  private grow(): void {
    const { table } = this;
    this.table = new Int32Array(2 * table.length);
    for (let at = 0; at < table.length; at += 2) {
      if (table[at] !== 0) {
        const slot = slotOf(this.table, table[at]!);
        this.table[slot] = table[at]!;
        this.table[slot + 1] = table[at + 1]!;
      }
    }
    releaseBuffers(table);
  }
}

/** The slot of a key in the table, or a free slot for it. */
function slotOf(table: Int32Array, key: number): number {
  const mask = table.length - 2;
  const hashed = Math.imul(key, 0x9e37_79b1);
  let slot = ((hashed ^ (hashed >>> 15)) << 1) & mask;
  while (table[slot] !== 0 && table[slot] !== key) {
    slot = (slot + 2) & mask;
  }
  return slot;
}
