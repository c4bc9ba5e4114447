/** A cell: the position of its row in the view and the number of its visible column. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export const firstCell: CellPosition = { row: 0, column: 0 };

/** Rows and columns, inclusive. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Whether a selection has cells, whole rows, whole columns, or everything. */
type SelectionKind = 'cells' | 'rows' | 'columns' | 'all';

/** One rectangle of cells, as in a spreadsheet: from an anchor to the active cell. */
export interface Selection {
  readonly anchor: CellPosition;
  readonly active: CellPosition;
  readonly kind: SelectionKind;
}

export function select(active: CellPosition, kind: SelectionKind = 'cells'): Selection {
  return { anchor: active, active, kind };
}

export function extend({ anchor, kind }: Selection, active: CellPosition): Selection {
  return { anchor, active, kind: kind === 'all' ? 'cells' : kind };
}

export function isOneCell({ kind, anchor, active }: Selection): boolean {
  return kind === 'cells' && anchor.row === active.row && anchor.column === active.column;
}

/** The range of a selection in a view of this size. */
export function rangeOf(
  { anchor, active, kind }: Selection,
  rows: number,
  columns: number,
): CellRange {
  const wide = kind === 'rows' || kind === 'all';
  const high = kind === 'columns' || kind === 'all';
  return {
    top: high ? 0 : Math.min(anchor.row, active.row),
    bottom: high ? rows - 1 : Math.max(anchor.row, active.row),
    left: wide ? 0 : Math.min(anchor.column, active.column),
    right: wide ? columns - 1 : Math.max(anchor.column, active.column),
  };
}

export function contains(range: CellRange, row: number, column: number): boolean {
  return row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
}

/** The selection in a smaller view. */
export function clampSelection(selection: Selection, rows: number, columns: number): Selection {
  const clamp = ({ row, column }: CellPosition): CellPosition => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  });
  return {
    anchor: clamp(selection.anchor),
    active: clamp(selection.active),
    kind: selection.kind,
  };
}

/** The focused zone: cells, headings or filters. */
export type Zone = 'cells' | 'header' | 'filter';

export interface GridFocus {
  readonly selection: Selection;
  readonly zone: Zone;
}
