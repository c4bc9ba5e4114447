import * as vscode from 'vscode';
import { defined } from '../../../base/defined';
import { plainText } from '../../../base/text/plainText';
import type { ReportKind } from '../../../api/types';
import { ApiError } from '../../../api/http/errors';
import { GenerationTimeoutError, LatePollError, UndecidedRequestError } from '../reportErrors';
import { isUnfinished, madeAt, type ReportFailure, type StoredReport } from '../storedReport';
import type { Reports } from '../reports';
import { nameKind, nameReport, nameScope, titleReport } from '../reportName';
import {
  createDescriber,
  type DescribeError,
  type ErrorDescription,
  localize,
  localizedMessage,
} from '../../../workbench/describe';
import { describeApiErrorAs, describeIfApiError } from '../../account/ui/describeApiError';
import {
  formatBytes,
  formatClock,
  formatDuration,
  formatMoment,
  formatPercent,
} from '../../../workbench/format';
import type { Report } from '../../../commands';

const { t } = vscode.l10n;

/** How a report is called: `Full report: All findings`. */
export function reportName(report: Report): string {
  return nameReport(report, localize);
}

/** Describes an error of a report; `undefined` for any other. */
export function describeIfReportError(error: unknown): ErrorDescription | undefined {
  const text = reportErrorText(error);
  return text !== undefined && error instanceof ApiError
    ? describeApiErrorAs(error, text)
    : undefined;
}

/** Describes any error of a report, or of its call of the service. */
export const describeReportError: DescribeError = createDescriber([
  describeIfReportError,
  describeIfApiError,
]);

function reportErrorText(error: unknown): string | undefined {
  if (error instanceof GenerationTimeoutError) {
    return t(
      'The report was not ready after {0}. Retry resumes without a new request. To wait longer, increase scorecard.reports.timeoutMinutes.',
      formatDuration(error.timeoutMs),
    );
  }
  if (error instanceof LatePollError) {
    return t(
      'The service asks to wait until {0}, which is longer than scorecard.reports.timeoutMinutes allows. Retry resumes without a new request.',
      formatMoment(error.pollAt),
    );
  }
  if (error instanceof UndecidedRequestError) {
    return t(
      'The request was interrupted before its answer was saved. The service may have accepted the request. Retry requests the report again.',
    );
  }
  return undefined;
}

export function describeFailure(error: unknown): ReportFailure {
  const { code, text, details: { retryAt } = {} } = describeReportError(error);
  return { code, message: text, ...defined({ retryAt }) };
}

type ReportsOfRows = Pick<
  Reports,
  'activity' | 'isRunningElsewhere' | 'isOfSignedIn' | 'saveFailure'
>;

/** What an unfinished report is doing. */
interface Doing {
  /** A few words, which a narrow view must not cut off. */
  readonly state: string;
  /** If it waits: for what, or how long. */
  readonly next?: string;
  readonly figures: readonly string[];
}

/** What an unfinished report is doing, in one line: `Generating \u00b7 1 min 20 s elapsed`. */
export function describeActivity(
  reports: ReportsOfRows,
  report: StoredReport,
  now: number,
): string {
  const { state, next, figures } = describeDoing(reports, report, now);
  return [state, ...(next === undefined ? [] : [next]), ...figures].join(' \u00b7 ');
}

function describeDoing(reports: ReportsOfRows, report: StoredReport, now: number): Doing {
  const activity = reports.activity(report.id);
  if (!activity) {
    return inactive(reports, report, now);
  }
  const { wait, lastError, nextAttemptAt } = activity;
  // The time since the current attempt began.
  const elapsed = now - Date.parse(report.retriedAt ?? report.requestedAt);
  const figures = Number.isNaN(elapsed) ? [] : [t('{0} elapsed', formatDuration(elapsed))];
  if (wait) {
    const left = formatDuration(wait.until - now);
    switch (wait.reason) {
      case 'retry':
        return { state: t('Retrying in {0}', left), figures };
      case 'budget': {
        // The limit is a setting of the user; the service has refused nothing.
        const next = t('{0} for your request budget (scorecard.requestsPerHour)', left);
        return { state: t('Waiting'), next, figures };
      }
      case 'limit':
        return { state: t('Rate limited'), next: t('Retrying in {0}', left), figures };
    }
  }
  if (lastError !== undefined && nextAttemptAt !== undefined) {
    const next = t('Retrying in {0}', formatDuration(nextAttemptAt - now));
    return { state: describeReportError(lastError).brief, next, figures };
  }
  if (report.state !== 'downloading' || !activity.progress) {
    const status = report.serviceStatus ?? 'processing';
    const isShown = report.state === 'generating' && status !== 'processing';
    return {
      state: stageName(report),
      figures: [...(isShown ? [t('The service says: {0}', status)] : []), ...figures],
    };
  }
  const { received, total } = activity.progress;
  const rate = activity.bytesPerSecond ?? 0;
  const rates = rate > 0 ? [t('{0}/s', formatBytes(rate))] : [];
  if (total === undefined || total === 0) {
    return { state: t('Downloading'), figures: [formatBytes(received), ...rates, ...figures] };
  }
  const left = ((total - received) / rate) * 1_000;
  return {
    state: t('Downloading {0}', formatPercent(Math.min(1, received / total))),
    figures: [
      ...(rate > 0 ? [t('{0} left', formatDuration(left))] : []),
      t('{0} of {1}', formatBytes(received), formatBytes(total)),
      ...rates,
      ...figures,
    ],
  };
}

