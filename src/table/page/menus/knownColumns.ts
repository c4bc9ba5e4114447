import { columnFiltersOf } from '../../engine/query/filters';
import type { Column, ColumnId, Filter, TableInfo } from '../../engine/types';
import type { Wish } from '../grid/gridState';

/** Whether no column can come any more: every record was checked, or cannot be. */
export function areColumnsComplete({ checked, changed }: TableInfo): boolean {
  return checked || changed === 'modified';
}

/** Whether a wish names only columns that are known so far. */
export function namesKnown(wish: Wish, columns: readonly Column[]): boolean {
  const known = idsOf(columns);
  return [
    ...wish.filters.keys(),
    ...wish.sort.map(({ column }) => column),
    ...wish.groupBy,
    ...(wish.picked ? columnsOf(wish.picked.filter) : []),
  ].every((id) => known.has(id));
}

/** A wish without what it says of columns that the file has not. */
export function withKnown(wish: Wish, columns: readonly Column[]): Wish {
  const known = idsOf(columns);
  const { picked, ...rest } = wish;
  return {
    ...rest,
    filters: new Map([...wish.filters].filter(([id]) => known.has(id))),
    sort: wish.sort.filter(({ column }) => known.has(column)),
    groupBy: wish.groupBy.filter((id) => known.has(id)),
    ...(picked && columnsOf(picked.filter).every((id) => known.has(id)) && { picked }),
  };
}

const idsOf = (columns: readonly Column[]): ReadonlySet<ColumnId> =>
  new Set(columns.map(({ id }) => id));

function columnsOf(filter: Filter): readonly ColumnId[] {
  return columnFiltersOf(filter).map(({ column }) => column);
}
