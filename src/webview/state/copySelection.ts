import type { CopyFormat } from '../../base/exportFormats';
import { maxCopyRows, type SqlDialect } from '../../engine/page';
import { failureText } from './hostLink';
import type { Store } from './store';
import { rangeOf } from './selection';

/*
 * What the host writes to the clipboard. One copy runs at a time: a new one cancels the one before, which may
 * take longer and would overwrite it.
 */

interface CopyOptions {
  /** Whether the names of columns come first; by default not. */
  readonly headings?: boolean;
  /** Copies all visible columns of the selected rows. */
  readonly wholeRows?: boolean;
}

/** Copies the selected cells, up to the limit of rows. */
export function copySelection(
  store: Store,
  format: CopyFormat,
  { headings = false, wholeRows = false }: CopyOptions = {},
): void {
  const { view, texts, copying, about, focus } = store;
  const { rows } = view;
  const { shown: columns } = view.shownColumns;
  if (rows === 0) {
    return;
  }
  const { top, bottom, ...selected } = rangeOf(focus.selection, rows, columns.length);
  const { left, right } = wholeRows ? { left: 0, right: columns.length - 1 } : selected;
  const selectedRows = bottom - top + 1;
  const answer = copying.request('copy', {
    view: view.id,
    from: top,
    count: Math.min(selectedRows, maxCopyRows),
    format,
    headings,
    columns: columns.slice(left, right + 1).map(({ column }) => column.id),
    // Whole rows are copied without their empty columns, selected cells as they are.
    ...(wholeRows && { onlyFilled: true }),
    ...(about.comparison && { compared: true }),
    ...(view.grouped && { countName: texts.get('count') }),
  });
  const [one, all, first] = view.grouped
    ? (['copiedGroup', 'copiedGroups', 'copiedGroupsCut'] as const)
    : (['copiedOne', 'copied', 'copiedCut'] as const);
  show(store, answer, (copied) => {
    const cut = copied.cut || copied.rows < selectedRows;
    return texts.get(cut ? first : selectedRows === 1 ? one : all, copied.rows, selectedRows);
  });
}

/** Copies the active record as Markdown. */
export function copyRecord(store: Store): void {
  const { copying, texts, activeRecord: record } = store;
  if (record !== undefined) {
    show(store, copying.request('copyRecord', { record }), () => texts.get('copiedMarkdown'));
  }
}

/** Copies the overview of the file as Markdown. */
export function copySummary(store: Store): void {
  const { copying, texts, agesAt: now, overviewColumns: added, countScope: scope } = store;
  const answer = copying.request('copySummary', { now, added, scope });
  show(store, answer, () => texts.get('copiedMarkdown'));
}

/** Saves the overview of the file as HTML. */
export function saveSummary(store: Store): void {
  const { link, agesAt: now, overviewColumns: added, countScope: scope } = store;
  link.send({ type: 'saveSummary', now, added, scope });
}

export function copySql(store: Store, dialect: SqlDialect): void {
  const { copying, texts, view } = store;
  const answer = copying.request('copySql', { ...view.shownTable, dialect });
  show(store, answer, () => texts.get('copiedSql'));
}

/** Shows how a copy ended. */
function show<Result>(
  store: Store,
  answer: Promise<Result>,
  describe: (result: Result) => string,
): void {
  answer.then(
    (result) => store.showOutcome(describe(result)),
    (error: unknown) => {
      store.showOutcome(failureText(error) ?? store.texts.get('copyCancelled'));
    },
  );
}
