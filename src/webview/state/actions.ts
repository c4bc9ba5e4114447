import type { TableExportFormat } from '../../base/exportFormats';
import type { Cell, Column } from '../../engine/page';
import { isWorstLowest } from '../../vocabulary/findingColumns';
import { type Criteria, filtersWhere, nextSort } from './criteria';
import { focusShown } from '../dom/dom';
import { firstCell, rangeOf } from './selection';
import type { LabeledFilter } from '../../summary/labeledFilter';
import type { Store } from './store';
import type { ColumnRole } from '../../vocabulary/columnRole';

/*
 * What users do with rows: filter, sort, group and open them.
 */

/** Queries other rows and goes to the first; a sort alone keeps the position. */
export function changeCriteria(store: Store, change: Partial<Criteria>): void {
  store.position = undefined;
  if (!('sort' in change)) {
    store.selectFirstRow();
  }
  const sort = store.claimSort();
  store.view.apply({ ...store.view.criteria, sort, ...change });
}

/** Filters as a user has typed, which is kept for the next file of the kind. */
export function changeFilters(
  store: Store,
  filters: Criteria['filters'],
  change: Partial<Criteria> = {},
): void {
  changeCriteria(store, { ...change, filters });
  store.hasFiltered();
}

/** Filters as the last file of this kind was. */
export function restoreLastFilters(store: Store, filters: Criteria['filters']): void {
  changeFilters(store, filters);
  focusShown();
}

export function setFilter(store: Store, { id }: Column, text: string): void {
  const before = store.view.criteria.filters[id] ?? '';
  // An input removes line breaks: a text that differs from the filter only in these is not a new one.
  if (text === before || text === before.replace(/[\r\n]/g, '')) {
    return;
  }
  const others = filtersWhere(store.view.criteria, (other) => other !== id);
  changeFilters(store, text.trim() === '' ? others : { ...others, [id]: text });
}

export function clearFilters(store: Store): void {
  changeFilters(store, {}, { overviewFilter: undefined });
}

/** Shows all rows, none filtered or grouped. */
export function showAllRows(store: Store): void {
  changeFilters(store, {}, { groupBy: [], openedGroup: undefined, overviewFilter: undefined });
}

/** Shows the filter of a column, and begins to edit it. */
export function editFilter(store: Store, { id }: Column, text: string, caret?: number): void {
  const column = store.view.columns.shown.findIndex((shown) => shown.column.id === id);
  store.set({ filterRow: true, edited: { column, text, ...(caret !== undefined && { caret }) } });
}

/** Shows only the rows that were chosen in the overview or a notice, as many as it counts: all other filters go. */
export function showChosen(store: Store, chosen: LabeledFilter): void {
  store.goTo(firstCell);
  changeCriteria(store, {
    filters: {},
    groupBy: [],
    openedGroup: undefined,
    overviewFilter: chosen,
  });
  store.show('table');
  // The host may have chosen them. If a user types elsewhere then, that keeps the focus.
  if (document.hasFocus()) {
    focusShown();
  }
}

export function groupBy(store: Store, columns: readonly string[]): void {
  store.goTo(firstCell);
  changeCriteria(store, { groupBy: columns, openedGroup: undefined });
  focusShown();
}

/** Returns from the rows of a group to the groups. */
export function leaveGroup(store: Store): void {
  groupBy(store, store.view.criteria.groupBy);
}

export function sortBy(
  store: Store,
  column: Column,
  { further }: { readonly further: boolean },
): void {
  if (!store.view.grouped) {
    const worstFirst = column.role === 'severity' && !isWorstLowest(column);
    const { sort } = store.view.criteria;
    changeCriteria(store, { sort: nextSort(sort, column.id, { further, worstFirst }) });
  }
}

/** Cancels the running query; the rows stay. */
export function cancelQuery({ view, announcer, texts }: Store): void {
  view.cancel();
  announcer.say(texts.get('cancelled'));
}

/** Opens a group, or shows a record beside the grid. */
export function openRow(store: Store, row: number): void {
  const { view, texts } = store;
  if (!view.grouped) {
    setRecordShown(store, true);
    return;
  }
  const textOf = (cell: Cell, role: ColumnRole | undefined) =>
    cell.kind === 'null' ? texts.get('nothing') : texts.value(cell, role) || '\u2205';
  store.whenLoaded(row, ({ cells, filter }) => {
    if (filter) {
      const names = cells
        .slice(0, -1)
        .map((cell, at) => textOf(cell, view.shownColumns.shown[at]?.column.role));
      changeCriteria(store, { openedGroup: { label: names.join(', ').slice(0, 200), filter } });
    }
  });
}

