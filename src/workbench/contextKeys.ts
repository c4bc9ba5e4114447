import * as vscode from 'vscode';
import type { ContextKeys } from '../contributions';

/** Sets a context key for `when` clauses. */
export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
