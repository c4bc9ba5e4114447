import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { CommandCall, CommandRunner } from './commandRunner';
import { confirm } from './messages';

const { t } = vscode.l10n;

/** The dependencies of the general commands. */
interface GeneralDeps {
  runner: CommandRunner;
  log: vscode.LogOutputChannel;
  /** Removes all local data, after confirmation. */
  removeAll: () => Promise<void>;
}

/** Registers Show Log and Delete Local Data. */
export function registerGeneralCommands(deps: GeneralDeps): void {
  const { runner, log } = deps;
  runner.register('scorecard.showLog', () => {
    log.show();
  });
  runner.register('scorecard.deleteLocalData', (call) => deleteLocalData(deps, call));
}

async function deleteLocalData({ removeAll }: GeneralDeps, call: CommandCall): Promise<void> {
  if (call.args.confirm !== true) {
    if (call.by === 'api') {
      throw new UserError(
        t('Deleting all local data must be confirmed: pass { "confirm": true }.'),
        'badRequest',
      );
    }
    const isConfirmed = await confirm(
      t('Delete all API keys, reports and findings that Scorecard Explorer keeps on this machine?'),
      t('Running reports are cancelled, and downloaded files are deleted. The settings stay.'),
      t('Delete'),
    );
    if (!isConfirmed) {
      return;
    }
  }
  await removeAll();
}
