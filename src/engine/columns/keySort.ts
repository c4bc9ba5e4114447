import type { WideColumn } from './columnData';
import { kindEmptyText, kindNull } from '../values/kinds';
import { releaseBuffers } from '../values/memory';
import { countsToStarts, digitsIn } from './radix';
import { startsValue } from './ties';

type Keys = Pick<WideColumn, 'kinds' | 'high' | 'low'>;

/** The rows of a wide column that have a value. */
export interface SortedRows {
  /** By kind, then by key; rows with equal keys in the order of the file. */
  readonly rows: Uint32Array;
  /** By position: `startsValue`, or the state of a row with the same key as the previous row. */
  readonly states: Uint8Array;
}

/** Bits that choose a bucket: more buckets would not fit into the caches of the CPU. */
const bucketBits = 12;
const bucketMask = 2 ** bucketBits - 1;
/** The most keys that are sorted at the same time: they fit into the cache. */
const maxKeysAtOnce = 2 ** 15;
/** Up to this many keys are sorted by insertion. */
const fewAtOnce = 16;
/** The most bits of a digit of keys that are sorted at the same time. */
const digitBits = 11;

/**
 * Sorts the rows of a wide column that have a value. Keys of millions of rows do not fit into the
 * caches, so reading them in any order other than that of the file would take most of the time.
 * Instead, they are read once in the order of the file: rows move into buckets together with the
 * next bits of their keys, and each bucket is sorted separately.
 * @param tiedOf returns, for a kind, the state of a row with the same key as the previous row.
 */
export function sortRows(keys: Keys, tiedOf: (kind: number) => number): SortedRows {
  const kinds = kindsOf(keys).slice(0, kindNull);
  const sorter = new KeySorter(
    keys,
    kinds.reduce((sum, { count }) => sum + count, 0),
  );
  let from = 0;
  kinds.forEach((of, kind) => {
    if (of.count > 0) {
      sorter.sortKind(kind, of, tiedOf(kind), from);
      from += of.count;
    }
  });
  return sorter.finish();
}

/** The rows of a kind. */
interface RowsOfKind {
  count: number;
  first: number;
  /** The bits in which keys differ. */
  varyingHigh: number;
  varyingLow: number;
}

/** The rows of each kind, found in one pass. */
function kindsOf({ kinds, high, low }: Keys): RowsOfKind[] {
  const found = Array.from({ length: kindEmptyText + 1 }, () => ({
    count: 0,
    first: 0,
    varyingHigh: 0,
    varyingLow: 0,
  }));
  for (let row = 0; row < kinds.length;) {
    // Usually, many rows of the same kind follow each other.
    const start = row;
    const kind = kinds[start]!;
    const of = found[kind]!;
    if (of.count === 0) {
      of.first = start;
    }
    const [firstHigh, firstLow] = [high[of.first]!, low[of.first]!];
    let { varyingHigh, varyingLow } = of;
    for (; row < kinds.length && kinds[row] === kind; row += 1) {
      varyingHigh |= high[row]! ^ firstHigh;
      varyingLow |= low[row]! ^ firstLow;
    }
    of.count += row - start;
    of.varyingHigh = varyingHigh;
    of.varyingLow = varyingLow;
  }
  return found;
}

/** Sorts rows by their keys. Positions are from (inclusive) to (exclusive). */
class KeySorter {
  private readonly rows: Uint32Array;
  private readonly states: Uint8Array;
  /** By position: bits of keys, or rows on their way to their buckets. */
  private readonly spare: Uint32Array;
  private tied = 0;
  /* The rows that are being sorted: */
  private readonly someRows = new Uint32Array(maxKeysAtOnce);
  private readonly someHigh = new Uint32Array(maxKeysAtOnce);
  private readonly someLow = new Uint32Array(maxKeysAtOnce);
  private order: Uint32Array = new Uint32Array(maxKeysAtOnce);
  private nextOrder: Uint32Array = new Uint32Array(maxKeysAtOnce);
  private readonly starts = new Uint32Array(2 ** digitBits);

