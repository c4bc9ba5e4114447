import type * as vscode from 'vscode';
import type { AddDisposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { once } from '../../../base/events/once';
import { reportTableId } from '../../../contributions';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { TreeNode } from '../../../workbench/views';
import type { Registry } from '../../../workbench/registry';
import type { DecidableFinding } from '../../../known/decision';
import type { KnownIssues } from '../../../known/knownIssues';
import { LastDecision } from '../lastDecision';
import { CveLists } from '../cveLists';
import type { FileSource } from './fileSource';
import type { KnownFiles } from './knownFiles';
import { ProblemPaths } from './problemPaths';
import type { StoredFiles } from './storedFile';
import type { FindingNames, TableActions } from './tableActions';
import { TableEditor } from './tableEditor';
import type { ReportTables } from './tables';
import type { CompareFiles } from './userFiles';

/** What the tables provide to features.ts and to the rooms above. */
export interface TablesFeature {
  readonly editor: TableEditor;
  /** The tables, once they are needed. */
  readonly tables: () => Promise<ReportTables>;
  /** Removes all temporary files of tables. @returns the paths that are left. */
  removeAll(): Promise<string[]>;
}

interface TablesDeps {
  readonly registry: Registry;
  readonly runner: CommandRunner;
  readonly log: Logger;
  /** The folder of temporary files of tables; contains nothing else. */
  readonly folder: string;
  /** The folder of what files of users contained before; contains nothing else. */
  readonly statesFolder: string;
  /** The folder of the lists of CVEs; contains nothing else. */
  readonly cvesFolder: string;
  readonly compareFiles: CompareFiles;
  readonly bundles: vscode.Uri;
  /** The owners of files that are not those of users. */
  readonly sources: () => Promise<readonly FileSource[]>;
  readonly stored: () => Promise<StoredFiles>;
  readonly actions: TableActions;
  readonly globalState: vscode.Memento;
  readonly names: FindingNames;
  readonly known: KnownIssues;
  readonly workspaceState: vscode.Memento;
  /** Where known issues are kept. */
  readonly knownFiles: KnownFiles;
  /** The finding that a row of a tree shows, if it can be decided about. */
  readonly findingOf: (node: TreeNode) => DecidableFinding | undefined;
}

/** Registers the Report Table. Its code is loaded when the first table opens. */
export function registerTables(add: AddDisposable, deps: TablesDeps): TablesFeature {
  const { registry, runner, log, folder, bundles, actions, names, knownFiles, findingOf } = deps;
  const known = once(async () => {
    const { KnownTables } = await import('./knownTables');
    const last = new LastDecision(deps.workspaceState);
    return new KnownTables(deps.known, () => knownFiles.workspace, log, last);
  });
  const paths = new ProblemPaths(deps.workspaceState);
  const lists = new CveLists(deps.cvesFolder);
  const cves = once(async () => {
    const { CveTables } = await import('./cveTables');
    return add(new CveTables(lists));
  });
  const tables = once(async () => {
    const [{ ReportTables }, sources, ofTables] = await Promise.all([
      import('./tables'),
      deps.sources(),
      known(),
    ]);
    return add(
      new ReportTables({
        ...names,
        bundles,
        folder,
        log,
        sources,
        actions,
        known: ofTables,
        paths,
        cveLists: async () => (await cves()).read(),
        statesFolder: deps.statesFolder,
        compareFiles: deps.compareFiles,
        kindState: deps.globalState,
      }),
    );
  });
  const editor = new TableEditor(tables);
  registry.register(reportTableId, editor);
  deps.known.onChange(() => {
    editor.refreshKnown().catch(() => undefined);
  });
  lists.onChange(() => {
    editor.refreshLists().catch(() => undefined);
  });
  runner.registerGroup('tables', async () => {
    const { tableCommands } = await import('./tableCommands');
    const { files, problems } = await tables();
    const stored = await deps.stored();
    const common = { editor, choices: files.choices, problems, paths, stored, log };
    const marking = { known: await known(), cves: await cves() };
    return tableCommands({ ...common, ...marking, knownFiles, findingOf });
  });
  const removeAll = async () => [
    ...(await (await tables()).removeAll()),
    ...(await lists.removeAll()),
  ];
  return { editor, tables, removeAll };
}
