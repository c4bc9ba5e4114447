import { keyOf } from './conditions';
import { kinds } from '../values/kinds';
import { keyOfRow } from '../values/filters';
import { exactKeys } from './rowKeys';
import { RowReader, shownLength } from '../read/rowReader';
import type { ShapeNode } from '../read/shape';
import type { TableFile } from '../read/tableFile';
import type { Cell, DistinctValue, Filter, Group } from '../types';
import type { Groups } from './views';

const invalidKey = keyOf(kinds.indexOf('invalid'), '');
/** Longer values are not sent as keys. */
const maxExactKey = 1000;

export function readGroup(
  file: TableFile,
  groups: Groups,
  position: number,
  reveal: boolean,
): Group {
  const values = groupCells(file, groups, position, reveal);
  const of = groupKeys(file, groups, position, values).map((key, at): Filter => {
    const column = groups.columns[at] ?? '';
    return key === invalidKey ? { op: 'invalid' } : { op: 'in', column, keys: [key] };
  });
  return { values, count: groups.size(position), filter: { op: 'and', of } };
}

/** Reads a group by one column as a distinct value. */
export function readValue(
  file: TableFile,
  groups: Groups,
  position: number,
  reveal: boolean,
): DistinctValue {
  const cells = groupCells(file, groups, position, reveal);
  const [key] = groupKeys(file, groups, position, cells);
  return { cell: cells[0]!, key: key!, count: groups.size(position) };
}

/** The common values of a group, read from its first row. */
function groupCells(
  file: TableFile,
  groups: Groups,
  position: number,
  reveal: boolean,
): readonly Cell[] {
  const nodes = nodesOf(file, groups);
  return new RowReader(file, nodes, reveal, shownLength).row(groups.first(position)).cells;
}

/**
 * The filter keys for these values.
 * @param cells as shown: keys of masked cells do not reveal them.
 */
function groupKeys(
  file: TableFile,
  groups: Groups,
  position: number,
  cells: readonly Cell[],
): string[] {
  if (cells[0]?.kind === 'invalid') {
    return cells.map(() => invalidKey);
  }
  const record = groups.first(position);
  return exactKeys(file, nodesOf(file, groups), record).map((key, at) =>
    cells[at]?.masked || key.length > maxExactKey ? keyOfRow(record) : key,
  );
}

function nodesOf(file: TableFile, { columns }: Groups): ShapeNode[] {
  return columns.flatMap((id) => file.shape.find(id) ?? []);
}
