import type { DistinctValue } from './answers';
import type { ClosingForm } from '../../vocabulary/closing';
import type { ExploitSign } from '../../vocabulary/exploited';
import type { ColumnId } from './column';
import type { Filter } from './query';

/** The counts of one column. */
export interface ColumnCounts {
  readonly column: ColumnId;
  /** Assets: in a row without a value, the first value of these columns counts. */
  readonly moreColumns?: readonly ColumnId[];
  /**
   * At most 50. Severities, grades and statuses are in their natural order, followed by unknown
   * words; the values of other columns are by count, most frequent first. Null and missing are
   * always among them, if there are such rows. Severities and statuses that differ only in case or
   * spaces are one value, and so are their null, missing and empty texts.
   */
  readonly values: readonly DistinctValue[];
  /** Of assets: the severities of the first ten values, the worst first; absent if there are too many assets. */
  readonly severities?: readonly (readonly DistinctValue[])[];
  /** How many distinct values there are. */
  readonly total: number;
  /** Rows whose value is not among `values`. */
  readonly other: number;
}

/** Whether rows with this value have none. */
export function isEmptyValue({ cell: { kind } }: DistinctValue): boolean {
  return kind === 'null' || kind === 'missing';
}

/** The keys of all values that are counted as this one. */
export function keysOf({ key, moreKeys = [] }: DistinctValue): readonly string[] {
  return [key, ...moreKeys];
}

/** How many distinct values a column has, without null and missing. */
export function distinctValues({ values, total }: ColumnCounts): number {
  return total - values.filter(isEmptyValue).length;
}

/** An issue type, and a summary of its rows. */
export interface IssueTypeSummary {
  readonly value: DistinctValue;
  /** What a vulnerability is called beside its id, or what a rule of SARIF says of itself, as its first row has it. */
  readonly about?: string;
  /** The worst severity of its rows. */
  readonly severity?: DistinctValue;
  /** How many of its rows have each severity, the worst first. */
  readonly severities?: readonly DistinctValue[];
  /** Distinct assets of its rows. */
  readonly assets?: number;
  /** The latest first-seen date of its rows, in milliseconds since the epoch. */
  readonly lastFirstSeen?: number;
}

/** A scorecard, and how many of its rows have each severity, the worst first. */
export interface ScorecardSummary {
  readonly value: DistinctValue;
  /** The domain of its company, as the first of its rows has it. */
  readonly domain?: string;
  readonly severities: readonly DistinctValue[];
}

/** The number of rows by the number of days since they were first seen. */
export interface Ages {
  readonly under7: number;
  readonly from7To30: number;
  readonly from30To90: number;
  readonly over90: number;
  /** First seen more than a day after that time: wrong dates. Absent if there are none. */
  readonly future?: number;
}

/** The small chart of a column: its most frequent values, or how they are spread. */
export interface ColumnChart {
  readonly column: ColumnId;
  /** At most 8, in the order of `ColumnCounts`. */
  readonly values?: readonly DistinctValue[];
  /**
   * The spread of up to 512 rows: of their numbers, or of their dates in milliseconds since the
   * epoch.
   */
  readonly spread?: {
    readonly from: number;
    readonly to: number;
    /** How many values are in each of 20 equal steps. */
    readonly steps: readonly number[];
  };
}

export interface Charts {
  /** Whether all rows are counted. */
  readonly done: boolean;
  /** Columns that have something to show; secret columns are not among them. */
  readonly columns: readonly ColumnChart[];
  /** The rows that are closed findings. */
  readonly closed: number;
  /** The columns that close them, and how; what closes the others is that they are known. */
  readonly closing: readonly { readonly column: ColumnId; readonly form: ClosingForm }[];
}

/**
 * Which rows an overview counts: `open` leaves out findings whose status says that they are not open, and those that
 * are known; `openOrKnown` and `notKnown` only the former, or only the latter. Where nothing tells (no column, and no
 * row is known), all rows are counted.
 */
export type CountScope = 'open' | 'openOrKnown' | 'notKnown' | 'all';

/** Whether findings count whose status says that they are not open. */
export function countsClosed(scope: CountScope): boolean {
  return scope === 'all' || scope === 'notKnown';
}

/** Whether findings count that a user has decided about. */
export function countsKnown(scope: CountScope): boolean {
  return scope === 'all' || scope === 'openOrKnown';
}

/**
 * How many findings have a sign of attacks, by the column that says so most likely, or by the lists of CVEs of the
 * user, each once.
 */
export interface ExploitedCount {
  readonly sign: ExploitSign;
  /** Absent if only lists say so. */
  readonly column?: ColumnId;
  readonly count: number;
  /** Finds them; absent if there are none, or if they have too many values for a filter. */
  readonly filter?: Filter;
}

/** The counts of a file of findings. A part is absent if the file has no such column. */
export interface Overview {
  /** Rows counted so far. */
  readonly rows: number;
  /** Whether all rows are counted. */
  readonly done: boolean;
  /** The findings that are not open, if a column tells and there are any. */
  readonly closed?: {
    readonly rows: number;
    /** How many of them are known, whether or not a column closes them, too. */
    readonly known?: number;
    /** The columns that close some, with the values that do, most rows first. */
    readonly by: readonly {
      readonly column: ColumnId;
      readonly values: readonly DistinctValue[];
      /** What the values say, such as `resolved` or, where `false_positive` is true, `false_positive`. */
      readonly words: readonly string[];
      /** Set if the column has too many values to list them: how they say so, for the filter `closes`. */
      readonly form?: ClosingForm;
    }[];
    /** Otherwise, they count only in those columns. */
    readonly areCounted: boolean;
  };
  /** How many findings are new, if a column says what changed since another run, as `baselineState` of SARIF does. */
  readonly sinceBaseline?: {
    readonly column: ColumnId;
    readonly new: number;
    /** The values of the new ones. */
    readonly values: readonly DistinctValue[];
  };
  /** In the order of signs, those that a column can have. */
  readonly exploited?: readonly ExploitedCount[];
  readonly severity?: ColumnCounts;
  readonly issueType?: ColumnCounts;
  /** At most ten, ordered by the worst severity, then what is exploited, then by the most rows. */
  readonly topIssueTypes?: readonly IssueTypeSummary[];
  /**
   * Set when all rows are counted: the worst severity of each type, for at most 500 types with the
   * most rows.
   */
  readonly typeSeverities?: readonly { readonly type: string; readonly severity: string }[];
  /** At most ten scorecards, if there are several: those that are rated worst first, then those with worse findings. */
  readonly scorecards?: {
    readonly column: ColumnId;
    /** How many there are. */
    readonly total: number;
    readonly worst: readonly ScorecardSummary[];
  };
  /** By the UUIDs of scorecards in lower case, of the hundred with the most rows: the domains of their companies. */
  readonly domains?: Readonly<Record<string, string>>;
  readonly factor?: ColumnCounts;
  readonly status?: ColumnCounts;
  readonly firstSeen?: {
    readonly column: ColumnId;
    /** In chronological order (UTC), only months with rows. */
    readonly months: readonly { readonly month: string; readonly count: number }[];
    readonly ages: Ages;
    /** Rows first seen at `since` or later, if `since` was given. */
    readonly sinceCount?: number;
  };
  readonly assets?: ColumnCounts;
  /**
   * Other columns with few distinct values, in the order of the file: shown as bars if there is
   * none of the above, otherwise offered ("Add a chart").
   */
  readonly others: readonly ColumnCounts[];
}
