import { systemClock } from '../../../base/events/clock';
import { withoutInvisible } from '../../../base/text/visibleText';
import { message } from '../../../base/message';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import {
  type Cell,
  type Column,
  type ColumnId,
  type Filter,
  listColumnFilters,
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
 * The rows or groups that a model asks for, at most 50. Secret values are masked, and no column that has any decides which
 * rows there are, in which order or in which groups.
 * @throws UserError if the question cannot be answered, TableError
 */
export async function queryTable(
  table: Pick<TableHandle, 'call'>,
  input: ToolInput,
  signal: AbortSignal,
): Promise<unknown> {
  const { columns: allColumns, invalidRows } = await table.call('checked', {}, { signal });
  const asked = parseQuestion(input);
  const groupBy = [
    ...new Set(parseNames(input.groupBy).map((name) => findColumn(name, allColumns).id)),
  ];
  // The type of a secret value is not told either, as the error of a filter for another type would.
  const unverified = allColumns.map((column) => ({ ...column, verified: false }));
  const { query: read } = checkScope(asked, unverified);
  const hidesInvalid = await refuseSecrets(table, { ...read, groupBy }, allColumns, signal);
  const request = checkScope(asked, allColumns);
  const count = rowLimit(input.limit);
  const { sort } = request.query;
  const filter = withExploited(
    request.query.filter,
    input.exploited === true ? await exploitedFilter(table, signal) : undefined,
  );
  const isWhole = !filter && !sort && groupBy.length === 0;
  const leavesOut = hidesInvalid && !isWhole;
  const query = {
    ...request.query,
    ...(filter && { filter }),
    ...(leavesOut && {
      filter: { op: 'and', of: [...(filter ? [filter] : []), isValid] } as const,
    }),
    ...(groupBy.length > 0 && { groupBy }),
  };
  // A separate view: the user may be looking at another view of the same table.
  const page = await withRows(
    table,
    query,
    (view) => readPage(table, view, { count, groupBy, allColumns, columns: request.columns }),
    { signal },
  );
  return { ...page, ...(leavesOut && { notCounted: { invalidRows } }) };
}

/** What the overview counts as exploited by attackers. */
async function exploitedFilter(
  table: Pick<TableHandle, 'call'>,
  signal: AbortSignal,
): Promise<Filter> {
  const params = { now: systemClock.now(), scope: 'open' } as const;
  const { exploited = [] } = await table.call('readOverview', params, { signal });
  const { columns } = await table.call(
    'masked',
    { columns: exploited.flatMap(({ column }) => column ?? []) },
    { signal },
  );
  const known = exploited.filter(
    ({ sign, column }) => sign === 'known' && (column === undefined || !columns.includes(column)),
  );
  return { op: 'or', of: known.flatMap(({ filter }) => filter ?? []) };
}

function withExploited(filter: Filter | undefined, exploited: Filter | undefined) {
  return filter && exploited
    ? ({ op: 'and', of: [filter, exploited] } as const)
    : (filter ?? exploited);
}

const isValid: Filter = { op: 'not', of: { op: 'invalid' } };

/**
 * Refuses queries that would reveal masked values piece by piece, as the matching rows, their order, and the sizes and
 * the order of groups depend on the values of a column. The engine looks at the values of all rows for it, with what
 * masks them where they are shown, so a column is refused if a single value of it is masked, even in part.
 * @param query with the conditions on columns; there are none on all of them.
 * @returns whether rows that are not valid CSV have to be left out, because all of their columns are masked.
 * @throws UserError if a query filters, sorts or groups by a column with such values, unless the filter is "empty" or
 *   "not empty".
 */
async function refuseSecrets(
  table: Pick<TableHandle, 'call'>,
  { filter, sort = [], groupBy = [] }: Query,
  allColumns: readonly Column[],
  signal: AbortSignal,
): Promise<boolean> {
  const compared = (filter ? listColumnFilters(filter) : []).filter(
    ({ op }) => op !== 'present' && op !== 'empty',
  );
  const used = new Set([...[...compared, ...sort].map(({ column }) => column), ...groupBy]);
  const { columns, hidesInvalid } = await table.call('masked', { columns: [...used] }, { signal });
  const masked = allColumns.find(({ id }) => columns.includes(id));
  if (masked) {
    throw new UserError(
      message(
        'Column "{0}" has secret values: filter it by = (empty) or != (not empty) only, and do not sort or group by it.',
        plainText(masked.name, 60),
      ),
      'badRequest',
    );
  }
  return hidesInvalid;
}

async function readPage(
  table: Pick<TableHandle, 'call'>,
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
): Promise<object> {
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
  const exploited = rows.flatMap(({ isExploited }, at) => (isExploited ? at + 1 : []));
  return {
    rows: rows.map(({ cells }) => record(cells, columns, allColumns)),
    ...(known.length > 0 && { known }),
    // The numbers of those rows above that attackers are known to exploit.
    ...(exploited.length > 0 && { exploited }),
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
