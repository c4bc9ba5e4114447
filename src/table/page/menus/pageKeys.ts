import { pressKey } from '../grid/gridKeys';
import type { TablePage } from '../tablePage';

type KeyPage = Pick<
  TablePage,
  | 'texts'
  | 'view'
  | 'grid'
  | 'record'
  | 'recordShown'
  | 'tabs'
  | 'copies'
  | 'announcer'
  | 'menus'
  | 'memory'
  | 'openFind'
  | 'openJump'
  | 'findAgain'
  | 'help'
  | 'leaveGroup'
  | 'cancelQuery'
  | 'showRecord'
>;

/**
 * Keys of the whole page. Handled keys do not reach VS Code, which would run a command (Ctrl+G,
 * Alt+F1).
 */
export function listenToKeys(page: KeyPage): void {
  document.addEventListener('keydown', (event) => {
    const inDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
    const inTable = page.tabs.shown === 'table';
    if (!inTable || event.isComposing || event.defaultPrevented || inDialog) {
      return;
    }
    const inGrid = event.target === page.grid.elements.grid;
    if (pressAnywhere(page, event) || (inGrid && pressInGrid(page, event))) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  // VS Code sends its Copy command as an event.
  document.addEventListener('copy', (event) => {
    if (document.activeElement === page.grid.elements.grid) {
      event.preventDefault();
      page.copies.copy('tsv', false);
    }
  });
}

function pressAnywhere(page: KeyPage, event: KeyboardEvent): boolean {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && !event.shiftKey && !event.altKey && key === 'f') {
    page.openFind();
  } else if (control && !event.shiftKey && !event.altKey && key === 'g') {
    page.openJump();
  } else if (key === 'f3') {
    page.findAgain(event.shiftKey);
  } else if (key === 'f1' && event.altKey && !control && !event.shiftKey) {
    page.help();
  } else if (key === '?' && !(event.target instanceof HTMLInputElement)) {
    page.help();
  } else if (key === 'f6' && !control && page.recordShown) {
    if (page.record.root.contains(document.activeElement)) {
      page.grid.takeFocus();
    } else {
      page.record.takeFocus();
    }
  } else {
    return false;
  }
  return true;
}

function pressInGrid(page: KeyPage, event: KeyboardEvent): boolean {
  page.memory.forgetPosition();
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === 'c') {
    if (event.shiftKey) {
      page.menus.copyAs(page.grid.activeElement);
    } else {
      page.copies.copy('tsv', false);
    }
    return true;
  }
  if (key === 'backspace' && page.view.criteria.picked) {
    page.leaveGroup();
    return true;
  }
  if (pressKey(page.grid, event)) {
    return true;
  }
  if (key === 'escape') {
    return escape(page);
  }
  return false;
}

/** Escape cancels a running query, then a copy, then closes the record. */
function escape(page: KeyPage): boolean {
  if (page.view.progress !== undefined) {
    page.cancelQuery();
  } else if (page.copies.running) {
    page.copies.cancel();
    page.announcer.say(page.texts.get('copyCancelled'));
  } else if (page.recordShown) {
    page.showRecord(false);
  } else {
    return false;
  }
  return true;
}
