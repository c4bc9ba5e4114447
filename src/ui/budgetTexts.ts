import * as vscode from 'vscode';
import { findingsRoute, reportRoutes, reportUrlRoute } from '../api/paths';
import type { EndpointBudget, RequestBudget } from '../api/types';
import { plainText } from '../common/plainText';
import { formatNumber, formatTime } from './format';

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
    default:
      return plainText(endpoint, 100);
  }
}
