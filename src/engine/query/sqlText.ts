import type { SqlDialect, SqlOrder, SqlPart } from '../types';
import { type SqlEngine, sqlEngines, type SqlSource } from './sqlEngines';

/** The statements that ask files a query. */
export function sqlText(
  dialect: SqlDialect,
  { selected, condition, groupedBy, order }: Omit<SqlPart, 'source' | 'columns'>,
  sources: readonly SqlSource[],
): string {
  const engine = sqlEngines[dialect];
  const { before, from } = engine.records(sources);
  const groups = selected.slice(0, groupedBy).map((_, at) => at + 1);
  const keys = [
    ...order.map((key) => ordered(key, engine)),
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

function ordered({ value, words, isDescending }: SqlOrder, engine: SqlEngine): string {
  const cases = words?.places.map(([word, place]) => `when ${engine.text(word)} then ${place}`);
  const key = cases ? `case ${value} ${cases.join(' ')} end` : value;
  return `${key} ${isDescending ? 'desc' : 'asc'} nulls last`;
}
