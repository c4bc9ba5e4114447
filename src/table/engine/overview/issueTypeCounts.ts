/** Numbers of issue types and of assets are below these, so that a pair of them has 32 bits. */
export const maxIssueTypes = 4095;
export const maxAssets = 1024 ** 2;
/** Pairs of an issue type and an asset that are told apart; they take 16 MB. */
const maxPairs = 2 * 1024 ** 2;

/** What the rows of each type of issue have in common. Types, severities and assets are numbers from 0. */
export class IssueTypeCounts {
  private readonly types: { severities: number[]; lastFirstSeen: number; assets: number }[] = [];
  private pairs: PairSet | undefined;

  /** @param mostPairs of types and assets; above, no assets of any type are told. */
  constructor(mostPairs = maxPairs) {
    this.pairs = new PairSet(mostPairs);
  }

  /** @param severity, asset -1 where the row has none. @param firstSeen NaN likewise. */
  add(type: number, severity: number, asset: number, firstSeen: number): void {
    const known = (this.types[type] ??= { severities: [], lastFirstSeen: NaN, assets: 0 });
    if (severity >= 0) {
      known.severities[severity] = (known.severities[severity] ?? 0) + 1;
    }
    if (firstSeen > known.lastFirstSeen || Number.isNaN(known.lastFirstSeen)) {
      known.lastFirstSeen = firstSeen;
    }
    if (asset >= 0 && this.pairs) {
      if (this.pairs.isFull) {
        this.pairs = undefined;
      } else if (this.pairs.add(type * maxAssets + asset)) {
        known.assets += 1;
      }
    }
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

  /** Distinct assets of a type; `undefined` where there are too many pairs to tell. */
  assets(type: number): number | undefined {
    return this.pairs && (this.types[type]?.assets ?? 0);
  }

  /** Assets are not told any more. */
  dropAssets(): void {
    this.pairs = undefined;
  }
}

const free = 0xffff_ffff;

/** Distinct numbers below 2^32 - 1. */
class PairSet {
  private table = new Uint32Array(1024).fill(free);
  private count = 0;

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.count >= this.most;
  }

  /** @returns whether it is new. */
  add(pair: number): boolean {
    const slot = slotOf(this.table, pair);
    if (this.table[slot] === pair) {
      return false;
    }
    this.table[slot] = pair;
    this.count += 1;
    if (this.count * 2 > this.table.length) {
      const larger = new Uint32Array(this.table.length * 2).fill(free);
      for (const each of this.table) {
        if (each !== free) {
          larger[slotOf(larger, each)] = each;
        }
      }
      this.table = larger;
    }
    return true;
  }
}

function slotOf(table: Uint32Array, pair: number): number {
  const mask = table.length - 1;
  const hashed = Math.imul(pair, 0x9e37_79b1);
  let slot = (hashed ^ (hashed >>> 15)) & mask;
  while (table[slot] !== free && table[slot] !== pair) {
    slot = (slot + 1) & mask;
  }
  return slot;
}
