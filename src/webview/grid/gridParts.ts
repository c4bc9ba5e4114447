import type { Column } from '../../engine/page';
import { element } from '../dom/dom';
import type { MenuAnchor } from '../dom/menu';
import type { CellPosition } from '../state/selection';

/** The menus that keys and the pointer open in the grid, each at an element or a point. */
export interface GridMenus {
  /** The actions of the active row and cell. */
  openCellMenu(at: MenuAnchor): void;
  /** The actions of a visible column, by its number. */
  openHeaderMenu(column: number, at: MenuAnchor): void;
  /** The conditions and values of a column. */
  openFilterMenu(column: Column, at: Element): void;
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
