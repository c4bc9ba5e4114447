import * as vscode from 'vscode';

/** Whether the system that opens files for the user is the one that has ours: not in a browser or a remote window. */
export function isLocalWindow(): boolean {
  return vscode.env.uiKind !== vscode.UIKind.Web && vscode.env.remoteName === undefined;
}
