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

/** What a search found out about the rows of a list. */
class Searched {
  private at = 0;

  /**
   * @param matched of each of the first rows, whether it matches.
   * @param isWider the present text is the one that was searched for and more: a row that matched may not.
   */
  constructor(
    readonly rows: readonly ListRow[],
    readonly matched: readonly boolean[],
    private readonly isWider: boolean,
  ) {}

  /** Whether a row matches, if that is known. Rows are asked about in the order of their numbers. */
  verdict(row: ListRow): boolean | undefined {
    const { rows, matched } = this;
    for (let old = rows[this.at]; old && old.number < row.number; old = rows[this.at]) {
      this.at += 1;
    }
    const isMatch = rows[this.at] === row ? matched[this.at] : undefined;
    return isMatch && this.isWider ? undefined : isMatch;
  }
}

/**
 * Hides the loaded rows of a list that do not match a text. It is no part of what the service is asked
 * for: what is not loaded is not searched.
 */
export class ListFilter {
  private readonly changed = new Emitter<void>();
  private filter: TextFilter | undefined;
  private current = '';
  private last: { rows: readonly ListRow[]; matched: boolean[]; shown: ListRow[] } | undefined;
  private earlier: Searched | undefined;

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
    if (this.isOn && isNarrower(next, this.current)) {
      this.remember(true);
    } else {
      this.earlier = undefined;
    }
    this.current = next;
    this.filter = filter.isEmpty ? undefined : filter;
    this.last = undefined;
    this.changed.fire();
  }

  shows(row: ListRow): boolean {
    return this.filter?.matches(row.entry) ?? true;
  }

  /**
   * The rows of a list that match, in their order. The same rows give the same array. What was searched
   * is not searched again: where rows came, as a list grows page by page, and where the text did,
   * as it is typed, only what is left is.
   */
  shown(rows: readonly ListRow[]): readonly ListRow[] {
    if (!this.filter) {
      return rows;
    }
    if (this.last?.rows !== rows) {
      this.remember(false);
      this.last = { rows, matched: [], shown: [] };
    }
    const { matched, shown } = this.last;
    for (let row = rows[matched.length]; row; row = rows[matched.length]) {
      const isShown = this.earlier?.verdict(row) ?? this.shows(row);
      matched.push(isShown);
      if (isShown) {
        shown.push(row);
      }
    }
    return shown;
  }

  private remember(isWider: boolean): void {
    if (this.last) {
      this.earlier = new Searched(this.last.rows, this.last.matched, isWider);
    }
  }
}

/** Whether every entry that matches the longer text matches the shorter one: both are words alone. */
function isNarrower(longer: string, shorter: string): boolean {
  return longer.startsWith(shorter) && !/[:"]/.test(longer);
}

export function filterResult(list: {
  readonly shownRows: readonly ListRow[];
  readonly result: LoadResult;
}): FilterResult {
  const { loaded, total } = list.result;
  return { shown: list.shownRows.length, loaded, ...(total === undefined ? {} : { total }) };
}
