import { maxCopyRows, type CopyFormat } from '../../src/table/types';
import { AskError } from './hostLink';
import { rangeOf } from './selection';
import type { TablePage } from './tablePage';

/** Has the host put the selected cells on the clipboard: as many rows as it takes at once. */
export function copySelection(page: TablePage, format: CopyFormat, headings: boolean): void {
  const { grid, view, texts } = page;
  const { rows, columns } = grid.source;
  if (rows === 0) {
    return;
  }
  const { top, bottom, left, right } = rangeOf(grid.focus.selection, rows, columns.length);
  const wanted = bottom - top + 1;
  const asked = page.link.ask('copy', {
    ...{ view: view.id, from: top, count: Math.min(wanted, maxCopyRows), format, headings },
    columns: columns.slice(left, right + 1).map(({ column }) => column.id),
    ...(view.grouped && { countName: texts.get('count') }),
  });
  asked.answer.then(
    (copied) => {
      const cut = copied.cut || copied.rows < wanted;
      const [one, all, first] = view.grouped
        ? (['copiedGroup', 'copiedGroups', 'copiedGroupsCut'] as const)
        : (['copiedOne', 'copied', 'copiedCut'] as const);
      page.tell(texts.get(cut ? first : wanted === 1 ? one : all, copied.rows, wanted));
    },
    (error: unknown) => {
      if (!(error instanceof AskError && error.code === 'cancelled')) {
        page.tell(error instanceof Error ? error.message : String(error));
      }
    },
  );
}
