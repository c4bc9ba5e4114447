import * as vscode from 'vscode';
import { plainText } from '../../base/text/plainText';
import type { DownloadProgress, ReportKind } from '../../api/types';
import { RateLimitedError } from '../../api/http/errors';
import {
  GenerationTimeoutError,
  LatePollError,
  UndecidedRequestError,
  UnpackError,
} from '../reportErrors';
import {
  madeAt,
  isUnfinished,
  type ReportFailure,
  type ReportRecord,
  type StoredReport,
} from '../reportRecord';
import type { ReportActivity } from '../reportActivity';
import type { Reports } from '../reports';
import { codeOf, describeBriefly, describeError } from '../../workbench/describe';
import {
  formatBytes,
  formatClock,
  formatDuration,
  formatMoment,
  formatPercent,
} from '../../workbench/format';
import { defaultUnpackLimits } from '../unpack/unpack';

const { t } = vscode.l10n;

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The title of a report, or only its kind if the title has a UUID instead of the name of a scorecard. */
export function reportName({ kind, title }: Pick<ReportRecord, 'kind' | 'title'>): string {
  return uuid.test(title) ? kindName(kind) : plainText(title, 100);
}

export function reportErrorText(error: unknown): string | undefined {
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
      'The request was interrupted before its answer came. The service may have accepted the request. Retry requests the report again.',
    );
  }
  return error instanceof UnpackError ? unpackSentence(error) : undefined;
}

export function describeFailure(error: unknown): ReportFailure {
  return {
    code: codeOf(error),
    message: describeError(error),
    ...(error instanceof RateLimitedError ? { retryAt: error.retryAt } : {}),
  };
}

/** The current activity of an unfinished report: `Generating · 1 min 20 s`. */
export function describeActivity(
  report: StoredReport,
  activity: ReportActivity | undefined,
  now: number,
): string {
  const doing = stage(report, activity, now);
  const figures = numbers(report, activity, now);
  return activity?.wait
    ? `${doing} (${t('{0} elapsed', elapsedOf(report, now))})`
    : [doing, ...figures].join(' \u00b7 ');
}

function stage(report: ReportRecord, activity: ReportActivity | undefined, now: number): string {
  if (activity?.wait) {
    const left = formatDuration(activity.wait.until - now);
    if (activity.wait.reason === 'retry') {
      return t('Retrying in {0}', left);
    }
    if (activity.wait.reason === 'budget') {
      // The limit is a setting of the user; the service has refused nothing.
      return t('Waiting {0} for your request budget (scorecard.requestsPerHour)', left);
    }
    return t('Rate limited. Retrying in {0}', left);
  }
  if (activity?.lastError !== undefined && activity.nextAttemptAt !== undefined) {
    return t(
      '{0}. Retrying in {1}',
      describeBriefly(activity.lastError),
      formatDuration(activity.nextAttemptAt - now),
    );
  }
  switch (report.state) {
    case 'requested':
      return t('Requesting');
    case 'downloading':
      return t('Downloading');
    default:
      return report.serviceStatus === undefined || report.serviceStatus === 'processing'
        ? t('Generating')
        : t('Generating (status: {0})', report.serviceStatus);
  }
}

function numbers(
  report: StoredReport,
  activity: ReportActivity | undefined,
  now: number,
): string[] {
  const elapsed = elapsedOf(report, now);
  const progress = activity?.progress;
  if (report.state !== 'downloading' || !progress) {
    return [elapsed];
  }
  const { received, total } = progress;
  const rate = activity.bytesPerSecond;
  return [
    total === undefined
      ? formatBytes(received)
      : t('{0} of {1}', formatBytes(received), formatBytes(total)),
    ...(rate === undefined ? [] : [t('{0}/s', formatBytes(rate))]),
    ...leftOf(progress, rate),
    t('{0} elapsed', elapsed),
  ];
}

function leftOf({ received, total }: DownloadProgress, bytesPerSecond = 0): string[] {
  return bytesPerSecond <= 0 || total === undefined
    ? []
    : [t('{0} left', formatDuration(((total - received) / bytesPerSecond) * 1_000))];
}

