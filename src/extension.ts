import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { startSession } from './service/account/ui/startSession';
import type { AddDisposable } from './base/events/disposable';
import { UserError } from './base/userError';
import { once } from './base/events/once';
import type { CommandId } from './commands';
import {
  entryRecordId,
  entryScheme,
  findingRecordId,
  findingScheme,
  logChannelName,
  reportScheme,
  reportTableId,
  trendTabId,
  viewIds,
} from './contributions';
import { registerTools } from './links/tools/register';
import { Registry } from './workbench/registry';

/** Of package.json. A test compares its commands with those of the code. */
interface Manifest {
  readonly version: string;
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

/**
 * Declares to VS Code what the extension has, and restores the session. Nothing is awaited. The features are loaded
 * when one of them is used, before an account is signed in, and when there are reports: many windows need none.
 */
export function activate(context: vscode.ExtensionContext): void {
  const add: AddDisposable = (item) => {
    context.subscriptions.push(item);
    return item;
  };
  const log = add(vscode.window.createOutputChannel(logChannelName, { log: true }));
  const { version, contributes } = context.extension.packageJSON as Manifest;
  log.info(`Scorecard Explorer ${version} started in VS Code ${vscode.version}`);
  const { secrets, workspaceState, globalState } = context;
  const storage = context.globalStorageUri.fsPath;
  const reportsFolder = path.join(storage, 'reports');

  const loadFeatures = once(async () => {
    try {
      const { registerFeatures } = await import('./features');
      const bundles = vscode.Uri.joinPath(context.extensionUri, 'dist');
      const states = { globalState, workspaceState };
      const deps = { registry, account, log, ...states, storage, reportsFolder, bundles };
      return registerFeatures(add, deps);
    } catch (error) {
      // An update of the extension may have removed the files of this version.
      log.error(`The features could not be loaded: ${String(error)}`);
      throw new UserError(
        vscode.l10n.t(
          'Scorecard Explorer could not be loaded. Reload the window. If that does not help, install the extension again.',
        ),
        'protocol',
        { cause: error },
      );
    }
  });
  const registry: Registry = new Registry(add, loadFeatures);
  registry.declareCommands(contributes.commands.map(({ command }) => command));
  declareAll(registry);
  registerTools(add, loadFeatures, vscode.lm);
  // VS Code keeps a link until there is a handler, so `onStartupFinished` is enough for one that starts it.
  add(
    vscode.window.registerUriHandler({
      handleUri: (uri) => vscode.commands.executeCommand('scorecard.openLink', uri),
    }),
  );
  const account = startSession(add, {
    log,
    storage,
    secrets,
    workspaceState,
    loadFeatures,
  });
  hasFiles(reportsFolder)
    .then(async (hasReports) => {
      if (hasReports) {
        await loadFeatures();
      }
    })
    // What goes wrong is in the log.
    .catch(() => undefined);
}

function declareAll(registry: Registry): void {
  registry.declareView(viewIds.findings, { showCollapseAll: true, canSelectMany: true });
  registry.declareView(viewIds.reports);
  registry.declareView(viewIds.collections, { showCollapseAll: true });
  registry.declareTexts(findingScheme);
  registry.declareTexts(entryScheme);
  registry.declareFiles(reportScheme, {
    isCaseSensitive: true,
    isReadonly: new vscode.MarkdownString(
      vscode.l10n.t(
        'A report is read-only. Save a copy with "Scorecard: Save Report As" to change it.',
      ),
    ),
  });
  registry.declareEditor(reportTableId, {
    supportsMultipleEditorsPerDocument: false,
    // A hidden table keeps its state and loads its rows again.
    webviewOptions: { retainContextWhenHidden: false },
  });
  registry.declareTab(trendTabId);
  for (const id of [findingRecordId, entryRecordId] as const) {
    registry.declareEditor(id, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: false, enableFindWidget: true },
    });
  }
}

async function hasFiles(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
