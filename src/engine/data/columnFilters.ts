import type { ColumnId } from './column';
import type { Filter } from './query';

/** A filter on one column. */
export type ColumnFilter = Extract<Filter, { readonly column: ColumnId }>;

/** The conditions that a filter combines. */
function listConditions(filter: Filter): Filter[] {
  return 'of' in filter ? [filter.of].flat().flatMap(listConditions) : [filter];
}

/** All parts of a filter that are on one column. */
export function listColumnFilters(filter: Filter): ColumnFilter[] {
  return listConditions(filter).filter((each) => 'column' in each);
}

/** Whether a filter searches all columns. */
export function searchesAll(filter: Filter): boolean {
  return listConditions(filter).some(({ op }) => op === 'anywhere');
}

/** The key of a record. No key that starts with the kind of a value looks like this. */
const rowKey = /^row:(\d{1,15})$/;

/** The filter key for the value of a record, which it does not reveal. */
export function keyOfRow(record: number): string {
  return `row:${record}`;
}

/** The record in a key of `keyOfRow`; `undefined` for other keys. */
export function recordOfKey(key: string): number | undefined {
  const record = rowKey.exec(key)?.[1];
  return record === undefined ? undefined : Number(record);
}
