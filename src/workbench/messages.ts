import * as vscode from 'vscode';
import { CancelledError } from '../base/cancelledError';
import { extensionId } from '../contributions';
import { plainText } from '../base/text/plainText';
import { describeError, type DescribeError, type ErrorDescription } from './describe';
import type { TreeNode } from './views';
import type { CommandId } from '../commands';

const showLog = 'scorecard.showLog';

type Action = { title: string } & (
  | {
      command: CommandId;
      /** The row that the command is run on. With a row, the command counts as run by a user. */
      node?: TreeNode;
    }
  | {
      run: () => PromiseLike<unknown>;
      /** Describes an error of `run`, if that can be one of a room above. */
      describe?: DescribeError;
    }
);

interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
}

/**
 * Shows an error. Does not wait for a response: a notification may stay open forever.
 * @param actions what a user can do about it.
 * @param tryAgain repeats what failed; it is offered if that may help.
 */
export function showError(
  { text, remedy }: ErrorDescription,
  { tryAgain, actions = [] }: { tryAgain?: () => Promise<void>; actions?: readonly Action[] } = {},
): void {
  show(vscode.window.showErrorMessage, text, [
    ...actions,
    ...remedyActions(remedy, tryAgain),
    { title: vscode.l10n.t('Show Log'), command: showLog },
  ]);
}

function remedyActions(
  remedy: ErrorDescription['remedy'],
  tryAgain: (() => Promise<void>) | undefined,
): Action[] {
  switch (remedy) {
    case 'signIn':
      return [{ title: vscode.l10n.t('Sign In'), command: 'scorecard.signIn' }];
    case 'addScorecard':
      return [{ title: vscode.l10n.t('Add Scorecard'), command: 'scorecard.addScorecard' }];
    default:
      return remedy === 'tryAgain' && tryAgain
        ? [{ title: vscode.l10n.t('Try Again'), run: tryAgain }]
        : [];
  }
}

export function showInformation(message: string, actions: Action[] = []): void {
  show(vscode.window.showInformationMessage, message, actions);
}

export function showWarning(message: string, actions: Action[] = []): void {
  show(vscode.window.showWarningMessage, message, actions);
}

/** Asks in a modal dialog. @returns whether the user chose `action`. */
export async function confirm(message: string, detail: string, action: string): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(message, options, action)) === action;
}

/** Whether package.json declares a setting; `scorecard.reports` is only the first part of several. */
function isSetting(id: string): boolean {
  const manifest = vscode.extensions.getExtension(extensionId)?.packageJSON as Manifest | undefined;
  return (manifest?.contributes.configuration ?? []).some(({ properties }) =>
    Object.hasOwn(properties, id),
  );
}

/** The button that opens the settings that a message names, if it names any. */
function settingsAction(message: string): Action[] {
  const ids = message.match(/\bscorecard(?:\.[a-zA-Z]+)+/g) ?? [];
  const named = [...new Set(ids)].filter(isSetting);
  const query = `@id:${named.join(',')}`;
  return named.length === 0
    ? []
    : [
        {
          title: vscode.l10n.t('Open Settings'),
          run: () => vscode.commands.executeCommand('workbench.action.openSettings', query),
        },
      ];
}

function show(
  notify: (
    message: string,
    ...items: (Action & vscode.MessageItem)[]
  ) => Thenable<Action | undefined>,
  message: string,
  actions: Action[],
): void {
  // VS Code turns text into links, and our messages contain text of the service.
  const text = plainText(message, 600);
  // Show Log stays the last one.
  const log = actions.filter((action) => 'command' in action && action.command === showLog);
  const others = actions.filter((action) => !log.includes(action));
  // Four buttons are cut off in German. Beside two others, only the service has named a setting.
  const settings = others.length + log.length < 3 ? settingsAction(text) : [];
  const run = (action: Action | undefined) => {
    if (action && 'run' in action) {
      const { describe = describeError } = action;
      action.run().then(undefined, (error: unknown) => {
        if (!(error instanceof CancelledError)) {
          showError(describe(error));
        }
      });
    } else if (action) {
      const node = action.node ? [action.node] : [];
      // It shows itself what goes wrong.
      vscode.commands.executeCommand(action.command, ...node).then(undefined, () => undefined);
    }
  };
  notify(text, ...others, ...settings, ...log).then(run, () => undefined);
}
