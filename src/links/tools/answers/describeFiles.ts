import { systemClock } from '../../../base/events/clock';
import { defined } from '../../../base/defined';
import {
  type ColumnId,
  type Comparison,
  type Overview,
  severalLists,
  type TableHandle,
} from '../../../engine';
import { demoAccountId } from '../../../service/account/account';
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
    // What the demo has invented stays after it is left.
    const isDemo = report.accountId === demoAccountId;
    return {
      id,
      kind,
      title,
      state,
      requestedAt,
      finishedAt,
      bytes,
      ...(isDemo && { isInventedDemo: true }),
    };
  });
}

/**
 * The counts of a file, without those of columns with masked values, and the lists of a JSON document with several.
 * @param ratings of the companies of scorecards, which decide which of them are worst. @throws TableError
 */
export async function describeTable(table: Pick<TableHandle, 'call'>, ratings: Ratings = {}) {
  const overview = await table.call('readOverview', {
    now: systemClock.now(),
    scope: 'open',
    rated: worstRated(ratings),
  });
  const info = await table.call('checked', {});
  return {
    ...formatOpenOverview(await leaveOutMasked(overview, table), info.columns),
    ...severalLists(info),
  };
}

/** Counts would tell which masked values are equal, and to which value that another row shows. */
async function leaveOutMasked(
  overview: Overview,
  table: Pick<TableHandle, 'call'>,
): Promise<Overview> {
  const { severity, issueType, factor, status, firstSeen, assets, scorecards, ...others } =
    overview;
  const parts = [severity, issueType, factor, status, firstSeen, assets, scorecards];
  const { exploited = [], ...rest } = others;
  const counted = [...parts, ...exploited].flatMap(columnsOf);
  const { columns } = await table.call('masked', { columns: [...new Set(counted)] });
  const shown = <Part extends CountedPart>(part: Part | undefined): Part | undefined =>
    columnsOf(part).some((id) => columns.includes(id)) ? undefined : part;
  return {
    ...rest,
    ...(exploited.length > 0 && { exploited: exploited.filter((each) => shown(each)) }),
    ...defined({
      severity: shown(severity),
      issueType: shown(issueType),
      factor: shown(factor),
      status: shown(status),
      firstSeen: shown(firstSeen),
      assets: shown(assets),
      // It has severities, too.
      scorecards: shown(severity) && shown(scorecards),
    }),
  };
}

/** What is counted of one column, or of several. */
interface CountedPart {
  readonly column?: ColumnId;
  readonly moreColumns?: readonly ColumnId[];
}

function columnsOf(part: CountedPart | undefined): ColumnId[] {
  const { column, moreColumns = [] } = part ?? {};
  return [...(column === undefined ? [] : [column]), ...moreColumns];
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
