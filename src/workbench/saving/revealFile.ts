import * as vscode from 'vscode';
import { showInformation } from '../messages';

/**
 * Shows a file in the system's file manager. If there is no file manager (in a browser), shows its
 * path.
 */
export async function revealFile(file: string): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  if (commands.includes('revealFileInOS')) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  } else {
    showInformation(vscode.l10n.t('The report is at {0}', file));
  }
}
