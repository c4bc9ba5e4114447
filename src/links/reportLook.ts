import { message } from '../base/message';
import { UserError } from '../base/userError';
import type { Clock } from '../base/events/clock';
import { noSeverities } from '../summary/trend';
import { hasFile } from '../service/reports/reportParts';
import type { Reports } from '../service/reports/reports';
import {
  isSameRequest,
  madeAt,
  newReport,
  reportsLike,
  type ReportRequest,
  type StoredReport,
  unpackedSize,
} from '../service/reports/storedReport';
import type { Comparer } from '../viewer/compare/ui/comparer';
import { createInput } from '../viewer/compare/ui/comparedInput';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import type { Look } from '../service/watch/watch';
import type { Watched } from '../service/watch/watchFile';
import type { WatchNews } from '../service/watch/watchNews';
import { storedFileUri } from '../workbench/storedFiles';
import { countNew } from './openCounts';
import { maxAutomaticBytes } from '../viewer/compare/automaticComparison';
import type { StoredReports } from './storedReports';

/**
 * A report that was made so recently, and since the last look, is not made again, in milliseconds: several scorecards may
 * share one.
 */
const freshMs = 3_600_000;

export interface ReportLookDeps {
  readonly reports: Reports;
  readonly clock: Pick<Clock, 'now'>;
  readonly requestAbout: (scorecardId: string) => ReportRequest;
  /** Makes a report that does not open and shows no notification. Resolves when it is ready. */
  readonly startQuietly: (request: ReportRequest) => Promise<StoredReport>;
  readonly account: () => Parameters<typeof newReport>[1];
  readonly stored: () => Promise<StoredReports>;
  readonly comparer: () => Promise<Comparer>;
  readonly editor: Pick<TableEditor, 'withTable'>;
}

const nothing: WatchNews = { count: 0, severity: noSeverities, isBreached: false };

/**
 * Looks at a scorecard by a full report: its new findings are those that the report had not when the scorecard was
 * looked at last. Where there is no earlier report of the same request, this one is where news begin.
 * @throws ApiError, UserError
 */
export async function lookAtReport(
  deps: ReportLookDeps,
  { scorecardId, since: lookedAt }: Watched,
): Promise<Look> {
  const { reports, clock, requestAbout, startQuietly, account } = deps;
  const request = requestAbout(scorecardId);
  const like = () => {
    const requested = newReport(request, account(), clock.now());
    return reportsLike(requested, reports.listOfAllAccounts()).filter(
      (other) => isSameRequest(other, requested) && hasFile(other),
    );
  };
  const newestOf = (all: readonly StoredReport[]) =>
    all.toSorted((one, other) => madeAt(other) - madeAt(one))[0];
  const newest = newestOf(like());
  const isFresh =
    newest !== undefined && madeAt(newest) > Math.max(lookedAt, clock.now() - freshMs);
  const report = isFresh ? newest : await startQuietly(request);
  if (report.state === 'cancelled') {
    throw new UserError(message('The report was cancelled.'), 'cancelled');
  }
  const earlier = like().filter((other) => madeAt(other) < madeAt(report));
  const before =
    newestOf(earlier.filter((other) => madeAt(other) <= lookedAt)) ?? newestOf(earlier);
  // What comes after this report is new at the next look.
  const since = madeAt(report);
  if (!before) {
    return { news: nothing, since };
  }
  const [stored, comparer] = await Promise.all([deps.stored(), deps.comparer()]);
  const [older, newer] = [before, report].map((each) => createInput(stored.fileOf(each)));
  if (!older || !newer) {
    return { news: nothing, since };
  }
  if (unpackedSize(before) + unpackedSize(report) > maxAutomaticBytes) {
    throw new UserError(
      message(
        'The reports are too large to be compared without being asked. Compare them yourself.',
      ),
      'badRequest',
    );
  }
  const { path } = await comparer.compare(older, newer, {}, {});
  // A report about all findings names the scorecards of its rows.
  const only = report.scorecardId === undefined ? scorecardId : undefined;
  const counts = await deps.editor.withTable(storedFileUri(path), (document) =>
    document.forProgram((table) => countNew(table, only)),
  );
  return { news: { count: counts.open, severity: counts.severity, isBreached: false }, since };
}
