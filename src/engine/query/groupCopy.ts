import { copyRows, copyWriter } from './copyText';
import type { YieldBudget } from '../values/yieldBudget';
import { fullLength, RowReader } from '../read/rowReader';
import type { TableFile } from '../read/tableFile';
import { TableError } from '../values/tableError';
import { countColumn, type Cell, type CopyResult, type CopyRange } from '../types';
import type { Groups } from './views';

/** Copies groups: their common values and row counts. */
export function copyGroups(
  file: TableFile,
  groups: Groups,
  range: CopyRange,
  { budget, reveal }: { readonly budget: YieldBudget; readonly reveal: boolean },
): Promise<CopyResult> {
  const nodes = groups.columns.flatMap((id) => file.shape.find(id) ?? []);
  const columns = range.columns.map((id) => {
    const at = nodes.findIndex((node) => node.id === id);
    if (at < 0 && id !== countColumn) {
      throw new TableError('badRequest', 'The view is not grouped by this column.');
    }
    return { at, name: nodes[at]?.name ?? range.countName ?? '' };
  });
  const reader = new RowReader(file, nodes, reveal, fullLength);
  const writer = copyWriter(range.format, columns, range.headings);
  const end = Math.min(range.from + range.count, groups.count);
  return copyRows(range, end, writer, budget, (position) => {
    const { cells } = reader.row(groups.first(position));
    const count: Cell = { kind: 'number', text: String(groups.size(position)) };
    return { cells: columns.map(({ at }) => cells[at] ?? count) };
  });
}
