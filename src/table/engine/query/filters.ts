import type { ColumnId, Filter } from '../types';

/** A filter that looks at one column only. */
export type ColumnFilter = Extract<Filter, { readonly column: ColumnId }>;

/** All parts of a filter that look at one column. */
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

/** Stands in a filter for the value that a record has, and does not tell it. */
export function keyOfRow(record: number): string {
  return `row:${record}`;
}

/** The record that a key of a filter stands for the value of; `undefined` for any other key. */
export function recordOfKey(key: string): number | undefined {
  const record = rowKey.exec(key)?.[1];
  return record === undefined ? undefined : Number(record);
}
