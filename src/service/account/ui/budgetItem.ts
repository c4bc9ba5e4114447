import * as vscode from 'vscode';
import type { RequestBudget, EndpointBudget } from '../../../api/types';
import { defined } from '../../../base/defined';
import type { Disposable } from '../../../base/events/disposable';
import type { CommandId } from '../../../commands';
import type { Account } from '../account';
import type { Session } from '../session';
import { formatMinute, formatNumber, formatTime } from '../../../workbench/format';
import { endpoints } from '../../../api/paths';
import { plainText } from '../../../base/text/plainText';

const { t } = vscode.l10n;

/**
 * Update interval in milliseconds. Requests of other windows fire no event, and nobody can read a number
 * that changes faster.
 */
const updateMs = 1000;

/**
 * Shows in the status bar how many requests are left, or until when requests are paused. Hidden until
 * the first request.
 */
export class BudgetItem implements Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'scorecard.budget',
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private readonly listener: Disposable;
  private readonly timer: NodeJS.Timeout;
  private shown: string | undefined;

  constructor(private readonly session: Pick<Session, 'signedIn' | 'onDidChange'>) {
    const command: CommandId = 'scorecard.showRequestBudget';
    this.item.name = t('Scorecard Request Budget');
    this.item.command = command;
    this.listener = session.onDidChange(() => {
      this.update();
    });
    this.timer = setInterval(() => {
      this.update();
    }, updateMs);
  }

  dispose(): void {
    clearInterval(this.timer);
    this.listener.dispose();
    this.item.dispose();
  }

  private update(): void {
    const { signedIn } = this.session;
    const budget = signedIn?.api.budget();
    if (!signedIn || !budget?.endpoints) {
      this.shown = undefined;
      this.item.hide();
      return;
    }
    const demo = signedIn.account.isDemo ? ` ${t('(demo)')}` : '';
    const text = shortText(budget) + demo;
    const lines = [
      ...describeAccount(signedIn.account),
      describeLeft(budget),
      ...describePause(budget),
      ...describeEndpoints(budget),
    ];
    const shown = [text, ...lines].join('\n');
    // Setting the same values again would close an open tooltip.
    if (shown !== this.shown) {
      this.shown = shown;
      this.item.text = text;
      this.item.tooltip = lines.join('\n');
      this.item.accessibilityInformation = {
        label: `${t('Scorecard Request Budget')}${demo}: ${lines.join('; ')}`,
      };
      this.item.show();
    }
  }
}

/** The few words in the status bar. */
export function shortText(budget: RequestBudget): string {
  const { remaining, retryAt } = budget;
  if (retryAt === undefined) {
    const left =
      remaining === 1 ? t('1 request left') : t('{0} requests left', formatNumber(remaining));
    return `$(dashboard) ${left}`;
  }
  const [paused, ...more] = pausedAlone(budget);
  if (paused) {
    const until = formatMinute(Date.parse(paused.retryAt));
    const text =
      more.length === 0
        ? t('{0}: paused until {1}', paused.name, until)
        : t('{0} and others: paused until {1}', paused.name, until);
    return `$(clock) ${text}`;
  }
  const time = formatMinute(Date.parse(retryAt));
  // The tooltip makes the same distinction, between the user's own limit and that of the service.
  return `$(clock) ${remaining === 0 ? t('No requests left until {0}', time) : t('Rate limited until {0}', time)}`;
}

/** Which service the requests go to. Empty for the demo, because its address means nothing to anyone. */
function describeAccount({ baseUrl, isDemo }: Account): string[] {
  return isDemo ? [] : [t('Signed in to {0}', new URL(baseUrl).host)];
}

function describeLeft({ remaining, limit }: RequestBudget): string {
  return remaining === 1
    ? t('1 of {0} requests left this hour (all windows)', formatNumber(limit))
    : t(
        '{0} of {1} requests left this hour (all windows)',
        formatNumber(remaining),
        formatNumber(limit),
      );
}

