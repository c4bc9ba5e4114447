import type * as vscode from 'vscode';
import type { AddDisposable } from '../base/events/disposable';
import { systemClock } from '../base/events/clock';
import { once } from '../base/events/once';
import type { Logger } from '../base/logger';
import type { KnownFinding } from '../engine';
import type { Exporter } from '../service/export/exporter';
import type { Collections } from '../service/collections/collections';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import type { StoredReport } from '../service/reports/storedReport';
import { requestAbout } from '../service/reports/ui/reportScope';
import type { Look } from '../service/watch/watch';
import type { Watched } from '../service/watch/watchFile';
import type { ReportsFeature } from '../service/reports/ui/register';
import type { ReportNews } from '../service/reports/ui/reportNotices';
import type { Comparer } from '../viewer/compare/ui/comparer';
import type { FileSource } from '../viewer/table/ui/fileSource';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import type { ReportTables } from '../viewer/table/ui/tables';
import { openReport } from './actions';
import { followActiveReport } from './previousOfEditor';
import { ReportChanges } from './reportChanges';
import { trendTabId } from '../contributions';
import type { Registry } from '../workbench/registry';
import { storedFileUri } from '../workbench/storedFiles';

interface LinksDeps {
  readonly log: Logger;
  /** The folder of the findings of lists that are shown as tables; contains nothing else. */
  readonly folder: string;
  readonly findings: FindingsFeature;
  readonly reports: ReportsFeature;
  readonly collections: Collections;
  readonly exporter: () => Promise<Exporter>;
  readonly comparer: () => Promise<Comparer>;
  readonly editor: () => TableEditor;
  readonly tables: () => Promise<ReportTables>;
  readonly knownFindings: () => Promise<readonly KnownFinding[]>;
  readonly bundles: vscode.Uri;
  /** Resolves when the session of this window is known. */
  readonly started: Promise<void>;
}

/**
 * Joins the two wings: gives tables the reports and lists of the service, and the service the changes of reports.
 * The code is loaded on first use.
 */
export class Links {
  private readonly changes: ReportChanges;

  constructor(private readonly deps: LinksDeps) {
    const { stored } = this;
    const { reports } = deps.reports;
    this.changes = new ReportChanges({ reports, stored, comparer: deps.comparer });
  }

  /** Looks at a scorecard by a report: see `lookAtReport`. */
  async lookAtReport(watched: Watched): Promise<Look> {
    const { reports, findings, editor, comparer } = this.deps;
    const { session, scorecards } = findings;
    const { lookAtReport } = await import('./reportLook');
    return lookAtReport(
      {
        reports: reports.reports,
        clock: systemClock,
        requestAbout: (id) => requestAbout({ id, name: scorecards.nameOf(id) }, session),
        startQuietly: (request) => reports.startQuietly(request),
        account: () => session.requireSignedIn().account,
        stored: this.stored,
        comparer,
        editor: editor(),
      },
      watched,
    );
  }

  /** The reports, for commands that are about a file. */
  readonly stored = once(async () => {
    const { StoredReports } = await import('./storedReports');
    return new StoredReports(this.deps.reports);
  });

  /** How the findings of reports have developed. */
  readonly trends = once(async () => {
    const { reports, comparer, editor, knownFindings, log } = this.deps;
    const [{ ReportTrends }, stored, loaded] = await Promise.all([
      import('./reportTrends'),
      this.stored(),
      comparer(),
    ]);
    return new ReportTrends({
      store: reports.store,
      withTable: ({ path: file = '' }, work) =>
        editor().withTable(storedFileUri(file), (document) => document.forProgram(work)),
      findChanges: (report, previous) =>
        loaded.since(stored.fileOf(previous), stored.fileOf(report)),
      knownFindings,
      log,
    });
  });

  private readonly tableSources = once(async () => {
    const { exporter, ...deps } = this.deps;
    const [{ TableSources }, loaded] = await Promise.all([import('./tableSources'), exporter()]);
    return new TableSources({ ...deps, exporter: loaded, changes: this.changes });
  });

  /** The owners of the files that the service gives tables to show; the first one that owns a file counts. */
  readonly sources = async (): Promise<readonly FileSource[]> => (await this.tableSources()).all;

  /** What is new in a report that is ready. */
  findNews(report: StoredReport): Promise<ReportNews | undefined> {
    return this.changes.findNews(report);
  }

  /** Registers the commands that lead from one wing to the other. */
  register(add: AddDisposable, registry: Pick<Registry, 'register'>, editor: TableEditor): void {
    const { findings, collections, comparer } = this.deps;
    const { reports, unpacked, reportsRunner: runner } = this.deps.reports;
    add(followActiveReport(this.deps.reports));
    runner.registerGroup('findingsTable', async () => {
      const { findingsTableCommands } = await import('./findingsTable');
      const { findingsFiles } = await this.tableSources();
      return findingsTableCommands({ ...findings, editor, findingsFiles });
    });
    runner.registerGroup('collectionTable', async () => {
      const { collectionTableCommands } = await import('./collectionTable');
      const { findingsFiles } = await this.tableSources();
      return collectionTableCommands({ ...findings, collections, editor, findingsFiles });
    });
    runner.registerGroup('findingLinks', async () => {
      const { findingLinkCommands } = await import('./findingLinks');
      return findingLinkCommands({
        ...findings,
        reports,
        unpacked,
        editor,
        stored: await this.stored(),
      });
    });
    runner.registerGroup('workspaceLinks', async () => {
      const { workspaceLinkCommands } = await import('./workspaceCommands');
      return workspaceLinkCommands({ ...findings, editor, stored: await this.stored() });
    });
    const trends = once(async () => {
      const [code, { TrendPanels }, reportTrends] = await Promise.all([
        import('./trends'),
        import('./trendPanel'),
        this.trends(),
      ]);
      const panels = new TrendPanels(this.deps.bundles);
      const { tables, started } = this.deps;
      const deps = {
        ...findings,
        reports,
        unpacked,
        trends: reportTrends,
        panels,
        editor,
        tables,
        started,
      };
      return { code, deps };
    });
    runner.registerGroup('trends', async () => {
      const { code, deps } = await trends();
      return code.trendCommands(deps);
    });
    registry.register(trendTabId, {
      deserializeWebviewPanel: async (panel, state) => {
        const { code, deps } = await trends();
        await code.trendTabs(deps).deserializeWebviewPanel(panel, state);
      },
    });
    runner.registerGroup('deepLinks', async () => {
      const { deepLinkCommands } = await import('./deepLinkCommands');
      return deepLinkCommands({ ...findings, reports, unpacked, openReport });
    });
    runner.registerGroup('reportComparisons', async () => {
      const { compareReportsCommands } = await import('./compareReports');
      const [stored, loaded] = await Promise.all([this.stored(), comparer()]);
      return compareReportsCommands({ reports, unpacked, stored, editor, comparer: loaded });
    });
  }

  /** Removes the findings of lists that are shown as tables. @returns the paths that are left. */
  async removeAll(): Promise<string[]> {
    return (await this.tableSources()).findingsFiles.removeAll();
  }
}
