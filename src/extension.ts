import * as vscode from 'vscode';
import { registerAccount, registerAccountCommands } from './account/ui/register';
import type { Own } from './base/disposable';
import { registerCollections } from './collections/ui/register';
import { registerCompare } from './compare/ui/register';
import { logChannelName } from './contributions';
import { registerExport } from './export/ui/register';
import { registerFindings } from './findings/ui/register';
import { registerReports } from './reports/ui/register';
import { registerTables } from './table/ui/register';
import { registerTools } from './tools/ui/register';
import { CommandRunner } from './workbench/commandRunner';
import { registerGeneralCommands } from './workbench/general';

/** Registers the features, one after the other. Nothing is awaited. */
export function activate(context: vscode.ExtensionContext): void {
  const own: Own = (item) => {
    context.subscriptions.push(item);
    return item;
  };
  const log = own(vscode.window.createOutputChannel(logChannelName, { log: true }));
  const { version } = context.extension.packageJSON as { version: string };
  log.info(`Scorecard Explorer ${version} started in VS Code ${vscode.version}`);
  const storage = context.globalStorageUri.fsPath;
  const runner = new CommandRunner(log);
  const { secrets, workspaceState, globalState } = context;

  const account = registerAccount(own, { log, storage, secrets, workspaceState, globalState });
  const findings = registerFindings(own, { runner, ...account, globalState });
  const collections = registerCollections(own, { runner, ...account, findings });
  const reportsFeature = registerReports(own, { log, storage, ...account, findings });
  const { reports } = reportsFeature;
  const { exporter } = registerExport(own, { runner, findings });
  const bundles = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const tables = registerTables(own, {
    log,
    storage,
    bundles,
    findings,
    reports: reportsFeature,
    exporter,
  });

  const comparisons = registerCompare(own, {
    log,
    storage,
    bundles,
    reports: reportsFeature,
    tables,
  });
  registerTools(own, async () => ({
    scorecards: findings.scorecards,
    reports,
    editor: tables.editor,
    comparer: await comparisons.comparer(),
  }));

  registerAccountCommands(own, {
    runner,
    session: account.session,
    checkAddress: account.checkAddress,
    probe: () => findings.scorecards.probe(),
    isHeld: ({ id }) =>
      reports.hasResumable(id) ||
      (account.session.signedIn?.account.id === id &&
        findings.findings.active().length + collections.active().length > 0),
  });
  const removeAll = async () => {
    await reports.load();
    await reports.removeAll();
    await account.removeAll();
    await findings.reported.removeAll();
    await tables.removeAll();
    await comparisons.removeAll();
  };
  own(registerGeneralCommands({ runner, log, removeAll }));
}
