import { type ColumnCounts, distinctValues, isEmptyValue, type Overview } from '../data/overview';
import type { Column, ColumnId } from '../data/column';

/** The overview of a file in the form for programs. A part is absent if the file has no such column. */
export type TableOverview = ReturnType<typeof plainOverview>;

/** The overview of a page for programs: of the findings that are open, and with the scorecards. */
export type OpenOverview = ReturnType<typeof openOverview>;

/** @param overview was requested with `openOnly`. */
export function openOverview(overview: Overview, columns: readonly Column[]) {
  const { closed, scorecards } = overview;
  return {
    ...plainOverview(overview, columns),
    // The findings that are not open. Absent if there are none, or nothing tells.
    ...(closed?.areCounted === false && {
      notCounted: { rows: closed.rows, statuses: closed.statuses.map(({ cell }) => cell.text) },
    }),
    // At most ten, worst first; absent if there is only one.
    ...(scorecards && {
      scorecards: scorecards.worst.map(({ value, severities }) => ({
        scorecard: value.cell.text,
        severities: severities.map(({ cell, count }) => ({ value: cell.text, count })),
      })),
    }),
  };
}

/** Converts an overview to the form for programs, without data that only a page needs. */
export function plainOverview(overview: Overview, columns: readonly Column[]) {
  const { rows, severity, issueType, factor, status, firstSeen, assets } = overview;
  const nameOf = (id: ColumnId) => columns.find((column) => column.id === id)?.name ?? id;
  /** At most 50 values, in the order in which they are shown: their natural order, or by count. */
  const plain = ({ column, values, other }: ColumnCounts) => {
    const empty = values.filter(isEmptyValue).reduce((sum, { count }) => sum + count, 0);
    return {
      column: nameOf(column),
      values: values
        .filter((value) => !isEmptyValue(value))
        .map(({ cell, count }) => ({ value: cell.text, count })),
      /** Rows with another value, or none. */
      other: other + empty,
    };
  };
  return {
    rows,
    ...(severity && { severity: plain(severity) }),
    ...(issueType && { issueType: plain(issueType) }),
    ...(factor && { factor: plain(factor) }),
    ...(status && { status: plain(status) }),
    // In chronological order, only months with rows: `2026-11`.
    ...(firstSeen && { firstSeen: { column: nameOf(firstSeen.column), months: firstSeen.months } }),
    // Where the column has no value, others may: see `ColumnCounts`.
    ...(assets && {
      assets: {
        column: nameOf(assets.column),
        distinct: distinctValues(assets),
        values: plain(assets).values,
      },
    }),
  };
}
