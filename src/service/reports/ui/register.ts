import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { AddDisposable } from '../../../base/events/disposable';
import { once } from '../../../base/events/once';
import { reportScheme, walkthroughId } from '../../../contributions';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { Registry } from '../../../workbench/registry';
import { numberSetting, reportsFolder } from '../../../workbench/settings';
import { Reports } from '../reports';
import { ReportStore } from '../reportStore';
import { UnpackedReports } from '../unpackedReports';
import { openRestoredReports, ReportDocuments } from './reportFiles';
import { type FindReportNews, ReportNotices, ReportProgress } from './reportNotices';
import type { OpenReport } from './reportOpener';
import { registerReportScopes } from './reportScope';
import { registerReportsView } from './reportsView';
import { describeFailure, kindName } from './reportTexts';

/** The services of the reports for the features above. */
export interface ReportsFeature {
  reports: Reports;
  unpacked: UnpackedReports;
  /** Runs commands after the reports have been read. */
  reportsRunner: CommandRunner;
  /**
   * Opens the newest report or, without one, the walkthrough, unless a user opens something else first. The
   * focus does not move. Never rejects.
   */
  showFirst(): Promise<void>;
}

export function registerReports(
  add: AddDisposable,
  deps: {
    registry: Registry;
    runner: CommandRunner;
    log: vscode.LogOutputChannel;
    /** The folder of the records and files. */
    folder: string;
    /** The folders of files that are shown as tables, such as comparisons. */
    tableFolders: readonly string[];
    started: Promise<void>;
    findings: FindingsFeature;
    findNews: FindReportNews;
  },
): ReportsFeature {
  const { registry, log, folder, tableFolders, started } = deps;
  const { session, scorecards } = deps.findings;
  const store = new ReportStore(folder, log);
  const reports = add(
    new Reports({
      store,
      clock: systemClock,
      logger: log,
      session,
      settings: () => ({
        folder: reportsFolder(),
        generationTimeoutMs:
          60_000 * numberSetting('reports.timeoutMinutes', { min: 1, max: 10_080, fallback: 120 }),
      }),
      describeFailure,
    }),
  );
  // Reports are listed even while nobody is signed in.
  const loaded = reports.load();
  void Promise.all([loaded, started])
    .then(() => {
      store.removeLeftovers(systemClock.now());
    })
    .catch((error: unknown) => {
      log.warn(`Could not clean up earlier reports: ${String(error)}`);
    });
  let demo: typeof session.demo;
  let earlierReport: Promise<void> = Promise.resolve();
  add(
    session.onDidChange(() => {
      if (session.demo?.earlierReport && session.demo !== demo) {
        earlierReport = loaded
          .then(async () => {
            const { addEarlierDemoReport: keepEarlierDemoReport } = await import('../demoReport');
            const title = `${kindName('full')}: ${vscode.l10n.t('All findings')}`;
            if (session.demo && (await keepEarlierDemoReport(session.demo, store, title))) {
              reports.resume();
            }
          })
          .catch((error: unknown) => {
            log.warn(`The demo has no earlier report: ${String(error)}`);
          });
      }
      demo = session.demo;
    }),
  );
  const progress = add(new ReportProgress(reports));
  const unpacked = new UnpackedReports(store);
  registry.register(reportScheme, new ReportDocuments({ reports, unpacked, tableFolders }));
  openRestoredReports();
  const openReport: OpenReport = async (report, options) =>
    (await import('./reportOpener')).openReport(unpacked, report, options);
  const notices = add(new ReportNotices(reports, openReport, deps.findNews, log));
  add(registerReportsView(registry, reports, session, () => earlierReport));
  add(registerReportScopes(session));

  const reportsRunner = deps.runner.after(() => reports.load());
  reportsRunner.registerGroup('reports', async () => {
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
  const cleanUp = once(async () =>
    (await import('./cleanUpCommands')).cleanUpOf({ reports, store }),
  );
  reportsRunner.registerGroup('cleanUp', async () => (await cleanUp()).commands);
  add(
    reports.onDidEnd(({ report, ranHere }) => {
      if (ranHere && report.state === 'ready') {
        void cleanUp()
          .then(({ offerOnce }) => offerOnce())
          .catch((error: unknown) => {
            log.warn(`Could not check the limits of reports: ${String(error)}`);
          });
      }
    }),
  );
  const showFirst = async () => {
    const { tabGroups } = vscode.window;
    const before = tabGroups.activeTabGroup.activeTab;
    await Promise.all([loaded, earlierReport]);
    if (tabGroups.activeTabGroup.activeTab !== before) {
      // The user has opened something in the meantime.
      return;
    }
    const newest = reports.list().find(({ state }) => state === 'ready');
    await (newest
      ? openReport(newest, { preserveFocus: true, isProgram: false })
      : vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthroughId, false));
  };
  return {
    reports,
    unpacked,
    reportsRunner,
    showFirst: () =>
      showFirst().catch((error: unknown) => {
        log.warn(`Could not open the newest report: ${String(error)}`);
      }),
  };
}
