import { maxCopyRows, type SqlDialect, type TableCopyFormat } from '../../engine/types';
import type { ClipboardCalls } from '../protocol';
import { TableError } from '../../engine/values/tableError';
import type { PendingCall } from '../hostLink';
import type { PageContext } from '../pageContext';
import { rangeOf } from './gridParts';

/** What is needed of the page. */
type CopyPage = Pick<
  PageContext,
  'texts' | 'link' | 'view' | 'grid' | 'about' | 'overview' | 'showOutcome'
>;

/** Runs one copy at a time, such as of the selected cells. A new copy cancels the previous one. */
export class Copies {
  private pending: PendingCall<keyof ClipboardCalls> | undefined;

  constructor(private readonly page: CopyPage) {}

  /** Whether a copy is running. */
  get running(): boolean {
    return this.pending !== undefined;
  }

  /** Cancels the running copy. */
  cancel(): void {
    this.pending?.cancel();
    this.pending = undefined;
  }

  /**
   * Copies the selected cells, up to the limit of rows.
   * @param wholeRows copies all visible columns of the selected rows.
   */
  copy(format: TableCopyFormat, headings: boolean, wholeRows = false): void {
    const { grid, view, texts, link, about } = this.page;
    const { rows, columns } = grid.source;
    if (rows === 0) {
      return;
    }
    const { selection } = grid.focus;
    const { top, bottom, ...selected } = rangeOf(selection, rows, columns.length);
    const { left, right } = wholeRows ? { left: 0, right: columns.length - 1 } : selected;
    const selectedRows = bottom - top + 1;
    // An earlier copy may take longer and would overwrite this one.
    this.cancel();
    const call = link.request('copy', {
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
    this.follow(call, (copied) => {
      const cut = copied.cut || copied.rows < selectedRows;
      return texts.get(cut ? first : selectedRows === 1 ? one : all, copied.rows, selectedRows);
    });
  }

  /** Copies the active record as Markdown. */
  copyRecord(): void {
    const { grid, view, texts, link } = this.page;
    const record = view.row(grid.focus.selection.active.row)?.record;
    if (record !== undefined) {
      this.cancel();
      this.follow(link.request('copyRecord', { record }), () => texts.get('copiedMarkdown'));
    }
  }

  /** Copies the overview of the file as Markdown. */
  copySummary(): void {
    const { texts, link } = this.page;
    this.cancel();
    const call = link.request('copySummary', this.page.overview.params);
    this.follow(call, () => texts.get('copiedMarkdown'));
  }

  /** Copies an SQL query for what is shown. */
  copySql(dialect: SqlDialect): void {
    const { view, texts, link } = this.page;
    this.cancel();
    const call = link.request('copySql', { ...view.shownTable, dialect });
    this.follow(call, () => texts.get('copiedSql'));
  }

  private follow<Name extends keyof ClipboardCalls>(
    call: PendingCall<Name>,
    describe: (answer: ClipboardCalls[Name]['result']) => string,
  ): void {
    this.pending = call;
    const { texts } = this.page;
    call.answer.then(
      (answer) => {
        this.end(call, describe(answer));
      },
      (error: unknown) => {
        const cancelled = error instanceof TableError && error.code === 'cancelled';
        const message = error instanceof Error ? error.message : String(error);
        this.end(call, cancelled ? texts.get('copyCancelled') : message);
      },
    );
  }

  private end(call: unknown, outcome: string): void {
    if (this.pending === call) {
      this.pending = undefined;
      this.page.showOutcome(outcome);
    }
  }
}
