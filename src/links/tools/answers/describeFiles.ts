import { systemClock } from '../../../base/events/clock';
import { type Comparison, severalLists, type TableHandle } from '../../../engine';
import { type StoredReport, toPublicReport } from '../../../service/reports/storedReport';
import { type Ratings, worstRated } from '../../../vocabulary/grade';
import { formatOpenOverview } from '../../../summary/overviewValues';

/*
 * What a language model gets of reports and files: the same for the tools of chat and for the server of other agents.
 */

/** What a model gets of reports, which has no findings. */
export function describeReports(reports: readonly StoredReport[]) {
  return reports.map((report) => {
    const { id, kind, title, state, requestedAt, finishedAt, bytes } = toPublicReport(report);
    return { id, kind, title, state, requestedAt, finishedAt, bytes };
  });
}

/**
 * The counts of a file, and the lists of a JSON document with several.
 * @param ratings of the companies of scorecards, which decide which of them are worst. @throws TableError
 */
export async function describeTable(table: TableHandle, ratings: Ratings = {}) {
  const overview = await table.call('readOverview', {
    now: systemClock.now(),
    scope: 'open',
    rated: worstRated(ratings),
  });
  return {
    ...formatOpenOverview(overview, table.info.columns),
    ...severalLists(await table.call('checked', {})),
  };
}

/** The counts of a comparison. */
export function describeComparison(compared: Comparison) {
  const { key, new: added, gone, changed, unchanged, duplicates } = compared;
  const { closed, nowClosed, reopened, open } = compared;
  return {
    key,
    new: added,
    gone,
    changed,
    unchanged,
    ...(closed && { closed: { new: closed.new, gone: closed.gone } }),
    ...(nowClosed !== undefined && { nowClosed }),
    ...(reopened !== undefined && { reopened }),
    ...(open && { open }),
    duplicates,
  };
}
