import { releaseBuffers } from '../values/memory';

/** The most bits of a digit of a radix sort. */
const digitBits = 16;

/**
 * Sorts items by several keys, stably. Bits below and above those that differ are skipped: for
 * dates to the second, that is nearly half of 64.
 * @param items consumed.
 * @param keys by item, not by position; the last one has priority.
 * @returns the sorted items.
 */
export function sortByKeys(
  items: Uint32Array,
  ...keys: readonly (Uint32Array | Uint8Array)[]
): Uint32Array {
  // Count before sorting: the items are mostly in ascending order here, so counting is fast. In
  // sorted order, each key is somewhere else in memory.
  const digits = keys.flatMap((key) => digitsOf(items, key));
  let from = items;
  let to: Uint32Array | undefined;
  for (const { key, shift, mask, starts } of digits) {
    const target = to ?? new Uint32Array(items.length);
    for (const item of from) {
      const digit = (key[item]! >>> shift) & mask;
      target[starts[digit]!] = item;
      starts[digit]! += 1;
    }
    to = from;
    from = target;
  }
  releaseBuffers(to, ...digits.map(({ starts }) => starts));
  return from;
}

/** Some bits of a key. */
interface Digit {
  readonly key: Uint32Array | Uint8Array;
  readonly shift: number;
  readonly mask: number;
  /** By value of the digit: where its items start. */
  readonly starts: Uint32Array;
}

/** The digits of a key in which items differ, last digit first. */
function digitsOf(items: Uint32Array, key: Uint32Array | Uint8Array): Digit[] {
  const first = key[items[0] ?? 0] ?? 0;
  let varying = 0;
  for (const item of items) {
    varying |= key[item]! ^ first;
  }
  return digitsIn(varying, digitBits).map(({ shift, mask }) => {
    return { key, shift, mask, starts: startsOf(items, key, shift, mask) };
  });
}

function startsOf(
  items: Uint32Array,
  key: Uint32Array | Uint8Array,
  shift: number,
  mask: number,
): Uint32Array {
  const starts = new Uint32Array(mask + 1);
  for (const item of items) {
    starts[(key[item]! >>> shift) & mask]! += 1;
  }
  countsToStarts(starts, 0, mask + 1);
  return starts;
}

/**
 * The digits that contain all varying bits of a word, last digit first. They have equal width,
 * because many small targets stay in the cache of the CPU.
 */
export function digitsIn(varying: number, maxBits: number): Pick<Digit, 'shift' | 'mask'>[] {
  const digits: Pick<Digit, 'shift' | 'mask'>[] = [];
  for (let shift = 0; shift < 32 && varying >>> shift !== 0;) {
    const left = varying >>> shift;
    shift += 31 - Math.clz32(left & -left);
    const bits = 32 - Math.clz32(varying >>> shift);
    const width = Math.ceil(bits / Math.ceil(bits / maxBits));
    digits.push({ shift, mask: 2 ** width - 1 });
    shift += width;
  }
  return digits;
}

/** Replaces the counts of the first buckets by where each bucket starts; the first one at `from`. */
export function countsToStarts(counts: Uint32Array, from: number, buckets: number): void {
  let start = from;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
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
  countsToStarts(starts, 0, count);
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