/** Why a report does not run in this window. */
function inactive(reports: ReportsOfRows, report: StoredReport, now: number): Doing {
  if (reports.isRunningElsewhere(report)) {
    return { state: stageName(report), figures: [t('In another window')] };
  }
  if (reports.isOfSignedIn(report)) {
    const failure = reports.saveFailure(report.id);
    if (!failure) {
      return { state: t('Waiting'), figures: [] };
    }
    const why = localizedMessage(failure.error).replace(/\.$/, '');
    const next = t('Its state cannot be saved: {0}', why);
    const left = formatDuration(Math.max(0, failure.retryAt - now));
    return { state: t('Waiting'), next, figures: [t('Retrying in {0}', left)] };
  }
  const next = t('With the key of its account at {0}', hostOf(report));
  return { state: t('Sign in to resume'), next, figures: [] };
}

/** The host of the service of a report; what its state file has instead, if that is no address. */
export function hostOf({ origin }: Report): string {
  return URL.canParse(origin) ? new URL(origin).host : plainText(origin, 100);
}

function stageName({ state }: Report): string {
  switch (state) {
    case 'requested':
      return t('Requesting');
    case 'downloading':
      return t('Downloading');
    default:
      return t('Generating');
  }
}

/** The name and the time of a report, in its tab and in lists: `Full report: All findings · 22 Nov 14:03`. */
export function reportTitle(report: Report, now?: number): string {
  return titleReport(report, formatMoment(madeAt(report), now), localize);
}

export function kindName(kind: ReportKind): string {
  return nameKind(kind, localize);
}

/** The scope of a report: the name of a scorecard, or all findings. */
export function describeScope(report: Report): string {
  return nameScope(report, localize);
}

interface ReportRowTexts {
  readonly label: string;
  readonly description: string;
  /** For screen readers. */
  readonly name: string;
}

/**
 * The texts of a row. The label contains what a narrow view must not cut off. For an unfinished
 * report, that is its activity. For a report that has ended, it is the time (the day is in the row
 * above) and the outcome.
 */
export function describeReportRow(
  reports: ReportsOfRows,
  report: StoredReport,
  now: number,
  { isMissing = false } = {},
): ReportRowTexts {
  const what = reportName(report);
  if (isUnfinished(report)) {
    const { state, next, figures } = describeDoing(reports, report, now);
    const description = [...(next === undefined ? [] : [next]), what, ...figures].join(' \u00b7 ');
    return { label: state, description, name: `${state}, ${description}` };
  }
  const time = formatClock(madeAt(report));
  if (report.state === 'ready' && report.bytes !== 0 && !isMissing) {
    const label = `${time} ${kindName(report.kind)}`;
    const scope = describeScope(report);
    // Only the tooltip has the size: a number that is cut off looks like another number.
    const name = `${time} ${what} \u00b7 ${formatBytes(report.bytes ?? 0)}`;
    return { label, description: scope, name };
  }
  const state = isMissing ? t('File missing') : describeState(reports, report, now);
  const label = `${time} ${state}`;
  const cause = isMissing ? [] : describeCause(report);
  return {
    label,
    // Its name first: a narrow view cuts off the end.
    description: [what, ...cause].join(' \u00b7 '),
    name: [label, what, ...cause].join(', '),
  };
}

/** Why a report failed: the first sentence of its error, whose rest says what to do. */
function describeCause({ state, error }: StoredReport): string[] {
  const [cause = ''] = error?.message.split(/\.(?: (?=\p{Lu})|$)/u) ?? [];
  return state === 'failed' && cause !== '' ? [cause] : [];
}

/** What a report is, does or was: its size, its activity or its outcome. */
export function describeState(reports: ReportsOfRows, report: StoredReport, now: number): string {
  switch (report.state) {
    case 'ready':
      return report.bytes === 0 ? t('Empty') : formatBytes(report.bytes ?? 0);
    case 'failed':
      return t('Failed');
    case 'cancelled':
      return t('Cancelled');
    case 'requested':
    case 'generating':
    case 'downloading':
      return describeActivity(reports, report, now);
  }
}
