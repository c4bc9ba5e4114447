import { message } from '../../base/message';
import { UserError } from '../../base/userError';
import type { ArgumentOf } from '../../commands';
import {
  type Column,
  type ColumnId,
  type Filter,
  parseColumnFilter,
  type Query,
} from '../../engine';
import { faultMessages } from '../../vocabulary/filterFaults';

/** The rows and columns of a table that a program gets. */
export interface TableScope {
  readonly query: Query;
  /** Absent: all. */
  readonly columns?: readonly ColumnId[];
}

/** The rows and columns that a program requests: columns by name or ID; without `columns`, all. */
export type ScopeRequest = Pick<ArgumentOf<'scorecard.exportTable'>, 'filter' | 'sort' | 'columns'>;

/** Names each column once. @throws UserError for an unknown column or an invalid filter. */
export function checkScope(
  { filter, sort, columns }: ScopeRequest,
  tableColumns: readonly Column[],
): TableScope {
  const conditions = (filter ?? []).flatMap(({ column: name, text }): Filter[] => {
    const parsed = parseColumnFilter(text, findColumn(name, tableColumns));
    if ('fault' in parsed) {
      const why = faultMessages[parsed.fault];
      throw new UserError(
        message('The filter "{0}" of {1} does not apply. {2}', text, name, why),
        'badRequest',
      );
    }
    return parsed.filter ? [parsed.filter] : [];
  });
  return {
    query: {
      ...(conditions.length > 0 && { filter: { op: 'and', of: conditions } }),
      ...(sort?.length && {
        sort: sort.map(({ column, descending = false }) => ({
          column: findColumn(column, tableColumns).id,
          descending,
        })),
      }),
    },
    ...(columns?.length && {
      columns: [...new Set(columns.map((name) => findColumn(name, tableColumns).id))],
    }),
  };
}

/** The column with this name or ID. @throws UserError if there is none, or several have the name. */
export function findColumn(name: string, columns: readonly Column[]): Column {
  const named = columns.filter((column) => column.name === name);
  const found = columns.find(({ id }) => id === name) ?? named[0];
  if (!found) {
    throw new UserError(
      message('The table has no column "{0}". Enter the name of one of its columns.', name),
      'badRequest',
    );
  }
  if (named.length > 1 && found.id !== name) {
    const ids = named.map(({ id }) => id).join(', ');
    throw new UserError(
      message('Several columns have the name "{0}". Enter one of their IDs: {1}.', name, ids),
      'badRequest',
    );
  }
  return found;
}
