import { withoutInvisible } from '../../../base/text/visibleText';
import { message } from '../../../base/message';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import {
  type Cell,
  type Column,
  type ColumnId,
  listColumnFilters,
  maxDistinctValues,
  type Query,
  type TableHandle,
  type View,
} from '../../../engine';
import { checkScope, findColumn } from '../../../viewer/table/tableScope';
import { withRows } from '../../../viewer/table/writeTable';
import { parseNames, parseQuestion, rowLimit, type ToolInput } from './toolInput';

/*
 * The rows of a file for a language model: the same for the tools of chat and for the server of other agents.
 */

/** The most columns and UTF-16 units of a value that a model gets. */
const maxColumns = 30;
const maxTextLength = 300;

/**
 * The rows or groups that a model asks for, at most 50. Secret values are masked.
 * @throws UserError if the question cannot be answered, TableError
 */
export async function queryTable(
  table: TableHandle,
  input: ToolInput,
  signal: AbortSignal,
): Promise<unknown> {
  const { columns: allColumns } = await table.call('checked', {}, { signal });
  const asked = parseQuestion(input);
  // The type of a secret value is not told either, as the error of a filter for another type would.
  const unverified = allColumns.map((column) => ({ ...column, verified: false }));
  await refuseSecrets(table, checkScope(asked, unverified).query, allColumns, signal);
  const request = checkScope(asked, allColumns);
  const groupBy = [
    ...new Set(parseNames(input.groupBy).map((name) => findColumn(name, allColumns).id)),
  ];
  const count = rowLimit(input.limit);
  // A separate view: the user may be looking at another view of the same table.
  return withRows(
    table,
    { ...request.query, ...(groupBy.length > 0 && { groupBy }) },
    (view) => readPage(table, view, { count, groupBy, allColumns, columns: request.columns }),
    { signal },
  );
}

/**
 * Refuses queries that would reveal masked values piece by piece: the matching rows and their order depend on
 * them.
 * @throws UserError if a query filters or sorts by a column with such values, unless the filter is "empty" or
 *   "not empty".
 */
async function refuseSecrets(
  table: TableHandle,
  { filter, sort = [] }: Query,
  allColumns: readonly Column[],
  signal: AbortSignal,
): Promise<void> {
  const usedColumns = [
    ...(filter ? listColumnFilters(filter) : []).filter(
      ({ op }) => op !== 'present' && op !== 'empty',
    ),
    ...sort,
  ];
  for (const id of new Set(usedColumns.map(({ column }) => column))) {
    const column = allColumns.find((each) => each.id === id);
    if (column && (column.secret || (await hasMasked(table, column, signal)))) {
      throw new UserError(
        message(
          'Column "{0}" has secret values: filter it by = (empty) or != (not empty) only, and do not sort by it.',
          plainText(column.name, 60),
        ),
        'badRequest',
      );
    }
  }
}

/**
 * Whether any of the most frequent values of a column contains a secret, although the column has no secret
 * name.
 */
async function hasMasked(
  table: TableHandle,
  { id, type }: Column,
  signal: AbortSignal,
): Promise<boolean> {
  const isCsv = table.info.format.kind === 'csv';
  if (type !== 'mixed' && type !== (isCsv ? 'text' : 'json')) {
    return false;
  }
  const { values } = await table.call(
    'distinct',
    { column: id, limit: maxDistinctValues },
    { signal },
  );
  return values.some(({ cell }) => cell.masked);
}

async function readPage(
  table: TableHandle,
  view: View,
  {
    count,
    groupBy,
    allColumns,
    columns: selected,
  }: {
    readonly count: number;
    readonly groupBy: readonly ColumnId[];
    readonly allColumns: readonly Column[];
    readonly columns: readonly ColumnId[] | undefined;
  },
): Promise<unknown> {
  const range = { view: view.id, from: 0, count };
  if (view.groups !== undefined) {
    const { groups } = await table.call('groups', range);
    return {
      groups: groups.map(({ values, count: size }) => ({
        ...record(values, groupBy, allColumns),
        rows: size,
      })),
      totalGroups: view.groups,
      totalRows: view.rows,
    };
  }
  const columns = (selected ?? allColumns.map(({ id }) => id)).slice(0, maxColumns);
  const { rows } = await table.call('rows', { ...range, columns });
  const known = rows.flatMap(({ known: why }, at) =>
    why === undefined ? [] : [{ row: at + 1, why }],
  );
  return {
    rows: rows.map(({ cells }) => record(cells, columns, allColumns)),
    ...(known.length > 0 && { known }),
    totalRows: view.rows,
    ...(columns.length < allColumns.length && {
      allColumns: allColumns.map((column) => chooseName(column, allColumns)),
    }),
  };
}

/** A row as an object with the names of its columns; values that the row does not have are left out. */
function record(
  cells: readonly Cell[],
  columns: readonly ColumnId[],
  allColumns: readonly Column[],
): Record<string, string> {
  const entries = cells.flatMap(({ kind, text: value }, at) => {
    const column = allColumns.find(({ id }) => id === columns[at]);
    return !column || kind === 'missing' || kind === 'null'
      ? []
      : [[chooseName(column, allColumns), cut(value)] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The name of a column for a model. It is the id of the column if another column has the same name, or if the
 * name is `rows`, which is the number of rows of a group.
 */
function chooseName({ id, name }: Column, allColumns: readonly Column[]): string {
  const shown = withoutInvisible(name);
  const isShared = allColumns.some(
    (other) => other.id !== id && withoutInvisible(other.name) === shown,
  );
  return cut(isShared || name === 'rows' ? id : name);
}

function cut(value: string): string {
  return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}\u2026` : value;
}
