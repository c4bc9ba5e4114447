import { type ColumnFilter, recordOfKey } from '../data/columnFilters';
import { formatKey, kinds } from '../values/kinds';
import { RowReader } from '../read/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';

/** The filter keys for the values of a record, with the full values. */
export function exactKeys(file: TableFile, nodes: readonly ShapeNode[], record: number): string[] {
  const reader = new RowReader(file, nodes, { reveal: true, maxLength: Infinity });
  const { cells } = reader.row(record);
  return cells.map(({ kind, text }) => formatKey(kinds.indexOf(kind), text));
}

/**
 * Replaces keys that name a record with exact keys. A record that the file does not have, for example
 * after the file was opened again, has no value to match.
 */
export function withExactKeys(
  file: TableFile,
  node: ShapeNode,
  filter: ColumnFilter,
): ColumnFilter {
  if (filter.op !== 'in') {
    return filter;
  }
  const keys = filter.keys.flatMap((key) => {
    const record = recordOfKey(key);
    const isThere = record !== undefined && record < file.index.rows;
    return isThere ? exactKeys(file, [node], record) : record === undefined ? [key] : [];
  });
  return { ...filter, keys };
}
