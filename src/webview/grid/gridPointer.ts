import { openSourceFile, openRow, sortBy } from '../state/actions';
import { fitColumn, moveColumn, resizeColumn } from './columnActions';
import type { Grid, PointerPosition } from './grid';
import { contains, extend, isOneCell, rangeOf, select, type Selection } from '../state/selection';
import { isMac } from '../dom/keys';
import type { Store } from '../state/store';

/** Pixels that a pointer moves before a click becomes a drag. */
const dragThreshold = 5;

/** Handles the pointer in the grid: select, sort, move and resize columns, open menus. */
export function listenToPointer(grid: Grid): void {
  const { grid: root } = grid.elements;
  // The element that captures the pointer also gets the click, so the pressed element is remembered.
  let pressed: HTMLElement | undefined;
  root.addEventListener('pointerdown', (event) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    pressed = undefined;
    if (!target || onScrollbar(root, event) || target.closest('input, .filter-more')) {
      return;
    }
    pressed = target;
    const position = grid.positionAt(event);
    const { zone } = position;
    if (event.button === 2 && zone === 'cells') {
      selectForMenu(grid.store, position);
    } else if (event.button === 0) {
      // The grid has the focus, not its cells.
      event.preventDefault();
      grid.domFocus();
      if (target.classList.contains('resizer')) {
        resize(grid, event, target);
      } else if (zone === 'header') {
        pressHeading(grid, event, position);
      } else if (zone === 'cells' && position.row < grid.store.view.rows) {
        dragSelection(grid, event, position);
      }
    }
  });
  root.addEventListener('click', (event) => {
    const position = grid.positionAt(event);
    // Where several cells were selected, it was no click.
    const isOnCell = pressed && position.zone === 'cells' && isOneCell(grid.store.focus.selection);
    if (isOnCell && followsLinks(event) && isOnLink(grid, position)) {
      openSourceFile(grid.store, position.row);
    }
  });
  showLinksWhileHeld(root);
  root.addEventListener('dblclick', (event) => {
    const position = grid.positionAt(event);
    if (pressed?.classList.contains('resizer')) {
      fitColumn(grid.store, findColumn(pressed) ?? position.column);
    } else if (pressed && position.zone === 'cells' && position.row < grid.store.view.rows) {
      openRow(grid.store, position.row);
    }
  });
  root.addEventListener('contextmenu', (event) => {
    if (event.target instanceof HTMLInputElement) {
      return;
    }
    event.preventDefault();
    const position = grid.positionAt(event);
    if (position.zone === 'header' && !position.inNumbers) {
      grid.menus.openHeaderMenu(position.column, event);
    } else if (position.zone === 'cells') {
      grid.menus.openCellMenu(event);
    }
  });
}

function onScrollbar(root: HTMLElement, event: PointerEvent): boolean {
  const box = root.getBoundingClientRect();
  return (
    event.clientX >= box.left + root.clientLeft + root.clientWidth ||
    event.clientY >= box.top + root.clientTop + root.clientHeight
  );
}

/** Makes a menu apply to the selection, or to the cell under the pointer if that is outside of it. */
function selectForMenu(store: Store, { row, column, inNumbers }: PointerPosition): void {
  const { selection } = store.focus;
  const { rows, shownColumns } = store.view;
  const range = rangeOf(selection, rows, shownColumns.shown.length);
  const isSelected =
    contains(range, row, inNumbers ? range.left : column) &&
    !(inNumbers && selection.kind === 'cells');
  if (row < rows && !isSelected) {
    store.select(select({ row, column }, inNumbers ? 'rows' : 'cells'));
  }
}

/** Follows the pointer until it is released. */
function follow(
  { elements: { grid: root } }: Grid,
  { pointerId }: PointerEvent,
  onMove: (event: PointerEvent) => void,
  onEnd?: (event: PointerEvent, cancelled: boolean) => void,
): void {
  const following = new AbortController();
  const { signal } = following;
  const end = (last: PointerEvent): void => {
    following.abort();
    onEnd?.(last, last.type === 'pointercancel');
  };
  root.setPointerCapture(pointerId);
  root.addEventListener('pointermove', onMove, { signal });
  root.addEventListener('pointerup', end, { signal });
  root.addEventListener('pointercancel', end, { signal });
}

