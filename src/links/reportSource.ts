import * as vscode from 'vscode';
import { systemClock } from '../base/events/clock';
import { UserError } from '../base/userError';
import { reportScheme } from '../contributions';
import type { SincePrevious, TableCallOptions, TableHandle } from '../engine';
import { contentOfFile } from '../files/fileContent';
import { unpack } from '../files/unpack';
import type { Scorecards } from '../service/findings/scorecards';
import type { ReportSeverities } from '../service/findings/severity';
import { previousReport } from '../service/reports/previousReport';
import {
  hasAllFindings,
  madeAt,
  reportsLike,
  type StoredReport,
} from '../service/reports/storedReport';
import { type ReportLookup, reportOfFile } from '../service/reports/ui/reportFiles';
import { reportName, reportTitle } from '../service/reports/ui/reportTexts';
import { type FileFacts, fileInPlace, type LocalFile } from '../viewer/table/localTable';
import type {
  FileSource,
  MakeCopy,
  SqlQuestion,
  SqlTable,
  WithTable,
} from '../viewer/table/ui/fileSource';
import { setting } from '../workbench/settings';
import { localPath } from '../workbench/storedFiles';
import { withUnpackProgress } from '../workbench/unpackProgress';
import type { ReportChanges } from './reportChanges';
import { countReported } from './reportedCounts';
import { writeReportSql } from './reportsSql';
import { shownReport } from './shownReport';
import { findSeverityLevel, severityLevels } from '../vocabulary/severity';

interface ReportSourceDeps extends ReportLookup {
  readonly changes: Pick<ReportChanges, 'find'>;
  /** Stores the severities that a full report or one of issues contains. */
  readonly reported: Pick<ReportSeverities, 'store'>;
  readonly scorecards: Pick<Scorecards, 'find'>;
}

/** Milliseconds without a mark until the severities of a report are counted again. */
const recountPauseMs = 1_500;

/** Owns the files of reports: all of their scheme that no other source owns. */
export class ReportSource implements FileSource {
  /** Ends what waits to be counted again, by the URIs of reports. */
  private readonly waiting = new Map<string, () => void>();

  constructor(private readonly deps: ReportSourceDeps) {}

  get firstTab() {
    return setting('reports.openAs') === 'table' ? 'table' : 'overview';
  }

  owns(uri: vscode.Uri): boolean {
    return uri.scheme === reportScheme;
  }

  /**
   * An archive that was not unpacked is read from a temporary copy: nobody may have opened the report.
   * @throws UserError if the report was removed: VS Code restores the tabs of earlier windows.
   */
  async open(uri: vscode.Uri, signal: AbortSignal, copy: MakeCopy): Promise<LocalFile> {
    const file = localPath(uri) ?? '';
    const report = await reportOfFile(this.deps, file);
    if (!report) {
      throw new UserError(
        vscode.l10n.t(
          'This report is no longer in the Reports view. Open another report from there.',
        ),
        'notFound',
      );
    }
    if (!(await isArchive(file))) {
      return fileInPlace(file);
    }
    const unpacked = await this.deps.unpacked.find(report.id);
    return unpacked === undefined
      ? copy((folder) =>
          withUnpackProgress(file, signal, (options) => unpack(file, 'zip', folder, options)),
        )
      : fileInPlace(unpacked);
  }

  about(uri: vscode.Uri): Promise<FileFacts | undefined> {
    const report = shownReport(this.deps, uri);
    const previous = report && previousReport(report, this.deps.reports.listOfAllAccounts());
    return Promise.resolve(
      report && {
        about: {
          title: reportName(report),
          madeAt: madeAt(report),
          ...(previous && { previousAt: madeAt(previous) }),
        },
        tabTitle: reportTitle(report),
      },
    );
  }

  async findChanges(uri: vscode.Uri): Promise<SincePrevious | undefined> {
    const report = shownReport(this.deps, uri);
    return report && this.deps.changes.find(report);
  }

  async writeSql(
    file: SqlTable,
    question: SqlQuestion,
    options: TableCallOptions,
    withTable: WithTable,
  ): Promise<string> {
    const report = shownReport(this.deps, file.uri);
    const others = report ? reportsLike(report, this.deps.reports.listOfAllAccounts()) : [];
    const shown = report && { id: report.id, path: localPath(file.uri) ?? file.path };
    return writeReportSql(
      {
        ...file,
        keepShown: async (signal) => (shown ? this.keep(shown, signal) : file.path),
        report,
        others,
        withTable,
        keep: (other, cancelled) => this.keep(other, cancelled),
      },
      question,
      options,
    );
  }

  /** The file of a report as other programs can read it, also later: an archive is unpacked for good. */
  private async keep(
    { id, path: file = '' }: Pick<StoredReport, 'id' | 'path'>,
    signal: AbortSignal,
  ): Promise<string> {
    return (await isArchive(file))
      ? withUnpackProgress(file, signal, (unpacking) =>
          this.deps.unpacked.of(id, file, 'zip', unpacking),
        )
      : file;
  }

  opened(uri: vscode.Uri, table: TableHandle): void {
    // The overview counts the same, and shows its errors.
    this.storeSeverities(uri, table).catch(() => undefined);
  }

  /** Counts again once nothing is marked for a while: a user decides about one finding after the other. */
  knownChanged(uri: vscode.Uri, table: TableHandle): void {
    const key = uri.toString();
    this.waiting.get(key)?.();
    const count = () => {
      this.waiting.delete(key);
      this.opened(uri, table);
    };
    this.waiting.set(key, systemClock.setTimeout(count, recountPauseMs));
  }

  closed(uri: vscode.Uri): void {
    const key = uri.toString();
    this.waiting.get(key)?.();
    this.waiting.delete(key);
  }

  /** Stores the severities of a report that has all findings. */
  private async storeSeverities(uri: vscode.Uri, table: TableHandle): Promise<void> {
    const report = shownReport(this.deps, uri);
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
    const column = table.info.columns.find(({ id }) => id === overview.severity?.column);
    const positions = (overview.typeSeverities ?? []).flatMap(({ type, severity }) => {
      const level = findSeverityLevel(severity, column);
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
}

/** Whether a file is an archive. What is wrong with it is said when it is read. */
async function isArchive(file: string): Promise<boolean> {
  return (await contentOfFile(file).catch(() => undefined)) === 'zip';
}
