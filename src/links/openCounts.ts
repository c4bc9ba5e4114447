import { isUuid } from '../base/text/uuid';
import type { Filter, Overview, TableHandle } from '../engine';
import { openFilters } from '../summary/openFindings';
import { noSeverities, type SeverityCounts, type TrendLevel } from '../summary/trend';
import { scorecardColumn } from '../vocabulary/findingColumns';
import { findSeverityLevel, type SeverityColumn } from '../vocabulary/severity';
import { systemClock } from '../base/events/clock';
import { withRows } from '../viewer/table/writeTable';

/** How many findings of a file are open, of all severities and of each. */
export interface OpenCounts {
  readonly open: number;
  readonly severity: SeverityCounts;
}

/** Those of a report, and of its scorecards, by the UUID in lower case; absent if it names none. */
export interface ReportCounts extends OpenCounts {
  readonly scorecards?: Readonly<Record<string, OpenCounts>>;
  /** The report names so many scorecards that each is counted when it is asked for: see `countScorecard`. */
  readonly isPartial?: true;
}

/** The most groups that are read and kept: of 2,000 scorecards with five severities each. */
const maxGroups = 10_000;
const pageLength = 200;

/**
 * The open findings of a file, as its overview counts them: without known ones.
 * @throws TableError
 */
export async function countOpen(table: Pick<TableHandle, 'call' | 'info'>): Promise<ReportCounts> {
  const overview = await table.call('readOverview', { now: systemClock.now(), scope: 'open' });
  const { rows, severity } = overview;
  const column = table.info.columns.find(({ id }) => id === severity?.column);
  const words = (severity?.values ?? []).map(({ cell, count }) => [cell.text, count] as const);
  const { format, invalidRows } = table.info;
  // Those of CSV have values all the same.
  const unread = format.kind === 'csv' ? 0 : invalidRows;
  const counts = { open: rows - unread, severity: sumSeverities(words, column) };
  return { ...counts, ...(await countScorecards(table, overview, column)) };
}

/**
 * The open findings of one scorecard of a file that names scorecards, without known ones.
 * @param scorecardId its UUID.
 * @throws TableError
 */
export async function countScorecard(
  table: Pick<TableHandle, 'call' | 'info'>,
  scorecardId: string,
): Promise<OpenCounts> {
  const column = scorecardColumn(table.info.columns)?.id;
  return column === undefined
    ? { open: 0, severity: noSeverities }
    : countFiltered(table, [{ op: 'equals', column, text: scorecardId }]);
}

/**
 * The findings of a file of differences that are new and open, without known ones.
 * @param scorecardId counts only those of this scorecard: none, if no column names scorecards.
 * @throws TableError
 */
export async function countNew(
  table: Pick<TableHandle, 'call' | 'info'>,
  scorecardId?: string,
): Promise<OpenCounts> {
  const { columns } = table.info;
  const change = columns.find(({ role }) => role === 'change')?.id;
  if (change === undefined) {
    return { open: 0, severity: noSeverities };
  }
  const isNew = { op: 'equals', column: change, text: 'new', matchCase: true } as const;
  if (scorecardId === undefined) {
    return countFiltered(table, [isNew]);
  }
  const scorecard = scorecardColumn(columns)?.id;
  return scorecard === undefined
    ? { open: 0, severity: noSeverities }
    : countFiltered(table, [isNew, { op: 'equals', column: scorecard, text: scorecardId }]);
}

async function countScorecards(
  table: Pick<TableHandle, 'call' | 'info'>,
  { closed, severity }: Overview,
  severityColumn: SeverityColumn | undefined,
): Promise<Pick<ReportCounts, 'scorecards' | 'isPartial'>> {
  const scorecard = scorecardColumn(table.info.columns)?.id;
  if (scorecard === undefined || !severity) {
    return {};
  }
  const filter = openFilter(closed);
  const { groups, isComplete } = await readGroups(table, filter, [scorecard, severity.column]);
  if (!isComplete) {
    return { scorecards: {}, isPartial: true };
  }
  const found = new Map<string, [word: string, count: number][]>();
  for (const [[id = '', word = ''], count] of groups) {
    if (isUuid(id)) {
      const key = id.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), [word, count]]);
    }
  }
  return {
    scorecards: Object.fromEntries(
      [...found].map(([id, words]) => [id, sumGroups(words, severityColumn)]),
    ),
  };
}

/** The open findings that also match other filters, without known ones. */
async function countFiltered(
  table: Pick<TableHandle, 'call' | 'info'>,
  filters: readonly Filter[],
): Promise<OpenCounts> {
  const params = { now: systemClock.now(), scope: 'open' } as const;
  const { closed, severity } = await table.call('readOverview', params);
  const groupBy = severity ? [severity.column] : [];
  const { groups, rows } = await readGroups(table, openFilter(closed, filters), groupBy);
  const words = groups.map(([[word = ''], count]) => [word, count] as const);
  const column = table.info.columns.find(({ id }) => id === severity?.column);
  return { open: rows, severity: sumSeverities(words, column) };
}

function openFilter(closed: Overview['closed'], filters: readonly Filter[] = []): Filter {
  return { op: 'and', of: [...openFilters(closed), ...filters] };
}

/** The texts of groups, with their numbers of rows. None are read if there are too many. */
async function readGroups(
  table: Pick<TableHandle, 'call'>,
  filter: Filter,
  groupBy: readonly string[],
): Promise<{
  readonly groups: readonly (readonly [texts: readonly string[], count: number])[];
  /** Of all groups. */
  readonly rows: number;
  readonly isComplete: boolean;
}> {
  return withRows(table, { filter, groupBy }, async ({ id: view, rows, groups = 0 }) => {
    const found: (readonly [readonly string[], number])[] = [];
    for (let from = 0; from < groups && groups <= maxGroups; from += pageLength) {
      const page = await table.call('groups', { view, from, count: pageLength });
      for (const { values, count } of page.groups) {
        found.push([values.map(({ text }) => text), count]);
      }
    }
    return { groups: found, rows, isComplete: groups <= maxGroups };
  });
}

function sumGroups(
  words: readonly (readonly [word: string, count: number])[],
  column: SeverityColumn | undefined,
): OpenCounts {
  return {
    open: words.reduce((sum, [, count]) => sum + count, 0),
    severity: sumSeverities(words, column),
  };
}

function sumSeverities(
  words: readonly (readonly [word: string, count: number])[],
  column: SeverityColumn | undefined,
): SeverityCounts {
  const counts: Record<TrendLevel, number> = { ...noSeverities };
  for (const [word, count] of words) {
    const level = findSeverityLevel(word, column);
    if (level !== undefined && level !== 'positive') {
      counts[level] += count;
    }
  }
  return counts;
}
