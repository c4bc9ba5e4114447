import { compareOrder, compareValues, type TwoValues } from './columnData';
import { kindDate, kindNumber } from './kinds';
import { giveBack } from './memory';
import type { Pace } from './pace';
import type { Value } from './walker';

/** Reads the values of rows, which are in ascending order. */
export type ReadRows = (
  rows: Uint32Array,
  visit: (row: number, value: Value) => void,
) => Promise<void>;

export interface TieLimits {
  /** Bytes of texts that are held at a time. */
  readonly bytes: number;
  /** How often texts that differ, but late, are read on; each time is a walk through the file. */
  readonly rounds: number;
}

/** Whether an item begins a value, has that of the item before, or may have. */
export const begins = 1;
export const same = 0;
export const open = 2;
/** Open, and the first of those in a run that have one hash. */
const leads = 3;
/** Begins another way to write the number or date of the item before. */
export const equal = 4;

/** However many values are compared, so much is read of each at least; of a number or date more. */
const leastBytes = 8;
const leastNumberBytes = 64;

/**
 * Puts rows in order whose keys are alike, by their whole texts, in bounded memory: so much of each is
 * read at a time as fits. Where that does not tell all, hashes of what follows tell which are equal,
 * and only one row of each distinct value is read on.
 */
export class Ties {
  /** Bytes of which texts alike in them are not in order, where there are such: too many and too long. */
  firstBytes: number | undefined;

  /**
   * @param kinds by row.
   * @param number and @param offset are memory of as many numbers as there are rows. In `offset` are
   *   the bytes of each text that are known to be alike within its run.
   */
  constructor(
    private readonly kinds: Uint8Array,
    private readonly number: Uint32Array,
    private readonly offset: Uint32Array,
    private readonly read: ReadRows,
    private readonly pace: Pace,
    private readonly limits: TieLimits,
  ) {}

  /**
   * @param sorted rows, in which runs stand together.
   * @param states by position: `begins`, `open` or `same`. In the end none is open any more, and some are
   *   `equal`.
   */
  async order(sorted: Uint32Array, states: Uint8Array): Promise<void> {
    await this.compareOn(sorted, states);
    const tied = openRows(sorted, states);
    if (tied.length === 0) {
      return;
    }
    await this.hash(tied, sorted, states);
    const leaders: number[] = [];
    for (const [from, to] of openRuns(states)) {
      for (let at = from; at < to; at += 1) {
        if (at === from || states[at] === leads) {
          leaders.push(sorted[at]!);
        }
      }
    }
    await this.orderLeaders(Uint32Array.from(leaders), sorted, states);
  }

  /** Reads on of one row of each distinct value, until that tells them apart or there were enough rounds. */
  private async orderLeaders(
    leaders: Uint32Array,
    sorted: Uint32Array,
    states: Uint8Array,
  ): Promise<void> {
    const leaderStates = new Uint8Array(leaders.length);
    let filled = 0;
    for (const [from, to] of openRuns(states)) {
      leaderStates[filled] = begins;
      for (let at = from + 1; at < to; at += 1) {
        if (states[at] === leads) {
          filled += 1;
          leaderStates[filled] = open;
        }
      }
      filled += 1;
    }
    for (let round = 0; round < this.limits.rounds; round += 1) {
      if (!(await this.compareOn(leaders, leaderStates))) {
        break;
      }
    }
    for (const [from, to] of openRuns(leaderStates)) {
      for (let at = from; at < to; at += 1) {
        this.firstBytes = Math.min(this.firstBytes ?? Infinity, this.offset[leaders[at]!]!);
      }
    }
    leaders.forEach((row, at) => {
      this.number[row] = at;
    });
    const { number } = this;
    for (const [from, to] of openRuns(states)) {
      let leader = number[sorted[from]!]!;
      for (let at = from; at < to; at += 1) {
        leader = states[at] === leads ? number[sorted[at]!]! : leader;
        number[sorted[at]!] = leader;
      }
      const run = sorted
        .subarray(from, to)
        .sort((one, other) => number[one]! - number[other]! || one - other);
      for (let at = 1; at < run.length; at += 1) {
        const place = number[run[at]!]!;
        states[from + at] =
          place === number[run[at - 1]!] ? same : leaderStates[place] === equal ? equal : begins;
      }
      await this.breathe(to - from);
    }
  }

