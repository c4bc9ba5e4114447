import { focusShown } from './dom/dom';
import { cancelQuery, leaveGroup, setRecordShown } from './state/actions';
import { copySelection } from './state/copySelection';
import type { Grid } from './grid/grid';
import { pressKey } from './grid/gridKeys';
import { showHelp } from './menus/helpPage';
import { type Finder, openBar } from './menus/inputBar';
import { copyAsMenu } from './menus/tableMenus';
import type { Store } from './state/store';
import type { RecordPanel } from './views/recordPanel';

/**
 * Keys that work anywhere in the page. Handled keys do not reach VS Code, which would run a command (Ctrl+G,
 * Alt+F1).
 */
export function listenToKeys(grid: Grid, finder: Finder, record: RecordPanel): void {
  const { store } = grid;
  document.addEventListener('keydown', (event) => {
    const inDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.isComposing || event.defaultPrevented || inDialog) {
      return;
    }
    const inTable = store.tab === 'table';
    const inGrid = event.target === grid.elements.grid;
    if (
      pressForHelp(store, event) ||
      (!inTable && pressInOverview(store, finder, event)) ||
      (inTable && pressInTable(grid, finder, record, event)) ||
      (inTable && inGrid && pressInGrid(grid, event))
    ) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  // VS Code sends its Copy command as an event.
  document.addEventListener('copy', (event) => {
    if (document.activeElement === grid.elements.grid) {
      event.preventDefault();
      copySelection(store, 'tsv');
    }
  });
}

function pressForHelp({ texts }: Store, event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  const isF1 = key === 'F1' && altKey && !ctrlKey && !metaKey && !shiftKey;
  if (!isF1 && (key !== '?' || target instanceof HTMLInputElement)) {
    return false;
  }
  showHelp(texts);
  return true;
}

/** An overview has nothing to find: what it counts is in the table. */
function pressInOverview(store: Store, finder: Finder, event: KeyboardEvent): boolean {
  if (!isPlainControl(event) || event.key.toLowerCase() !== 'f' || store.view.grouped) {
    return false;
  }
  finder.stop();
  store.show('table');
  // A tab that gets the focus back is shown.
  focusShown();
  openBar(store, 'find');
  return true;
}

/** Whether Ctrl, or Cmd, is held without another key of its kind. */
function isPlainControl({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !shiftKey && !altKey;
}

function pressInTable(
  grid: Grid,
  finder: Finder,
  record: RecordPanel,
  event: KeyboardEvent,
): boolean {
  const control = event.ctrlKey || event.metaKey;
  const { store } = grid;
  const key = event.key.toLowerCase();
  if (isPlainControl(event) && (key === 'f' || key === 'g')) {
    finder.stop();
    openBar(store, key === 'f' ? 'find' : 'jump');
  } else if (key === 'f3') {
    finder.find({ backwards: event.shiftKey });
  } else if (key === 'f6' && !control && store.recordShown) {
    if (document.activeElement?.closest('.record')) {
      grid.domFocus();
    } else {
      record.focus();
    }
  } else {
    return false;
  }
  return true;
}

function pressInGrid(grid: Grid, event: KeyboardEvent): boolean {
  const { store } = grid;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === 'c') {
    if (event.shiftKey) {
      copyAsMenu(store, grid.activeElement);
    } else {
      copySelection(store, 'tsv');
    }
    return true;
  }
  if (key === 'backspace' && store.view.criteria.openedGroup) {
    leaveGroup(store);
    return true;
  }
  return pressKey(grid, event) || (key === 'escape' && escape(store));
}

/** Escape cancels a running query, then a copy, then closes the record. */
function escape(store: Store): boolean {
  if (store.view.isCancellable) {
    cancelQuery(store);
  } else if (store.copying.isRunning) {
    store.copying.cancel();
    store.announcer.say(store.texts.get('copyCancelled'));
  } else if (store.recordShown) {
    setRecordShown(store, false);
  } else {
    return false;
  }
  return true;
}
