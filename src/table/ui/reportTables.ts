import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/http/errors';
import { systemClock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/logger';
import { severityScale } from '../../base/orderedWords';
import { localProcesses } from '../../base/processes';
import type { Scorecards } from '../../findings/scorecards';
import type { Exporter } from '../../export/exporter';
import { describeForLog } from '../../workbench/describeForLog';
import type { ReportSeverities } from '../../findings/severity';
import { FindingsTables } from './findingsTables';
import { TableCopies } from './tableCopies';
import { TableDocument } from './tableDocument';
import { describeError } from '../../workbench/describe';
import { showError } from '../../workbench/messages';
import type { ReportsOfFiles } from '../../reports/ui/reportFiles';
import type { TableEvents } from './tableEditor';
import { reportScheme } from '../../contributions';
import type { FileKnowledge } from './localTable';
import { setting } from '../../workbench/settingsCommands';
import { TableFiles } from './tableFiles';

const { t } = vscode.l10n;

/** Dependencies of the Report Table. */
interface ReportTablesDeps extends ReportsOfFiles {
  /** The folder of our bundles. */
  readonly bundles: vscode.Uri;
  /** Temporary files of tables; nothing else is in it. */
  readonly folder: string;
  readonly log: Logger;
  readonly exporter: Exporter;
  /** Keeps the severities that a full report tells. */
  readonly reported: Pick<ReportSeverities, 'learn'>;
  readonly scorecards: Scorecards;
  readonly knowledge: () => FileKnowledge | undefined;
}

/** The tables that are open, and their files. */
export class ReportTables implements Disposable {
  readonly findingsTables: FindingsTables;
  private readonly copies: TableCopies;
  readonly files: TableFiles;

  constructor(private readonly deps: ReportTablesDeps) {
    const { folder, exporter, reports, unpacked, knowledge } = deps;
    this.findingsTables = new FindingsTables(path.join(folder, 'findings'), exporter, () =>
      systemClock.now(),
    );
    this.copies = new TableCopies(path.join(folder, 'unpacked'), localProcesses);
    const { copies, findingsTables } = this;
    this.files = new TableFiles({ copies, reports, unpacked, findingsTables, knowledge });
  }

  /** Where copies of unpacked files are kept while they are read. */
  get cacheFolder(): string {
    return this.copies.own;
  }

  open(uri: vscode.Uri, events: TableEvents): TableDocument {
    const { bundles, log, scorecards } = this.deps;
    const isReport = uri.scheme === reportScheme && setting('reports.openAs') !== 'table';
    const isComparison =
      uri.scheme === 'file' && this.deps.knowledge()?.isComparison(uri.fsPath) === true;
    return new TableDocument(uri, {
      ...events,
      bundles,
      cacheFolder: this.copies.own,
      firstTab: isReport || isComparison ? 'overview' : 'table',
      fileOf: (file, signal) => this.files.of(file, signal),
      describe: (error) =>
        error instanceof CancelledError
          ? t('Unpacking was cancelled. Try again to show the rows.')
          : describeError(error),
      scorecardNames: () => Object.fromEntries(scorecards.list().map(({ id, name }) => [id, name])),
      log: (message) => {
        log.warn(message);
      },
      showError,
      onCounted: (report, { typeSeverities = [] }) => {
        const places = typeSeverities.flatMap(({ type, severity }) => {
          const place = severityScale.placeOf(severity);
          return place === undefined ? [] : [[type, place] as const];
        });
        this.deps.reported.learn({ ...report, places: Object.fromEntries(places) });
      },
      onClosed: () => {
        const isEditorClosed = events.onClosed(uri);
        if (isEditorClosed && uri.scheme === 'file') {
          this.findingsTables.remove(uri.fsPath).catch((error: unknown) => {
            log.warn(`Could not delete the file of a findings table: ${describeForLog(error)}`);
          });
        }
        return isEditorClosed;
      },
    });
  }

  /** Removes all files of tables. @throws an error of the file system */
  async removeAll(): Promise<void> {
    await this.copies.removeAll();
    await this.findingsTables.removeAll();
  }

  dispose(): void {
    this.copies.removeOwn();
  }
}
