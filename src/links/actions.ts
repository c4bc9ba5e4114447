import * as vscode from 'vscode';
import type { TableActions } from '../viewer/table/ui/tableActions';
import type { CommandId } from '../commands';

function run(command: CommandId) {
  return (uri: vscode.Uri) => vscode.commands.executeCommand(command, uri);
}

/** What leads out of a table, as commands: they show their errors. */
export const tableActions: TableActions = {
  showFinding: run('scorecard.showInFindings'),
  openFile: run('scorecard.openFile'),
  findAsset: run('scorecard.findAsset'),
  compareWithPrevious: run('scorecard.compareWithPrevious'),
};
