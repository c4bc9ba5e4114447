import { closedStatuses } from './openFindings';
import {
  type Column,
  type ColumnCounts,
  type ColumnId,
  distinctValues,
  isEmptyValue,
  type IssueTypeSummary,
  type Overview,
} from '../engine/page';

/** The overview of a file as values for programs. A part is absent if the file has no such column. */
export type OverviewValues = ReturnType<typeof formatOverview>;

/**
 * The overview as a page shows it, as values for programs: with the scorecards, and what is not counted.
 * @param overview has only the findings that are open.
 */
export function formatOpenOverview(overview: Overview, columns: readonly Column[]) {
  const { closed, scorecards } = overview;
  return {
    ...formatOverview(overview, columns),
    // The findings that are not open. Absent if there are none, or nothing tells.
    ...(closed?.areCounted === false && {
      notCounted: {
        rows: closed.rows,
        statuses: closedStatuses(closed),
        ...(closed.known !== undefined && { known: closed.known }),
      },
    }),
    // At most ten, worst first; the columns and counts of all are in `issueType`.
    ...(overview.topIssueTypes &&
      overview.issueType &&
      overview.severity && {
        worstIssueTypes: overview.topIssueTypes.map(describeWorst),
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

/** An issue type, and how many of its rows have each severity, the worst first. */
function describeWorst({ value, severities = [] }: IssueTypeSummary) {
  return {
    issueType: value.cell.text,
    rows: value.count,
    severities: severities.map(({ cell, count }) => ({ value: cell.text, count })),
  };
}

/** An overview as values for programs, without what only a page needs. */
export function formatOverview(overview: Overview, columns: readonly Column[]) {
  const { rows, exploited, severity, issueType, factor, status, firstSeen, assets } = overview;
  const findName = (id: ColumnId) => columns.find((column) => column.id === id)?.name ?? id;
  /** At most 50 values, in the order in which they are shown: their natural order, or by count. */
  const plain = ({ column, values, other }: ColumnCounts) => {
    const empty = values.filter(isEmptyValue).reduce((sum, { count }) => sum + count, 0);
    return {
      column: findName(column),
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
    // Attacks are known, or likely (an EPSS of 10 % or more), or an exploit is available.
    ...(exploited && {
      exploited: exploited.map(({ sign, column, count }) => ({
        sign,
        // Absent if only lists of CVEs say so.
        ...(column !== undefined && { column: findName(column) }),
        count,
      })),
    }),
    ...(issueType && { issueType: plain(issueType) }),
    ...(factor && { factor: plain(factor) }),
    ...(status && { status: plain(status) }),
    // In chronological order, only months with rows: `2026-11`.
    ...(firstSeen && {
      firstSeen: { column: findName(firstSeen.column), months: firstSeen.months },
    }),
    // Where the column has no value, others may: see `ColumnCounts`.
    ...(assets && {
      assets: {
        column: findName(assets.column),
        distinct: distinctValues(assets),
        values: plain(assets).values,
      },
    }),
  };
}
