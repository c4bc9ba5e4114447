import type { Cell, Filter, InvalidReason } from '../../engine/page';
import { element } from '../dom/dom';

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

/** A loaded row or group. */
export interface LoadedRow {
  /** Cells of one block of columns. */
  readonly cells: readonly Cell[];
  /** Absent in a group. */
  readonly record?: number;
  readonly invalid?: InvalidReason;
  /** Matches the rows of a group. */
  readonly filter?: Filter;
}

/** The focused zone: cells, headings or filters. */
export type Zone = 'cells' | 'header' | 'filter';

export interface GridFocus {
  readonly selection: Selection;
  readonly zone: Zone;
}

/** A chart in a heading. */
export interface HeadChart {
  /** Heights from 0 to 1. */
  readonly bars: readonly number[];
  /** What it shows, in words. */
  readonly text: string;
}

/** The visible part of the grid: rows and columns from (inclusive) to (exclusive). */
export interface Window {
  readonly first: number;
  readonly end: number;
  readonly firstColumn: number;
  readonly endColumn: number;
  /** The most rows that are drawn at a time. */
  readonly slots: number;
  /** Pixels scrolled away. */
  readonly top: number;
  readonly rowHeight: number;
  /** Pixels of the column of row numbers. */
  readonly numberWidth: number;
}

/** The permanent elements of the grid. */
export type GridElements = ReturnType<typeof gridElements>;

export function gridElements(label: string) {
  const header = element('div', { class: 'header', role: 'row' });
  const filters = element('div', { class: 'filters', role: 'row' });
  const rows = element('div', { class: 'rows', role: 'rowgroup' });
  // Marks where a dragged column will be dropped.
  const dropMark = element('div', { class: 'drop-mark', hidden: '', 'aria-hidden': 'true' });
  const head = element('div', { class: 'head', role: 'rowgroup' }, header, filters, dropMark);
  // Sticks to the top; as wide as all columns.
  const layer = element('div', { class: 'layer', role: 'presentation' }, head, rows);
  // As large as all rows and columns, or as the largest possible element.
  const sizer = element('div', { class: 'sizer', role: 'presentation' }, layer);
  const named = { role: 'grid', 'aria-label': label, 'aria-multiselectable': 'true' };
  // Scrolls, and has the focus.
  const grid = element('div', { class: 'grid', tabindex: '0', ...named }, sizer);
  return { grid, sizer, layer, header, filters, rows, dropMark };
}

/** Ids of cells, for `aria-activedescendant`. */
export const cellId = ({ row, column }: CellPosition): string => `cell-${row}-${column}`;
export const headId = (column: number): string => `head-${column}`;
export const filterId = (column: number): string => `filter-${column}`;
