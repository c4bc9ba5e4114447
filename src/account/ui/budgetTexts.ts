import * as vscode from 'vscode';
import { findingsRoute, otherHostsLabel, reportRoutes, reportUrlRoute } from '../../api/paths';
import type { EndpointBudget, RequestBudget } from '../../api/types';
import { plainText } from '../../base/plainText';
import { formatNumber, formatTime } from '../../workbench/format';

const { t } = vscode.l10n;

/** How many requests are left. */
export function describeLeft({ remaining, limit }: RequestBudget): string {
  return remaining === 1
    ? t('1 of {0} requests left this hour (all windows)', formatNumber(limit))
    : t(
        '{0} of {1} requests left this hour (all windows)',
        formatNumber(remaining),
        formatNumber(limit),
      );
}

/** When a paused client resumes, and why it is paused; empty while it is not. */
export function describePause({ remaining, retryAt }: RequestBudget): string[] {
  if (retryAt === undefined) {
    return [];
  }
  const time = formatTime(Date.parse(retryAt));
  return [
    remaining > 0
      ? t('Rate limited. Next request at {0}.', time)
      : t('Budget used up. Next request at {0}.', time),
  ];
}

/** The same in the one line that a notification shows, the pause first. */
export function describeBudget(budget: RequestBudget): string {
  return [
    ...describePause(budget),
    `${describeLeft(budget)}.`,
    ...describePausedEndpoints(budget),
  ].join(' ');
}

/** The paused endpoints, one sentence each. */
function describePausedEndpoints({ endpoints = [] }: RequestBudget): string[] {
  return endpoints.flatMap((endpoint) =>
    endpoint.retryAt === undefined
      ? []
      : [t('{0}: paused until {1}.', nameOf(endpoint), formatTime(Date.parse(endpoint.retryAt)))],
  );
}

/** How many requests each endpoint got, and until when it is paused; one line each. */
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

/** The name of an endpoint in the views. */
function nameOf({ endpoint }: EndpointBudget): string {
  switch (endpoint) {
    case findingsRoute.label:
      return t('Findings');
    case reportRoutes.full.label:
      return t('Full reports');
    case reportRoutes.detailed.label:
      return t('Detailed reports');
    case reportUrlRoute.label:
      return t('Report progress and files');
    case otherHostsLabel:
      return t('Downloads from another host');
    default:
      return /^GET https?:/.test(endpoint)
        ? t('Downloads from {0}', plainText(endpoint.slice(4), 100))
        : plainText(endpoint, 100);
  }
}
