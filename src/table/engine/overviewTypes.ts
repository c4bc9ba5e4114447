import type { ColumnId, DistinctValue } from './types';

/** The counts of one column. */
export interface ColumnCounts {
  readonly column: ColumnId;
  /**
   * At most 50. Severities, grades and statuses in their natural order, words that are not known after
   * them; the values of other columns by count, the most frequent first.
   */
  readonly values: readonly DistinctValue[];
  /** How many distinct values there are. */
  readonly total: number;
  /** Rows whose value is not among `values`. */
  readonly other: number;
}

/** A type of issue, with what its rows have in common. */
export interface IssueTypeSummary {
  readonly value: DistinctValue;
  /** The worst severity of its rows. */
  readonly severity?: DistinctValue;
  /** Distinct assets of its rows. */
  readonly assets?: number;
  /** The latest first-seen date of its rows, in milliseconds since the epoch. */
  readonly lastFirstSeen?: number;
}

/** How long ago the findings were first seen, in rows, at the time asked about. */
export interface Ages {
  readonly under7: number;
  readonly from7To30: number;
  readonly from30To90: number;
  readonly over90: number;
}

/** What a small chart shows of a column: its most frequent values, or how they are spread. */
export interface ColumnChart {
  readonly column: ColumnId;
  /** At most 8, in the order of `ColumnCounts`. */
  readonly values?: readonly DistinctValue[];
  /** Of up to 2,048 rows: their numbers, or their dates in milliseconds since the epoch. */
  readonly spread?: {
    readonly from: number;
    readonly to: number;
    /** How many are in each of 20 equal steps. */
    readonly steps: readonly number[];
  };
}

export interface ChartAnswer {
  /** Whether all rows are counted. */
  readonly done: boolean;
  /** Columns that have something to show; secret ones have not. */
  readonly columns: readonly ColumnChart[];
}

/** The counts of a file of findings. A part is absent where the file has no such column. */
export interface Overview {
  /** Rows counted so far. */
  readonly rows: number;
  /** Whether all rows are counted. */
  readonly done: boolean;
  readonly severity?: ColumnCounts;
  readonly issueType?: ColumnCounts;
  /** At most ten: the worst severity first, then the most rows. */
  readonly topIssueTypes?: readonly IssueTypeSummary[];
  /** When all rows are counted: the worst severity of each type, at most 500, those with the most rows. */
  readonly typeSeverities?: readonly { readonly type: string; readonly severity: string }[];
  readonly factor?: ColumnCounts;
  readonly status?: ColumnCounts;
  readonly firstSeen?: {
    readonly column: ColumnId;
    /** In order of time (UTC), only months with rows. */
    readonly months: readonly { readonly month: string; readonly count: number }[];
    readonly ages: Ages;
    /** Rows first seen at `since` or later, where it was asked about. */
    readonly sinceCount?: number;
  };
  readonly assets?: ColumnCounts;
  /**
   * Other columns with few distinct values, in the order of the file: shown as bars where none of the
   * above is there, else offered ("Show as Bars").
   */
  readonly others: readonly ColumnCounts[];
}
