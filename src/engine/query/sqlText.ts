import type { SqlDialect, SqlOrder, SqlPart } from '../data/sqlParts';
import { dateColumn, type SqlEngine, sqlEngines, type SqlSource, table } from './sqlEngines';
import { wordKey } from '../../vocabulary/scale';
import { findOrder } from '../../vocabulary/valueOrder';

/** The part of a report in the SQL for several. */
export interface ReportPart {
  /** When the report was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly part: SqlPart;
}

/** Whether two files have the same query, so that one statement can ask both. */
export function isSameQuery(one: SqlPart, other: SqlPart): boolean {
  const textOf = ({ selected, condition, order }: SqlPart) =>
    JSON.stringify([selected, condition, order]);
  return textOf(one) === textOf(other);
}

/** A query of one file. */
export function sqlOfFile(dialect: SqlDialect, part: SqlPart): string {
  return sqlText(dialect, [part], [{ source: part.source }], []);
}

/**
 * One query of reports with the same query, the newest first: each record has the date of its report. Their paths
 * and dates are written down because no name says of which kind a report is, or when it was made.
 * @param reports begin with the report whose table is shown.
 */
export function sqlOfReports(dialect: SqlDialect, reports: readonly ReportPart[]): string {
  const sources = reports
    .toSorted((one, other) => other.madeAt - one.madeAt)
    .map(({ madeAt, part: { source } }) => ({ source, date: new Date(madeAt).toISOString() }));
  const byDate = { value: `${table}.${dateColumn}`, isDescending: true };
  const parts = reports.map(({ part }) => part);
  return sqlText(dialect, parts, sources, [byDate]);
}

/** The statements that ask files a query. */
function sqlText(
  dialect: SqlDialect,
  parts: readonly SqlPart[],
  sources: readonly SqlSource[],
  firstOrder: readonly SqlOrder[],
): string {
  const [shown] = parts;
  if (!shown) {
    throw new RangeError('There is no file.');
  }
  const { selected, condition, groupedBy, order } = shown;
  const engine = sqlEngines[dialect];
  const { before, from } = engine.records(sources);
  const groups = selected.slice(0, groupedBy).map((_, at) => at + 1);
  const keys = [
    ...[...firstOrder, ...order].map((key) => ordered(key, parts, engine)),
    ...(groupedBy > 0 ? ['count(*) desc'] : []),
  ];
  const clauses = [
    `select\n  ${selected.join(',\n  ')}`,
    `from ${from}`,
    ...(condition === undefined ? [] : [`where ${condition}`]),
    ...(groupedBy > 0 ? [`group by ${groups.join(', ')}`] : []),
    ...(keys.length > 0 ? [`order by\n  ${keys.join(',\n  ')}`] : []),
  ];
  return `${engine.setting}${before}${clauses.join('\n')};\n`;
}

function ordered(key: SqlOrder, parts: readonly SqlPart[], engine: SqlEngine): string {
  const cases = wordPlaces(key, parts).map(
    ([word, place]) => `when ${engine.text(word)} then ${place}`,
  );
  const value = cases.length > 0 ? `case ${key.value} ${cases.join(' ')} end` : key.value;
  return `${value} ${key.isDescending ? 'desc' : 'asc'} nulls last`;
}

/**
 * The places of the words of all files: in the order of a list if there are groups, where unknown words are equal, or
 * else in that of a sort, where words are equal if they differ only in case and spaces. None for other values.
 */
function wordPlaces({ wordsOf }: SqlOrder, parts: readonly SqlPart[]): [string, number][] {
  if (wordsOf === undefined) {
    return [];
  }
  const columns = parts.flatMap(({ columns: all }) => all[wordsOf] ?? []);
  const words = [...new Set(columns.flatMap(({ words: own = [] }) => own))];
  const { name = '', words: shown = [] } = columns[0] ?? {};
  const scale = findOrder(name, shown);
  const isListed = parts.some(({ groupedBy }) => groupedBy > 0);
  const spellings = words.map(wordKey);
  const placed = words
    .map((word, at) => ({
      word,
      position: (isListed ? scale?.positionOf(word) : scale?.sortPositionOf(word)) ?? Infinity,
      spelling: isListed ? 0 : spellings.indexOf(spellings[at]!),
    }))
    .sort((one, other) =>
      one.position === other.position
        ? one.spelling - other.spelling
        : one.position - other.position,
    );
  let place = 0;
  return placed.map(({ word, position, spelling }, at) => {
    const before = placed[at - 1];
    place += before && (before.position !== position || before.spelling !== spelling) ? 1 : 0;
    return [word, place];
  });
}
