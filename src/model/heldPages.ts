import type { Gap, ListRow, LoadResult } from './loadedList';
import type { PageFlights } from './pageFlights';

/** What is known of a list of which some pages are held; nothing here asks for anything. */
export abstract class HeldPages {
  protected abstract readonly pages: PageFlights;
  /** Entries per page, as it is set now. */
  protected abstract readonly pageSize: number;

  get rows(): readonly ListRow[] {
    return this.pages.rows.rows;
  }

  get gaps(): readonly Gap[] {
    const { rows, failures } = this.pages;
    return rows.gaps.map(({ offset, end }) => {
      const failure = failures.find((failed) => failed.offset >= offset && failed.offset < end);
      const isLoading = this.pages.at(offset) !== undefined;
      return { offset, end, isLoading, ...(failure ? { error: failure.error } : {}) };
    });
  }

  get isLoaded(): boolean {
    return !this.pages.rows.isEmpty;
  }

  get lastPageEmpty(): boolean {
    return this.pages.rows.lastPageEmpty;
  }

  get result(): LoadResult {
    return this.pages.rows.result;
  }

  /** When the oldest of its pages was loaded, in milliseconds since the epoch. */
  get loadedAt(): number | undefined {
    return this.pages.rows.loadedAt;
  }

  /** How often a finding came that was held already: the list has shifted between two pages. */
  get duplicates(): number {
    return this.pages.rows.duplicates;
  }

  /** What the service counted first and last, where that differs: the list has changed meanwhile. */
  get totalChange(): { from: number; to: number } | undefined {
    const { firstTotal: from, total: to } = this.pages.rows;
    return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
  }

  /** The row under a number, if it is held; a finding served twice is found under both. */
  rowAt(number: number): ListRow | undefined {
    return this.pages.rows.rowAt(number);
  }

  rowOf(key: string): ListRow | undefined {
    return this.pages.rows.rowOf(key);
  }

  firstRowFrom(number: number): ListRow | undefined {
    return this.pages.rows.firstRowFrom(number);
  }

  /** Requests that loading all of it takes; `undefined` where the service gives no total. */
  get missingPages(): number | undefined {
    const { gaps, total } = this.pages.rows;
    const size = this.pageSize;
    const last = gaps.at(-1);
    if (last?.end === Infinity && total === undefined) {
      return undefined;
    }
    // At least one for the last gap: only an answer ends the list.
    return gaps.reduce((sum, { offset, end }) => {
      const entries = (end === Infinity ? (total ?? 0) : end) - offset;
      return sum + Math.max(1, Math.ceil(entries / size));
    }, 0);
  }
}
