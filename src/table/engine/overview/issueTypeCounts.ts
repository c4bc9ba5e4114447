import { releaseBuffers } from '../columns/memory';

/** Numbers of issue types and of assets are below these, so that a pair of them has 32 bits. */
export const maxIssueTypes = 4095;
export const maxAssets = 1024 ** 2;
/** Pairs of an issue type and an asset that are told apart; they take 32 MB where no two are close. */
const maxPairs = 2 * 1024 ** 2;

interface TypeCounts {
  severities: number[];
  lastFirstSeen: number;
  assets: number;
}

/** Pairs of a type and an asset: bits of words, by the places of these. */
interface PairsPart {
  readonly places: Uint32Array;
  readonly words: Int32Array;
}

/** What was counted in a part of the rows; without pairs where there are too many. */
export interface IssueTypesPart {
  readonly types: readonly TypeCounts[];
  readonly pairs?: PairsPart;
}

const wordsPerType = maxAssets / 32;

/** What the rows of each type of issue have in common. Types, severities and assets are numbers from 0. */
export class IssueTypeCounts {
  private readonly types: TypeCounts[] = [];
  private pairs: PairSet | undefined = new PairSet();

  /** @param mostPairs of types and assets; above, no assets of any type are told. */
  constructor(private readonly mostPairs = maxPairs) {}

  /** @param severity, asset -1 where the row has none. @param firstSeen NaN likewise. */
  add(type: number, severity: number, asset: number, firstSeen: number): void {
    const known = this.known(type);
    if (severity >= 0) {
      known.severities[severity] = (known.severities[severity] ?? 0) + 1;
    }
    known.lastFirstSeen = latest(known.lastFirstSeen, firstSeen);
    if (asset >= 0) {
      this.addAsset(type, asset);
    }
  }

  part(): IssueTypesPart {
    return {
      types: this.types,
      ...(this.pairs && { pairs: this.pairs.part() }),
    };
  }

  /**
   * Adds what was counted in other rows.
   * @param numbers those of the types, severities and assets here, by their numbers there; absent where these
   *   rows have none, or they are not told any more.
   */
  take(
    { types, pairs }: IssueTypesPart,
    numbers: Readonly<Record<'type' | 'severity' | 'asset', Int32Array | undefined>>,
  ): void {
    const { type, severity, asset } = numbers;
    if (!type) {
      return;
    }
    types.forEach(({ severities, lastFirstSeen }, number) => {
      const known = this.known(type[number]!);
      known.lastFirstSeen = latest(known.lastFirstSeen, lastFirstSeen);
      severities.forEach((count, each) => {
        if (severity && count > 0) {
          const at = severity[each]!;
          known.severities[at] = (known.severities[at] ?? 0) + count;
        }
      });
    });
    if (!pairs) {
      this.dropAssets();
    } else if (asset && this.pairs) {
      this.takePairs(pairs, type, asset);
    }
  }

  private takePairs({ places, words }: PairsPart, types: Int32Array, assets: Int32Array): void {
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      const type = types[Math.floor(place / wordsPerType)]!;
      const first = (place % wordsPerType) * 32;
      for (let bits = words[at]!; bits !== 0; bits &= bits - 1) {
        this.addAsset(type, assets[first + 31 - Math.clz32(bits & -bits)]!);
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
    this.pairs?.release();
    this.pairs = undefined;
  }

  private known(type: number): TypeCounts {
    return (this.types[type] ??= { severities: [], lastFirstSeen: NaN, assets: 0 });
  }

  private addAsset(type: number, asset: number): void {
    if (this.pairs?.add(type * maxAssets + asset)) {
      this.known(type).assets += 1;
      if (this.pairs.count > this.mostPairs) {
        this.pairs = undefined;
      }
    }
  }
}

/** The later time; NaN is none. */
function latest(one: number, other: number): number {
  return other > one || Number.isNaN(one) ? other : one;
}

/**
 * Distinct numbers below 2^32: words of 32 bits, one for each number, by their place. Numbers that are close
 * share a word, so that what is needed for a row is mostly in the cache of the processor.
 */
class PairSet {
  count = 0;
  /** The place of a word, from 1 on; 0 where there is none. */
  private places = new Uint32Array(1024);
  private words = new Int32Array(1024);
  private used = 0;

  /** @returns whether it is new. */
  add(pair: number): boolean {
    const place = pair >>> 5;
    const bit = 1 << (pair & 31);
    let slot = slotOf(this.places, place + 1);
    if (this.places[slot] === 0) {
      if (2 * (this.used + 1) > this.places.length) {
        this.grow();
        slot = slotOf(this.places, place + 1);
      }
      this.places[slot] = place + 1;
      this.used += 1;
    }
    if ((this.words[slot]! & bit) !== 0) {
      return false;
    }
    this.words[slot]! |= bit;
    this.count += 1;
    return true;
  }

  part(): PairsPart {
    const places = new Uint32Array(this.used);
    const words = new Int32Array(this.used);
    let at = 0;
    for (let slot = 0; slot < this.places.length; slot += 1) {
      if (this.places[slot] !== 0) {
        places[at] = this.places[slot]! - 1;
        words[at] = this.words[slot]!;
        at += 1;
      }
    }
    return { places, words };
  }

  release(): void {
    releaseBuffers(this.places, this.words);
  }

  private grow(): void {
    const { places, words } = this;
    this.places = new Uint32Array(2 * places.length);
    this.words = new Int32Array(2 * places.length);
    for (let at = 0; at < places.length; at += 1) {
      if (places[at] !== 0) {
        const slot = slotOf(this.places, places[at]!);
        this.places[slot] = places[at]!;
        this.words[slot] = words[at]!;
      }
    }
    releaseBuffers(places, words);
  }
}

function slotOf(places: Uint32Array, place: number): number {
  const mask = places.length - 1;
  const hashed = Math.imul(place, 0x9e37_79b1);
  let slot = (hashed ^ (hashed >>> 15)) & mask;
  while (places[slot] !== 0 && places[slot] !== place) {
    slot = (slot + 1) & mask;
  }
  return slot;
}