/** The time since the current attempt began. */
function elapsedOf(report: StoredReport, now: number): string {
  return formatDuration(now - Date.parse(report.retriedAt ?? report.requestedAt));
}

/** The name of a state, for use in a sentence. */
export function stateName(state: ReportRecord['state']): string {
  switch (state) {
    case 'requested':
      return t('requested');
    case 'generating':
      return t('generating');
    case 'downloading':
      return t('downloading');
    case 'ready':
      return t('ready');
    case 'failed':
      return t('failed');
    case 'cancelled':
      return t('cancelled');
  }
}

/** Kind and time of a report, which distinguish it from others: `Full report · 22 Nov 14:03`. */
export function reportLabel(report: ReportRecord, now?: number): string {
  return `${kindName(report.kind)} · ${formatMoment(madeAt(report), now)}`;
}

/**
 * The title of a report's tab, with its scorecard if it is about one: `Full report · Bluefjord Bank
 * · 22 Nov 14:03`.
 */
export function reportTabTitle(report: ReportRecord, now?: number): string {
  const { kind, scorecardId, title } = report;
  const hasName = scorecardId !== undefined && !uuid.test(title);
  const parts = [kindName(kind), ...(hasName ? [scopeOf(report)] : [])];
  return [...parts, formatMoment(madeAt(report), now)].join(' \u00b7 ');
}

export function kindName(kind: ReportKind): string {
  switch (kind) {
    case 'full':
      return t('Full report');
    case 'detailed':
      return t('Detailed report');
    case 'issues':
      return t('Issues report');
  }
}

/** The scope of a report: the name of a scorecard, or all findings. */
export function scopeOf({ scorecardId, title }: ReportRecord): string {
  // A title is the kind, a colon and the scope.
  return scorecardId === undefined
    ? t('All findings')
    : plainText(title.replace(/^[^:]*: /, ''), 100);
}

/** Kind and scope of a report: `Full report · All findings`. */
export function reportSubject(report: ReportRecord): string {
  return `${kindName(report.kind)} · ${scopeOf(report)}`;
}

/** The data that distinguishes a report from others: `Bluefjord Bank · 12.3 MB`. */
export function describeReport(reports: ReportsOfRows, report: StoredReport, now: number): string {
  return `${scopeOf(report)} · ${describeState(reports, report, now)}`;
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
  isMissing = false,
): ReportRowTexts {
  const what = reportSubject(report);
  if (isUnfinished(report)) {
    const activity = reports.activity(report.id);
    const label = briefStage(reports, report, activity, now);
    const figures = activity ? briefNumbers(report, activity, now) : [];
    // If a report waits, the end of the wait matters most.
    const isWaiting = activity?.wait !== undefined || activity?.nextAttemptAt !== undefined;
    const description = (isWaiting ? [...figures, what] : [what, ...figures]).join(' \u00b7 ');
    return { label, description, name: `${label}, ${description}` };
  }
  const time = formatClock(madeAt(report));
  if (report.state === 'ready' && report.bytes !== 0 && !isMissing) {
    const label = `${time} ${kindName(report.kind)}`;
    const scope = scopeOf(report);
    // Only the tooltip has the size: a number that is cut off looks like another number.
    const name = `${label}, ${scope} \u00b7 ${formatBytes(report.bytes ?? 0)}`;
    return { label, description: scope, name };
  }
  const state = isMissing ? t('File missing') : describeState(reports, report, now);
  const label = `${time} ${state}`;
  const cause = isMissing ? [] : causeOf(report);
  return {
    label,
    description: [...cause, what].join(' \u00b7 '),
    name: [label, what, ...cause].join(', '),
  };
}

/** Why a report failed: the first sentence of its error, whose rest says what to do. */
function causeOf({ state, error }: StoredReport): string[] {
  const [cause = ''] = error?.message.split(/\.(?: (?=\p{Lu})|$)/u) ?? [];
  return state === 'failed' && cause !== '' ? [cause] : [];
}

