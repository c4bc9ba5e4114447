import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { AddDisposable, Disposable } from '../../../base/events/disposable';
import { once } from '../../../base/events/once';
import { reportScheme, walkthroughId } from '../../../contributions';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { Registry } from '../../../workbench/registry';
import { numberSetting, reportsFolder } from '../../../workbench/settings';
import { closeTables } from '../../../workbench/storedFiles';
import { Reports } from '../reports';
import { ReportStore } from '../reportStore';
import type { ReportRequest, StoredReport } from '../storedReport';
import { UnpackedReports } from '../unpackedReports';
import { openRestoredReports, ReportDocuments } from './reportFiles';
import { type FindReportNews, ReportNotices, ReportProgress } from './reportNotices';
import type { OpenReport } from './reportOpener';
import { registerReportScopes } from './reportScope';
import { registerReportsView, type ExtraRows, type ReportRemarks } from './reportsView';
import { describeFailure } from './reportTexts';

interface ReportsDeps {
  readonly registry: Registry;
  readonly runner: CommandRunner;
  readonly log: vscode.LogOutputChannel;
  /** The folder of the reports and their files. */
  readonly folder: string;
  /** The folders of files that are shown as tables, such as comparisons. */
  readonly tableFolders: readonly string[];
  readonly started: Promise<void>;
  readonly findings: FindingsFeature;
  readonly findNews: FindReportNews;
}

/** The reports of the service, and what the features above need of them. */
export class ReportsFeature {
  readonly reports: Reports;
  readonly unpacked: UnpackedReports;
  /** Runs commands after the reports have been read. */
  readonly reportsRunner: CommandRunner;
  readonly store: ReportStore;
  private readonly loaded: Promise<void>;
  private earlierReport: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ReportsDeps) {
    const { log, findings } = deps;
    this.store = new ReportStore(deps.folder, log);
    this.reports = new Reports({
      store: this.store,
      clock: systemClock,
      logger: log,
      session: findings.session,
      settings: () => ({
        folder: reportsFolder(),
        generationTimeoutMs:
          60_000 * numberSetting('reports.timeoutMinutes', { min: 1, max: 10_080, fallback: 120 }),
      }),
      describeFailure,
      closeFiles: closeTables,
    });
    this.unpacked = new UnpackedReports(this.store);
    this.reportsRunner = deps.runner.after(() => this.reports.load());
    // Reports are listed even while nobody is signed in.
    this.loaded = this.reports.load();
  }

  /** Registers the documents, the view, the notices and the commands of reports. */
  register(
    add: AddDisposable,
    shown: { readonly remarks: ReportRemarks; readonly extra: ExtraRows },
  ): void {
    const { reports, unpacked } = this;
    const { registry, log, tableFolders, findNews } = this.deps;
    const { session } = this.deps.findings;
    add(reports);
    this.removeLeftovers();
    add(this.followDemo());
    const progress = add(new ReportProgress(reports, log));
    registry.register(reportScheme, new ReportDocuments({ reports, unpacked, tableFolders }));
    openRestoredReports();
    const notices = add(new ReportNotices(reports, this.openReport, findNews, log));
    add(registerReportsView(registry, reports, session, () => this.earlierReport, shown));
    add(registerReportScopes(session));
    this.registerCommands(progress, notices);
    add(this.offerCleanUp());
  }

  /**
   * Opens the newest report or, without one, the walkthrough, unless a user opens something else first. The
   * focus does not move. Never rejects.
   */
  async showFirst(): Promise<void> {
    try {
      await this.openFirst();
    } catch (error) {
      this.deps.log.warn(`Could not open the newest report: ${String(error)}`);
    }
  }

  private readonly openReport: OpenReport = async (report, options) =>
    (await import('./reportOpener')).openReport(this.unpacked, report, options);

  private readonly cleanUp = once(async () =>
    (await import('./cleanUpCommands')).createCleanUp({ reports: this.reports, store: this.store }),
  );

  /**
   * Makes a report that nobody has asked for: it does not open, and no window shows its end. One that is unfinished is
   * joined. Resolves when it is ready. @throws as `Reports.start`, and the reason of a failure
   */
  async startQuietly(request: ReportRequest): Promise<StoredReport> {
    await this.loaded;
    const { done } = await this.reports.start(request, { isQuiet: true });
    return done;
  }

  private removeLeftovers(): void {
    Promise.all([this.loaded, this.deps.started])
      .then(() => this.store.removeLeftovers(systemClock.now()))
      .catch((error: unknown) => {
        this.deps.log.warn(`Could not clean up earlier reports: ${String(error)}`);
      });
  }

  /** Adds the earlier report of each demo that has one. */
  private followDemo(): Disposable {
    const { session } = this.deps.findings;
    let demo: typeof session.demo;
    return session.onDidChange(() => {
      if (session.demo?.earlierReport && session.demo !== demo) {
        this.earlierReport = this.addEarlierReport().catch((error: unknown) => {
          this.deps.log.warn(`The demo has no earlier report: ${String(error)}`);
        });
      }
      demo = session.demo;
    });
  }

  private async addEarlierReport(): Promise<void> {
    const { session } = this.deps.findings;
    await this.loaded;
    const { addEarlierDemoReport } = await import('../demoReport');
    const title = vscode.l10n.t('All findings');
    if (session.demo && (await addEarlierDemoReport(session.demo, this.store, title))) {
      this.reports.resume();
    }
  }

  private registerCommands(progress: ReportProgress, notices: ReportNotices): void {
    const { reports, store, openReport } = this;
    const { session, scorecards } = this.deps.findings;
    this.reportsRunner.registerGroup('reports', async () => {
      const { reportCommands } = await import('./reportsCommands');
      return reportCommands({
        session,
        scorecards,
        reports,
        store,
        openReport,
        progress,
        notices,
      });
    });
    this.reportsRunner.registerGroup('cleanUp', async () => (await this.cleanUp()).commands);
  }

  /** Offers to clean up after each report that is ready here. */
  private offerCleanUp(): Disposable {
    return this.reports.onDidEnd(({ report, ranHere }) => {
      if (ranHere && report.state === 'ready') {
        this.cleanUp()
          .then(({ offerOnce }) => offerOnce())
          .catch((error: unknown) => {
            this.deps.log.warn(`Could not check the limits of reports: ${String(error)}`);
          });
      }
    });
  }

  private async openFirst(): Promise<void> {
    const { tabGroups } = vscode.window;
    const before = tabGroups.activeTabGroup.activeTab;
    await Promise.all([this.loaded, this.earlierReport]);
    if (tabGroups.activeTabGroup.activeTab !== before) {
      // The user has opened something in the meantime.
      return;
    }
    const newest = this.reports.listShown().find(({ state }) => state === 'ready');
    await (newest
      ? this.openReport(newest, { preserveFocus: true, isProgram: false })
      : vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthroughId, false));
  }
}
