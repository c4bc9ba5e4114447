import * as vscode from 'vscode';
import { reportScheme } from '../../contributions';

/**
 * Reopens the visible reports that VS Code restored with the window: it loads them before this extension
 * runs, shows an error, and never loads them again. Hidden tabs load when they are shown. Call it after
 * the documents of reports are registered.
 */
export function openRestoredReports(): void {
  for (const { activeTab, viewColumn } of vscode.window.tabGroups.all) {
    if (!(activeTab?.input instanceof vscode.TabInputText)) {
      continue;
    }
    const { uri } = activeTab.input;
    if (uri.scheme === reportScheme) {
      // With vscode.open, VS Code shows a missing file as an error in the same tab.
      void vscode.commands.executeCommand('vscode.open', uri, {
        viewColumn,
        preview: activeTab.isPreview,
        preserveFocus: true,
      } satisfies vscode.TextDocumentShowOptions);
    }
  }
}
