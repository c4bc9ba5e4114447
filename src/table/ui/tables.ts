import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/http/errors';
import { systemClock } from '../../base/events/clock';
import type { Disposable } from '../../base/events/disposable';
import type { Logger } from '../../base/logger';
import { localProcesses } from '../../base/processes';
import { severityLevelOf, severityLevels } from '../../base/text/orderedWords';
import { reportScheme } from '../../contributions';
import type { TableHandle } from '../../engine/engine';
import { openTable } from '../../engine/openTable';
import type { Exporter } from '../../export/exporter';
import type { Scorecards } from '../../findings/scorecards';
import type { ReportSeverities } from '../../findings/severity';
import type { IssueTypeMeanings } from '../../findings/ui/issueTypeMeanings';
import type { ReportLookup } from '../../reports/ui/reportFiles';
import { describeError } from '../../workbench/describe';
import { describeForLog } from '../../workbench/describeForLog';
import { showError } from '../../workbench/messages';
import { setting } from '../../workbench/settings';
import { localPath, storedFileUri } from '../../workbench/storedFiles';
import { hasWorkspace } from '../../workbench/workspaceFiles';
import { shownLinks } from '../../workbench/workspaceLinks';
import { FindingsFiles } from '../findingsFiles';
import { LocalFiles } from './localFiles';
import type { DatedReport, FileInfoProvider } from '../localTable';
import { linksOfRow } from './rowLinks';
import { TableDocument, type TableEvents } from './tableDocument';
import { TableProblems } from './tableProblems';
import { TempCopies } from '../tempCopies';

const { t } = vscode.l10n;

/** Dependencies of the Report Table. */
interface ReportTablesDeps extends ReportLookup {
  /** The folder of our bundles. */
  readonly bundles: vscode.Uri;
  /** The folder of temporary files of tables; contains nothing else. */
  readonly folder: string;
  readonly log: Logger;
  readonly exporter: Exporter;
  /** Stores the severities that a full report contains. */
  readonly reported: Pick<ReportSeverities, 'store'>;
  readonly scorecards: Scorecards;
  readonly meanings: IssueTypeMeanings;
  readonly fileInfo: () => FileInfoProvider | undefined;
}

/** The tables that are open, and their files. */
export class ReportTables implements Disposable {
  readonly findingsFiles: FindingsFiles;
  private readonly tempCopies: TempCopies;
  readonly files: LocalFiles;
  /** The findings of open tables that are listed in the Problems view. */
  readonly problems = new TableProblems();

  constructor(private readonly deps: ReportTablesDeps) {
    const { folder, exporter, reports, unpacked, fileInfo } = deps;
    this.findingsFiles = new FindingsFiles(path.join(folder, 'findings'), exporter, () =>
      systemClock.now(),
    );
    this.tempCopies = new TempCopies(path.join(folder, 'unpacked'), localProcesses);
    const { tempCopies, findingsFiles } = this;
    this.files = new LocalFiles({ tempCopies, reports, unpacked, findingsFiles, fileInfo });
  }

  /** The folder of unpacked and converted copies, which exist while they are read. */
  get cacheFolder(): string {
    return this.tempCopies.ownFolder;
  }

  /** @param list JSON: the list to show, whatever was chosen. */
  open(uri: vscode.Uri, events: TableEvents, list?: string): TableDocument {
    const { lists } = this.files;
    const { bundles, log, scorecards, meanings } = this.deps;
    const file = localPath(uri) ?? '';
    const isFindingsFile = this.findingsFiles.owns(file);
    const isComparison = this.deps.fileInfo()?.isComparison(file) === true;
    const isReport =
      uri.scheme === reportScheme && !isFindingsFile && setting('reports.openAs') !== 'table';
    const document: TableDocument = new TableDocument(uri, {
      onRecordsChanged: (changed) => {
        events.onRecordsChanged(changed);
        if (this.problems.isShown(changed)) {
          // The page shows why a file cannot be read.
          void this.problems.show(document).catch(() => undefined);
        }
      },
      bundles,
      cacheFolder: this.tempCopies.ownFolder,
      firstTab: isReport || isComparison ? 'overview' : 'table',
      fileOf: async (file, signal) => ({
        ...(await this.files.of(file, signal)),
        ...(list !== undefined && { list }),
      }),
      ...(list === undefined && { lists }),
      describe: (error) =>
        error instanceof CancelledError
          ? t('Unpacking was cancelled. Try again to show the rows.')
          : describeError(error),
      scorecardNames: () => Object.fromEntries(scorecards.list().map(({ id, name }) => [id, name])),
      meaningOf: (issueType) => meanings.of(issueType),
      log: (message) => {
        log.warn(message);
      },
      showError,
      withReport: (report, work, signal) => this.withReport(report, work, signal),
      workspace: {
        isOpen: hasWorkspace,
        linksOf: async (table, record, report) =>
          hasWorkspace() ? shownLinks(await linksOfRow(table, record, { report })) : {},
        isInProblems: (report) => this.problems.isShown(report),
      },
      onCounted: (report, { typeSeverities = [] }, typesOfScorecards) => {
        const positions = typeSeverities.flatMap(({ type, severity }) => {
          const level = severityLevelOf(severity);
          return level ? [[type, severityLevels.indexOf(level)] as const] : [];
        });
        const { accountId, madeAt } = report;
        // A report may be about thousands of scorecards: only those that are shown are stored.
        const shown = Object.entries(typesOfScorecards).filter(([id]) => scorecards.find(id));
        this.deps.reported.store({
          accountId,
          madeAt,
          positions: Object.fromEntries(positions),
          scorecards: Object.fromEntries(shown),
        });
      },
      onClosed: () => {
        const isEditorClosed = events.onClosed(uri);
        if (isEditorClosed) {
          this.problems.remove(uri);
        }
        if (isEditorClosed && isFindingsFile) {
          this.findingsFiles.remove(file).catch((error: unknown) => {
            log.warn(`Could not delete the file of a findings table: ${describeForLog(error)}`);
          });
        }
        return isEditorClosed;
      },
    });
    return document;
  }

  /** Runs work on the table of a report, which no editor shows. */
  private async withReport<T>(
    { path: report }: DatedReport,
    work: (table: TableHandle, path: string) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const file = await this.files.of(storedFileUri(report), signal);
    try {
      const script = vscode.Uri.joinPath(this.deps.bundles, 'tableWorker.js').fsPath;
      const { encoding, list } = file;
      const options = { cacheFolder: this.tempCopies.ownFolder, encoding, list };
      const table = await openTable(script, file.path, options, signal);
      try {
        return await work(table, file.path);
      } finally {
        table.dispose();
      }
    } finally {
      await file.release();
    }
  }

  /** Removes all files of tables. @returns the paths that are left. */
  removeAll(): string[] {
    return [...this.tempCopies.removeAll(), ...this.findingsFiles.removeAll()];
  }

  dispose(): void {
    this.problems.dispose();
    this.tempCopies.removeOwn();
  }
}
