import type { ColumnId, Filter } from '../types';

/** A filter on one column. */
export type ColumnFilter = Extract<Filter, { readonly column: ColumnId }>;

/** All parts of a filter that are on one column. */
export function columnFiltersOf(filter: Filter): ColumnFilter[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.of.flatMap(columnFiltersOf);
    case 'not':
      return columnFiltersOf(filter.of);
    case 'anywhere':
    case 'invalid':
      return [];
    default:
      return [filter];
  }
}

/** No kind of a value begins a key like this. */
const rowKey = /^row:(\d{1,15})$/;

/** The filter key for the value of a record, which it does not reveal. */
export function keyOfRow(record: number): string {
  return `row:${record}`;
}

/** The record of such a key; `undefined` for other keys. */
export function recordOfKey(key: string): number | undefined {
  const record = rowKey.exec(key)?.[1];
  return record === undefined ? undefined : Number(record);
}
