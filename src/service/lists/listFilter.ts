import { systemClock } from '../../base/events/clock';
import { Emitter } from '../../base/events/emitter';
import type { ListRow } from './listRows';
import { TextFilter } from './textFilter';

/**
 * How long a search blocks the event loop at a time, in milliseconds. A fixed row count does not work: before V8
 * has compiled the search, rows take about ten times as long.
 */
const sliceMs = 10;

/** The number of rows between two looks at the clock; shorter lists are searched at once. */
const rowsPerClockCheck = 1_000;

/**
 * Hides the loaded rows of a list that do not match a text. The service does not get the text, so rows that are
 * not loaded are not searched.
 */
export class ListFilter {
  private readonly changed = new Emitter<boolean>();
  private filter: TextFilter | undefined;
  private currentText = '';
  /** The text before, if it has grown since: what did not match it does not match this one either. */
  private widerText: string | undefined;
  private latest: { rows: readonly ListRow[]; searched: number; shown: ListRow[] } | undefined;
  private isScheduled = false;

  /**
   * Fires for another text, and during a search, with whether to draw the rows found so far: true for another text, for
   * the first rows, and at the end.
   */
  readonly onDidChange = this.changed.event;

  /** @param now milliseconds of a clock that only goes forward. */
  constructor(private readonly now = () => systemClock.monotonic()) {}

  /** As it was set, without spaces around it; empty while nothing is hidden. */
  get text(): string {
    return this.currentText;
  }

  get isOn(): boolean {
    return this.filter !== undefined;
  }

  /** Replaces the text. A text without a word shows every row. */
  set(text: string): void {
    const typed = text.trim();
    const filter = new TextFilter(typed);
    const next = filter.isEmpty ? '' : typed;
    if (next === this.currentText) {
      return;
    }
    if (!this.filter || !filter.isNarrowerThan(this.filter)) {
      this.widerText = undefined;
    } else if (this.latest) {
      this.widerText = this.currentText;
    }
    this.currentText = next;
    this.filter = filter.isEmpty ? undefined : filter;
    this.latest = undefined;
    this.changed.fire(true);
  }

  shows(row: ListRow): boolean {
    return this.filter?.matches(row.entry, row.characters) ?? true;
  }

  /**
   * The rows of a list that match, in their order. The same rows give the same array. When a list grows page by
   * page, only its new rows are searched; when the text grows as it is typed, only the rows that matched before.
   */
  shown(rows: readonly ListRow[]): readonly ListRow[] {
    return this.search(rows, Infinity);
  }

  /**
   * The rows found so far, in an array that grows: a million rows are searched in many short steps, so that
   * nothing has to wait for them.
   */
  found(rows: readonly ListRow[]): readonly ListRow[] {
    const found = this.search(rows, this.isScheduled && this.latest?.rows === rows ? 0 : sliceMs);
    if (!this.isScheduled && this.hasMore) {
      this.continueLater();
    }
    return found;
  }

  /** Whether `found` will find more rows. */
  get isSearching(): boolean {
    return this.isScheduled && this.hasMore;
  }

  /** Searches all rows in short steps. Resolves with the rows that match. */
  async searchAll(rows: () => readonly ListRow[]): Promise<readonly ListRow[]> {
    let found = this.found(rows());
    while (this.isSearching) {
      await new Promise((resolve) => setImmediate(resolve));
      found = this.found(rows());
    }
    return found;
  }

  private get hasMore(): boolean {
    return this.latest !== undefined && this.latest.searched < this.latest.rows.length;
  }

  private continueLater(): void {
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (!this.latest) {
        // The text has changed, and the view starts another search.
        return;
      }
      const before = this.latest.shown.length;
      const { length } = this.search(this.latest.rows, sliceMs);
      if (this.hasMore) {
        this.continueLater();
      }
      this.changed.fire(!this.hasMore || (before === 0 && length > 0));
    });
  }

  /**
   * @param forMs how long rows are searched. Rows that were already searched for the same text do not count:
   * otherwise, a page that is inserted between others would briefly hide most of the rows found.
   */
  private search(rows: readonly ListRow[], forMs: number): readonly ListRow[] {
    const { currentText: text, widerText } = this;
    if (!this.isOn) {
      return rows;
    }
    if (this.latest?.rows !== rows) {
      this.latest = { rows, searched: 0, shown: [] };
    }
    const { latest } = this;
    const until = this.now() + forMs;
    let isInTime = forMs > 0;
    let searched = 0;
    for (let row = rows[latest.searched]; row && isInTime; row = rows[latest.searched]) {
      if (row.searchedFor !== text) {
        const isHidden = widerText !== undefined && row.searchedFor === widerText && !row.isMatch;
        row.isMatch = !isHidden && this.shows(row);
        row.searchedFor = text;
        searched += 1;
        isInTime = searched % rowsPerClockCheck !== 0 || this.now() < until;
      }
      if (row.isMatch) {
        latest.shown.push(row);
      }
      latest.searched += 1;
    }
    return latest.shown;
  }
}
