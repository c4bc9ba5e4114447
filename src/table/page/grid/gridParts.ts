import type { SortKey } from '../../engine/types';
import type { Cell, Column } from '../../engine/types';
import type { ShownColumn } from './columnModel';
import { element } from '../dom';
import type { LoadedRow } from './rowStore';
import type { CellPosition, Selection } from './selection';

/** What the grid shows: rows of the file, or groups of them. */
export interface GridSource {
  readonly rows: number;
  /** The largest number a row can have: that of the file, not of the view. */
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

/** Where the keyboard is: among the cells, the headings or the filters. */
export type Zone = 'cells' | 'header' | 'filter';

/** What is selected and where the keyboard is. */
export interface GridFocus {
  readonly selection: Selection;
  readonly zone: Zone;
}

/** What a person does to the grid. */
export interface GridActions {
  readonly menus: {
    header(column: number, at: Element | { x: number; y: number }): void;
    filter(column: Column, at: Element): void;
    cell(at: Element | { x: number; y: number }): void;
  };
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
  /** Scrolls, has the focus, and is the ARIA grid. */
  readonly grid: HTMLElement;
  /** As high and wide as all rows and columns, or as high as an element may be. */
  readonly sizer: HTMLElement;
  /** Stays at the top of what is seen; as wide as all columns. */
  readonly layer: HTMLElement;
  readonly header: HTMLElement;
  readonly filters: HTMLElement;
  readonly rows: HTMLElement;
  /** Shows where a dragged column would go. */
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
