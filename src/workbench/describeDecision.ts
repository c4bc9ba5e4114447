import * as vscode from 'vscode';
import { type Decision, shownMoment, reasonTexts } from '../known/decision';
import { localize } from './describe';
import { formatDay } from './format';

/** What was decided about a finding: `Accepted risk until 30 Nov`. */
export function describeDecision({ reason, until }: Pick<Decision, 'reason' | 'until'>): string {
  const words = localize(reasonTexts[reason]);
  return until === undefined
    ? words
    : vscode.l10n.t('{0} until {1}', words, formatDay(shownMoment(until)));
}
