import { type ColumnCounts, distinctValues, isEmptyValue, type Overview } from '../overviewTypes';
import type { Column, ColumnId } from '../types';

/** The counts of a column in the form for programs. */
export interface PlainCounts {
  /** The name of the column. */
  readonly column: string;
  /**
   * At most 50, in the order in which they are shown: their natural order, or by count. Rows
   * without a value are not listed.
   */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Rows with another value, or none. */
  readonly other: number;
}

/** The overview of a file in the form for programs. A part is absent if the file has no such column. */
export interface TableOverview {
  readonly rows: number;
  readonly severity?: PlainCounts;
  readonly issueType?: PlainCounts;
  readonly factor?: PlainCounts;
  readonly status?: PlainCounts;
  readonly firstSeen?: {
    readonly column: string;
    /** In chronological order, only months with rows: `2026-11`. */
    readonly months: readonly { readonly month: string; readonly count: number }[];
  };
  readonly assets?: {
    /** Where it has no value, others may: see `ColumnCounts`. */
    readonly column: string;
    readonly distinct: number;
    readonly values: PlainCounts['values'];
  };
}

/** The overview of a page for programs: of the findings that are open, and with the scorecards. */
export interface OpenOverview extends TableOverview {
  /** The findings that are not open. Absent if there are none, or nothing tells. */
  readonly notCounted?: { readonly rows: number; readonly statuses: readonly string[] };
  /** At most ten, worst first; absent if there is only one. */
  readonly scorecards?: readonly {
    readonly scorecard: string;
    readonly severities: PlainCounts['values'];
  }[];
}

/** @param overview was requested with `openOnly`. */
export function openOverview(overview: Overview, columns: readonly Column[]): OpenOverview {
  const { closed, scorecards } = overview;
  return {
    ...plainOverview(overview, columns),
    ...(closed?.areCounted === false && {
      notCounted: { rows: closed.rows, statuses: closed.statuses.map(({ cell }) => cell.text) },
    }),
    ...(scorecards && {
      scorecards: scorecards.worst.map(({ value, severities }) => ({
        scorecard: value.cell.text,
        severities: severities.map(({ cell, count }) => ({ value: cell.text, count })),
      })),
    }),
  };
}

/** Converts an overview to the form for programs, without data that only a page needs. */
export function plainOverview(overview: Overview, columns: readonly Column[]): TableOverview {
  const { rows, severity, issueType, factor, status, firstSeen, assets } = overview;
  const nameOf = (id: ColumnId) => columns.find((column) => column.id === id)?.name ?? id;
  const plain = ({ column, values, other }: ColumnCounts): PlainCounts => {
    const empty = values.filter(isEmptyValue).reduce((sum, { count }) => sum + count, 0);
    return {
      column: nameOf(column),
      values: values
        .filter((value) => !isEmptyValue(value))
        .map(({ cell, count }) => ({ value: cell.text, count })),
      other: other + empty,
    };
  };
  return {
    rows,
    ...(severity && { severity: plain(severity) }),
    ...(issueType && { issueType: plain(issueType) }),
    ...(factor && { factor: plain(factor) }),
    ...(status && { status: plain(status) }),
    ...(firstSeen && { firstSeen: { column: nameOf(firstSeen.column), months: firstSeen.months } }),
    ...(assets && {
      assets: {
        column: nameOf(assets.column),
        distinct: distinctValues(assets),
        values: plain(assets).values,
      },
    }),
  };
}
