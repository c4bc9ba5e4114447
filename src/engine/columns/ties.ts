import { compareOrder, compareValues, type TwoValues } from './columnData';
import { isMeasured, kindText } from '../values/kinds';
import { equalValue, openValue, sameValue, startsValue } from './keySort';
import { releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import type { Value } from '../read/records/recordReader';

/** Reads the values of rows in ascending order. */
export type ReadRows = (
  rows: Uint32Array,
  visit: (row: number, value: Value) => void,
) => Promise<void>;

/** The fewest bytes that are read of each value. */
const minBytes = 8;
/** Numbers and dates are read up to this length, because a part of one has no value. Longer ones count as texts. */
const minMeasuredBytes = 1024;

/** The columns of rows with equal keys: all arrays are by row. */
interface TiedRows {
  readonly kinds: Uint8Array;
  /** How many first bytes of each text are equal within its run. */
  readonly offset: Uint32Array;
  /** Memory. */
  readonly number: Uint32Array;
}

/**
 * Sorts rows with equal keys by their texts, in bounded memory: each round reads as much of each text as fits, until
 * no two texts that may differ are left.
 * @param sorted rows in which the rows of each run are next to each other.
 * @param states by position: `startsValue`, `openValue` or `sameValue`. In the end, no state is `openValue`, and some
 *   are `equalValue`.
 * @param maxBytes of texts that are in memory at the same time.
 */
export async function orderTies(
  sorted: Uint32Array,
  states: Uint8Array,
  { kinds, offset, number }: TiedRows,
  read: ReadRows,
  budget: YieldBudget,
  maxBytes: number,
): Promise<void> {
  for (let tied = openRows(sorted, states); tied.length > 0; tied = openRows(sorted, states)) {
    const most = Math.max(minBytes, Math.floor(maxBytes / tied.length));
    const starts = new Uint32Array(tied.length + 1);
    const isCut = new Uint8Array(tied.length);
    let bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, tied.length * 32) + 1);
    let filled = 0;
    let count = 0;
    await read(tied, (row, value) => {
      const from = Math.min(value.to, value.from + offset[row]!);
      const limit = isMeasured(kinds[row]) ? Math.max(most, minMeasuredBytes) : most;
      const length = Math.min(limit, value.to - from);
      if (filled + length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, filled + length));
        bytes.copy(larger, 0, 0, filled);
        releaseBuffers(bytes);
        bytes = larger;
      }
      value.bytes.copy(bytes, filled, from, from + length);
      filled += length;
      isCut[count] = from + length < value.to ? 1 : 0;
      number[row] = count;
      count += 1;
      starts[count] = filled;
    });
    for (const [from, to] of openRuns(states)) {
      const run = sorted.subarray(from, to);
      const isCutOff = (row: number) => isCut[number[row]!] === 1;
      const isText = offset[run[0]!]! > 0 || run.some(isCutOff);
      const kind = isText ? kindText : kinds[run[0]!]!;
      const valuesOf = (one: number, other: number): TwoValues => {
        const [first, second] = [number[one]!, number[other]!];
        return [
          kind,
          bytes,
          starts[first]!,
          starts[first + 1]!,
          bytes,
          starts[second]!,
          starts[second + 1]!,
        ];
      };
      orderRun(run, states.subarray(from, to), valuesOf, isCutOff);
      for (const row of run) {
        const of = number[row]!;
        offset[row]! += starts[of + 1]! - starts[of]!;
      }
      if (budget.shouldYield((to - from) * 100)) {
        await budget.pause();
      }
    }
    releaseBuffers(tied, starts, isCut, bytes);
  }
}

/**
 * Sorts rows with equal keys by their values, as far as these are known, then in the order of the file.
 * @param states of these rows.
 * @param isCut whether only the beginning of a value is known.
 */
export function orderRun(
  run: Uint32Array,
  states: Uint8Array,
  valuesOf: (one: number, other: number) => TwoValues,
  isCut: (row: number) => boolean,
): void {
  const compare = (one: number, other: number) => compareValues(...valuesOf(one, other));
  const order = (one: number, other: number) => compare(one, other) || one - other;
  // Often the whole run is equal again and already in order.
  if (run.some((row, at) => at > 0 && order(run[at - 1]!, row) > 0)) {
    run.sort(order);
  }
  for (let at = 0; at < run.length;) {
    const first = at;
    let mayDiffer = false;
    do {
      mayDiffer ||= isCut(run[at]!);
      at += 1;
    } while (at < run.length && compare(run[first]!, run[at]!) === 0);
    states.fill(mayDiffer ? openValue : sameValue, first + 1, at);
    if (first > 0) {
      const isEqual = compareOrder(...valuesOf(run[first - 1]!, run[first]!)) === 0;
      states[first] = isEqual ? equalValue : startsValue;
    }
  }
}

/** From and to positions of open runs. The states of a run may change while iterating. */
export function* openRuns(states: Uint8Array): Generator<[number, number]> {
  for (let from = 0; from < states.length;) {
    let to = from + 1;
    while (to < states.length && states[to] === openValue) {
      to += 1;
    }
    if (to - from > 1) {
      yield [from, to];
    }
    from = to;
  }
}

/** The rows of all open runs, in ascending order. */
function openRows(sorted: Uint32Array, states: Uint8Array): Uint32Array {
  let count = 0;
  for (const [from, to] of openRuns(states)) {
    count += to - from;
  }
  const rows = new Uint32Array(count);
  let filled = 0;
  for (const [from, to] of openRuns(states)) {
    rows.set(sorted.subarray(from, to), filled);
    filled += to - from;
  }
  return rows.sort();
}
