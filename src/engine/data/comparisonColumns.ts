import type { Cell } from './cell';
import { formatShown, type ReadNames } from '../../vocabulary/shownNames';
import type { ColumnRole } from '../../vocabulary/columnRole';
import type { Column, ColumnId } from './column';
import type { TableInfo } from './tableInfo';

/**
 * Columns of a file of differences; see `src/engine/compare/comparison.ts`. The first two are not shown as
 * columns.
 */
const fieldsColumn = '/changed_fields';
const beforeColumn = '/before';
export const changeColumn = '/change';
/** Whether a changed finding was closed or reopened. */
export const becameColumn = '/became';

/** A cell, with its old value if that differs. */
export type ComparedCell = Cell & { readonly was?: Cell };

/** Formats a cell, with its old value, as users read it. */
export function formatCell(
  { was, ...cell }: ComparedCell,
  role: ColumnRole | undefined,
  names: ReadNames,
): ComparedCell {
  return { ...formatOne(cell, role, names), ...(was && { was: formatOne(was, role, names) }) };
}

function formatOne(cell: Cell, role: ColumnRole | undefined, names: ReadNames): Cell {
  const text = formatShown(cell, role, names);
  // The words of a list are no JSON: they may begin as a formula does.
  return cell.kind === 'json' && text !== cell.text
    ? { ...cell, kind: 'text', text }
    : { ...cell, text };
}

/** The column with the old values of a column. */
export function oldColumn(id: ColumnId): ColumnId {
  return `${beforeColumn}${id}`;
}

/**
 * Whether a column is not shown itself: it has the old values of another column, or lists the
 * changed fields.
 */
function isInternal(id: ColumnId): boolean {
  return id === fieldsColumn || id === beforeColumn || id.startsWith(`${beforeColumn}/`);
}

/** The table without the columns whose values are shown in others; these others are marked. */
export function withoutOldColumns(info: TableInfo): TableInfo {
  const old = findOldColumns(info.columns);
  const columns = info.columns
    .filter(({ id }) => !isInternal(id))
    .map((column) => (old.has(column.id) ? { ...column, changed: true as const } : column));
  return { ...info, columns };
}

/** The columns with old values, by the columns with the new values. */
export function findOldColumns(columns: readonly Column[]): ReadonlyMap<ColumnId, ColumnId> {
  const known = new Set(columns.map(({ id }) => id));
  return new Map(
    columns.flatMap(({ id }) => (known.has(oldColumn(id)) ? [[id, oldColumn(id)] as const] : [])),
  );
}

/** Adds the old value to a cell, unless that is the same or missing. */
function comparedCell(cell: Cell, was: Cell | undefined): ComparedCell {
  const isSame = was?.kind === cell.kind && was.text === cell.text && !was.masked;
  return !was || was.kind === 'missing' || isSame ? cell : { ...cell, was };
}

/**
 * @param old for each of the first cells, its old column, or `undefined` if it has none. The cells
 *   with the old values follow after these cells.
 */
export function withOldValues(
  cells: readonly Cell[],
  old: readonly (ColumnId | undefined)[],
): readonly ComparedCell[] {
  let at = old.length;
  return cells.slice(0, old.length).map((cell, slot) => {
    if (old[slot] === undefined) {
      return cell;
    }
    at += 1;
    return comparedCell(cell, cells[at - 1]);
  });
}

/**
 * The fields that a record shows, with the old values of those that differ. Those come first, after the
 * kind of the change.
 */
export function comparedFields<Field extends { readonly column: ColumnId; readonly cell: Cell }>(
  fields: readonly Field[],
): (Field & { readonly cell: ComparedCell })[] {
  const byColumn = new Map(fields.map((field) => [field.column, field]));
  const shown = fields
    .filter(({ column }) => !isInternal(column))
    .map((field) => ({
      ...field,
      cell: comparedCell(field.cell, byColumn.get(oldColumn(field.column))?.cell),
    }));
  // Fields that only the older record has.
  const gone = fields
    .filter(
      ({ column }) =>
        column.startsWith(`${beforeColumn}/`) && !byColumn.has(column.slice(beforeColumn.length)),
    )
    .map((field) => ({
      ...field,
      column: field.column.slice(beforeColumn.length),
      cell: { kind: 'missing', text: '', was: field.cell } as const,
    }));
  const rank = ({ column, cell }: { readonly column: ColumnId; readonly cell: ComparedCell }) => {
    if (column === changeColumn || column === becameColumn) {
      return 0;
    }
    return cell.was ? 1 : 2;
  };
  return [...shown, ...gone].toSorted((one, other) => rank(one) - rank(other));
}
