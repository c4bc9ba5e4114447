import * as vscode from 'vscode';
import { writeFileSync } from 'node:fs';
import { extensionId, statisticsVariable } from './activationTimes';

/**
 * Called by VS Code in the extension host: writes VS Code's own statistics of its start to a file, once our
 * extension has started.
 */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  await until(() => extension?.isActive === true);
  // VS Code creates the statistics when they are shown, from what it has measured until then.
  await vscode.commands.executeCommand('perfview.show');
  let text: string | undefined;
  await until(() => {
    text = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText();
    return text?.includes(extensionId) === true;
  });
  writeFileSync(process.env[statisticsVariable] ?? '', text ?? '');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
