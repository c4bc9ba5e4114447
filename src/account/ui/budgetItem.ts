import * as vscode from 'vscode';
import type { RequestBudget } from '../../api/types';
import type { Disposable } from '../../base/disposable';
import type { CommandId } from '../../contributions';
import type { Session } from '../session';
import { describeEndpoints, describeLeft, describePause } from './budgetTexts';
import { formatMinute, formatNumber } from '../../workbench/format';

const { t } = vscode.l10n;

/**
 * How often the budget is looked at, in milliseconds: what other windows send tells nobody, and a
 * count that changes with each of a hundred requests a second cannot be read.
 */
const lookMs = 1000;

/**
 * What is left of the request budget as an item of the status bar, and while nothing may be sent
 * the time at which it goes on. There is none until something was sent.
 */
export class BudgetItem implements Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'scorecard.budget',
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private readonly listener: Disposable;
  private readonly looking: NodeJS.Timeout;
  private shown: string | undefined;

  constructor(private readonly session: Pick<Session, 'signedIn' | 'onDidChange'>) {
    const command: CommandId = 'scorecard.showRequestBudget';
    this.item.name = t('Scorecard Request Budget');
    this.item.command = command;
    this.listener = session.onDidChange(() => {
      this.look();
    });
    this.looking = setInterval(() => {
      this.look();
    }, lookMs);
  }

  dispose(): void {
    clearInterval(this.looking);
    this.listener.dispose();
    this.item.dispose();
  }

  private look(): void {
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
    // What is set again is drawn again, and closes a tooltip that is being read.
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
  return retryAt === undefined
    ? `$(dashboard) ${formatNumber(remaining)}`
    : `$(clock) ${t('Rate limited until {0}', formatMinute(Date.parse(retryAt)))}`;
}
