import { compareOrder, compareValues, type TieLimits, type TwoValues } from './columnData';
import { isMeasured } from '../values/kinds';
import { equalValue, openValue, sameValue, startsValue } from './keySort';
import { releaseBuffers } from '../values/memory';
import type { YieldBudget } from '../values/yieldBudget';
import type { Value } from '../read/records/recordReader';

/** Reads the values of rows in ascending order. */
export type ReadRows = (
  rows: Uint32Array,
  visit: (row: number, value: Value) => void,
) => Promise<void>;

/** The fewest bytes that are read of each value. */
const minBytes = 8;
/** Numbers and dates are read completely up to this length, because a part of one has no value. */
const minMeasuredBytes = 1024;

/**
 * Sorts rows with equal keys by their texts, in bounded memory: each round reads as much of each
 * text as fits. After some rounds, hashes decide which texts are equal, so that groups are exact;
 * distinct texts keep the order of the file.
 */
export class Ties {
  /**
   * Set if there are too many texts and they are too long: texts that are equal in this many bytes
   * are not sorted.
   */
  comparedPrefixBytes: number | undefined;

  /**
   * @param kinds by row.
   * @param number and @param offset are memory of as many numbers as there are rows. `offset` holds
   *   the number of first bytes of each text that are equal within its run.
   */
  constructor(
    private readonly kinds: Uint8Array,
    private readonly number: Uint32Array,
    private readonly offset: Uint32Array,
    private readonly read: ReadRows,
    private readonly budget: YieldBudget,
    private readonly limits: TieLimits,
  ) {}

  /**
   * @param sorted rows in which the rows of each run are next to each other.
   * @param states by position: `startsValue`, `openValue` or `sameValue`. In the end, no state is `openValue`, and some
   *   are `equalValue`.
   */
  async order(sorted: Uint32Array, states: Uint8Array): Promise<void> {
    for (let round = 0; round < this.limits.rounds; round += 1) {
      if (!(await this.compareFurther(sorted, states))) {
        return;
      }
    }
    await this.separateByHash(sorted, states);
  }

  /** Reads further in all open runs and splits them. @returns whether any is still open */
  private async compareFurther(sorted: Uint32Array, states: Uint8Array): Promise<boolean> {
    const { number, offset, kinds } = this;
    const tied = openRows(sorted, states);
    if (tied.length === 0) {
      return false;
    }
    const most = Math.max(minBytes, Math.floor(this.limits.bytes / tied.length));
    const starts = new Uint32Array(tied.length + 1);
    const isCut = new Uint8Array(tied.length);
    let bytes = Buffer.allocUnsafeSlow(Math.min(this.limits.bytes, tied.length * 32) + 1);
    let filled = 0;
    let count = 0;
    await this.read(tied, (row, value) => {
      const from = Math.min(value.to, value.from + offset[row]!);
      const limit = this.isMeasured(row) ? Math.max(most, minMeasuredBytes) : most;
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
    let anyOpen = false;
    for (const [from, to] of openRuns(states)) {
      const run = sorted.subarray(from, to);
      if (this.isMeasured(run[0]!) && run.some((row) => isCut[number[row]!] === 1)) {
        anyOpen = true;
        run.sort();
        await this.pauseIfDue(to - from);
        continue;
      }
      const valuesOf = (one: number, other: number): TwoValues => {
        const [first, second] = [number[one]!, number[other]!];
        return [
          kinds[one]!,
          bytes,
          starts[first]!,
          starts[first + 1]!,
          bytes,
          starts[second]!,
          starts[second + 1]!,
        ];
      };
      const isOpen = orderRun(
        run,
        states.subarray(from, to),
        valuesOf,
        (row) => isCut[number[row]!] === 1,
      );
      anyOpen ||= isOpen;
      for (const row of run) {
        const of = number[row]!;
        offset[row]! += starts[of + 1]! - starts[of]!;
      }
      await this.pauseIfDue(to - from);
    }
    releaseBuffers(tied, starts, isCut, bytes);
    return anyOpen;
  }

  /** Compares hashes of the rest of the texts to find which rows of an open run are equal. */
  private async separateByHash(sorted: Uint32Array, states: Uint8Array): Promise<void> {
    const { number, offset } = this;
    const tied = openRows(sorted, states);
    const high = new Uint32Array(tied.length);
    const low = new Uint32Array(tied.length);
    let count = 0;
    await this.read(tied, (row, { bytes, from, to }) => {
      let [one, other] = [0x811c9dc5, 0x9747b28c];
      for (let at = from + offset[row]!; at < to; at += 1) {
        const byte = bytes[at]!;
        one = Math.imul(one ^ byte, 0x01000193);
        other = Math.imul((other << 13) | (other >>> 19), 0x5bd1e995) + byte;
      }
      high[count] = one ^ (to - from);
      low[count] = other;
      number[row] = count;
      count += 1;
    });
    const differ = (one: number, other: number) =>
      high[number[one]!]! - high[number[other]!]! || low[number[one]!]! - low[number[other]!]!;
    const firstOf = new Uint32Array(tied.length);
    for (const [from, to] of openRuns(states)) {
      const run = sorted.subarray(from, to).sort((one, other) => differ(one, other) || one - other);
      let first = run[0]!;
      let isDistinct = false;
      for (const row of run) {
        if (differ(first, row) !== 0) {
          first = row;
          isDistinct = true;
        }
        firstOf[number[row]!] = first;
      }
      run.sort((one, other) => firstOf[number[one]!]! - firstOf[number[other]!]! || one - other);
      for (let at = 1; at < run.length; at += 1) {
        const isSame = firstOf[number[run[at]!]!] === firstOf[number[run[at - 1]!]!];
        states[from + at] = isSame ? sameValue : startsValue;
      }
      if (isDistinct) {
        const compared = this.isMeasured(first) ? minMeasuredBytes : offset[first]!;
        this.comparedPrefixBytes = Math.min(this.comparedPrefixBytes ?? Infinity, compared);
      }
      await this.pauseIfDue(to - from);
    }
    releaseBuffers(tied, high, low, firstOf);
  }

  private isMeasured(row: number): boolean {
    return isMeasured(this.kinds[row]);
  }

  private async pauseIfDue(compared: number): Promise<void> {
    if (this.budget.shouldYield(compared * 100)) {
      await this.budget.pause();
    }
  }
}

/**
 * Sorts rows with equal keys by their values, as far as these are known, then in the order of the file.
 * @param states of these rows.
 * @param isCut whether only the beginning of a value is known.
 * @returns whether any row may still have the value of another one.
 */
export function orderRun(
  run: Uint32Array,
  states: Uint8Array,
  valuesOf: (one: number, other: number) => TwoValues,
  isCut: (row: number) => boolean,
): boolean {
  const compare = (one: number, other: number) => compareValues(...valuesOf(one, other));
  const order = (one: number, other: number) => compare(one, other) || one - other;
  // Often the whole run is equal again and already in order.
  if (run.some((row, at) => at > 0 && order(run[at - 1]!, row) > 0)) {
    run.sort(order);
  }
  let anyOpen = false;
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
    anyOpen ||= mayDiffer && at - first > 1;
  }
  return anyOpen;
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
