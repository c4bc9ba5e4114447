import { markSelected } from '../state/actions';
import { openSourceFile, openRow, sortBy } from '../state/actions';
import { fitColumn, moveColumn, resizeColumn } from './columnActions';
import type { Store } from '../state/store';
import type { Grid } from './grid';
import { isOneCell, select } from '../state/selection';

/** Pixels by which a key resizes a column. */
const widthStep = 16;

/** Handles keys of the grid. @returns whether the key was handled */
export function pressKey(grid: Grid, event: KeyboardEvent): boolean {
  const { store } = grid;
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    return pressWithAlt(grid, event);
  }
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    openMenu(grid);
    return true;
  }
  return store.focus.zone === 'cells'
    ? pressInCells(store, event, control)
    : pressInHead(store, event, control);
}

function pressWithAlt(grid: Grid, event: KeyboardEvent): boolean {
  const { store, menus } = grid;
  const { column } = store.focus.selection.active;
  const shown = store.view.shownColumns.shown[column];
  if (!shown) {
    return false;
  }
  const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (event.shiftKey && direction !== 0) {
    resizeColumn(store, shown.column, shown.width + direction * widthStep);
  } else if (direction !== 0) {
    moveColumn(store, column, column + direction);
  } else if (event.shiftKey && event.key === 'ArrowUp') {
    fitColumn(store, column);
  } else if (event.key === 'ArrowDown') {
    if (store.focus.zone === 'filter') {
      menus.openFilterMenu(shown.column, grid.activeElement);
    } else {
      menus.openHeaderMenu(column, grid.headingOf(column));
    }
  } else {
    return false;
  }
  return true;
}

function openMenu(grid: Grid): void {
  const { store, menus } = grid;
  const { column } = store.focus.selection.active;
  if (store.focus.zone === 'cells') {
    menus.openCellMenu(grid.activeElement);
  } else {
    menus.openHeaderMenu(column, grid.headingOf(column));
  }
}

function pressInCells(store: Store, event: KeyboardEvent, control: boolean): boolean {
  const { view, scroll } = store;
  const { selection } = store.focus;
  const { row, column } = selection.active;
  const { rows } = view;
  const { shown: columns } = view.shownColumns;
  const go = (toRow: number, toColumn: number): boolean => {
    store.goTo({ row: toRow, column: toColumn }, { grow: event.shiftKey });
    return true;
  };
  switch (event.key) {
    case 'ArrowDown':
      return go(control ? rows - 1 : row + 1, column);
    case 'ArrowUp':
      if (row === 0 && !event.shiftKey && !control) {
        store.select(select(selection.active), 'filter');
        return true;
      }
      return go(control ? 0 : row - 1, column);
    case 'ArrowRight':
      return go(row, control ? columns.length - 1 : column + 1);
    case 'ArrowLeft':
      return go(row, control ? 0 : column - 1);
    case 'PageDown':
      return go(row + scroll.page, column);
    case 'PageUp':
      return go(row - scroll.page, column);
    case 'Home':
      return go(control ? 0 : row, 0);
    case 'End':
      return go(control ? rows - 1 : row, columns.length - 1);
    case ' ':
      store.select({ ...selection, kind: control ? 'columns' : 'rows' });
      return true;
    case 'Enter':
      if (rows > 0 && control) {
        openSourceFile(store, row);
      } else if (rows > 0) {
        openRow(store, row);
      }
      return true;
    case 'Escape':
      if (isOneCell(selection)) {
        return false;
      }
      store.select(select(selection.active));
      return true;
    case 'k':
    case 'K':
      if (control || !store.areMarkable) {
        return false;
      }
      markSelected(store, { on: !event.shiftKey });
      return true;
    case 'a':
    case 'A':
      if (!control) {
        return false;
      }
      store.select({ ...selection, kind: 'all' });
      return true;
    default:
      return false;
  }
}

function pressInHead(store: Store, event: KeyboardEvent, control: boolean): boolean {
  const { selection, zone } = store.focus;
  const { row, column } = selection.active;
  const { shown: columns } = store.view.shownColumns;
  const last = columns.length - 1;
  const shown = columns[column];
  const across = (to: number): boolean => {
    const next = Math.max(0, Math.min(to, last));
    store.scrollTarget = { column: next };
    store.select(select({ row, column: next }), zone);
    return true;
  };
  switch (event.key) {
    case 'ArrowLeft':
      return across(control ? 0 : column - 1);
    case 'ArrowRight':
      return across(control ? last : column + 1);
    case 'Home':
      return across(0);
    case 'End':
      return across(last);
    case 'ArrowUp':
      store.select(selection, 'header');
      return true;
    case 'ArrowDown':
      if (zone === 'header') {
        store.select(selection, 'filter');
        if (store.focus.zone === 'filter') {
          return true;
        }
      }
      store.goTo(selection.active);
      return true;
    case 'Escape':
      store.goTo(selection.active);
      return true;
    case 'Enter':
    case ' ':
    case 'F2':
      if (zone === 'filter') {
        store.set({ edited: { column } });
      } else if (shown) {
        sortBy(store, shown.column, { further: event.shiftKey });
      }
      return true;
    default:
      // Typing on a filter replaces it.
      if (zone === 'filter' && event.key.length === 1 && !control && !event.isComposing) {
        store.set({ edited: { column, text: event.key } });
        return true;
      }
      return false;
  }
}
