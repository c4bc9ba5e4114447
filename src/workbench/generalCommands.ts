import type * as vscode from 'vscode';
import type { CommandRunner } from './commandRunner';
import { deleteLocalData, type Removal } from './deleteLocalData';

/** The dependencies of the general commands. */
interface GeneralDeps {
  runner: CommandRunner;
  log: vscode.LogOutputChannel;
  /** What removes all local data, in this order. */
  removals: readonly Removal[];
}

/** Registers Show Log and Delete Local Data. */
export function registerGeneralCommands(deps: GeneralDeps): void {
  const { runner, log } = deps;
  runner.register('scorecard.showLog', () => {
    log.show();
  });
  runner.register('scorecard.deleteLocalData', (call) => deleteLocalData(deps.removals, call, log));
}
