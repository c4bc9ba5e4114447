import type { SortKey } from '../../engine/types';
import type { Cell, Column, ColumnId } from '../../engine/types';
import type { HeadChart } from '../columnCharts';
import type { ShownColumn } from './columnModel';
import { element } from '../dom';
import type { LoadedRow } from './rowStore';
import type { CellPosition, Selection } from './selection';

/** The content of the grid: rows of the file, or groups. */
export interface GridSource {
  readonly rows: number;
  /** The largest row number: that of the file, not of the view. */
  readonly lastNumber: number;
  readonly columns: readonly ShownColumn[];
  /** Pixels of all columns together. */
  readonly width: number;
  readonly sort: readonly SortKey[];
  /** Whether columns can be sorted and filtered: groups cannot. */
  readonly queryable: boolean;
  row(row: number): LoadedRow | undefined;
  cell(row: number, column: number): Cell | undefined;
  want(first: number, end: number, firstColumn: number, endColumn: number): void;
  filterOf(column: Column): { readonly text: string; readonly fault?: string };
}

/** The focused zone: cells, headings or filters. */
export type Zone = 'cells' | 'header' | 'filter';

/** The selection and the focused zone. */
export interface GridFocus {
  readonly selection: Selection;
  readonly zone: Zone;
}

/** The actions of the grid. */
export interface GridActions {
  readonly menus: {
    header(column: number, at: Element | { x: number; y: number }): void;
    filter(column: Column, at: Element): void;
    cell(at: Element | { x: number; y: number }): void;
  };
  /** The charts in the headings. */
  readonly charts: { of(column: ColumnId): HeadChart | undefined };
  readonly columns: {
    resize(column: Column, width: number): void;
    fit(column: number): void;
    move(from: number, to: number): void;
  };
  /** Enter or a double click on a row. */
  openRecord(row: number): void;
  focusChanged(focus: GridFocus): void;
  sortBy(column: Column, further: boolean): void;
  setFilter(column: Column, text: string): void;
  scrolled(): void;
}

/** The elements of the grid that stay. */
export interface GridElements {
  /** Scrolls, has the focus, is the ARIA grid. */
  readonly grid: HTMLElement;
  /** As large as all rows and columns, or as the largest possible element. */
  readonly sizer: HTMLElement;
  /** Sticks to the top; as wide as all columns. */
  readonly layer: HTMLElement;
  readonly header: HTMLElement;
  readonly filters: HTMLElement;
  readonly rows: HTMLElement;
  /** Marks where a dragged column will be dropped. */
  readonly dropMark: HTMLElement;
}

export function gridElements(label: string): GridElements {
  const header = element('div', { class: 'header', role: 'row' });
  const filters = element('div', { class: 'filters', role: 'row' });
  const rows = element('div', { class: 'rows', role: 'rowgroup' });
  const dropMark = element('div', { class: 'drop-mark', hidden: true, 'aria-hidden': 'true' });
  const head = element('div', { class: 'head', role: 'rowgroup' }, header, filters, dropMark);
  const layer = element('div', { class: 'layer', role: 'presentation' }, head, rows);
  const sizer = element('div', { class: 'sizer', role: 'presentation' }, layer);
  const grid = element(
    'div',
    {
      class: 'grid',
      role: 'grid',
      tabindex: 0,
      'aria-label': label,
      'aria-multiselectable': 'true',
    },
    sizer,
  );
  return { grid, sizer, layer, header, filters, rows, dropMark };
}

/** Ids of cells, for `aria-activedescendant`. */
export const cellId = ({ row, column }: CellPosition): string => `cell-${row}-${column}`;
export const headId = (column: number): string => `head-${column}`;
export const filterId = (column: number): string => `filter-${column}`;
