import {
  type DictionaryColumn,
  emptyRanks,
  firstValueCode,
  isBesidePrefix,
  SortKeyMaker,
  type TwoValues,
  type WideColumn,
} from './columnData';
import { isMeasured, kindEmptyText, kindNull, kindText } from '../values/kinds';
import { equalValue, openValue, sameValue, type SortedRows, sortRows } from './keySort';
import { releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import { openRuns, orderRun, orderTies, type ReadRows } from './ties';
import { wordKey } from '../../vocabulary/scale';
import { maxSeverities, findOrder } from '../../vocabulary/valueOrder';

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
   * If equal numbers, dates or ordered words are written in several ways: by rank, the first rank of
   * an equal value, for sorting. Groups compare values as written.
   */
  readonly equals?: Uint32Array;
  /** If the values are ordered words: these, by rank. */
  readonly words?: readonly string[];
  /**
   * The same by their positions in a list. Unknown words share a position, and rows without a value have the last.
   */
  readonly wordPositions?: Uint16Array;
  /**
   * Only for a wide column: the rows that have a value, in ascending order; equal values are in the
   * order of the file. No state is `openValue`, and a value that does not equal the previous one
   * `startsValue`.
   */
  readonly order?: SortedRows;
  /** All arrays that hold the memory. */
  readonly arrays: readonly ArrayBufferView[];
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
  const kinds = new Uint8Array(texts.count);
  const high = new Uint32Array(texts.count);
  const low = new Uint32Array(texts.count);
  const key = new SortKeyMaker();
  for (let number = 0; number < texts.count; number += 1) {
    const [kind, from, to] = [texts.kind(number), texts.from(number), texts.to(number)];
    kinds[number] = kind === kindText && from === to ? kindEmptyText : kind;
    key.set(kind, texts.bytes, from, to);
    high[number] = key.high;
    low[number] = key.low;
  }
  const order = sortRows({ kinds, high, low }, () => openValue);
  releaseBuffers(high, low);
  await budget.pause();
  const valuesOf = (one: number, other: number): TwoValues => [
    kinds[one]!,
    texts.bytes,
    texts.from(one),
    texts.to(one),
    texts.bytes,
    texts.from(other),
    texts.to(other),
  ];
  for (const [from, to] of openRuns(order.states)) {
    const run = order.rows.subarray(from, to);
    orderRun(run, order.states.subarray(from, to), valuesOf, () => false);
    if (budget.shouldYield((to - from) * 100)) {
      await budget.pause();
    }
  }
  const words = sortWords(column, name, order.rows);
  const { values, equals: measures } = valuesIn(order.states);
  const equals = words ? equalWords(words.words) : measures;
  const ranks = new Uint32Array(texts.count + firstValueCode);
  for (let code = 0; code < firstValueCode; code += 1) {
    ranks[code] = values + 1 + code;
  }
  rankRows(ranks.subarray(firstValueCode), kinds, order, values);
  releaseBuffers(order.rows, order.states, kinds);
  return { values, ranks, codes, ...words, ...equals, arrays: [ranks, ...Object.values(equals)] };
}

/** The position of rows without a value. */
const emptyPosition = 0xffff;

/**
 * Sorts the values of a column of ordered words.
 * @param sorted the numbers of the values; this array is sorted again. Of words with the same place, those with the
 * fewest rows come first, so that they come last in a descending sort.
 * @returns `undefined` if the values are not ordered words.
 */
