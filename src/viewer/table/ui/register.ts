import type * as vscode from 'vscode';
import type { AddDisposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { once } from '../../../base/events/once';
import { reportTableId } from '../../../contributions';
import type { Exporter } from '../../../service/export/exporter';
import type { FindingsFeature } from '../../../service/findings/ui/findingsFeature';
import type { ReportsFeature } from '../../../service/reports/ui/register';
import type { ShownNames } from '../../../vocabulary/shownNames';
import type { Registry } from '../../../workbench/registry';
import type { FileInfoProvider } from '../localTable';
import { TableEditor } from './tableEditor';
import type { ReportTables } from './tables';

/** What the tables provide to features.ts and to the features above. */
export interface TablesFeature {
  readonly editor: TableEditor;
  /** The tables, once they are needed. */
  readonly tables: () => Promise<ReportTables>;
  /** Sets the provider of facts about files. It belongs to a feature above this one. */
  setFileInfo(provider: FileInfoProvider): void;
  /** Removes all files of tables. @returns the paths that are left. */
  removeAll(): Promise<string[]>;
}

/** Registers the Report Table. Its code is loaded when the first table opens. */
export function registerTables(
  add: AddDisposable,
  deps: {
    registry: Registry;
    log: Logger;
    /** The folder of files that are made to be shown as tables. */
    folder: string;
    bundles: vscode.Uri;
    names: ShownNames;
    findings: FindingsFeature;
    reports: ReportsFeature;
    exporter: () => Promise<Exporter>;
  },
): TablesFeature {
  const { registry, log, folder, bundles, names, findings } = deps;
  const { reported } = findings;
  const { reports, unpacked, reportsRunner } = deps.reports;
  let fileInfo: FileInfoProvider | undefined;
  const tables = once(async () => {
    const { ReportTables } = await import('./tables');
    const exporter = await deps.exporter();
    return add(
      new ReportTables({
        bundles,
        folder,
        log,
        reports,
        unpacked,
        exporter,
        reported,
        scorecards: findings.scorecards,
        meanings: findings.meanings,
        names,
        fileInfo: () => fileInfo,
      }),
    );
  });
  const editor = new TableEditor(tables);
  registry.register(reportTableId, editor);
  reportsRunner.registerGroup('tables', async () => {
    const { reportTableCommands } = await import('./tableCommands');
    const { findingsFiles, files } = await tables();
    const exporter = await deps.exporter();
    const own = { editor, findingsFiles, choices: files.choices, exporter, log };
    return reportTableCommands({ ...findings, reports, ...own });
  });
  reportsRunner.registerGroup('findingLinks', async () => {
    const { findingLinkCommands } = await import('../../../links/findingLinks');
    return findingLinkCommands({ ...findings, reports, editor });
  });
  reportsRunner.registerGroup('workspaceLinks', async () => {
    const { workspaceLinkCommands } = await import('./workspaceCommands');
    const { problems } = await tables();
    return workspaceLinkCommands({ ...findings, reports, editor, problems });
  });
  return {
    editor,
    tables,
    setFileInfo: (provider) => {
      fileInfo = provider;
    },
    removeAll: async () => (await tables()).removeAll(),
  };
}
