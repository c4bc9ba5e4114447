import type { WideColumn } from './columnData';
import { kindNull } from '../values/kinds';
import { releaseBuffers } from '../threads/memory';

type Keys = Pick<WideColumn, 'kinds' | 'high' | 'low'>;

/** The rows of a column that have a value. */
export interface SortedRows {
  /** By kind, then by key; rows with equal keys in the order of the file. */
  readonly rows: Uint32Array;
  /** By position: `startsValue`, or the state of a row with the same key as the previous row. */
  readonly states: Uint8Array;
}

/** The states of a row: it begins a value, has the value of the previous row, or may have it. */
export const startsValue = 1;
export const sameValue = 0;
export const openValue = 2;
/** The row begins another way to write the number or date of the previous row. */
export const equalValue = 3;

/** Bits that choose a bucket: more buckets would not fit into the caches of the CPU. */
const bucketBits = 12;
const bucketMask = 2 ** bucketBits - 1;
/** The most rows that are sorted at the same time: their keys fit into the cache. */
const maxRowsAtOnce = 2 ** 15;
/** The most bits of a digit of keys that are sorted at the same time. */
const digitBits = 11;

/**
 * Sorts the rows of a column that have a value. Keys of millions of rows do not fit into the
 * caches, so reading them in any order other than that of the file would take most of the time.
 * Instead, they are read once in the order of the file: rows move into buckets together with the
 * next bits of their keys, and each bucket is sorted separately.
 * @param tiedOf returns, for a kind, the state of a row with the same key as the previous row.
 */
export function sortRows(keys: Keys, tiedOf: (kind: number) => number): SortedRows {
  const counts = new Uint32Array(2 ** 8);
  // By index, which is several times as fast as an iterator while the engine warms up.
  for (let left = keys.kinds.length; left > 0; left -= 1) {
    counts[keys.kinds[left - 1]!]! += 1;
  }
  const ofValues = counts.subarray(0, kindNull);
  const total = ofValues.reduce((sum, count) => sum + count, 0);
  const sorter = new KeySorter(keys, total);
  let from = 0;
  ofValues.forEach((count, kind) => {
    if (count > 0) {
      sorter.sortKind(kind, from, from + count, tiedOf(kind));
    }
    from += count;
  });
  return sorter.finish();
}

/** Sorts rows by their keys. Positions are from (inclusive) to (exclusive). */
class KeySorter {
  private readonly rows: Uint32Array;
  private readonly states: Uint8Array;
  /** By position: bits of keys. */
  private readonly spare: Uint32Array;
  private tied = sameValue;
  /* The rows that are sorted at the same time, some bits of their keys, and their order. */
  private readonly someRows: Uint32Array;
  private readonly someBits: Uint32Array;
  private order: Uint32Array;
  private nextOrder: Uint32Array;
  private readonly starts = new Uint32Array(2 ** digitBits);

  constructor(
    private readonly keys: Keys,
    count: number,
  ) {
    this.rows = new Uint32Array(count);
    this.spare = new Uint32Array(count);
    this.states = new Uint8Array(count).fill(startsValue);
    const most = Math.min(count, maxRowsAtOnce);
    this.someRows = new Uint32Array(most);
    this.someBits = new Uint32Array(most);
    this.order = new Uint32Array(most);
    this.nextOrder = new Uint32Array(most);
  }

  finish(): SortedRows {
    const { rows, states, spare } = this;
    releaseBuffers(spare);
    return { rows, states };
  }

  /** Writes the sorted rows of a kind. */
  sortKind(kind: number, from: number, to: number, tied: number): void {
    const { rows, keys } = this;
    const { kinds } = keys;
    this.tied = tied;
    for (let row = kinds.indexOf(kind), at = from; at < to; row += 1) {
      rows[at] = row;
      at += kinds[row] === kind ? 1 : 0;
    }
    this.sortRun(from, to);
  }

  /** Sorts rows of a kind, which are in the order of the file. */
  private sortRun(from: number, to: number): void {
    const { rows, states, tied, someRows, someBits } = this;
    const { high, low } = this.keys;
    let varyingHigh = 0;
    let varyingLow = 0;
    const first = rows[from]!;
    const [firstHigh, firstLow] = [high[first]!, low[first]!];
    for (let at = from; at < to; at += 1) {
      const row = rows[at]!;
      varyingHigh |= high[row]! ^ firstHigh;
      varyingLow |= low[row]! ^ firstLow;
    }
    if (varyingHigh === 0 && varyingLow === 0) {
      states.fill(tied, from + 1, to);
      return;
    }
    if (to - from <= maxRowsAtOnce) {
      const shift = findShift(varyingHigh, varyingLow, 32);
      for (let at = from; at < to; at += 1) {
        const row = rows[at]!;
        someRows[at - from] = row;
        someBits[at - from] = bitsFrom(high[row]!, low[row]!, shift);
      }
      this.sortSome(from, to, hasBitsBelow(varyingHigh, varyingLow, shift));
      return;
    }
    this.sortMany(from, to, varyingHigh, varyingLow);
  }

