import type { TableCallOptions, TableHandle } from '../engine/engine';
import { NoSqlError } from '../engine/query/noSqlError';
import type { SqlRequest } from '../engine/types';

/** The query of a table as SQL. @throws TableError */
export async function tableSql(
  table: Pick<TableHandle, 'call'>,
  request: SqlRequest,
  options: TableCallOptions = {},
): Promise<string> {
  const answer = await table.call('sql', request, options);
  if ('sql' in answer) {
    return answer.sql;
  }
  throw new NoSqlError(answer);
}
