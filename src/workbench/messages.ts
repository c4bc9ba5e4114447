import * as vscode from 'vscode';
import { AuthError } from '../api/http/errors';
import type { CommandId } from '../contributions';
import { plainText } from '../base/plainText';
import { causeOf } from '../base/stoppedError';
import { SignedOutError } from './signedOutError';
import { describeError } from './describe';
import type { TreeNode } from './nodes';

/** A button of a notification: what it says, and which command it runs or what else it does. */
type Action = { title: string } & (
  | {
      command: CommandId;
      /** The row that the command is about: with a node it knows that a person called it. */
      node?: TreeNode;
    }
  | { run: () => Promise<void> }
);

/**
 * Shows an error with what to do next. Nobody waits for the answer: a notification may stay
 * unanswered for ever.
 */
export function showError(error: unknown): void {
  const cause = causeOf(error);
  const actions: Action[] =
    cause instanceof AuthError || cause instanceof SignedOutError
      ? [{ title: vscode.l10n.t('Sign In'), command: 'scorecard.signIn' }]
      : [];
  actions.push({ title: vscode.l10n.t('Show Log'), command: 'scorecard.showLog' });
  show(vscode.window.showErrorMessage, describeError(error), actions);
}

/** Tells something that went as it should. */
export function showInformation(message: string, actions: Action[] = []): void {
  show(vscode.window.showInformationMessage, message, actions);
}

/** Tells something to look at. */
export function showWarning(message: string, actions: Action[] = []): void {
  show(vscode.window.showWarningMessage, message, actions);
}

function show(
  notify: (
    message: string,
    ...items: (Action & vscode.MessageItem)[]
  ) => Thenable<Action | undefined>,
  message: string,
  actions: Action[],
): void {
  // VS Code makes links of what looks like one; our texts hold words of others.
  void notify(plainText(message, 600), ...actions).then((action) => {
    if (action && 'run' in action) {
      action.run().catch(showError);
    } else if (action) {
      void vscode.commands.executeCommand(action.command, ...(action.node ? [action.node] : []));
    }
  });
}
