import * as vscode from 'vscode';
import { reportTableId } from '../contributions';

/** Shows a file as a table. */
export async function showTable(
  uri: vscode.Uri,
  { preserveFocus = false }: { readonly preserveFocus?: boolean } = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, reportTableId, {
    preview: false,
    preserveFocus,
  });
}
