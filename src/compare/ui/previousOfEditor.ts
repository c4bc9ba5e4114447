import * as vscode from 'vscode';
import type { Disposable } from '../../base/events/disposable';
import { reportScheme } from '../../contributions';
import { previousReport } from '../../reports/reportRecord';
import type { Reports } from '../../reports/reports';
import { loadedReportOfFile, type ReportLookup } from '../../reports/ui/reportFiles';
import { localPath } from '../../workbench/storedFiles';
import { setContext } from '../../workbench/views';

/**
 * Sets the context key that tells menus whether the report in the active editor has an earlier one to compare
 * with.
 */
export function followActiveReport(
  deps: ReportLookup & { readonly reports: Pick<Reports, 'onDidChange'> },
): Disposable {
  const { tabGroups } = vscode.window;
  let shown: boolean | undefined;
  const update = () => {
    const input = tabGroups.activeTabGroup.activeTab?.input;
    const report =
      input instanceof vscode.TabInputCustom && input.uri.scheme === reportScheme
        ? loadedReportOfFile(deps, localPath(input.uri) ?? '')
        : undefined;
    const hasPrevious =
      report !== undefined && previousReport(report, deps.reports.all()) !== undefined;
    if (hasPrevious !== shown) {
      shown = hasPrevious;
      setContext('scorecard.hasPreviousReport', hasPrevious);
    }
  };
  update();
  return vscode.Disposable.from(
    tabGroups.onDidChangeTabs(update),
    tabGroups.onDidChangeTabGroups(update),
    deps.reports.onDidChange(update),
  );
}
