import { maxCopyRows, type CopyFormat } from '../../engine/types';
import { TableError } from '../../engine/tableError';
import type { Asked } from '../hostLink';
import { rangeOf } from './selection';
import type { TablePage } from '../tablePage';

type CopyPage = Pick<TablePage, 'link' | 'texts' | 'view' | 'grid' | 'showOutcome'>;

/** Copies selected cells, one selection at a time: the last one wins. */
export class Copies {
  private asked: Asked<'copy'> | undefined;

  constructor(private readonly page: CopyPage) {}

  /** Whether a copy runs. */
  get running(): boolean {
    return this.asked !== undefined;
  }

  /** Cancels the running copy. */
  cancel(): void {
    this.asked?.cancel();
    this.asked = undefined;
  }

  /** Copies the selected cells, up to the limit of rows. */
  copy(format: CopyFormat, headings: boolean): void {
    const { grid, view, texts, link } = this.page;
    const { rows, columns } = grid.source;
    if (rows === 0) {
      return;
    }
    const { top, bottom, left, right } = rangeOf(grid.focus.selection, rows, columns.length);
    const wanted = bottom - top + 1;
    // An earlier copy may take longer and would overwrite this one.
    this.cancel();
    const asked = link.ask('copy', {
      view: view.id,
      from: top,
      count: Math.min(wanted, maxCopyRows),
      format,
      headings,
      columns: columns.slice(left, right + 1).map(({ column }) => column.id),
      ...(view.grouped && { countName: texts.get('count') }),
    });
    this.asked = asked;
    const [one, all, first] = view.grouped
      ? (['copiedGroup', 'copiedGroups', 'copiedGroupsCut'] as const)
      : (['copiedOne', 'copied', 'copiedCut'] as const);
    asked.answer.then(
      (copied) => {
        const cut = copied.cut || copied.rows < wanted;
        this.end(asked, texts.get(cut ? first : wanted === 1 ? one : all, copied.rows, wanted));
      },
      (error: unknown) => {
        const cancelled = error instanceof TableError && error.code === 'cancelled';
        const message = error instanceof Error ? error.message : String(error);
        this.end(asked, cancelled ? texts.get('copyCancelled') : message);
      },
    );
  }

  private end(asked: Asked<'copy'>, outcome: string): void {
    if (this.asked === asked) {
      this.asked = undefined;
      this.page.showOutcome(outcome);
    }
  }
}
