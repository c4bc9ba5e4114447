import { isWorstLowest } from '../engine/values/findingColumns';
import type { Column, ColumnRole, SortKey } from '../engine/types';
import { areFindings } from './grid/columnModel';
import { rangeOf } from './grid/gridParts';
import type { PageContext } from './pageContext';
import type { TableTab } from './protocol';

/** What is needed of the page. */
interface SortedPage extends Pick<PageContext, 'view' | 'grid'> {
  readonly tabs: { readonly shown: TableTab };
  readonly recordShown: boolean;
}

/** The order in which findings are useful: the worst first, the newest of them before the others. */
export function worstFirst(columns: readonly Column[]): readonly SortKey[] {
  const keyOf = (role: ColumnRole): SortKey[] =>
    columns.flatMap((column) =>
      column.role === role ? [{ column: column.id, descending: !isWorstLowest(column) }] : [],
    );
  return areFindings(columns) ? [...keyOf('severity'), ...keyOf('firstSeen')] : [];
}

/**
 * Sorts findings by {@link worstFirst} until a user chooses a sort. The first rows are there before their file is
 * read, in its order. A user who has moved among them keeps this order: rows must not jump.
 */
export class FirstSort {
  private state: 'waiting' | 'running' | 'settled';

  /** @param isWaiting false if the page was restored with the sort that a user chose. */
  constructor(
    private readonly page: SortedPage,
    isWaiting: boolean,
  ) {
    this.state = isWaiting ? 'waiting' : 'settled';
  }

  /** Whether the sort is still to come, because the table was not shown yet. */
  get isWaiting(): boolean {
    return this.state === 'waiting';
  }

  /** Whether its rows are still to come. */
  get isRunning(): boolean {
    return this.state === 'running';
  }

  /** Sorts as soon as the table is shown and its columns are known. */
  begin(): void {
    const { view, tabs } = this.page;
    const sort = worstFirst(view.info.columns);
    if (!this.isWaiting || tabs.shown !== 'table' || sort.length === 0) {
      return;
    }
    this.state = this.hasMoved ? 'settled' : 'running';
    if (this.state === 'running') {
      view.apply({ ...view.criteria, sort });
    }
  }

  /** Called when the rows of a query are shown. @returns whether it was this sort, which no user asked for */
  answered(): boolean {
    const isFirstSort = this.isRunning;
    if (isFirstSort) {
      this.state = 'settled';
    }
    return isFirstSort;
  }

  /** Called when the selection, the scroll position or the record may have changed. */
  moved(): void {
    if (this.state === 'running' && this.hasMoved) {
      this.state = 'settled';
      this.page.view.cancel();
    }
  }

  /** The sort of rows that a user chooses, such as by a filter. */
  claim(): readonly SortKey[] {
    const { view } = this.page;
    const sort = this.isWaiting ? worstFirst(view.info.columns) : view.criteria.sort;
    this.state = 'settled';
    return sort;
  }

  /** Starts over, because the rows of another list follow. */
  restart(): void {
    this.state = 'waiting';
  }

  private get hasMoved(): boolean {
    const { grid, recordShown, view } = this.page;
    const { selection } = grid.focus;
    const range = rangeOf(selection, view.rows, grid.source.columns.length);
    const isFirstCell =
      selection.kind === 'cells' && Object.values(range).every((end: number) => end <= 0);
    return recordShown || !isFirstCell || grid.scroll.top > 0;
  }
}
