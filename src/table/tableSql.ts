import { maxNamedWords } from '../base/text/orderedWords';
import type { TableCallOptions, TableHandle } from '../engine/engine';
import { comparedColumns, sqlOf, wordsAmong } from '../engine/query/sql';
import type { ColumnId, Query, SqlDialect } from '../engine/types';

type Table = Pick<TableHandle, 'call'>;

/** What is written as SQL. */
interface SqlRequest {
  readonly dialect: SqlDialect;
  readonly query: Query;
  readonly columns: readonly ColumnId[];
}

/** The query of a table as SQL. @throws TableError */
export async function tableSql(
  table: Table,
  path: string,
  { dialect, query, columns }: SqlRequest,
  options: TableCallOptions = {},
): Promise<string> {
  const info = await table.call('checked', {}, options);
  const words = new Map<ColumnId, readonly string[]>();
  const ordered = [...(query.sort ?? []).map(({ column }) => column), query.groupBy?.[0]];
  for (const column of ordered) {
    if (column !== undefined) {
      const limit = maxNamedWords + 1;
      const { values, total } = await table.call('distinct', { column, limit }, options);
      words.set(column, total < limit ? wordsAmong(values) : []);
    }
  }
  const shown = query.groupBy && query.groupBy.length > 0 ? [] : columns;
  const compared = comparedColumns(query);
  const facts = await table.call('sqlFacts', { shown, compared }, options);
  return sqlOf(dialect, { path, info, facts, words }, query, columns);
}
