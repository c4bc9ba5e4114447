import { keyOf } from './conditions';
import { kinds } from './kinds';
import { RowReader, shownLength } from './rowReader';
import type { TableFile } from './tableFile';
import type { Cell, Filter, Group } from './types';
import type { Groups } from './views';

const wrongKey = keyOf(kinds.indexOf('wrong'), '');

/** A group as it is shown, by its first row. */
export function readGroup(
  file: TableFile,
  groups: Groups,
  position: number,
  reveal: boolean,
): Group {
  const of = groupKeys(file, groups, position).map((key, at): Filter => {
    const column = groups.columns[at] ?? '';
    return key === wrongKey ? { op: 'wrong' } : { op: 'in', column, keys: [key] };
  });
  return {
    values: groupCells(file, groups, position, reveal),
    count: groups.size(position),
    filter: { op: 'and', of },
  };
}

/** The values that the rows of a group have in common. */
export function groupCells(
  file: TableFile,
  groups: Groups,
  position: number,
  reveal: boolean,
  maxLength = shownLength,
): readonly Cell[] {
  const places = groups.columns.flatMap((id) => file.shape.find(id) ?? []);
  return new RowReader(file, places, reveal, maxLength).row(groups.first(position)).cells;
}

/** What stands for these values in a filter. */
export function groupKeys(file: TableFile, groups: Groups, position: number): string[] {
  const cells = groupCells(file, groups, position, true, Infinity);
  return cells[0]?.kind === 'wrong'
    ? cells.map(() => wrongKey)
    : cells.map(({ kind, text }) => keyOf(kinds.indexOf(kind), text));
}
