import type * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { AddDisposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { once } from '../../../base/events/once';
import { hasAllFindings, previousReport } from '../../../service/reports/reportRecord';
import type { ReportsFeature } from '../../../service/reports/ui/register';
import { hasChanges } from '../../../engine';
import type { TablesFeature } from '../../table/ui/register';
import { ComparisonFiles } from '../comparisonFiles';
import type { Comparer } from './comparer';
import { followActiveReport } from '../../../links/previousOfEditor';

interface CompareFeature {
  readonly comparer: () => Promise<Comparer>;
  /** Removes all files of differences. @returns the paths that are left. */
  removeAll(): string[];
}

/** Registers the comparison of reports. Its code is loaded on the first comparison. */
export function registerCompare(
  add: AddDisposable,
  deps: {
    log: Logger;
    folder: string;
    bundles: vscode.Uri;
    reports: ReportsFeature;
    tables: TablesFeature;
  },
): CompareFeature {
  const { log, bundles, tables } = deps;
  const { reports, unpacked, reportsRunner, notices } = deps.reports;
  const files = new ComparisonFiles(deps.folder, () => systemClock.now());
  const comparer = once(async () => {
    const { Comparer } = await import('./comparer');
    return new Comparer({ bundles, files, tables: tables.tables, log });
  });
  tables.setFileInfo({
    isComparison: (file) => files.owns(file),
    aboutComparison: (file) => files.about(file),
    sincePrevious: async (report) => {
      const previous = previousReport(report, reports.all());
      return previous && (await comparer()).since(previous, report);
    },
  });
  notices.provideNews = async (report) => {
    const previous = previousReport(report, reports.all());
    if (!hasAllFindings(report.kind) || !previous) {
      return undefined;
    }
    const since = await (await comparer()).since(previous, report);
    if (!since) {
      return undefined;
    }
    const { sinceText } = await import('./compareTexts');
    return { text: sinceText(since), hasChanges: hasChanges(since) };
  };
  add(followActiveReport({ reports, unpacked }));
  reportsRunner.registerGroup('comparisons', async () => {
    const { compareCommands } = await import('./compareCommands');
    return compareCommands({
      reports,
      unpacked,
      editor: tables.editor,
      comparer: await comparer(),
    });
  });
  return { comparer, removeAll: () => files.removeAll() };
}