function dragSelection(grid: Grid, event: PointerEvent, start: PointerPosition): void {
  const kind: Selection['kind'] = start.inNumbers ? 'rows' : 'cells';
  const { store } = grid;
  const { scroll, focus } = store;
  store.select(event.shiftKey ? extend({ ...focus.selection, kind }, start) : select(start, kind));
  let last = event;
  const step = (): void => {
    const position = grid.positionAt(last);
    const box = grid.elements.rows.getBoundingClientRect();
    const { rowHeight } = scroll;
    // If the pointer is beyond an edge, the rows scroll: the farther away it is, the faster.
    if (last.clientY < box.top) {
      scroll.top -= Math.max(rowHeight, box.top - last.clientY);
    } else if (last.clientY > box.bottom) {
      scroll.top += Math.max(rowHeight, last.clientY - box.bottom);
    }
    const row = Math.max(scroll.first, Math.min(position.row, scroll.end - 1));
    const { active } = store.focus.selection;
    if (row !== active.row || position.column !== active.column) {
      store.scrollTarget = { column: kind === 'rows' ? active.column : position.column };
      store.select(extend(store.focus.selection, { row, column: position.column }));
    }
  };
  const timer = setInterval(step, 50);
  const onMove = (moved: PointerEvent): void => {
    last = moved;
    step();
  };
  follow(grid, event, onMove, () => clearInterval(timer));
}

/** The key that follows a link, as in the editor of VS Code. */
function followsLinks({ ctrlKey, metaKey }: KeyboardEvent | MouseEvent): boolean {
  return isMac ? metaKey : ctrlKey;
}

/** Cells that are links look like links while the key is held that follows them. */
function showLinksWhileHeld(root: HTMLElement): void {
  const update = (event?: KeyboardEvent | PointerEvent): void => {
    root.classList.toggle('follows-links', event !== undefined && followsLinks(event));
  };
  window.addEventListener('keydown', update);
  window.addEventListener('keyup', update);
  root.addEventListener('pointermove', update);
  window.addEventListener('blur', () => update());
}

function isOnLink({ columns, store }: Grid, { column, inNumbers }: PointerPosition): boolean {
  const shown = columns[column];
  return !inNumbers && shown !== undefined && store.isFileColumn(shown.column.id);
}

function pressHeading(grid: Grid, event: PointerEvent, position: PointerPosition): void {
  const { dropMark } = grid.elements;
  if (position.inNumbers) {
    grid.store.select({ ...grid.store.focus.selection, kind: 'all' });
    return;
  }
  const from = position.column;
  let dragged = false;
  follow(
    grid,
    event,
    (moved) => {
      dragged ||= Math.abs(moved.clientX - event.clientX) > dragThreshold;
      const { column } = grid.positionAt(moved);
      const target = grid.columns[column];
      if (dragged && target) {
        const after = column > from;
        dropMark.hidden = false;
        dropMark.style.left = `${grid.numberWidth + target.left + (after ? target.width : 0) - 1}px`;
      }
    },
    (ended, cancelled) => {
      dropMark.hidden = true;
      const shown = grid.columns[from];
      if (cancelled || !shown) {
        return;
      }
      if (dragged) {
        moveColumn(grid.store, from, grid.positionAt(ended).column);
      } else {
        sortBy(grid.store, shown.column, { further: event.shiftKey });
      }
    },
  );
}

function resize(grid: Grid, event: PointerEvent, handle: HTMLElement): void {
  const shown = grid.columns[findColumn(handle) ?? -1];
  if (shown) {
    follow(grid, event, (moved) => {
      resizeColumn(grid.store, shown.column, shown.width + moved.clientX - event.clientX);
    });
  }
}

function findColumn(inside: Element): number | undefined {
  const column = inside.closest('[data-column]')?.getAttribute('data-column');
  return column === null || column === undefined ? undefined : Number(column);
}
