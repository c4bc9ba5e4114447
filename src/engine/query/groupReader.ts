import { formatKey, kinds } from '../values/kinds';
import { keyOfRow } from '../data/columnFilters';
import { exactKeys } from './rowKeys';
import { RowReader, shownLength } from '../read/rowReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { TableError } from '../data/tableError';
import { countColumn, type DistinctValue, type Group } from '../data/answers';
import type { Cell } from '../data/cell';
import type { ColumnId } from '../data/column';
import type { Filter } from '../data/query';
import type { Groups } from './views';

const invalidKey = formatKey(kinds.indexOf('invalid'), '');
/** Longer values are not sent as keys. */
const maxExactKey = 1000;

/** Reads groups: the values of a group are those of its first row. */
export class GroupReader {
  private readonly nodes: readonly ShapeNode[];
  private readonly rows: RowReader;

  /** @param maxLength the most UTF-16 code units of a value. */
  constructor(
    private readonly file: TableFile,
    private readonly groups: Groups,
    reveal: boolean,
    maxLength = shownLength,
  ) {
    this.nodes = groups.columns.map((id) => file.shape.get(id));
    this.rows = new RowReader(file, this.nodes, { reveal, maxLength });
  }

  group(position: number): Group {
    const values = this.cells(position);
    const of = this.keys(position, values).map((key, at): Filter => {
      const column = this.groups.columns[at] ?? '';
      return key === invalidKey ? { op: 'invalid' } : { op: 'in', column, keys: [key] };
    });
    const open = this.groups.open?.(position);
    return {
      values,
      count: this.groups.size(position),
      ...(open !== undefined && { open }),
      filter: { op: 'and', of },
    };
  }

  /** A group by one column as a distinct value. */
  value(position: number): DistinctValue {
    const cells = this.cells(position);
    const [key] = this.keys(position, cells);
    return { cell: cells[0]!, key: key!, count: this.groups.size(position) };
  }

  /**
   * The groups as rows of a table with these columns, of which `countColumn` is one.
   * @throws TableError `badRequest` if the groups have no such column
   */
  table(ids: readonly ColumnId[], countName: string) {
    const { nodes, groups } = this;
    const slots = ids.map((id) => {
      const slot = nodes.findIndex((node) => node.id === id);
      if (slot < 0 && id !== countColumn) {
        throw new TableError('badRequest', 'The view is not grouped by this column.');
      }
      return slot;
    });
    return {
      columns: slots.map((slot) => ({ name: nodes[slot]?.name ?? countName })),
      cellsAt: (position: number): readonly Cell[] => {
        const cells = this.cells(position);
        const count: Cell = { kind: 'number', text: String(groups.size(position)) };
        return slots.map((slot) => cells[slot] ?? count);
      },
    };
  }

  private cells(position: number): readonly Cell[] {
    return this.rows.row(this.groups.first(position)).cells;
  }

  /**
   * The filter keys for the values of a group.
   * @param cells as shown: keys of masked cells do not reveal them.
   */
  private keys(position: number, cells: readonly Cell[]): string[] {
    if (cells[0]?.kind === 'invalid') {
      return cells.map(() => invalidKey);
    }
    const record = this.groups.first(position);
    return exactKeys(this.file, this.nodes, record).map((key, at) =>
      cells[at]?.masked || key.length > maxExactKey ? keyOfRow(record) : key,
    );
  }
}