  constructor(
    private readonly keys: Keys,
    count: number,
  ) {
    this.rows = new Uint32Array(count);
    this.spare = new Uint32Array(count);
    this.states = new Uint8Array(count).fill(startsValue);
  }

  finish(): SortedRows {
    const { rows, states, spare } = this;
    releaseBuffers(spare);
    return { rows, states };
  }

  /** Writes the sorted rows of a kind, starting at `from`. */
  sortKind(kind: number, of: RowsOfKind, tied: number, from: number): void {
    const { kinds, high, low } = this.keys;
    const { rows, spare } = this;
    const { count, first, varyingHigh, varyingLow } = of;
    const to = from + count;
    this.tied = tied;
    const shift = bucketShift(varyingHigh, varyingLow);
    const lowest = lowestBit(varyingHigh, varyingLow);
    const nextShift = Math.max(shift - 32, Math.min(shift, lowest));
    const nextMask = maskOf(shift - nextShift);
    const ends = new Uint32Array(bucketMask + 1);
    for (let row = first; row < kinds.length; row += 1) {
      if (kinds[row] === kind) {
        ends[bitsFrom(high[row]!, low[row]!, shift) & bucketMask]! += 1;
      }
    }
    // Filling a bucket moves its start to its end.
    countsToStarts(ends, from, ends.length);
    for (let row = first; row < kinds.length; row += 1) {
      if (kinds[row] === kind) {
        const bucket = bitsFrom(high[row]!, low[row]!, shift) & bucketMask;
        const at = ends[bucket]!;
        ends[bucket] = at + 1;
        rows[at] = row;
        spare[at] = bitsFrom(high[row]!, low[row]!, nextShift) & nextMask;
      }
    }
    for (let bucket = 0, start = from; start < to; bucket += 1) {
      const end = ends[bucket]!;
      if (end - start > maxKeysAtOnce) {
        this.sortByKeys(start, end);
      } else if (end - start > 1) {
        this.sortByNextBits(start, end, lowest < nextShift);
      }
      start = end;
    }
  }

  /**
   * Sorts a bucket by the bits in `spare`.
   * @param hasMore whether keys that are equal in these bits may still differ.
   */
  private sortByNextBits(from: number, to: number, hasMore: boolean): void {
    const { rows, spare, states, tied, someRows, someLow } = this;
    const count = to - from;
    let varying = 0;
    for (let at = 0; at < count; at += 1) {
      someRows[at] = rows[from + at]!;
      someLow[at] = spare[from + at]!;
      varying |= someLow[at]! ^ someLow[0]!;
    }
    this.sortSome(count, 0, varying);
    this.writeSorted(from, count, false);
    if (hasMore) {
      for (let start = from; start < to;) {
        let end = start + 1;
        while (end < to && states[end] === tied) {
          end += 1;
        }
        this.sortByKeys(start, end);
        start = end;
      }
    }
  }

  /** Sorts rows of a kind, which are in the order of the file, by their whole keys. */
  private sortByKeys(from: number, to: number): void {
    const count = to - from;
    if (count <= fewAtOnce) {
      this.insertFew(from, to);
      return;
    }
    const { rows, states, spare, tied, someRows, someHigh, someLow } = this;
    const { high, low } = this.keys;
    let varyingHigh = 0;
    let varyingLow = 0;
    for (let at = from; at < to; at += 1) {
      varyingHigh |= high[rows[at]!]! ^ high[rows[from]!]!;
      varyingLow |= low[rows[at]!]! ^ low[rows[from]!]!;
    }
    if (varyingHigh === 0 && varyingLow === 0) {
      states.fill(tied, from + 1, to);
      return;
    }
    if (count <= maxKeysAtOnce) {
      for (let at = 0; at < count; at += 1) {
        const row = rows[from + at]!;
        someRows[at] = row;
        someHigh[at] = high[row]!;
        someLow[at] = low[row]!;
      }
      this.sortSome(count, varyingHigh, varyingLow);
      this.writeSorted(from, count, true);
      return;
    }
    const shift = bucketShift(varyingHigh, varyingLow);
    const ends = new Uint32Array(bucketMask + 1);
    for (let at = from; at < to; at += 1) {
      const row = rows[at]!;
      ends[bitsFrom(high[row]!, low[row]!, shift) & bucketMask]! += 1;
    }
    // Filling a bucket moves its start to its end.
    countsToStarts(ends, from, ends.length);
    for (let at = from; at < to; at += 1) {
      const row = rows[at]!;
      const bucket = bitsFrom(high[row]!, low[row]!, shift) & bucketMask;
      spare[ends[bucket]!] = row;
      ends[bucket]! += 1;
    }
    rows.set(spare.subarray(from, to), from);
    for (let bucket = 0, start = from; start < to; bucket += 1) {
      states[start] = startsValue;
      this.sortByKeys(start, ends[bucket]!);
      start = ends[bucket]!;
    }
  }

