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
  const filter: Filter = { op: 'and', of: openFilters(closed) };
  const groupBy = [scorecard, severity.column];
  const found = new Map<string, [word: string, count: number][]>();
  await withRows(table, { filter, groupBy }, async ({ id: view, groups = 0 }) => {
    for (let from = 0; from < Math.min(groups, maxGroups); from += pageLength) {
      const page = await table.call('groups', { view, from, count: pageLength });
      for (const { values, count } of page.groups) {
        const [id = '', word = ''] = values.map(({ text }) => text);
        if (isUuid(id)) {
          const key = id.toLowerCase();
          found.set(key, [...(found.get(key) ?? []), [word, count]]);
        }
      }
    }
  });
  return Object.fromEntries(
    [...found].map(([id, words]) => [
      id,
      {
        open: words.reduce((sum, [, count]) => sum + count, 0),
        severity: sumSeverities(words, severityName),
      },
    ]),
  );
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
