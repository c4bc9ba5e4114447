import type { Column } from '../../engine/page';
import { fitWidth, seenCells } from './columnFit';
import { select } from '../state/selection';
import type { Store } from '../state/store';

/*
 * What users do with columns. What has changed is announced.
 */

export function setHidden(store: Store, column: Column, hidden: boolean): void {
  const { view, texts, announcer } = store;
  view.columnsChanged(() => view.columns.setHidden(column.id, hidden));
  store.hasArranged();
  if (hidden) {
    announcer.say(texts.get('hidden', view.formatColumn(column)));
  }
}

export function showAllColumns(store: Store): void {
  const { view } = store;
  view.columnsChanged(() => {
    for (const { id } of view.columns.ordered) {
      view.columns.setHidden(id, false);
    }
  });
  store.hasArranged();
}

/** Shows the columns as files of this kind have them. */
export function resetColumns(store: Store): void {
  const { view, texts, announcer } = store;
  view.columnsChanged(() => view.columns.reset());
  store.hasArranged();
  announcer.say(texts.get('columnsReset'));
}

/** Shows columns without any value, or hides them until one is found. */
export function setEmptyHidden(store: Store, hidden: boolean): void {
  const { view, texts, announcer } = store;
  view.columnsChanged(() => view.columns.setEmptyHidden(hidden));
  store.hasArranged();
  announcer.say(texts.get(hidden ? 'emptyNotShown' : 'emptyShown'));
}

export function moveColumn(store: Store, from: number, to: number): void {
  const { view, texts, announcer, focus } = store;
  const { shown } = view.shownColumns;
  const target = Math.max(0, Math.min(to, shown.length - 1));
  view.columnsChanged(() => view.shownColumns.move(from, target));
  const moved = shown[from];
  store.hasArranged();
  const name = moved ? view.formatColumn(moved.column) : '';
  announcer.say(texts.get('moved', name, target + 1, shown.length));
  store.scrollTarget = { column: target };
  store.select(select({ row: focus.selection.active.row, column: target }), focus.zone);
}

export function resizeColumn(store: Store, column: Column, width: number): void {
  const { view, texts, announcer } = store;
  view.shownColumns.resize(column.id, width);
  store.hasArranged();
  const shown = view.shownColumns.shown.find((one) => one.column.id === column.id);
  announcer.say(texts.get('width', view.formatColumn(column), shown?.width ?? 0));
  store.changed();
}

/** Fits the width to the heading and the visible values. */
export function fitColumn(store: Store, at: number): void {
  const shown = store.view.shownColumns.shown[at];
  if (shown) {
    resizeColumn(store, shown.column, fitWidth(shown, seenCells(store, at), store));
  }
}
