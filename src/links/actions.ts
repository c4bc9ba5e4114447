import * as vscode from 'vscode';
import type { CommandId } from '../commands';
import type { NextSteps } from '../service/account/ui/signIn';
import type { LargeListActions } from '../service/findings/ui/findingsFeature';
import type { TableActions } from '../viewer/table/ui/tableActions';

/** What a room offers of a higher one, as commands: they show their errors. */
function run(command: CommandId) {
  return (argument?: object) =>
    vscode.commands.executeCommand(command, ...(argument ? [argument] : []));
}

export const showTrend = run('scorecard.reportTrend');

export const startFullReport = run('scorecard.startFullReport');

/** Opens a report that is named. */
export const openReport = run('scorecard.openReport');

/** What follows signing in. */
export const nextSteps: NextSteps = {
  addScorecard: run('scorecard.addScorecard'),
  findIssueTypes: run('scorecard.findIssueTypes'),
};

/** What is done with a large list instead of loading it. */
export const largeListActions: LargeListActions = {
  openTable: run('scorecard.openFindingsTable'),
  exportFindings: run('scorecard.exportFindings'),
  startFullReport,
};

/** What leads out of a table. */
export const tableActions: TableActions = {
  showFinding: run('scorecard.showInFindings'),
  openFile: run('scorecard.openFile'),
  findAsset: run('scorecard.findAsset'),
  compareWithPrevious: run('scorecard.compareWithPrevious'),
  showTrend,
};