  /** Reads on in all open runs and parts them by it. @returns whether any is open still. */
  private async compareOn(sorted: Uint32Array, states: Uint8Array): Promise<boolean> {
    const { number, offset, kinds } = this;
    const tied = openRows(sorted, states);
    if (tied.length === 0) {
      return false;
    }
    const most = Math.max(leastBytes, Math.floor(this.limits.bytes / tied.length));
    const starts = new Uint32Array(tied.length + 1);
    const isCut = new Uint8Array(tied.length);
    let bytes = Buffer.allocUnsafeSlow(Math.min(this.limits.bytes, tied.length * 32) + 1);
    let filled = 0;
    let count = 0;
    await this.read(tied, (row, value) => {
      const from = Math.min(value.to, value.from + offset[row]!);
      const wanted = this.isNumber(row) ? Math.max(most, leastNumberBytes) : most;
      const length = Math.min(wanted, value.to - from);
      if (filled + length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, filled + length));
        bytes.copy(larger, 0, 0, filled);
        giveBack(bytes);
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
      const isNumber = this.isNumber(run[0]!);
      if (isNumber && run.some((row) => isCut[number[row]!] === 1)) {
        // A part of a number tells nothing.
        anyOpen = true;
        run.sort();
        await this.breathe(to - from);
        continue;
      }
      const kind = kinds[run[0]!]!;
      const both = (one: number, other: number): TwoValues => {
        const [first, second] = [number[one]!, number[other]!];
        return [
          ...([kind, bytes, starts[first]!, starts[first + 1]!] as const),
          ...([bytes, starts[second]!, starts[second + 1]!] as const),
        ];
      };
      const compare = (one: number, other: number) => compareValues(...both(one, other));
      run.sort((one, other) => compare(one, other) || one - other);
      for (let at = 0; at < run.length;) {
        const first = at;
        let mayDiffer = false;
        do {
          mayDiffer ||= isCut[number[run[at]!]!] === 1;
          at += 1;
        } while (at < run.length && compare(run[first]!, run[at]!) === 0);
        states.fill(mayDiffer ? open : same, from + first + 1, from + at);
        if (first > 0) {
          const isEqual = isNumber && compareOrder(...both(run[first - 1]!, run[first]!)) === 0;
          states[from + first] = isEqual ? equal : begins;
        }
        anyOpen ||= mayDiffer && at - first > 1;
      }
      for (const row of run) {
        const of = number[row]!;
        offset[row]! += starts[of + 1]! - starts[of]!;
      }
      await this.breathe(to - from);
    }
    giveBack(tied, starts, isCut, bytes);
    return anyOpen;
  }

  /** Puts the rows of open runs by the hashes of what was not compared; runs of one hash are equal. */
  private async hash(tied: Uint32Array, sorted: Uint32Array, states: Uint8Array): Promise<void> {
    const { number, offset } = this;
    const high = new Uint32Array(tied.length);
    const low = new Uint32Array(tied.length);
    const common = this.commonStarts(sorted, states);
    let count = 0;
    await this.read(tied, (row, value) => {
      const { bytes, from, to } = value;
      common.look(number[row]!, value, from + offset[row]!);
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
    let runs = 0;
    for (const [from, to] of openRuns(states)) {
      // What all of the run have in common need not be read again.
      const known = this.isNumber(sorted[from]!) ? 0 : common.lengths[runs]!;
      runs += 1;
      for (let at = from; at < to; at += 1) {
        offset[sorted[at]!]! += known;
      }
      const run = sorted.subarray(from, to).sort((one, other) => differ(one, other) || one - other);
      let leaders = 1;
      for (let at = 1; at < run.length; at += 1) {
        const isLeader = differ(run[at - 1]!, run[at]!) !== 0;
        states[from + at] = isLeader ? leads : open;
        leaders += isLeader ? 1 : 0;
      }
      if (leaders === 1) {
        run.sort();
        states.fill(same, from + 1, to);
      }
      await this.breathe(to - from);
    }
    giveBack(tied, high, low, common.lengths, common.starts);
  }

  /** Finds what the texts of each run begin with; gives each row the number of its run. */
  private commonStarts(sorted: Uint32Array, states: Uint8Array): CommonStarts {
    let runs = 0;
    for (const [from, to] of openRuns(states)) {
      for (let at = from; at < to; at += 1) {
        this.number[sorted[at]!] = runs;
      }
      runs += 1;
    }
    return new CommonStarts(runs, Math.max(leastBytes, Math.floor(this.limits.bytes / runs)));
  }

  private isNumber(row: number): boolean {
    return this.kinds[row] === kindNumber || this.kinds[row] === kindDate;
  }

  private async breathe(compared: number): Promise<void> {
    if (this.pace.isDue(compared * 100)) {
      await this.pace.pause();
    }
  }
}

/** Up to this far the beginnings of texts are compared that are all alike. */
const mostCommon = 64 * 1024;

/** What all texts of a run begin with, found while they come by in any order. */
class CommonStarts {
  readonly lengths: Uint32Array;
  /** The beginning of the first text of each run. */
  readonly starts: Buffer;
  private readonly most: number;

  constructor(runs: number, most: number) {
    this.most = Math.min(most, mostCommon);
    this.lengths = new Uint32Array(runs).fill(unseen);
    this.starts = Buffer.allocUnsafeSlow(runs * this.most);
  }

  look(run: number, { bytes, to }: Value, from: number): void {
    const { starts, lengths, most } = this;
    const at = run * most;
    if (lengths[run] === unseen) {
      const length = Math.min(most, Math.max(0, to - from));
      bytes.copy(starts, at, from, from + length);
      lengths[run] = length;
      return;
    }
    const limit = Math.min(lengths[run]!, Math.max(0, to - from));
    let length = 0;
    while (length < limit && starts[at + length] === bytes[from + length]) {
      length += 1;
    }
    lengths[run] = length;
  }
}

const unseen = 0xffff_ffff;

/** From and to positions of runs that are open. The states of a run may be changed meanwhile. */
function* openRuns(states: Uint8Array): Generator<[number, number]> {
  for (let from = 0; from < states.length;) {
    let to = from + 1;
    while (to < states.length && (states[to] === open || states[to] === leads)) {
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
