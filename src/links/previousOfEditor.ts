import * as vscode from 'vscode';
import type { Disposable } from '../base/events/disposable';
import { previousReport } from '../service/reports/previousReport';
import type { Reports } from '../service/reports/reports';
import type { ReportLookup } from '../service/reports/ui/reportFiles';
import { setContext } from '../workbench/views';
import { shownReport } from './shownReport';

/**
 * Sets the context key that tells menus whether the report in the active editor has an earlier one to compare
 * with.
 */
export function followActiveReport(
  deps: ReportLookup & { readonly reports: Pick<Reports, 'onDidChange'> },
): Disposable {
  const { tabGroups } = vscode.window;
  const update = () => {
    const input = tabGroups.activeTabGroup.activeTab?.input;
    const report =
      input instanceof vscode.TabInputCustom ? shownReport(deps, input.uri) : undefined;
    const previous = report && previousReport(report, deps.reports.listOfAllAccounts());
    setContext('scorecard.hasPreviousReport', previous !== undefined);
  };
  update();
  return vscode.Disposable.from(
    tabGroups.onDidChangeTabs(update),
    tabGroups.onDidChangeTabGroups(update),
    deps.reports.onDidChange(update),
  );
}
