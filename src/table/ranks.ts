import {
  compareValues,
  type DictionaryColumn,
  firstValueCode,
  SortKeyMaker,
  type WideColumn,
} from './columnData';
import { kindDate, kindNull, kindNumber } from './kinds';
import type { Pace } from './pace';
import { sortByKeys } from './radix';

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
}

/** Texts of some rows, to tell apart those whose keys are alike. */
export interface RowTexts {
  readonly bytes: Buffer;
  from(row: number): number;
  to(row: number): number;
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
  return { values: count, ranks, codes };
}

/**
 * Uses up the column: its keys are not there any more.
 * @param read gives the texts of rows (ascending) whose keys do not tell them apart, of each as much
 *   as is kept.
 */
export async function rankWide(
  { kinds, high, low, isPlain }: WideColumn,
  pace: Pace,
  read: (rows: Uint32Array) => Promise<RowTexts>,
): Promise<Ranks> {
  const withValue = rowsWithValue(kinds);
  await pace.pause();
  const sorted = sortByKeys(withValue, low, high, kinds);
  await pace.pause();
  const isTold = (row: number) => isPlain && (kinds[row] === kindNumber || kinds[row] === kindDate);
  // Whether a row begins a value of its own, by position.
  const isNew = new Uint8Array(sorted.length);
  let tiedRows = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    isNew[at] = at === 0 || differs(kinds, high, low, sorted[at - 1]!, sorted[at]!) ? 1 : 0;
  }
  for (const [from, to] of alike(sorted, kinds, high, low)) {
    tiedRows += isTold(sorted[from]!) ? 0 : to - from;
  }
  if (tiedRows > 0) {
    const tied = new Uint32Array(tiedRows);
    let filled = 0;
    for (const [from, to] of alike(sorted, kinds, high, low)) {
      if (!isTold(sorted[from]!)) {
        tied.set(sorted.subarray(from, to), filled);
        filled += to - from;
      }
    }
    const texts = await read(tied.sort());
    for (const [from, to] of alike(sorted, kinds, high, low)) {
      const kind = kinds[sorted[from]!]!;
      if (isTold(sorted[from]!)) {
        continue;
      }
      const compare = (one: number, other: number) =>
        compareValues(
          ...([kind, texts.bytes, texts.from(one), texts.to(one)] as const),
          ...([texts.bytes, texts.from(other), texts.to(other)] as const),
        );
      const run = sorted
        .subarray(from, to)
        .sort((one, other) => compare(one, other) || one - other);
      for (let at = 1; at < run.length; at += 1) {
        isNew[from + at] = compare(run[at - 1]!, run[at]!) === 0 ? 0 : 1;
      }
      if (pace.isDue((to - from) * 100)) {
        await pace.pause();
      }
    }
  }
  // The keys have done their work: their memory takes the ranks.
  const ranks = low;
  let values = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    values += isNew[at]!;
    ranks[sorted[at]!] = values - 1;
  }
  for (let row = 0; row < kinds.length; row += 1) {
    if (kinds[row]! >= kindNull) {
      ranks[row] = values + kinds[row]! - kindNull;
    }
  }
  return { values, ranks, order: sorted };
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
