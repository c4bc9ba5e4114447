import { isUuid } from '../base/text/uuid';
import type { Filter, Overview, TableHandle } from '../engine';
import { openFilters } from '../summary/openFindings';
import { noSeverities, type SeverityCounts, type TrendLevel } from '../summary/trend';
import { scorecardColumn } from '../vocabulary/findingColumns';
import { findSeverityLevel } from '../vocabulary/severity';
import { systemClock } from '../base/events/clock';
import { withRows } from '../viewer/table/writeTable';

/** How many findings of a file are open, of all severities and of each. */
export interface OpenCounts {
  readonly open: number;
  readonly severity: SeverityCounts;
}

/** Those of a report, and of each of its scorecards, by the UUID in lower case; absent if it names none. */
export interface ReportCounts extends OpenCounts {
  readonly scorecards?: Readonly<Record<string, OpenCounts>>;
}

/** The most groups that are read: of 2,000 scorecards with five severities each. */
const maxGroups = 10_000;
const pageLength = 200;

/**
 * The open findings of a file, as its overview counts them: without known ones.
 * @throws TableError
 */
export async function countOpen(table: Pick<TableHandle, 'call' | 'info'>): Promise<ReportCounts> {
  const overview = await table.call('readOverview', { now: systemClock.now(), scope: 'open' });
  const { rows, severity } = overview;
  const name = table.info.columns.find(({ id }) => id === severity?.column)?.name;
  const words = (severity?.values ?? []).map(({ cell, count }) => [cell.text, count] as const);
  const { format, invalidRows } = table.info;
  // Those of CSV have values all the same.
  const unread = format.kind === 'csv' ? 0 : invalidRows;
  const counts = { open: rows - unread, severity: sumSeverities(words, name) };
  const scorecards = await countScorecards(table, overview, name);
  return scorecards ? { ...counts, scorecards } : counts;
}

async function countScorecards(
  table: Pick<TableHandle, 'call' | 'info'>,
  { closed, severity }: Overview,
  severityName: string | undefined,
): Promise<Record<string, OpenCounts> | undefined> {
  const scorecard = scorecardColumn(table.info.columns)?.id;
  if (scorecard === undefined || !severity) {
    return undefined;
  }
  const found = new Map<string, [word: string, count: number][]>();
  const groupBy = [scorecard, severity.column];
  for (const [[id = '', word = ''], count] of await readGroups(table, closed, groupBy)) {
    if (isUuid(id)) {
      const key = id.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), [word, count]]);
    }
  }
  return Object.fromEntries([...found].map(([id, words]) => [id, sumGroups(words, severityName)]));
}

/**
 * The findings of a file of differences that are new and open, without known ones.
 * @param scorecardId counts only those of this scorecard, if a column names scorecards.
 * @throws TableError
 */
export async function countNew(
  table: Pick<TableHandle, 'call' | 'info'>,
  scorecardId?: string,
): Promise<OpenCounts> {
  const params = { now: systemClock.now(), scope: 'open' } as const;
  const { closed, severity } = await table.call('readOverview', params);
  const { columns } = table.info;
  const change = columns.find(({ role }) => role === 'change');
  const scorecard = scorecardId === undefined ? undefined : scorecardColumn(columns)?.id;
  const groupBy = [change?.id, severity?.column, scorecard].filter((id) => id !== undefined);
  const groups = change ? await readGroups(table, closed, groupBy) : [];
  const words = groups
    .filter(([[changed, ...rest]]) => {
      const of = scorecard === undefined ? undefined : rest.at(-1);
      return changed === 'new' && (of === undefined || of.toLowerCase() === scorecardId);
    })
    .map(([[, word = ''], count]) => [severity ? word : '', count] as const);
  return sumGroups(words, columns.find(({ id }) => id === severity?.column)?.name);
}

/** The texts of groups of open findings, with their numbers of rows. */
async function readGroups(
  table: Pick<TableHandle, 'call'>,
  closed: Overview['closed'],
  groupBy: readonly string[],
): Promise<(readonly [texts: readonly string[], count: number])[]> {
  const filter: Filter = { op: 'and', of: openFilters(closed) };
  return withRows(table, { filter, groupBy }, async ({ id: view, groups = 0 }) => {
    const found: (readonly [readonly string[], number])[] = [];
    for (let from = 0; from < Math.min(groups, maxGroups); from += pageLength) {
      const page = await table.call('groups', { view, from, count: pageLength });
      for (const { values, count } of page.groups) {
        found.push([values.map(({ text }) => text), count]);
      }
    }
    return found;
  });
}

function sumGroups(
  words: readonly (readonly [word: string, count: number])[],
  column: string | undefined,
): OpenCounts {
  return {
    open: words.reduce((sum, [, count]) => sum + count, 0),
    severity: sumSeverities(words, column),
  };
}

function sumSeverities(
  words: readonly (readonly [word: string, count: number])[],
  column: string | undefined,
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
