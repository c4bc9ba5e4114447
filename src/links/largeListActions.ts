import * as vscode from 'vscode';
import type { LargeListActions } from '../service/findings/ui/findingsFeature';
import type { TreeNode } from '../workbench/views';
import type { CommandId } from '../commands';

function run(command: CommandId) {
  return (row?: TreeNode) => vscode.commands.executeCommand(command, ...(row ? [row] : []));
}

/** What is done with a large list instead of loading it, as commands: they show their errors. */
export const largeListActions: LargeListActions = {
  openTable: run('scorecard.openFindingsTable'),
  exportFindings: run('scorecard.exportFindings'),
  startFullReport: run('scorecard.startFullReport'),
};
