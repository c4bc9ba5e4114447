import { Emitter } from '../base/emitter';
import type { ListRow, LoadResult } from './loadedList';
import { TextFilter } from './textFilter';

/** What a filter lets through of a list. */
export interface FilterResult {
  shown: number;
  /** Distinct rows held. */
  loaded: number;
  /** As the service counts; absent where it gives none. */
  total?: number;
}

/**
 * Hides the loaded rows of a list that do not match a text. It is no part of what the service is asked
 * for: what is not loaded is not searched.
 */
export class ListFilter {
  private readonly changed = new Emitter<void>();
  private filter: TextFilter | undefined;
  private current = '';
  /** Rows that were searched: a list of tens of thousands grows page by page. */
  private searched = new WeakMap<ListRow, boolean>();
  private last: { rows: readonly ListRow[]; searched: number; shown: ListRow[] } | undefined;

  readonly onDidChange = this.changed.event;

  /** As it was given; empty while nothing is hidden. */
  get text(): string {
    return this.current;
  }

  get isOn(): boolean {
    return this.filter !== undefined;
  }

  /** Puts a text in place of the one before. A text without a word shows every row. */
  set(text: string): void {
    const filter = new TextFilter(text);
    const next = filter.isEmpty ? '' : text.trim();
    if (next === this.current) {
      return;
    }
    this.current = next;
    this.filter = filter.isEmpty ? undefined : filter;
    this.searched = new WeakMap();
    this.last = undefined;
    this.changed.fire();
  }

  shows(row: ListRow): boolean {
    const { filter } = this;
    if (!filter) {
      return true;
    }
    const known = this.searched.get(row);
    if (known !== undefined) {
      return known;
    }
    const isShown = filter.matches(row.entry);
    this.searched.set(row, isShown);
    return isShown;
  }

  /**
   * The rows of a list that match, in their order. The same rows give the same array; where rows were
   * added after the others, only those are searched.
   */
  shown(rows: readonly ListRow[]): readonly ListRow[] {
    if (!this.filter) {
      return rows;
    }
    if (this.last?.rows !== rows) {
      this.last = { rows, searched: 0, shown: [] };
    }
    const { last } = this;
    for (let row = rows[last.searched]; row; row = rows[last.searched]) {
      last.searched += 1;
      if (this.shows(row)) {
        last.shown.push(row);
      }
    }
    return last.shown;
  }
}

export function filterResult(list: {
  readonly shownRows: readonly ListRow[];
  readonly result: LoadResult;
}): FilterResult {
  const { loaded, total } = list.result;
  return { shown: list.shownRows.length, loaded, ...(total === undefined ? {} : { total }) };
}
