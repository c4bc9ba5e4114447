import * as vscode from 'vscode';
import { plainText } from '../../base/plainText';
import { RateLimitedError } from '../../api/http/errors';
import { GenerationTimeoutError } from '../generationTimeoutError';
import {
  isUnfinished,
  type ReportFailure,
  type ReportRecord,
  type StoredReport,
} from '../reportRecord';
import type { ReportActivity } from '../reportRun';
import type { Reports } from '../reports';
import { UndecidedRequestError } from '../undecidedRequestError';
import { UnpackError } from '../unpackError';
import { codeOf, describeBriefly, describeError } from '../../workbench/describe';
import { formatAge, formatBytes, formatDuration } from '../../workbench/format';
import { unpackSentence } from './unpackTexts';

const { t } = vscode.l10n;

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Kind and scope of a report: its title, without the UUID of a scorecard that has no name here. */
export function reportName({ kind, title }: Pick<ReportRecord, 'kind' | 'title'>): string {
  return uuid.test(title)
    ? kind === 'full'
      ? t('Full report')
      : t('Detailed report')
    : plainText(title, 100);
}

/** What a person reads of the errors that reports have beside those of the service. */
export function reportErrorText(error: unknown): string | undefined {
  if (error instanceof GenerationTimeoutError) {
    return t(
      'The report was not ready after {0}. Retry goes on waiting without a new request; the setting scorecard.reports.timeoutMinutes gives it more time.',
      formatDuration(error.timeoutMs),
    );
  }
  if (error instanceof UndecidedRequestError) {
    return t(
      'The window closed while the report was being requested: the service may have accepted this request. Retry asks for it once more.',
    );
  }
  return error instanceof UnpackError ? unpackSentence(error) : undefined;
}

/** What the record of a report says of its failure. */
export function describeFailure(error: unknown): ReportFailure {
  return {
    code: codeOf(error),
    message: describeError(error),
    ...(error instanceof RateLimitedError ? { retryAt: error.retryAt } : {}),
  };
}

/** What a report that is on its way does now: `Generating · 1 min 20 s`. */
export function describeActivity(
  report: StoredReport,
  activity: ReportActivity | undefined,
  now: number,
): string {
  return [stage(report, activity, now), ...numbers(report, activity, now)].join(' \u00b7 ');
}

function stage(report: ReportRecord, activity: ReportActivity | undefined, now: number): string {
  if (activity?.wait) {
    const left = formatDuration(activity.wait.until - now);
    if (activity.wait.reason === 'retry') {
      return t('Trying again in {0}', left);
    }
    if (activity.wait.reason === 'budget') {
      // Ours, and to be changed: the service has refused nothing.
      return t('Waiting for your request budget (scorecard.requestsPerHour): {0}', left);
    }
    return report.state === 'requested'
      ? t('Waiting: the service allows the next report in {0}', left)
      : t('Waiting for the request limit: {0}', left);
  }
  if (activity?.trouble !== undefined && activity.nextTryAt !== undefined) {
    return t(
      '{0}, next try in {1}',
      describeBriefly(activity.trouble),
      formatDuration(activity.nextTryAt - now),
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
  // Of this try: the time before a retry, in which nothing went on, tells nothing.
  const elapsed = formatDuration(now - Date.parse(report.retriedAt ?? report.requestedAt));
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
    ...(rate === undefined || rate <= 0 || total === undefined
      ? []
      : [t('{0} left', formatDuration(((total - received) / rate) * 1_000))]),
    t('{0} elapsed', elapsed),
  ];
}

/** The state of a report within a sentence. */
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

/** The second column of a report in the view: `12.3 MB · 5 min ago`. */
export function describeReport(
  reports: Pick<Reports, 'activity' | 'isDrivenElsewhere' | 'isOfSignedIn' | 'isOfSignedInService'>,
  report: StoredReport,
  now: number,
): string {
  const activity = isUnfinished(report) ? reports.activity(report.id) : undefined;
  const age = formatAge(Date.parse(report.finishedAt ?? report.requestedAt), now);
  switch (report.state) {
    case 'ready':
      return report.bytes === 0
        ? t('Empty \u00b7 {0}', age)
        : t('{0} \u00b7 {1}', formatBytes(report.bytes ?? 0), age);
    case 'failed':
      return t('Failed \u00b7 {0}', age);
    case 'cancelled':
      return t('Cancelled \u00b7 {0}', age);
    case 'requested':
    case 'generating':
    case 'downloading':
      if (activity) {
        return describeActivity(report, activity, now);
      }
      if (reports.isDrivenElsewhere(report)) {
        return t('In another window \u00b7 {0}', age);
      }
      if (reports.isOfSignedIn(report)) {
        return t('Waiting \u00b7 {0}', age);
      }
      return reports.isOfSignedInService(report)
        ? t('Waiting: sign in with the key of its account to continue')
        : t('Waiting: sign in to {0} to continue', new URL(report.origin).host);
  }
}
