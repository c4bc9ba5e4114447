import type { Cell, Column, ColumnId, TableInfo } from './types';

/** The columns of a file of differences that are not shown as they are: see `src/compare/comparison.ts`. */
const fieldsColumn = '/changed_fields';
const beforeColumn = '/before';
export const changeColumn = '/change';

/** A cell, with the old value where it is another one. */
export type ComparedCell = Cell & { readonly was?: Cell };

/** The column with the old values of a column. */
export function oldColumn(id: ColumnId): ColumnId {
  return `${beforeColumn}${id}`;
}

/** Whether a column stands with another one, or says nothing of its own. */
function isInternal(id: ColumnId): boolean {
  return id === fieldsColumn || id === beforeColumn || id.startsWith(`${beforeColumn}/`);
}

/** The table without the columns whose values are shown in others; these others are marked. */
export function withoutOldColumns(info: TableInfo): TableInfo {
  const old = oldColumnsOf(info.columns);
  const columns = info.columns
    .filter(({ id }) => !isInternal(id))
    .map((column) => (old.has(column.id) ? { ...column, changed: true as const } : column));
  return { ...info, columns };
}

/** The columns among these that have old values, by those with the new ones. */
export function oldColumnsOf(columns: readonly Column[]): ReadonlyMap<ColumnId, ColumnId> {
  const known = new Set(columns.map(({ id }) => id));
  return new Map(
    columns.flatMap(({ id }) => (known.has(oldColumn(id)) ? [[id, oldColumn(id)] as const] : [])),
  );
}

/** A cell with its old value, unless that is the same or there is none. */
function comparedCell(cell: Cell, was: Cell | undefined): ComparedCell {
  const isSame = was?.kind === cell.kind && was.text === cell.text && !was.masked;
  return !was || was.kind === 'missing' || isSame ? cell : { ...cell, was };
}

/** @param old for each of the first cells, whether one with its old value follows behind them all. */
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

/** What a record shows: its fields, with the old values of those that differ. */
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
  return [...shown, ...gone];
}
