import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { Logger } from '../../../base/logger';
import { once } from '../../../base/events/once';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { FileSource } from '../../table/ui/fileSource';
import type { TablesFeature } from '../../table/ui/register';
import type { CompareFiles } from '../../table/ui/userFiles';
import type { StoredFiles } from '../../table/ui/storedFile';
import { ComparisonFiles } from '../comparisonFiles';
import type { Comparer } from './comparer';
import { ComparisonSource } from './comparisonSource';

export interface CompareFeature {
  readonly comparer: () => Promise<Comparer>;
  readonly compareFiles: CompareFiles;
  /** The owner of the files of differences. */
  readonly source: FileSource;
  /** Removes all files of differences. @returns the paths that are left. */
  removeAll(): Promise<string[]>;
}

interface CompareDeps {
  readonly runner: CommandRunner;
  readonly log: Logger;
  /** The folder of the files of differences; contains nothing else. */
  readonly folder: string;
  readonly bundles: vscode.Uri;
  readonly stored: () => Promise<StoredFiles>;
  readonly tables: TablesFeature;
  /** What is offered while there are no reports. Errors are shown. */
  readonly startFullReport: () => PromiseLike<unknown>;
}

/** Registers the comparison of files. Its code is loaded on the first comparison. */
export function registerCompare(deps: CompareDeps): CompareFeature {
  const { runner, log, bundles, tables, startFullReport } = deps;
  const files = new ComparisonFiles(deps.folder, () => systemClock.now());
  const comparer = once(async () => {
    const [{ Comparer }, stored] = await Promise.all([import('./comparer'), deps.stored()]);
    return new Comparer({ bundles, files, tables: tables.tables, stored, log });
  });
  runner.registerGroup('comparisons', async () => {
    const { compareCommands } = await import('./compareCommands');
    const { editor } = tables;
    return compareCommands({
      stored: await deps.stored(),
      editor,
      comparer: await comparer(),
      startFullReport,
    });
  });
  return {
    comparer,
    compareFiles: async ({ before, after, at: [older, newer], known, withoutTexts, title }) => {
      const [{ compare }, { textWarnings }] = await Promise.all([
        import('./compareCommands'),
        import('./compareTexts'),
      ]);
      const input = (file: string, madeAt: number) => ({
        uri: vscode.Uri.file(file),
        title,
        madeAt,
      });
      await compare(
        { comparer: await comparer(), editor: tables.editor },
        [input(before, older), input(after, newer)],
        { by: 'user', args: { key: 'finding' } },
        { leftOut: known, warnings: textWarnings(withoutTexts) },
      );
    },
    source: new ComparisonSource(files, comparer),
    removeAll: () => files.removeAll(),
  };
}
