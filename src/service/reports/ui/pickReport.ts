import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import { UserError } from '../../../base/userError';
import { pickOne } from '../../../workbench/pick';
import type { StoredReport } from '../storedReport';
import type { Reports } from '../reports';
import { describeState, reportTitle } from './reportTexts';

export function pickReport(
  reports: Reports,
  choices: readonly StoredReport[],
  options: { readonly title: string; readonly placeHolder: string },
): Promise<StoredReport | undefined> {
  return pickOne(reportChoices(reports, choices), options);
}

/** The choices of a quick pick for reports. */
export function reportChoices(reports: Reports, choices: readonly StoredReport[]) {
  return choices.map((report) => ({
    label: reportTitle(report),
    description: describeState(reports, report, systemClock.now()),
    value: report,
  }));
}

/** @throws UserError */
export function reportById(reports: Reports, id: string): StoredReport {
  try {
    return reports.get(id);
  } catch (cause) {
    throw new UserError(
      vscode.l10n.t('There is no report with the ID {0}. See the Reports view.', id),
      'notFound',
      { cause },
    );
  }
}
