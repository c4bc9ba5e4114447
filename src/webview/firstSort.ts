import { isWorstLowest } from '../engine/values/findingColumns';
import type { Column, ColumnRole, SortKey } from '../engine/types';
import { areFindings } from './grid/columnModel';
import type { TableView } from './tableView';

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
  /** Whether the sort is still to come, because the table was not shown yet; then whether its rows are. */
  state: 'waiting' | 'running' | 'settled';

  /** @param isWaiting false if the page was restored with the sort that a user chose. */
  constructor(
    private readonly view: TableView,
    isWaiting: boolean,
  ) {
    this.state = isWaiting ? 'waiting' : 'settled';
  }

  /**
   * Called when the table is shown, and when its columns may be known.
   * @param hasMoved whether a user has moved among the rows.
   */
  begin(hasMoved: boolean): void {
    const sort = worstFirst(this.view.info.columns);
    if (this.state === 'waiting' && sort.length > 0) {
      this.state = hasMoved ? 'settled' : 'running';
      if (!hasMoved) {
        this.view.apply({ ...this.view.criteria, sort });
      }
    }
  }

  /** Called when the rows of a query are shown. @returns whether it was this sort, which no user asked for */
  answered(): boolean {
    const isFirstSort = this.state === 'running';
    if (isFirstSort) {
      this.state = 'settled';
    }
    return isFirstSort;
  }

  /** Called when a user has moved among the rows. */
  moved(): void {
    if (this.state === 'running') {
      this.state = 'settled';
      this.view.cancel();
    }
  }

  /** The sort of rows that a user chooses, such as by a filter. */
  claim(): readonly SortKey[] {
    const { view } = this;
    const sort = this.state === 'waiting' ? worstFirst(view.info.columns) : view.criteria.sort;
    this.state = 'settled';
    return sort;
  }
}
