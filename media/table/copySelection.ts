import { maxCopyRows, type CopyFormat } from '../../src/table/types';
import { AskError } from './hostLink';
import { rangeOf } from './selection';
import type { TablePage } from './tablePage';

/** Has the host put the selected cells on the clipboard: as many rows as it takes at once. */
export function copySelection(page: TablePage, format: CopyFormat, headings: boolean): void {
  const { grid, view, texts } = page;
  const { rows, columns } = grid.source;
  if (rows === 0 || view.grouped) {
    return;
  }
  const { top, bottom, left, right } = rangeOf(grid.focus.selection, rows, columns.length);
  const wanted = bottom - top + 1;
  const asked = page.link.ask('copy', {
    ...{ view: view.id, from: top, count: Math.min(wanted, maxCopyRows), format, headings },
    columns: columns.slice(left, right + 1).map(({ column }) => column.id),
  });
  asked.answer.then(
    (copied) => {
      const cut = copied.cut || copied.rows < wanted;
      page.tell(
        texts.get(cut ? 'copiedCut' : wanted === 1 ? 'copiedOne' : 'copied', copied.rows, wanted),
      );
    },
    (error: unknown) => {
      if (!(error instanceof AskError && error.code === 'cancelled')) {
        page.tell(error instanceof Error ? error.message : String(error));
      }
    },
  );
}
