import { releaseBuffers } from './memory';

/** Digits of a radix sort. */
const digits = 65_536;

/**
 * Sorts items by several keys, stably: 16 bits at a time, skipping equal digits.
 * @param items consumed.
 * @param keys by item, not by position; the last one has priority.
 * @returns the sorted items.
 */
export function sortByKeys(
  items: Uint32Array,
  ...keys: readonly (Uint32Array | Uint8Array)[]
): Uint32Array {
  let from = items;
  let to: Uint32Array | undefined;
  const starts = new Uint32Array(digits);
  for (const key of keys) {
    for (const shift of key instanceof Uint8Array ? [0] : [0, 16]) {
      starts.fill(0);
      for (const item of from) {
        starts[(key[item]! >>> shift) & 0xffff]! += 1;
      }
      if (starts.includes(from.length)) {
        continue;
      }
      let sum = 0;
      for (let digit = 0; digit < digits; digit += 1) {
        const count = starts[digit]!;
        starts[digit] = sum;
        sum += count;
      }
      const target = to ?? new Uint32Array(items.length);
      for (const item of from) {
        const digit = (key[item]! >>> shift) & 0xffff;
        target[starts[digit]!] = item;
        starts[digit]! += 1;
      }
      to = from;
      from = target;
    }
  }
  releaseBuffers(to, starts);
  return from;
}

/**
 * Sorts items by ranks below `count`, stably.
 * @param items where that is a number, all below it.
 * @param rankOf gives the rank of an item.
 */
export function sortByRank(
  items: Uint32Array | number,
  count: number,
  rankOf: (item: number) => number,
): Uint32Array {
  const starts = new Uint32Array(count + 1);
  const given = typeof items === 'number' ? undefined : items;
  const length = given?.length ?? (items as number);
  for (let at = 0; at < length; at += 1) {
    starts[rankOf(given ? given[at]! : at) + 1]! += 1;
  }
  for (let rank = 0; rank < count; rank += 1) {
    starts[rank + 1]! += starts[rank]!;
  }
  const sorted = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) {
    const item = given ? given[at]! : at;
    const rank = rankOf(item);
    sorted[starts[rank]!] = item;
    starts[rank]! += 1;
  }
  releaseBuffers(starts);
  return sorted;
}
