import * as path from 'node:path';
import type * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { Disposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { localProcesses } from '../../../files/processes';
import { reportScheme } from '../../../contributions';
import type { TableHandle } from '../../../engine';
import type { Exporter } from '../../../service/export/exporter';
import type { Scorecards } from '../../../service/findings/scorecards';
import type { ReportSeverities } from '../../../service/findings/severity';
import type { IssueTypeMeanings } from '../../../service/findings/ui/issueTypeMeanings';
import {
  hasAllFindings,
  madeAt,
  reportsLike,
  type StoredReport,
} from '../../../service/reports/reportRecord';
import type { ReportLookup } from '../../../service/reports/ui/reportFiles';
import { describeForLog } from '../../../workbench/describeForLog';
import { setting } from '../../../workbench/settings';
import { localPath, storedFileUri } from '../../../workbench/storedFiles';
import { hasWorkspace } from '../../../workbench/workspaceFiles';
import { shownLinks } from '../../../workbench/workspaceLinks';
import { FindingsFiles } from '../findingsFiles';
import { LocalFiles } from './localFiles';
import type { FileInfoProvider } from '../localTable';
import { linksOfRow } from './rowLinks';
import { TableDocument } from './tableDocument';
import { exportShown } from './tableExports';
import type { OpenTable } from './tablePanel';
import { TableProblems } from './tableProblems';
import { countReported } from '../reportedCounts';
import { TempCopies } from '../../../files/tempCopies';
import { severityLevelOf, severityLevels } from '../../../vocabulary/severity';

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

  /**
   * @param list JSON: the list to show, whatever was chosen.
   * @param onClosed for the table of an editor: called when that is closed.
   */
  open(
    uri: vscode.Uri,
    { list, onClosed }: { readonly list?: string | undefined; readonly onClosed?: () => void } = {},
  ): TableDocument {
    const { bundles, log, exporter, reports, scorecards, meanings } = this.deps;
    const { files, problems } = this;
    const file = localPath(uri) ?? '';
    const isFindingsFile = this.findingsFiles.owns(file);
    const isComparison = this.deps.fileInfo()?.isComparison(file) === true;
    const isReport = uri.scheme === reportScheme && !isFindingsFile && !isComparison;
    const hasOverview = isComparison || (isReport && setting('reports.openAs') !== 'table');
    const document: TableDocument = new TableDocument(uri, {
      bundles,
      cacheFolder: this.cacheFolder,
      firstTab: hasOverview ? 'overview' : 'table',
      fileOf: async (of, signal) => ({
        ...(await files.of(of, signal)),
        ...(list !== undefined && { list }),
      }),
      ...(list === undefined && { choices: files.choices }),
      scorecardNames: () => Object.fromEntries(scorecards.list().map(({ id, name }) => [id, name])),
      meaningOf: (issueType) => meanings.of(issueType),
      log: (message) => {
        log.warn(message);
      },
      sincePrevious: async (report) => this.deps.fileInfo()?.sincePrevious(report),
      reportsLike: (report) => reportsLike(report, reports.all()),
      withReport: (report, work, signal) => this.withReport(report, work, signal),
      exportShown: (shown, format) => exportShown({ exporter, log }, document, shown, format),
      hasWorkspace,
      linksOf: async (table, record) =>
        hasWorkspace() ? shownLinks(await linksOfRow(table, record, { report: uri })) : {},
      isInProblems: () => problems.isShown(uri),
      onOpened: (opened) => {
        if (onClosed && isReport) {
          void this.storeCounts(opened);
        }
      },
      onReloaded: () => {
        if (problems.isShown(uri)) {
          // The page shows why a file cannot be read.
          void problems.show(document).catch(() => undefined);
        }
      },
      onClosed: () => {
        if (!onClosed) {
          return;
        }
        onClosed();
        problems.remove(uri);
        if (isFindingsFile) {
          this.findingsFiles.remove(file).catch((error: unknown) => {
            log.warn(`Could not delete the file of a findings table: ${describeForLog(error)}`);
          });
        }
      },
    });
    return document;
  }

  /** Stores the severities of a full report. Errors are ignored: the overview counts the same and shows them. */
  private async storeCounts({ table, file: { report } }: OpenTable): Promise<void> {
    if (!report || !hasAllFindings(report.kind)) {
      return;
    }
    const params = { now: systemClock.now(), scope: 'open' } as const;
    const overview = await table.call('readOverview', params).catch(() => undefined);
    if (!overview) {
      return;
    }
    const types = await countReported(table, report.scorecardId).catch(() => ({}));
    const { reported, scorecards } = this.deps;
    const positions = (overview.typeSeverities ?? []).flatMap(({ type, severity }) => {
      const level = severityLevelOf(severity);
      return level ? [[type, severityLevels.indexOf(level)] as const] : [];
    });
    // A report may be about thousands of scorecards: only those that are shown are stored.
    const shown = Object.entries(types).filter(([id]) => scorecards.find(id));
    reported.store({
      accountId: report.accountId,
      madeAt: madeAt(report),
      positions: Object.fromEntries(positions),
      scorecards: Object.fromEntries(shown),
    });
  }

  /** Runs work on the table of a report, which no editor shows. */
  private async withReport<T>(
    { path: file = '' }: StoredReport,
    work: (table: TableHandle, path: string) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const document = this.open(storedFileUri(file));
    const close = () => {
      document.dispose();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      const opened = await document.open();
      return await work(opened.table, opened.file.path);
    } finally {
      signal.removeEventListener('abort', close);
      close();
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
