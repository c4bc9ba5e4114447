import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/http/errors';
import { systemClock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { HumanError } from '../../base/humanError';
import { localProcesses } from '../../base/processes';
import type { Exporter } from '../../export/exporter';
import { describeForLog } from '../../workbench/describeForLog';
import { FindingsTables } from './findingsTables';
import { TableCopies } from './tableCopies';
import { describeError } from '../../workbench/describe';
import { showError } from '../../workbench/messages';
import type { ReportsOfFiles } from '../../reports/ui/reportFiles';
import { TableEditor } from './tableEditor';
import { TableFiles } from './tableFiles';

const { t } = vscode.l10n;

/** What the Report Table is made of. */
export interface ReportTablesDeps extends ReportsOfFiles {
  readonly extensionUri: vscode.Uri;
  /** What tables keep while they are open; nothing else is in it. */
  readonly folder: string;
  readonly log: vscode.LogOutputChannel;
  readonly exporter: Exporter;
}

/** Registers the Report Table. Nothing is read before a table is opened. */
export function registerReportTables(deps: ReportTablesDeps): Disposable & {
  editor: TableEditor;
  findingsTables: FindingsTables;
  /** Removes all that tables keep. @throws an error of the file system. */
  removeAll: () => Promise<void>;
} {
  const { folder, log, reports, unpacked } = deps;
  const findingsTables = new FindingsTables(path.join(folder, 'findings'), deps.exporter, () =>
    systemClock.now(),
  );
  const copies = new TableCopies(path.join(folder, 'unpacked'), localProcesses);
  const files = new TableFiles({ copies, reports, unpacked, findingsTables });
  const editor = new TableEditor({
    bundles: vscode.Uri.joinPath(deps.extensionUri, 'dist'),
    cacheFolder: copies.own,
    fileOf: (uri, signal) => files.of(uri, signal),
    describe: (error) =>
      error instanceof CancelledError
        ? t('Unpacking was cancelled, so no rows can be shown.')
        : describeError(error),
    humanError: (message, code, cause) => new HumanError(message, code, { cause }),
    log: (message) => {
      log.warn(message);
    },
    showError,
    onClosed: (uri) => {
      if (uri.scheme === 'file') {
        findingsTables.remove(uri.fsPath).catch((error: unknown) => {
          log.warn(`The file of a table of findings cannot be removed: ${describeForLog(error)}`);
        });
      }
    },
  });
  const registered = editor.register();
  return {
    editor,
    findingsTables,
    removeAll: async () => {
      await copies.removeAll();
      await findingsTables.removeAll();
    },
    dispose: () => {
      registered.dispose();
      copies.removeOwn();
    },
  };
}
