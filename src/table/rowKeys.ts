import { keyOf } from './conditions';
import { kinds } from './kinds';
import { RowReader } from './rowReader';
import type { Place } from './shape';
import type { TableFile } from './tableFile';
import type { Filter } from './types';

/** No kind of a value begins a key like this. */
const rowKey = /^row:(\d{1,15})$/;

/** Stands in a filter for the value that a record has, and does not tell it. */
export function keyOfRow(record: number): string {
  return `row:${record}`;
}

/** What stands for the values of a record in a filter, and tells them; longest values included. */
export function exactKeys(file: TableFile, places: readonly Place[], record: number): string[] {
  const { cells } = new RowReader(file, places, true, Infinity).row(record);
  return cells.map(({ kind, text }) => keyOf(kinds.indexOf(kind), text));
}

/**
 * The filter with exact keys for those that name a record. A record that the file has not, as after
 * it was opened anew, has no value to meet.
 */
export function withExactKeys(file: TableFile, filter: Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, of: filter.of.map((part) => withExactKeys(file, part)) };
    case 'not':
      return { ...filter, of: withExactKeys(file, filter.of) };
    case 'in': {
      const place = file.shape.find(filter.column);
      const keys = filter.keys.flatMap((key) => {
        const record = rowKey.exec(key)?.[1];
        if (record === undefined) {
          return [key];
        }
        return place && Number(record) < file.index.rows
          ? exactKeys(file, [place], Number(record))
          : [];
      });
      return { ...filter, keys };
    }
    default:
      return filter;
  }
}
