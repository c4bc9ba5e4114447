import type { Grid } from './grid';
import { select } from './gridParts';

/** Pixels by which a key resizes a column. */
const widthStep = 16;

/** Handles keys of the grid. @returns whether the key was handled */
export function pressKey(grid: Grid, event: KeyboardEvent): boolean {
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    return pressWithAlt(grid, event);
  }
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    openMenu(grid);
    return true;
  }
  return grid.focus.zone === 'cells'
    ? pressInCells(grid, event, control)
    : pressInHead(grid, event, control);
}

function pressWithAlt(grid: Grid, event: KeyboardEvent): boolean {
  const { column } = grid.focus.selection.active;
  const shown = grid.source.columns[column];
  if (!shown) {
    return false;
  }
  const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (event.shiftKey && direction !== 0) {
    grid.actions.columns.resize(shown.column, shown.width + direction * widthStep);
  } else if (direction !== 0) {
    grid.actions.columns.move(column, column + direction);
  } else if (event.shiftKey && event.key === 'ArrowUp') {
    grid.actions.columns.fit(column);
  } else if (event.key === 'ArrowDown') {
    if (grid.focus.zone === 'filter') {
      grid.actions.menus.filter(shown.column, grid.headAnchor(column, 'filter'));
    } else {
      grid.actions.menus.header(column, grid.headAnchor(column, 'header'));
    }
  } else {
    return false;
  }
  return true;
}

function openMenu(grid: Grid): void {
  const { column } = grid.focus.selection.active;
  if (grid.focus.zone === 'cells') {
    grid.actions.menus.cell(grid.activeElement);
  } else {
    grid.actions.menus.header(column, grid.headAnchor(column, 'header'));
  }
}

function pressInCells(grid: Grid, event: KeyboardEvent, control: boolean): boolean {
  const { selection } = grid.focus;
  const { row, column } = selection.active;
  const { rows, columns } = grid.source;
  const go = (toRow: number, toColumn: number): boolean => {
    grid.goTo({ row: toRow, column: toColumn }, event.shiftKey);
    return true;
  };
  switch (event.key) {
    case 'ArrowDown':
      return go(control ? rows - 1 : row + 1, column);
    case 'ArrowUp':
      if (row === 0 && !event.shiftKey && !control) {
        grid.focus = { selection: select(selection.active), zone: 'filter' };
        return true;
      }
      return go(control ? 0 : row - 1, column);
    case 'ArrowRight':
      return go(row, control ? columns.length - 1 : column + 1);
    case 'ArrowLeft':
      return go(row, control ? 0 : column - 1);
    case 'PageDown':
      return go(row + grid.scroll.page, column);
    case 'PageUp':
      return go(row - grid.scroll.page, column);
    case 'Home':
      return go(control ? 0 : row, 0);
    case 'End':
      return go(control ? rows - 1 : row, columns.length - 1);
    case ' ':
      grid.focus = {
        selection: { ...selection, kind: control ? 'columns' : 'rows' },
        zone: 'cells',
      };
      return true;
    case 'Enter':
      if (rows > 0 && control) {
        grid.actions.openFile(row);
      } else if (rows > 0) {
        grid.actions.openRecord(row);
      }
      return true;
    case 'Escape':
      if (selection.kind === 'cells' && isOne(grid)) {
        return false;
      }
      grid.focus = { selection: select(selection.active), zone: 'cells' };
      return true;
    case 'a':
    case 'A':
      if (!control) {
        return false;
      }
      grid.focus = { selection: { ...selection, kind: 'all' }, zone: 'cells' };
      return true;
    default:
      return false;
  }
}

function isOne(grid: Grid): boolean {
  const { anchor, active } = grid.focus.selection;
  return anchor.row === active.row && anchor.column === active.column;
}

function pressInHead(grid: Grid, event: KeyboardEvent, control: boolean): boolean {
  const { selection, zone } = grid.focus;
  const { row, column } = selection.active;
  const last = grid.source.columns.length - 1;
  const shown = grid.source.columns[column];
  const across = (to: number): boolean => {
    const next = Math.max(0, Math.min(to, last));
    grid.revealColumn(next);
    grid.focus = { selection: select({ row, column: next }), zone };
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
      grid.focus = { selection, zone: 'header' };
      return true;
    case 'ArrowDown':
      if (zone === 'header') {
        grid.focus = { selection, zone: 'filter' };
        if (grid.focus.zone === 'filter') {
          return true;
        }
      }
      grid.goTo(selection.active);
      return true;
    case 'Escape':
      grid.goTo(selection.active);
      return true;
    case 'Enter':
    case ' ':
    case 'F2':
      if (zone === 'filter') {
        grid.editFilter(column);
      } else if (shown) {
        grid.actions.sortBy(shown.column, event.shiftKey);
      }
      return true;
    default:
      // Typing on a filter replaces it.
      if (zone === 'filter' && event.key.length === 1 && !control && !event.isComposing) {
        grid.editFilter(column, event.key);
        return true;
      }
      return false;
  }
}
