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
  let baseUrl: string;
  try {
    const signedIn = await signIn();
    if (!signedIn) {
      return;
    }
    ({ baseUrl } = signedIn);
    await context.secrets.store(doneKey, 'true');
    await vscode.commands.executeCommand('workbench.view.extension.scorecard');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The demo could not sign in: ${message}`);
    return;
  }
  const signedInFile = process.env[helperVariables.signedInFile];
  if (signedInFile) {
    fs.writeFileSync(signedInFile, baseUrl);
  }
}

/** Signs in to the account of the file, if it is there, or else shows the demo as its user does. */
async function signIn(): Promise<{ baseUrl: string } | undefined> {
  const file = process.env[helperVariables.file];
  if (file === undefined) {
    return vscode.commands.executeCommand('scorecard.useDemo');
  }
  return fs.existsSync(file)
    ? vscode.commands.executeCommand(
        'scorecard.signIn',
        JSON.parse(fs.readFileSync(file, 'utf8')) as object,
      )
    : undefined;
}
