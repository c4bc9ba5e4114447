import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json';
import { viewIds } from '../../contributions';
import { numberArg } from '../../workbench/commandArgs';
import { type CommandCall, dismissed, type Commands } from '../../workbench/commandRunner';
import { inView } from '../../workbench/viewProgress';
import { askForNumber, chosenList, type FindingsDeps, revealFinding } from './findingsCommands';

const { t } = vscode.l10n;

/** Go to Finding. */
export function goToCommands(deps: FindingsDeps) {
  return { 'scorecard.goToFinding': (call) => goToFinding(deps, call) } satisfies Commands;
}

/** Loads the page that holds a finding, and for a person puts the focus on it. */
async function goToFinding(deps: FindingsDeps, call: CommandCall): Promise<JsonObject | undefined> {
  deps.session.requireSignedIn();
  const list = await chosenList(deps, call, t('Go to Finding'));
  if (!list) {
    return dismissed;
  }
  const number = numberArg(call) ?? (await askForNumber(list, t('Go to Finding')));
  if (number === undefined) {
    return dismissed;
  }
  return inView(viewIds.findings, async () => {
    const row = await list.goTo(number);
    if (call.by === 'person') {
      await revealFinding(deps, list, row);
    }
    return row.entry;
  });
}
