import { maxNamedWords, scaleOf } from '../../base/text/orderedWords';
import {
  compareOrder,
  compareValues,
  type DictionaryColumn,
  emptyRanks,
  firstValueCode,
  isBesidePrefix,
  SortKeyMaker,
  type TieLimits,
  type TwoValues,
  type WideColumn,
} from './columnData';
import type { Texts } from '../values/texts';
import { isMeasured, kindEmptyText, kindNull, kindText } from '../values/kinds';
import { type SortedRows, sortRows } from './keySort';
import { releaseBuffers } from '../values/memory';
import type { YieldBudget } from '../values/yieldBudget';
import { sortByKeys } from './radix';
import { equalValue, openValue, type ReadRows, sameValue, Ties } from './ties';

/**
 * The rank of each row's value among the distinct values of a column, in sort order: equal ranks
 * are values written the same. Empty texts, null, missing and invalid have the four ranks that
 * start at `values`, which does not count them.
 */
export interface Ranks {
  readonly values: number;
  /**
   * By code if there are `codes`, otherwise by row. Ranks by row are calculated when they are first
   * read, because a sort by only this column does not need them.
   */
  readonly ranks: Uint32Array;
  readonly codes?: DictionaryColumn['codes'];
  /**
   * If equal numbers or dates are written in several ways: by rank, the first rank of an equal
   * value, for sorting. Groups compare values as written.
   */
  readonly equals?: Uint32Array;
  /**
   * If the values are ordered words: by rank, their positions in a list. Known words come first;
   * unknown words share the position after them, and rows without a value have the last position.
   */
  readonly wordPositions?: Uint8Array;
  /**
   * Only for a wide column: the rows that have a value, in ascending order; equal values are in the
   * order of the file. No state is `openValue`, and a value that does not equal the previous one
   * `startsValue`.
   */
  readonly order?: SortedRows;
  /**
   * Set if some values are too long, and too many are alike: the bytes that were compared. Distinct
   * values that are equal in these bytes are ranked in the order of the file.
   */
  readonly comparedPrefixBytes?: number;
  /** All arrays that hold the memory. */
  readonly arrays: readonly ArrayBufferView[];
}

/** A word of a column whose values are ordered words. */
export interface OrderedWord {
  readonly text: string;
  readonly rank: number;
  /** See `Ranks.wordPositions`. */
  readonly position: number;
}

/** The rank that distinguishes values as written. */
export function rankOfRow({ ranks, codes }: Ranks): (row: number) => number {
  return codes ? (row) => ranks[codes[row]!]! : (row) => ranks[row]!;
}

/** The rank for sorting: the same for all equal values. */
export function sortRankOfRow(of: Ranks): (row: number) => number {
  const { equals } = of;
  const rankOf = rankOfRow(of);
  return equals ? (row) => equals[rankOf(row)]! : rankOf;
}

/** @param name the name of the column: some names show that its values are ordered words. */
export async function rankDictionary(
  column: DictionaryColumn,
  name: string,
  budget: YieldBudget,
): Promise<Ranks> {
  const { codes, texts } = column;
  const { count } = texts;
  const kinds = new Uint8Array(count);
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  const key = new SortKeyMaker();
  for (let number = 0; number < count; number += 1) {
    kinds[number] = isEmptyText(texts, number) ? kindEmptyText : texts.kind(number);
    key.set(texts.kind(number), texts.bytes, texts.from(number), texts.to(number));
    high[number] = key.high;
    low[number] = key.low;
  }
  const sorted = sortByKeys(numbersTo(count), low, high, kinds);
  await budget.pause();
  const equals = new EqualRanks(count);
  for (const [from, to] of equalKeyRuns(sorted, kinds, high, low)) {
    const kind = kinds[sorted[from]!]!;
    const both = (one: number, other: number): TwoValues => [
      kind,
      texts.bytes,
      texts.from(one),
      texts.to(one),
      texts.bytes,
      texts.from(other),
      texts.to(other),
    ];
    sorted.subarray(from, to).sort((one, other) => compareValues(...both(one, other)));
    for (let rank = from + 1; rank < to; rank += 1) {
      if (compareOrder(...both(sorted[rank - 1]!, sorted[rank]!)) === 0) {
        equals.add(rank);
      }
    }
    if (budget.shouldYield((to - from) * 100)) {
      await budget.pause();
    }
  }
  const wordPositions = wordPositionsOf(column, name, sorted);
  const last = sorted.at(-1);
  const values = last !== undefined && isEmptyText(texts, last) ? count - 1 : count;
  const ranks = new Uint32Array(count + firstValueCode);
  for (let code = 0; code < firstValueCode; code += 1) {
    ranks[code] = values + 1 + code;
  }
  sorted.forEach((number, rank) => {
    ranks[number + firstValueCode] = rank;
  });
  releaseBuffers(sorted, kinds, high, low);
  const { found } = equals;
  return {
    values,
    ranks,
    codes,
    ...(wordPositions ? { wordPositions } : found),
    arrays: [ranks, ...Object.values(found)],
  };
}

function isEmptyText(texts: Texts, number: number): boolean {
  return texts.kind(number) === kindText && texts.to(number) === texts.from(number);
}

/** The positions of unknown words, and of rows without a value. */
const unknownPosition = 254;
const emptyPosition = 255;

