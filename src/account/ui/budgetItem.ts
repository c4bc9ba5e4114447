import * as vscode from 'vscode';
import type { RequestBudget } from '../../api/types';
import type { Disposable } from '../../base/disposable';
import type { CommandId } from '../../contributions';
import type { Session } from '../session';
import { describeEndpoints, describeLeft, describePause } from './budgetTexts';
import { formatMinute, formatNumber } from '../../workbench/format';

const { t } = vscode.l10n;

/**
 * Update interval in milliseconds. Requests of other windows fire no event, and a faster count cannot
 * be read.
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
    const lines = [describeLeft(budget), ...describePause(budget), ...describeEndpoints(budget)];
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

function shortText({ remaining, retryAt }: RequestBudget): string {
  if (retryAt === undefined) {
    const left =
      remaining === 1 ? t('1 request left') : t('{0} requests left', formatNumber(remaining));
    return `$(dashboard) ${left}`;
  }
  return `$(clock) ${t('Rate limited until {0}', formatMinute(Date.parse(retryAt)))}`;
}
