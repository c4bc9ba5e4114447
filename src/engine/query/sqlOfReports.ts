import { wordKey } from '../../base/text/orderedWords';
import type { SqlDialect, SqlOrder, SqlPart, SqlPlaces } from '../types';
import { orderOf } from '../values/roles';
import { dateColumn, table } from './sqlEngines';
import { sqlText } from './sqlText';

/** The part of a report in the SQL for several. */
export interface ReportPart {
  /** When the report was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly part: SqlPart;
}

/** Whether two files have the same query, so that one statement can ask both. */
export function isSameQuery(one: SqlPart, other: SqlPart): boolean {
  return textOf(one) === textOf(other);
}

/**
 * One query of reports with the same query, the newest first: each record has the date of its report. Their paths
 * and dates are written down because no name says of which kind a report is, or when it was made.
 * @param parts begin with the report whose table is shown.
 */
export function sqlOfReports(dialect: SqlDialect, parts: readonly ReportPart[]): string {
  const [shown] = parts;
  if (!shown) {
    throw new RangeError('There is no report.');
  }
  const sources = parts
    .toSorted((one, other) => other.madeAt - one.madeAt)
    .map(({ madeAt, part: { source } }) => ({ source, date: new Date(madeAt).toISOString() }));
  const byDate = { value: `${table}.${dateColumn}`, isDescending: true };
  const order = [byDate, ...shown.part.order.map((key) => withAllWords(key, parts))];
  return sqlText(dialect, { ...shown.part, order }, sources);
}

/** A sort key without the words, which differ. */
function textOf({ selected, condition, order }: SqlPart): string {
  const keys = order.map(({ value, words, isDescending }) => [value, words?.column, isDescending]);
  return JSON.stringify([selected, condition, keys]);
}

/** Words of all reports have their places in the list, or in the order of a sort. */
function withAllWords(key: SqlOrder, parts: readonly ReportPart[]): SqlOrder {
  if (!key.words) {
    return key;
  }
  const { column } = key.words;
  const columns = parts.flatMap(({ part }) => part.columns[column] ?? []);
  const words = [...new Set(columns.flatMap((each) => each.words ?? []))];
  const { name = '', words: shown = [] } = columns[0] ?? {};
  const scale = orderOf(name, shown);
  const isListed = parts.some(({ part }) => part.groupedBy > 0);
  const places = isListed
    ? placesOf(words, (word) => [scale?.positionOf(word) ?? Infinity, ''])
    : placesOf(words, (word) => [scale?.sortPositionOf(word) ?? 0, wordKey(word)]);
  return { ...key, words: { column, places } };
}

type SortKey = readonly [position: number, word: string];

/** Words with equal keys have the same place. */
function placesOf(words: readonly string[], keyOf: (word: string) => SortKey): SqlPlaces {
  const keyed = words.map((word) => ({ word, key: keyOf(word) })).sort(compareKeys);
  let place = 0;
  return keyed.map((each, at) => {
    const before = keyed[at - 1];
    place += before && compareKeys(before, each) !== 0 ? 1 : 0;
    return [each.word, place];
  });
}

interface Keyed {
  readonly key: SortKey;
}

function compareKeys({ key: [one, word] }: Keyed, { key: [other, otherWord] }: Keyed): number {
  const byWord = word < otherWord ? -1 : word === otherWord ? 0 : 1;
  return one === other ? byWord : one < other ? -1 : 1;
}