/** The current activity of an unfinished report in a few words; the tooltip has the full text. */
function briefStage(
  reports: ReportsOfRows,
  report: StoredReport,
  activity: ReportActivity | undefined,
  now: number,
): string {
  if (!activity) {
    return reports.isRunningElsewhere(report) || reports.isOfSignedIn(report)
      ? describeState(reports, report, now)
      : t('Sign in to resume');
  }
  if (activity.wait) {
    switch (activity.wait.reason) {
      case 'retry':
        return t('Retrying');
      case 'budget':
        return t('Waiting');
      case 'limit':
        return t('Rate limited');
    }
  }
  if (activity.lastError !== undefined && activity.nextAttemptAt !== undefined) {
    return describeBriefly(activity.lastError);
  }
  const { received = 0, total = 0 } = activity.progress ?? {};
  if (report.state === 'downloading' && total > 0) {
    return t('Downloading {0}', formatPercent(Math.min(1, received / total)));
  }
  return report.state === 'generating' ? t('Generating') : stage(report, activity, now);
}

/** The figures of an unfinished report; those that show when it ends come first. */
function briefNumbers(report: StoredReport, activity: ReportActivity, now: number): string[] {
  const next = activity.wait?.until ?? activity.nextAttemptAt;
  if (next !== undefined) {
    const left = formatDuration(next - now);
    return [activity.wait?.reason === 'budget' ? left : t('Retrying in {0}', left)];
  }
  const { progress, bytesPerSecond = 0 } = activity;
  if (report.state !== 'downloading' || !progress) {
    return [elapsedOf(report, now)];
  }
  const { received, total } = progress;
  return total === undefined
    ? [formatBytes(received)]
    : [
        ...leftOf(progress, bytesPerSecond),
        t('{0} of {1}', formatBytes(received), formatBytes(total)),
      ];
}

type ReportsOfRows = Pick<
  Reports,
  'activity' | 'isRunningElsewhere' | 'isOfSignedIn' | 'isOfSignedInService'
>;

function describeState(reports: ReportsOfRows, report: StoredReport, now: number): string {
  const activity = isUnfinished(report) ? reports.activity(report.id) : undefined;
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
      if (activity) {
        return describeActivity(report, activity, now);
      }
      if (reports.isRunningElsewhere(report)) {
        return `${stage(report, undefined, now)} \u00b7 ${t('In another window')}`;
      }
      if (reports.isOfSignedIn(report)) {
        return t('Waiting');
      }
      return reports.isOfSignedInService(report)
        ? t('Waiting: sign in with the key of its account to continue')
        : t('Waiting: sign in to {0} to continue', new URL(report.origin).host);
  }
}

function unpackSentence({ reason }: UnpackError): string {
  switch (reason) {
    case 'damaged':
      return t(
        'The archive cannot be unpacked: it is damaged or incomplete. Reveal the file to look into it, or start another report.',
      );
    case 'unsupported':
      return t(
        'This type of archive cannot be unpacked here. Reveal the file and unpack it in its folder.',
      );
    case 'entries':
      return t(
        'The archive contains no file, or more than one. Reveal it and unpack it in its folder.',
      );
    case 'encrypted':
      return t('The archive is encrypted. Reveal it and unpack it with its password.');
    case 'path':
      return t(
        "The archive was not unpacked: a file name in it points outside its folder. Contact the service's support.",
      );
    case 'link':
      return t(
        "The archive was not unpacked: it contains a link instead of a file. Contact the service's support.",
      );
    case 'ratio':
      return t(
        'The archive was not unpacked: it would take more than {0} times its size. Reveal it and unpack it where there is room.',
        defaultUnpackLimits.maxRatio,
      );
    case 'tooLarge':
      return t(
        'The archive was not unpacked: it would take more than {0}. Reveal it and unpack it where there is room.',
        formatBytes(defaultUnpackLimits.maxBytes),
      );
  }
}
