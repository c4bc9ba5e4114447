import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { helperVariables } from './variables';

const doneKey = 'signedIn';

/**
 * Installed by the launchers beside the extension: nothing outside of VS Code can put a secret into
 * its storage or press its buttons. Only the first window of a browser signs in. A later one finds what is
 * stored, and stays signed out after a sign-out.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  // In the same storage as the secret of the extension, so that both are remembered or neither.
  if ((await context.secrets.get(doneKey)) !== undefined) {
    return;
  }
  const account = chosenAccount();
  if (!account) {
    return;
  }
  try {
    await vscode.commands.executeCommand('scorecard.signIn', account);
    await context.secrets.store(doneKey, 'true');
    await vscode.commands.executeCommand('workbench.view.extension.scorecard');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The demo could not sign in: ${message}`);
    return;
  }
  const signedInFile = process.env[helperVariables.signedInFile];
  if (signedInFile) {
    fs.writeFileSync(signedInFile, '');
  }
}

/** The account to sign in to, if any. */
function chosenAccount(): object | undefined {
  const file = process.env[helperVariables.file];
  if (file === undefined) {
    return {
      baseUrl: process.env[helperVariables.baseUrl],
      apiKey: process.env[helperVariables.apiKey],
    };
  }
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as object) : undefined;
}