/**
 * Sorts the values of a column of ordered words.
 * @param sorted the numbers of the values in any order; this array is sorted again. Unknown words
 * come first, those with the fewest rows before the others, so that they come last in a descending
 * sort. An empty text comes last.
 * @returns see `Ranks.wordPositions`; `undefined` if the values are not ordered words.
 */
function wordPositionsOf(
  { codes, texts }: DictionaryColumn,
  name: string,
  sorted: Uint32Array,
): Uint8Array | undefined {
  if (texts.count > maxNamedWords) {
    return undefined;
  }
  const words = Array.from({ length: texts.count }, (_, number) => texts.text(number));
  const scale = scaleOf(name, words);
  if (!scale) {
    return undefined;
  }
  const sizes = new Uint32Array(texts.count + firstValueCode);
  for (const code of codes) {
    sizes[code]! += 1;
  }
  const sortPositions = words.map((word) => scale.sortPositionOf(word));
  sorted.sort(
    (one, other) =>
      Number(words[one] === '') - Number(words[other] === '') ||
      sortPositions[one]! - sortPositions[other]! ||
      (sortPositions[one]! < 0 ? sizes[one + firstValueCode]! - sizes[other + firstValueCode]! : 0),
  );
  const positions = new Uint8Array(texts.count + emptyRanks).fill(emptyPosition);
  sorted.forEach((number, rank) => {
    if (words[number] !== '') {
      positions[rank] = scale.positionOf(words[number]!) ?? unknownPosition;
    }
  });
  return positions;
}

/** Collects ranks whose value equals that of the previous rank. */
class EqualRanks {
  private equals: Uint32Array | undefined;

  /** @param values how many ranks of values there may be; the ranks of rows without a value follow. */
  constructor(private readonly values: number) {}

  get found(): Pick<Ranks, 'equals'> {
    return this.equals ? { equals: this.equals } : {};
  }

  /** Call it with ranks in ascending order. */
  add(rank: number): void {
    this.equals ??= numbersTo(this.values + emptyRanks);
    this.equals[rank] = this.equals[rank - 1]!;
  }
}

/**
 * Ranks the rows of a wide column. Consumes its keys.
 * @param read reads values of rows with equal keys.
 */
export async function rankWide(
  { kinds, high, low, isPlain, prefixLength }: WideColumn,
  budget: YieldBudget,
  read: ReadRows,
  limits: TieLimits,
): Promise<Ranks> {
  const { rows: sorted, states } = sortRows({ kinds, high, low }, (kind) =>
    isPlain && isMeasured(kind) ? sameValue : openValue,
  );
  const anyTied = states.includes(openValue);
  await budget.pause();
  let comparedPrefixBytes: number | undefined;
  if (anyTied) {
    // The keys are no longer needed: their memory is reused to resolve ties.
    for (const row of sorted) {
      const hasPrefix = !isMeasured(kinds[row]) && !isBesidePrefix(high[row]!, low[row]!);
      low[row] = hasPrefix ? prefixLength : 0;
    }
    const ties = new Ties(kinds, high, low, read, budget, limits);
    await ties.order(sorted, states);
    ({ comparedPrefixBytes } = ties);
  }
  const equals = new EqualRanks(sorted.length);
  let values = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    values += states[at] === sameValue ? 0 : 1;
    if (states[at] === equalValue) {
      equals.add(values - 1);
    }
  }
  let isRanked = false;
  const ranks = () => {
    if (!isRanked) {
      isRanked = true;
      rankRows(low, kinds, { rows: sorted, states }, values);
    }
    return low;
  };
  const { found } = equals;
  if (found.equals) {
    // Ranks are calculated first: sortEqualRuns loses the order of equal values that are written
    // differently.
    ranks();
    sortEqualRuns(sorted, states);
  }
  releaseBuffers(high);
  return {
    values,
    get ranks() {
      return ranks();
    },
    order: { rows: sorted, states },
    ...found,
    ...(comparedPrefixBytes !== undefined && { comparedPrefixBytes }),
    arrays: [low, sorted, states, ...Object.values(found)],
  };
}

/** Writes the rank of each row of a wide column. */
function rankRows(
  ranks: Uint32Array,
  kinds: Uint8Array,
  { rows, states }: SortedRows,
  values: number,
): void {
  let started = 0;
  for (let at = 0; at < rows.length; at += 1) {
    started += states[at] === sameValue ? 0 : 1;
    ranks[rows[at]!] = started - 1;
  }
  if (rows.length < kinds.length) {
    for (let row = 0; row < kinds.length; row += 1) {
      if (kinds[row]! >= kindNull) {
        ranks[row] = values + (kinds[row] === kindEmptyText ? 0 : 1 + kinds[row]! - kindNull);
      }
    }
  }
}

/** Sorts rows with equal values that are written in different ways into the order of the file. */
function sortEqualRuns(sorted: Uint32Array, states: Uint8Array): void {
  for (let from = 0; from < sorted.length;) {
    let to = from + 1;
    let isMixed = false;
    while (states[to] === sameValue || states[to] === equalValue) {
      isMixed ||= states[to] === equalValue;
      to += 1;
    }
    if (isMixed) {
      sorted.subarray(from, to).sort();
    }
    from = to;
  }
}

/** The ranges of items with equal keys, whose order is not decided yet: from (inclusive) to (exclusive). */
function* equalKeyRuns(
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