function sortWords(
  { codes, texts }: DictionaryColumn,
  name: string,
  sorted: Uint32Array,
): Required<Pick<Ranks, 'words' | 'wordPositions'>> | undefined {
  const scale =
    texts.count <= maxSeverities
      ? findOrder(
          name,
          Array.from(sorted, (number) => texts.text(number)),
        )
      : undefined;
  if (!scale) {
    return undefined;
  }
  const counts = new Uint32Array(texts.count + firstValueCode);
  for (const code of codes) {
    counts[code]! += 1;
  }
  const keys = Array.from({ length: texts.count }, (_, number) => wordKey(texts.text(number)));
  const sizes = new Map<string, number>();
  keys.forEach((key, number) => {
    sizes.set(key, (sizes.get(key) ?? 0) + counts[number + firstValueCode]!);
  });
  const positions = keys.map((_, number) => scale.sortPositionOf(texts.text(number)));
  sorted.sort(
    (one, other) =>
      positions[one]! - positions[other]! ||
      (sizes.get(keys[one]!) ?? 0) - (sizes.get(keys[other]!) ?? 0) ||
      (keys[one]! < keys[other]! ? -1 : keys[one] === keys[other] ? 0 : 1),
  );
  const words = Array.from(sorted, (number) => texts.text(number));
  const places = words.map((word) => scale.positionOf(word) ?? Infinity);
  const distinct = [...new Set(places)].sort((one, other) => (one < other ? -1 : 1));
  const wordPositions = new Uint16Array(words.length + emptyRanks).fill(emptyPosition);
  wordPositions.set(places.map((place) => distinct.indexOf(place)));
  return { words, wordPositions };
}

/** Which words are the same but for their case and spaces: see `Ranks.equals`. */
function equalWords(words: readonly string[]): Pick<Ranks, 'equals'> {
  const keys = words.map(wordKey);
  if (new Set(keys).size === keys.length) {
    return {};
  }
  const equals = numbersTo(words.length + emptyRanks);
  keys.forEach((key, rank) => {
    if (rank > 0 && key === keys[rank - 1]) {
      equals[rank] = equals[rank - 1]!;
    }
  });
  return { equals };
}

/** How many values there are, and which equal others: see `Ranks.equals`. */
function valuesIn(states: Uint8Array): {
  readonly values: number;
  readonly equals: Pick<Ranks, 'equals'>;
} {
  let equals: Uint32Array | undefined;
  let same = 0;
  for (let at = 0; at < states.length; at += 1) {
    if (states[at] === sameValue) {
      same += 1;
    } else if (states[at] === equalValue) {
      equals ??= numbersTo(states.length + emptyRanks);
      equals[at - same] = equals[at - same - 1]!;
    }
  }
  const values = states.length - same;
  return { values, equals: equals ? { equals } : {} };
}

/**
 * Ranks the rows of a wide column. Consumes its keys.
 * @param read reads values of rows with equal keys. @param tieBytes see `orderTies`
 */
export async function rankWide(
  { kinds, high, low, isPlain, prefixLength }: WideColumn,
  budget: YieldBudget,
  read: ReadRows,
  tieBytes: number,
): Promise<Ranks> {
  const { rows: sorted, states } = sortRows({ kinds, high, low }, (kind) =>
    isPlain && isMeasured(kind) ? sameValue : openValue,
  );
  const anyTied = states.includes(openValue);
  await budget.pause();
  if (anyTied) {
    // The keys are no longer needed: their memory is reused to resolve ties.
    for (const row of sorted) {
      const hasPrefix = !isMeasured(kinds[row]) && !isBesidePrefix(high[row]!, low[row]!);
      low[row] = hasPrefix ? prefixLength : 0;
    }
    const tied = { kinds, number: high, offset: low };
    await orderTies(sorted, states, tied, read, budget, tieBytes);
  }
  const { values, equals } = valuesIn(states);
  let isRanked = false;
  const ranks = () => {
    if (!isRanked) {
      isRanked = true;
      rankRows(low, kinds, { rows: sorted, states }, values);
    }
    return low;
  };
  if (equals.equals) {
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
    ...equals,
    arrays: [low, sorted, states, ...Object.values(equals)],
  };
}

/** Writes the rank of each row, or of each distinct value. */
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

export function numbersTo(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let number = 0; number < count; number += 1) {
    numbers[number] = number;
  }
  return numbers;
}
