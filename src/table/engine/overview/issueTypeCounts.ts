/** Numbers of issue types and of assets are below these, so that a pair of them has 32 bits. */
export const maxIssueTypes = 4095;
export const maxAssets = 1024 ** 2;
/** Pairs of an issue type and an asset that are told apart; they take 32 MB where no two are close. */
const maxPairs = 2 * 1024 ** 2;

/** What the rows of each type of issue have in common. Types, severities and assets are numbers from 0. */
export class IssueTypeCounts {
  private readonly types: { severities: number[]; lastFirstSeen: number; assets: number }[] = [];
  private pairs: PairSet | undefined = new PairSet();

  /** @param mostPairs of types and assets; above, no assets of any type are told. */
  constructor(private readonly mostPairs = maxPairs) {}

  /** @param severity, asset -1 where the row has none. @param firstSeen NaN likewise. */
  add(type: number, severity: number, asset: number, firstSeen: number): void {
    const known = (this.types[type] ??= { severities: [], lastFirstSeen: NaN, assets: 0 });
    if (severity >= 0) {
      known.severities[severity] = (known.severities[severity] ?? 0) + 1;
    }
    if (firstSeen > known.lastFirstSeen || Number.isNaN(known.lastFirstSeen)) {
      known.lastFirstSeen = firstSeen;
    }
    if (asset >= 0 && this.pairs?.add(type * maxAssets + asset)) {
      known.assets += 1;
      if (this.pairs.count > this.mostPairs) {
        this.pairs = undefined;
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
    return this.addWord(pair >>> 5, 1 << (pair & 31)) > 0;
  }

  /** @returns how many numbers of a word are new. */
  addWord(place: number, bits: number): number {
    let slot = slotOf(this.places, place + 1);
    if (this.places[slot] === 0) {
      if (2 * (this.used + 1) > this.places.length) {
        this.grow();
        slot = slotOf(this.places, place + 1);
      }
      this.places[slot] = place + 1;
      this.used += 1;
    }
    const fresh = bitsOf(bits & ~this.words[slot]!);
    this.words[slot]! |= bits;
    this.count += fresh;
    return fresh;
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

/** How many bits of a word are 1. */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
