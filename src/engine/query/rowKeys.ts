import { keyOf } from './conditions';
import { recordOfKey } from '../values/filters';
import { kinds } from '../values/kinds';
import { RowReader } from '../read/rowReader';
import type { ShapeNode } from '../read/shape';
import type { TableFile } from '../read/tableFile';
import type { Filter } from '../types';

/** The filter keys for the values of a record, with the full values. */
export function exactKeys(file: TableFile, nodes: readonly ShapeNode[], record: number): string[] {
  const { cells } = new RowReader(file, nodes, true, Infinity).row(record);
  return cells.map(({ kind, text }) => keyOf(kinds.indexOf(kind), text));
}

/**
 * Replaces keys that name a record with exact keys in a filter. A record that the file does not
 * have, for example after the file was opened again, has no value to match.
 */
export function withExactKeys(file: TableFile, filter: Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, of: filter.of.map((part) => withExactKeys(file, part)) };
    case 'not':
      return { ...filter, of: withExactKeys(file, filter.of) };
    case 'in': {
      const node = file.shape.find(filter.column);
      const keys = filter.keys.flatMap((key) => {
        const record = recordOfKey(key);
        if (record === undefined) {
          return [key];
        }
        return node && record < file.index.rows ? exactKeys(file, [node], record) : [];
      });
      return { ...filter, keys };
    }
    default:
      return filter;
  }
}
