import * as vscode from 'vscode';
import { findingsRoute, otherHostsLabel, reportRoutes, reportUrlRoute } from '../../api/paths';
import type { EndpointBudget, RequestBudget } from '../../api/types';
import { plainText } from '../../base/plainText';
import { formatNumber, formatTime } from '../../workbench/format';

const { t } = vscode.l10n;

/** What is left, of how much, and whose requests count, as one sentence. */
export function describeLeft({ remaining, limit, windowMinutes }: RequestBudget): string {
  return remaining === 1
    ? t(
        '1 of {0} requests is left; those of the last {1} minutes count, in all windows.',
        formatNumber(limit),
        windowMinutes,
      )
    : t(
        '{0} of {1} requests are left; those of the last {2} minutes count, in all windows.',
        formatNumber(remaining),
        formatNumber(limit),
        windowMinutes,
      );
}

/** When a paused client goes on, and why it does not now; empty while it is not paused. */
export function describePause({ remaining, retryAt }: RequestBudget): string[] {
  if (retryAt === undefined) {
    return [];
  }
  const time = formatTime(Date.parse(retryAt));
  return [
    remaining > 0
      ? t('The service allows the next one at {0}.', time)
      : t('The budget is used up; the next one goes at {0}.', time),
  ];
}

/** The same in the one line that a notification shows: what matters first. */
export function describeBriefly(budget: RequestBudget): string {
  const { remaining, limit, windowMinutes, retryAt } = budget;
  const left = t('{0} of {1} requests left', formatNumber(remaining), formatNumber(limit));
  const time = retryAt === undefined ? undefined : formatTime(Date.parse(retryAt));
  const rest = [
    ...describePausedEndpoints(budget),
    t('Requests of the last {0} minutes count, in all windows.', windowMinutes),
  ].join(' ');
  if (time === undefined) {
    return `${left}. ${rest}`;
  }
  return remaining > 0
    ? `${t('Limit of the service until {0}', time)}: ${left}. ${rest}`
    : `${t('Budget used up until {0}', time)}: ${left}. ${rest}`;
}

/** The endpoints that are paused, each as a sentence. */
export function describePausedEndpoints({ endpoints = [] }: RequestBudget): string[] {
  return endpoints.flatMap((endpoint) =>
    endpoint.retryAt === undefined
      ? []
      : [t('{0}: paused until {1}.', nameOf(endpoint), formatTime(Date.parse(endpoint.retryAt)))],
  );
}

/** What was sent to each endpoint and until when it is paused, each as a line. */
export function describeEndpoints({ endpoints = [] }: RequestBudget): string[] {
  return endpoints.map((endpoint) =>
    endpoint.retryAt === undefined
      ? t('{0}: {1} sent', nameOf(endpoint), formatNumber(endpoint.used))
      : t(
          '{0}: {1} sent, paused until {2}',
          nameOf(endpoint),
          formatNumber(endpoint.used),
          formatTime(Date.parse(endpoint.retryAt)),
        ),
  );
}

/** An endpoint in the words of the views. */
function nameOf({ endpoint }: EndpointBudget): string {
  switch (endpoint) {
    case findingsRoute.label:
      return t('Findings');
    case reportRoutes.full.label:
      return t('Full reports');
    case reportRoutes.detailed.label:
      return t('Detailed reports');
    case reportUrlRoute.label:
      return t('Progress and files of reports');
    case otherHostsLabel:
      return t('Downloads from another host');
    default:
      return /^GET https?:/.test(endpoint)
        ? t('Downloads from {0}', plainText(endpoint.slice(4), 100))
        : plainText(endpoint, 100);
  }
}
