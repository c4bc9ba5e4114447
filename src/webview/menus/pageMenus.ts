import { type Column, type DistinctValues, maxDistinctValues } from '../../engine/types';
import { type Criteria, filtersWhere } from '../criteria';
import type { RecordLinks } from '../protocol';
import type { Store } from '../store';
import { type MenuAnchor, showMenu } from './menu';
import {
  cellItems,
  columnItems,
  copyItems,
  filterItems,
  groupItems,
  exportAndCopyItems,
  headerItems,
} from './tableMenus';
import { valueChoice } from './valueChoice';

/*
 * Opens the menus of the page.
 */

/** The actions of a column. Groups are not sorted or filtered, but another column can divide them. */
export function headerMenu(store: Store, column: number, at: MenuAnchor): void {
  const { view } = store;
  const { shown } = view.shownColumns;
  const one = shown[column];
  if (view.grouped) {
    groupMenu(store, at);
  } else if (one) {
    const items = () => headerItems(store, one, column, shown.length - 1);
    showMenu(at, items, one.column.name);
  }
}

export function columnsMenu(store: Store, button: HTMLElement): void {
  const { texts } = store;
  showMenu(button, () => columnItems(store), texts.get('columns'), { search: texts });
}

export function groupMenu(store: Store, at: MenuAnchor): void {
  const { texts } = store;
  showMenu(at, () => groupItems(store), texts.get('groupBy'), { search: texts });
}

export function exportAndCopyMenu(store: Store, button: HTMLElement): void {
  showMenu(button, () => exportAndCopyItems(store), store.texts.get('exportAndCopy'));
}

export function copyAsMenu(store: Store, at: MenuAnchor): void {
  showMenu(at, () => copyItems(store), store.texts.get('copyAs'));
}

/** The conditions of a column, and its values as soon as they are counted. */
export function filterMenu(store: Store, column: Column, at: Element): void {
  const { texts, link, view } = store;
  let values: DistinctValues | undefined;
  // Counts values only in rows that match the other filters: choosing a value shows that many rows.
  const others: Criteria = {
    ...view.criteria,
    filters: filtersWhere(view.criteria, (id) => id !== column.id),
  };
  const among = view.queryOf(others)?.filter;
  const abort = new AbortController();
  const answer = link.request(
    'distinct',
    { column: column.id, limit: maxDistinctValues, ...(among && { filter: among }) },
    abort,
  );
  const valueItems = valueChoice(store, column);
  const redraw = showMenu(
    at,
    () => filterItems(store, column, valueItems(values), new Date()),
    texts.get('filterMenu', column.name),
    { search: texts, onClose: () => abort.abort() },
  );
  const show = (counted: DistinctValues) => {
    values = counted;
    redraw();
  };
  answer.then(show, () => show({ values: [], total: 0 }));
}

/** The actions of the active row and cell, and where the row leads as soon as that is known. */
export function cellMenu(store: Store, at: MenuAnchor): void {
  const { texts, focus, view, link, activeRecord: record } = store;
  if (view.rows === 0) {
    return;
  }
  let links: RecordLinks | undefined;
  const label = texts.get('recordTitle', focus.selection.active.row + 1);
  const abort = new AbortController();
  const redraw = showMenu(at, () => cellItems(store, links), label, {
    onClose: () => abort.abort(),
  });
  if (record !== undefined && store.hasWorkspace) {
    link.request('links', { record }, abort).then(
      (answer) => {
        links = answer;
        redraw();
      },
      // The item stays disabled.
      () => undefined,
    );
  }
}
