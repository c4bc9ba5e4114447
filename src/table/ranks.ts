import {
  compareValues,
  type DictionaryColumn,
  firstValueCode,
  isBesidePrefix,
  SortKeyMaker,
  type WideColumn,
} from './columnData';
import { kindDate, kindNull, kindNumber } from './kinds';
import { giveBack } from './memory';
import type { Pace } from './pace';
import { sortByKeys } from './radix';
import { type ReadRows, type TieLimits, Ties } from './ties';

/**
 * The place of each row's value among the distinct values of a column, in the order of sorting:
 * equal ranks are equal values. Null, missing and wrong have the three ranks from `values` on.
 */
export interface Ranks {
  readonly values: number;
  /** By code where there are `codes`, else by row. */
  readonly ranks: Uint32Array;
  readonly codes?: DictionaryColumn['codes'];
  /** Of a wide column: the rows that have a value, in ascending order; those of one value as in the file. */
  readonly order?: Uint32Array;
  /**
   * Where some values are too long, and too many alike: the bytes of which all were compared. Of those
   * alike in them, distinct ones have ranks as in the file.
   */
  readonly firstBytes?: number;
}

export function rankOfRow({ ranks, codes }: Ranks): (row: number) => number {
  return codes ? (row) => ranks[codes[row]!]! : (row) => ranks[row]!;
}

export async function rankDictionary(
  { codes, texts }: DictionaryColumn,
  pace: Pace,
): Promise<Ranks> {
  const { count } = texts;
  const kinds = new Uint8Array(count);
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  const key = new SortKeyMaker();
  for (let number = 0; number < count; number += 1) {
    kinds[number] = texts.kind(number);
    key.set(texts.kind(number), texts.bytes, texts.from(number), texts.to(number));
    high[number] = key.high;
    low[number] = key.low;
  }
  const sorted = sortByKeys(numbersTo(count), low, high, kinds);
  await pace.pause();
  for (const [from, to] of alike(sorted, kinds, high, low)) {
    const kind = kinds[sorted[from]!]!;
    sorted
      .subarray(from, to)
      .sort((one, other) =>
        compareValues(
          kind,
          texts.bytes,
          texts.from(one),
          texts.to(one),
          texts.bytes,
          texts.from(other),
          texts.to(other),
        ),
      );
    if (pace.isDue((to - from) * 100)) {
      await pace.pause();
    }
  }
  const ranks = new Uint32Array(count + firstValueCode);
  for (let code = 0; code < firstValueCode; code += 1) {
    ranks[code] = count + code;
  }
  sorted.forEach((number, rank) => {
    ranks[number + firstValueCode] = rank;
  });
  giveBack(sorted, kinds, high, low);
  return { values: count, ranks, codes };
}

/**
 * Uses up the column: its keys are not there any more.
 * @param read reads values of rows whose keys do not tell them apart.
 */
export async function rankWide(
  { kinds, high, low, isPlain, prefixLength }: WideColumn,
  pace: Pace,
  read: ReadRows,
  limits: TieLimits,
): Promise<Ranks> {
  const withValue = rowsWithValue(kinds);
  await pace.pause();
  const sorted = sortByKeys(withValue, low, high, kinds);
  await pace.pause();
  const isNumber = (row: number) => kinds[row] === kindNumber || kinds[row] === kindDate;
  // By position: 1 begins a value, 0 has that of the row before, 2 has perhaps.
  const states = new Uint8Array(sorted.length);
  let anyTied = false;
  for (let at = 0; at < sorted.length; at += 1) {
    const row = sorted[at]!;
    if (at === 0 || differs(kinds, high, low, sorted[at - 1]!, row)) {
      states[at] = 1;
    } else if (!(isPlain && isNumber(row))) {
      states[at] = 2;
      anyTied = true;
    }
  }
  let firstBytes: number | undefined;
  if (anyTied) {
    // The keys have told what they can: their memory serves to tell the rest.
    for (const row of sorted) {
      const hasPrefix = !isNumber(row) && !isBesidePrefix(high[row]!, low[row]!);
      low[row] = hasPrefix ? prefixLength : 0;
    }
    const ties = new Ties(kinds, high, low, read, pace, limits);
    await ties.order(sorted, states);
    ({ firstBytes } = ties);
  }
  const ranks = low;
  let values = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    values += states[at] === 1 ? 1 : 0;
    ranks[sorted[at]!] = values - 1;
  }
  for (let row = 0; row < kinds.length; row += 1) {
    if (kinds[row]! >= kindNull) {
      ranks[row] = values + kinds[row]! - kindNull;
    }
  }
  giveBack(high, states);
  return { values, ranks, order: sorted, ...(firstBytes !== undefined && { firstBytes }) };
}

/** Where items that keys do not tell apart stand: from and to positions. Order within is free. */
function* alike(
  sorted: Uint32Array,
  kinds: Uint8Array,
  high: Uint32Array,
  low: Uint32Array,
): Generator<[number, number]> {
  let from = 0;
  for (let at = 1; at <= sorted.length; at += 1) {
    if (at === sorted.length || differs(kinds, high, low, sorted[at - 1]!, sorted[at]!)) {
      if (at - from > 1) {
        yield [from, at];
      }
      from = at;
    }
  }
}

function rowsWithValue(kinds: Uint8Array): Uint32Array {
  let count = 0;
  for (const kind of kinds) {
    count += kind < kindNull ? 1 : 0;
  }
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < kinds.length; row += 1) {
    if (kinds[row]! < kindNull) {
      rows[at] = row;
      at += 1;
    }
  }
  return rows;
}

function differs(
  kinds: Uint8Array,
  high: Uint32Array,
  low: Uint32Array,
  one: number,
  other: number,
): boolean {
  return high[one] !== high[other] || low[one] !== low[other] || kinds[one] !== kinds[other];
}

export function numbersTo(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let number = 0; number < count; number += 1) {
    numbers[number] = number;
  }
  return numbers;
}