/** The endpoints that are paused while others go on. Empty where nothing goes on, or nothing is paused. */
function pausedAlone(budget: RequestBudget): { name: string; retryAt: string }[] {
  return budget.remaining > 0 && budget.areAllPaused !== true
    ? namedEndpoints(budget).flatMap(({ name, retryAt }) =>
        retryAt === undefined ? [] : [{ name, retryAt }],
      )
    : [];
}

/** When a paused client resumes, and why it is paused; empty while it, or a part of it, is not paused. */
function describePause(budget: RequestBudget): string[] {
  const { remaining, retryAt } = budget;
  if (retryAt === undefined || pausedAlone(budget).length > 0) {
    return [];
  }
  const time = formatTime(Date.parse(retryAt));
  return [
    remaining > 0
      ? t('Rate limited. Next request at {0}.', time)
      : t('Budget used up. Next request at {0}.', time),
  ];
}

/** Describes the budget in one line for a notification, the pause first. */
export function describeBudget(budget: RequestBudget): string {
  const paused = pausedAlone(budget).map(({ name, retryAt }) =>
    t('{0}: paused until {1}.', name, formatTime(Date.parse(retryAt))),
  );
  return [...describePause(budget), `${describeLeft(budget)}.`, ...paused].join(' ');
}

/** How many requests each endpoint got, and until when it is paused; one line each. */
export function describeEndpoints(budget: RequestBudget): string[] {
  return namedEndpoints(budget).map(({ name, used, retryAt }) =>
    retryAt === undefined
      ? t('{0}: {1} sent', name, formatNumber(used))
      : t(
          '{0}: {1} sent, paused until {2}',
          name,
          formatNumber(used),
          formatTime(Date.parse(retryAt)),
        ),
  );
}

/** The endpoints by their names in the views; those of one name are counted together. */
function namedEndpoints({
  endpoints = [],
}: RequestBudget): (Omit<EndpointBudget, 'endpoint'> & { name: string })[] {
  const names = [...new Set(endpoints.map(endpointName))];
  return names.map((name) => {
    const same = endpoints.filter((each) => endpointName(each) === name);
    const retryAt = same
      .flatMap((each) => each.retryAt ?? [])
      .sort()
      .at(-1);
    const used = same.reduce((sum, each) => sum + each.used, 0);
    return { name, used, ...defined({ retryAt }) };
  });
}

/** Each endpoint has a name. */
const endpointNames: Readonly<Record<(typeof endpoints)[keyof typeof endpoints], string>> = {
  [endpoints.findings]: t('Findings'),
  [endpoints.linkedFindings]: t('Findings'),
  [endpoints.companySummary]: t('Companies'),
  [endpoints.company]: t('Companies'),
  [endpoints.companyFactors]: t('Counts of companies'),
  [endpoints.companyHistory]: t('Scores of companies'),
  [endpoints.companyEvents]: t('Events of companies'),
  [endpoints.feedback]: t('Feedback'),
  [endpoints.portfolios]: t('Portfolio lists'),
  [endpoints.portfolioCompanies]: t('Portfolio lists'),
  [endpoints.issueTypes]: t('Names of issue types'),
  [endpoints.issueType]: t('Names of issue types'),
  [endpoints.issuesReport]: t('Issues reports'),
  [endpoints.fullReport]: t('Full reports'),
  [endpoints.fullScorecardReport]: t('Full reports'),
  [endpoints.detailedReport]: t('Detailed reports'),
  [endpoints.recentReports]: t('Reports in progress'),
  [endpoints.reportUrl]: t('Report progress and files'),
};

/** The name of an endpoint in the views. */
export function endpointName({ endpoint }: Pick<EndpointBudget, 'endpoint'>): string {
  if (Object.hasOwn(endpointNames, endpoint)) {
    return endpointNames[endpoint as keyof typeof endpointNames];
  }
  return /^GET https?:/.test(endpoint)
    ? t('Downloads from {0}', plainText(endpoint.slice(4), 100))
    : plainText(endpoint, 100);
}
