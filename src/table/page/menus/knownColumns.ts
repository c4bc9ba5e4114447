import { columnFiltersOf } from '../../engine/query/filters';
import type { Column, ColumnId, Filter, TableInfo } from '../../engine/types';
import { withChosen, type Criteria } from '../grid/gridState';

/** Whether no column can come any more: every record was checked, or cannot be. */
export function areColumnsComplete({ checked, changed }: TableInfo): boolean {
  return checked || changed === 'modified';
}

/** Whether a criteria names only columns that are known so far. */
export function namesKnown(criteria: Criteria, columns: readonly Column[]): boolean {
  const known = idsOf(columns);
  return [
    ...criteria.filters.keys(),
    ...criteria.sort.map(({ column }) => column),
    ...criteria.groupBy,
    ...[criteria.picked, criteria.chosen].flatMap((one) => (one ? columnsOf(one.filter) : [])),
  ].every((id) => known.has(id));
}

/** A criteria without what it says of columns that the file has not. */
export function withKnown(criteria: Criteria, columns: readonly Column[]): Criteria {
  const known = idsOf(columns);
  return {
    ...withChosen(criteria, ({ filter }) => columnsOf(filter).every((id) => known.has(id))),
    filters: new Map([...criteria.filters].filter(([id]) => known.has(id))),
    sort: criteria.sort.filter(({ column }) => known.has(column)),
    groupBy: criteria.groupBy.filter((id) => known.has(id)),
  };
}

const idsOf = (columns: readonly Column[]): ReadonlySet<ColumnId> =>
  new Set(columns.map(({ id }) => id));

function columnsOf(filter: Filter): readonly ColumnId[] {
  return columnFiltersOf(filter).map(({ column }) => column);
}