  private insertFew(from: number, to: number): void {
    const { rows, states, tied } = this;
    const { high, low } = this.keys;
    const compare = (one: number, other: number) =>
      high[one]! - high[other]! || low[one]! - low[other]!;
    for (let next = from + 1; next < to; next += 1) {
      const row = rows[next]!;
      let at = next;
      while (at > from && compare(rows[at - 1]!, row) > 0) {
        rows[at] = rows[at - 1]!;
        at -= 1;
      }
      rows[at] = row;
    }
    for (let at = from + 1; at < to; at += 1) {
      states[at] = compare(rows[at - 1]!, rows[at]!) === 0 ? tied : startsValue;
    }
  }

  /** Sorts `order` by the keys of some rows. */
  private sortSome(count: number, varyingHigh: number, varyingLow: number): void {
    const { order } = this;
    for (let at = 0; at < count; at += 1) {
      order[at] = at;
    }
    this.sortSomeBy(this.someLow, varyingLow, count);
    this.sortSomeBy(this.someHigh, varyingHigh, count);
  }

  private sortSomeBy(key: Uint32Array, varying: number, count: number): void {
    const { starts } = this;
    for (const { shift, mask } of digitsIn(varying, Math.min(digitBits, 32 - Math.clz32(count)))) {
      const { order, nextOrder } = this;
      starts.fill(0, 0, mask + 1);
      for (let at = 0; at < count; at += 1) {
        starts[(key[at]! >>> shift) & mask]! += 1;
      }
      countsToStarts(starts, 0, mask + 1);
      for (let at = 0; at < count; at += 1) {
        const item = order[at]!;
        const digit = (key[item]! >>> shift) & mask;
        nextOrder[starts[digit]!] = item;
        starts[digit]! += 1;
      }
      this.order = nextOrder;
      this.nextOrder = order;
    }
  }

  /** Writes the rows back in sorted order. The first one keeps its state. */
  private writeSorted(from: number, count: number, byWholeKeys: boolean): void {
    const { rows, states, tied, order, someRows, someHigh, someLow } = this;
    let before = order[0]!;
    rows[from] = someRows[before]!;
    for (let at = 1; at < count; at += 1) {
      const item = order[at]!;
      const isTied =
        someLow[item] === someLow[before] && !(byWholeKeys && someHigh[item] !== someHigh[before]);
      rows[from + at] = someRows[item]!;
      states[from + at] = isTied ? tied : startsValue;
      before = item;
    }
  }
}

/** 32 bits of a key, starting at one of its 64 bits; bit 0 is the lowest. */
function bitsFrom(high: number, low: number, shift: number): number {
  return shift >= 32
    ? high >>> (shift - 32)
    : shift === 0
      ? low
      : (high << (32 - shift)) | (low >>> shift);
}

/** The lowest of the bits that choose the bucket of a key, if keys differ in these bits. */
function bucketShift(varyingHigh: number, varyingLow: number): number {
  const bits = varyingHigh === 0 ? 32 - Math.clz32(varyingLow) : 64 - Math.clz32(varyingHigh);
  return Math.max(0, bits - bucketBits);
}

function lowestBit(high: number, low: number): number {
  return low === 0 ? 63 - Math.clz32(high & -high) : 31 - Math.clz32(low & -low);
}

/** A mask of this many bits, at most 32. */
function maskOf(bits: number): number {
  return bits === 32 ? -1 : 2 ** bits - 1;
}