  /** Sorts so many rows into buckets first, together with the next bits of their keys. */
  private sortMany(from: number, to: number, varyingHigh: number, varyingLow: number): void {
    const { rows, states, spare, someRows, someBits } = this;
    const { high, low } = this.keys;
    const shift = findShift(varyingHigh, varyingLow, bucketBits);
    const nextShift = Math.max(0, shift - 32);
    const before = rows.slice(from, to);
    const ends = new Uint32Array(bucketMask + 1);
    for (let at = from; at < to; at += 1) {
      const row = before[at - from]!;
      ends[bitsFrom(high[row]!, low[row]!, shift) & bucketMask]! += 1;
    }
    // Filling a bucket moves its start to its end.
    countsToStarts(ends, from);
    for (let at = from; at < to; at += 1) {
      const row = before[at - from]!;
      const bucket = bitsFrom(high[row]!, low[row]!, shift) & bucketMask;
      const target = ends[bucket]!;
      ends[bucket] = target + 1;
      rows[target] = row;
      spare[target] = bitsFrom(high[row]!, low[row]!, nextShift);
    }
    releaseBuffers(before);
    const hasMore = hasBitsBelow(varyingHigh, varyingLow, nextShift);
    for (let bucket = 0, start = from; start < to; bucket += 1) {
      const end = ends[bucket]!;
      states[start] = startsValue;
      if (end - start > 1 && end - start <= maxRowsAtOnce) {
        someRows.set(rows.subarray(start, end));
        someBits.set(spare.subarray(start, end));
        this.sortSome(start, end, hasMore);
      } else {
        this.sortRun(start, end);
      }
      start = end;
    }
  }

  /**
   * Sorts `someRows` by `someBits`, one digit after another, into these positions. The first row
   * keeps its state.
   * @param hasMore whether keys that are equal in these bits may still differ.
   */
  private sortSome(from: number, to: number, hasMore: boolean): void {
    const { rows, states, tied, someRows, someBits, starts } = this;
    const count = to - from;
    let varying = 0;
    for (let at = 0; at < count; at += 1) {
      this.order[at] = at;
      varying |= someBits[at]! ^ someBits[0]!;
    }
    const mask = 2 ** Math.min(digitBits, 32 - Math.clz32(count)) - 1;
    while (varying !== 0) {
      const { order, nextOrder } = this;
      const shift = 31 - Math.clz32(varying & -varying);
      varying &= ~(mask << shift);
      starts.fill(0, 0, mask + 1);
      for (let at = 0; at < count; at += 1) {
        starts[(someBits[at]! >>> shift) & mask]! += 1;
      }
      countsToStarts(starts.subarray(0, mask + 1), 0);
      for (let at = 0; at < count; at += 1) {
        const item = order[at]!;
        const digit = (someBits[item]! >>> shift) & mask;
        nextOrder[starts[digit]!] = item;
        starts[digit]! += 1;
      }
      this.order = nextOrder;
      this.nextOrder = order;
    }
    const { order } = this;
    rows[from] = someRows[order[0]!]!;
    for (let at = 1; at < count; at += 1) {
      const isTied = someBits[order[at]!] === someBits[order[at - 1]!];
      rows[from + at] = someRows[order[at]!]!;
      states[from + at] = isTied ? tied : startsValue;
    }
    for (let start = from; hasMore && start < to;) {
      let end = start + 1;
      while (end < to && states[end] === tied) {
        end += 1;
      }
      if (end - start > 1) {
        this.sortRun(start, end);
      }
      start = end;
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

/** The lowest of so many bits that begin with the highest one in which keys differ. */
function findShift(varyingHigh: number, varyingLow: number, bits: number): number {
  const highest = varyingHigh === 0 ? 32 - Math.clz32(varyingLow) : 64 - Math.clz32(varyingHigh);
  return Math.max(0, highest - bits);
}

/** Whether keys differ in bits below this one. */
function hasBitsBelow(varyingHigh: number, varyingLow: number, shift: number): boolean {
  return shift >= 32
    ? varyingLow !== 0 || (varyingHigh & (2 ** (shift - 32) - 1)) !== 0
    : (varyingLow & (2 ** shift - 1)) !== 0;
}

/** Replaces the counts of buckets by where each bucket starts; the first one at `from`. */
function countsToStarts(counts: Uint32Array, from: number): void {
  let start = from;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    const count = counts[bucket]!;
    counts[bucket] = start;
    start += count;
  }
}

/**
 * Sorts items by ranks below `count`, stably.
 * @param items a number means all items below it.
 * @param rankOf returns the rank of an item.
 */
export function sortByRank(
  items: Uint32Array | number,
  count: number,
  rankOf: (item: number) => number,
): Uint32Array {
  const starts = new Uint32Array(count);
  const list = typeof items === 'number' ? undefined : items;
  const length = list?.length ?? (items as number);
  for (let at = 0; at < length; at += 1) {
    starts[rankOf(list ? list[at]! : at)]! += 1;
  }
  countsToStarts(starts, 0);
  const sorted = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) {
    const item = list ? list[at]! : at;
    const rank = rankOf(item);
    sorted[starts[rank]!] = item;
    starts[rank]! += 1;
  }
  releaseBuffers(starts);
  return sorted;
}