export function setRecordShown(store: Store, on: boolean): void {
  store.set({ record: on });
  store.moved();
}

/** Opens the file that a row names, at its line. */
export function openSourceFile(store: Store, row: number): void {
  store.whenLoaded(row, ({ record }) => {
    if (record !== undefined && store.hasWorkspace) {
      store.link.send({ type: 'openFile', record });
    }
  });
}

/** Shows or masks secret values: the host starts over. */
export function toggleSecrets({ link, revealed }: Store): void {
  link.send({ type: 'secrets', on: !revealed });
}

/**
 * Marks the selected rows, or the rows of the selected groups, as known, after the host has asked why, or no longer.
 * The next open one below is active then, so that one key after another decides about a list; there, the key that takes
 * a decision back takes back the last one.
 */
export function markSelected(store: Store, { on }: { readonly on: boolean }): void {
  const { link, view, focus } = store;
  const { rows, shownQuery } = view;
  const { top, bottom } = rangeOf(focus.selection, rows, view.shownColumns.shown.length);
  if (rows === 0 || !store.areMarkable || !store.confirmRow()) {
    return;
  }
  if (store.isDrawingMarked) {
    // The row is known soon, and the one below it active.
    store.nextMark = () => markSelected(store, { on });
    return;
  }
  if (!store.areRowsAnswered) {
    return;
  }
  const undone = !on && !mayBeKnown(store) ? store.justMarked : undefined;
  if (undone) {
    // The cursor has gone on from what is taken back, and goes back to it.
    store.isMarking = true;
    link.send({ type: 'markKnown', on, query: {}, from: undone, count: 1 });
    return;
  }
  store.isMarking = true;
  const first = view.anyOfRow(top)?.record;
  store.marked = { on, top, bottom, of: rows, record: first };
  const record = top === bottom ? first : undefined;
  // By its number in the file, it is the same row also if others are known by now.
  const marked =
    record === undefined
      ? { query: shownQuery, from: top, count: bottom - top + 1 }
      : { query: {}, from: record, count: 1 };
  link.send({ type: 'markKnown', on, ...marked });
}

/** Whether one of the selected rows is or was known, or may be, as far as they are loaded. */
export function mayBeKnown({ view, focus }: Store): boolean {
  const { rows, info, grouped } = view;
  const { known = 0, wasKnown } = info;
  if (known + Object.values(wasKnown ?? {}).reduce((sum, count) => sum + count, 0) === 0) {
    return false;
  }
  const { top, bottom } = rangeOf(focus.selection, rows, view.shownColumns.shown.length);
  // Rows are loaded where they are seen: of groups, and of more rows than that, nothing is known.
  if (grouped || bottom - top >= maxLooked) {
    return true;
  }
  return Array.from({ length: bottom - top + 1 }, (_, at) => view.anyOfRow(top + at)).some(
    (row) => !row || row.known !== undefined || row.wasKnown !== undefined,
  );
}

/** So many selected rows are looked at. */
const maxLooked = 1000;

/** Shows the findings that are known. */
export function showKnown(store: Store): void {
  showChosen(store, { label: store.texts.get('knownIssues'), filter: { op: 'known' } });
}

/** Leaves out the rows that are no open findings, and keeps all filters. */
export function showOnlyOpen(store: Store): void {
  const { openFilter: filter, criteria } = store.view;
  const { overviewFilter: chosen } = criteria;
  const { texts } = store;
  if (filter) {
    const overviewFilter = chosen
      ? {
          label: texts.get('chosenOpen', chosen.label),
          filter: { op: 'and', of: [chosen.filter, filter] } as const,
        }
      : { label: texts.get('openFindings'), filter };
    changeCriteria(store, { overviewFilter });
    focusShown();
  }
}

/** Exports what is shown. The user picks the rest; if there is a format, only the file. */
export function exportTable({ link }: Store, format?: TableExportFormat): void {
  link.send({ type: 'export', ...(format && { format }) });
}
