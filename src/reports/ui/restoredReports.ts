import * as vscode from 'vscode';
import { reportScheme } from '../../contributions';

/**
 * Opens those reports anew, in their place, that VS Code has brought back with the window. It asks
 * for them before this extension runs and shows an error instead, without ever asking again; a tab
 * behind another one is not asked for before somebody turns to it. To be called once the documents
 * of reports are registered.
 */
export function openRestoredReports(): void {
  for (const { activeTab, viewColumn } of vscode.window.tabGroups.all) {
    if (!(activeTab?.input instanceof vscode.TabInputText)) {
      continue;
    }
    const { uri } = activeTab.input;
    if (uri.scheme === reportScheme) {
      // Not as a document: of a file that is gone VS Code then says so, in the same place.
      void vscode.commands.executeCommand('vscode.open', uri, {
        viewColumn,
        preview: activeTab.isPreview,
        preserveFocus: true,
      } satisfies vscode.TextDocumentShowOptions);
    }
  }
}
