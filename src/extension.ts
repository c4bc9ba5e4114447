import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { keyTag } from './api/http/keyTag';
import { removeLedgers, sharedLedgerOf } from './api/budget/ledgerFolder';
import { systemClock } from './base/clock';
import { entryScheme, findingScheme, logChannelName, requestBodyScheme } from './contributions';
import { Collections } from './collections/collections';
import { Exporter } from './export/exporter';
import { Findings } from './findings/findings';
import { IssueCounts } from './findings/issueCounts';
import { Reports } from './reports/reports';
import { ReportLeases } from './reports/reportLeases';
import { ReportStore } from './reports/reportStore';
import { UnpackedReports } from './reports/unpackedReports';
import { UnseenReports } from './reports/unseenReports';
import { Scorecards } from './findings/scorecards';
import { Session } from './account/session';
import { BudgetItem } from './account/ui/budgetItem';
import { registerCollectionsView } from './collections/ui/collectionsView';
import { CommandRunner } from './workbench/commandRunner';
import { registerAccountCommands } from './account/ui/accountCommands';
import { registerCleanUp } from './reports/ui/cleanUpCommands';
import { registerCollectionCommands } from './collections/ui/collectionsCommands';
import { registerExportCommand } from './export/ui/export';
import { registerCopyCommands } from './findings/ui/copy';
import { registerFilterCommands } from './findings/ui/filter';
import { registerFindingsCommands } from './findings/ui/findingsCommands';
import { registerGeneralCommands } from './workbench/general';
import { registerLoadAllCommands } from './findings/ui/loadAll';
import { registerReadingCommands } from './findings/ui/reading';
import { registerReportCommands } from './reports/ui/reportsCommands';
import { registerReportTableCommands } from './table/ui/reportTable';
import { registerRequestBodyCommands } from './findings/ui/requestBody';
import { registerScorecardCommands } from './findings/ui/scorecardsCommands';
import { ConfiguredClient } from './account/ui/configuredClient';
import { describeErrorsWith } from './workbench/describe';
import { EntryDocuments } from './collections/ui/entryDocuments';
import { exportErrorText } from './export/ui/exportTexts';
import { FindingDocuments } from './findings/ui/findingDocuments';
import { findingErrorText } from './findings/ui/findingTexts';
import { registerFindingsView } from './findings/ui/findingsView';
import { SecretKeyStore } from './account/ui/keyStore';
import { registerReportDocuments } from './reports/ui/reportDocuments';
import { ReportNotices } from './reports/ui/reportNotices';
import { ReportOpener } from './reports/ui/reportOpener';
import { ReportProgress } from './reports/ui/reportProgress';
import { registerReportsView } from './reports/ui/reportsView';
import { describeFailure, reportErrorText } from './reports/ui/reportTexts';
import { RequestBodyFiles } from './findings/ui/requestBodyFiles';
import { openRestoredReports } from './reports/ui/restoredReports';
import { scorecardStore } from './findings/ui/scorecardStore';
import { logSession } from './account/ui/sessionLog';
import { sessionMemory } from './account/ui/sessionMemory';
import {
  listSetting,
  numberSetting,
  onDidChangeSetting,
  reportsFolder,
  setting,
} from './workbench/settingsCommands';
import { registerReportTables } from './table/ui/reportTables';
import { registerViewState } from './findings/ui/viewState';

/** Constructs and connects the parts. Nothing is awaited: sign-in goes on by itself. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends { dispose(): unknown }>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  describeErrorsWith(findingErrorText, reportErrorText, exportErrorText);
  const log = own(vscode.window.createOutputChannel(logChannelName, { log: true }));
  const budgets = path.join(context.globalStorageUri.fsPath, 'budget');
  const keys = new SecretKeyStore(context.secrets, (origin, apiKey) =>
    keyTag(budgets, origin, apiKey),
  );

  const session = own(
    new Session({
      keys,
      memory: sessionMemory(context.workspaceState, context.globalState),
      createApi: (baseUrl, apiKey, isDemo) => {
        // The demo is a session of its window, and so is its budget.
        const ledger = isDemo
          ? undefined
          : sharedLedgerOf({ parent: budgets, baseUrl, apiKey, clock: systemClock, logger: log });
        return new ConfiguredClient(baseUrl, apiKey, log, ledger);
      },
      startDemo: async () => (await import('./demo/demoService')).startDemoService(),
    }),
  );
  const { version } = context.extension.packageJSON as { version: string };
  log.info(`Scorecard Explorer ${version} started in VS Code ${vscode.version}`);
  own(logSession(session, log));
  const scorecards = own(new Scorecards(scorecardStore(own), session));
  const pageSize = () => numberSetting('pageSize', { min: 1, max: 500, fallback: 100 });
  const findings = own(
    new Findings({
      session,
      isListed: (scorecardId, issueType) =>
        scorecards.find(scorecardId)?.issueTypes.includes(issueType) === true,
      bodyOf: (scorecardId, issueType) => scorecards.bodyOf(scorecardId, issueType),
      pageSize,
    }),
  );
  const counts = own(
    new IssueCounts({
      session,
      listOf: (scorecardId, issueType) => findings.list(scorecardId, issueType),
      bodyOf: (scorecardId, issueType) => scorecards.bodyOf(scorecardId, issueType),
      now: () => systemClock.now(),
    }),
  );
  const collections = own(new Collections({ session, setting: listSetting('collections', own) }));
  const reportsStorage = path.join(context.globalStorageUri.fsPath, 'reports');
  const leases = new ReportLeases({ folder: reportsStorage });
  const store = new ReportStore(reportsStorage, log, leases);
  const reports = own(
    new Reports({
      store,
      leases,
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

  const restore = () =>
    session.restore().catch((error: unknown) => {
      log.error(`The session could not be restored: ${String(error)}`);
    });
  // Reports are listed to whoever is signed out, too.
  const loaded = reports.load();
  const started = restore();
  void Promise.all([loaded, started]).then(() => {
    reports.tidy().catch((error: unknown) => {
      log.warn(`What is left of earlier reports could not be removed: ${String(error)}`);
    });
  });
  own(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        // What other windows started since.
        reports.resume();
      }
    }),
  );
  own(keys.onDidChange(() => void restore()));
  own(onDidChangeSetting('baseUrl', () => void restore()));

  const runner = new CommandRunner(log);
  const reportsRunner = new CommandRunner(log, () => reports.load());
  const showCounts = () => setting('showCounts');
  const view = own(registerFindingsView({ session, scorecards, findings, counts, showCounts }));
  const progress = own(new ReportProgress(reports));
  const unseen = own(new UnseenReports(reports, store));
  const unpacked = new UnpackedReports(store);
  own(registerReportDocuments({ reports, unpacked }));
  openRestoredReports();
  const exporter = new Exporter();
  const reportTables = own(
    registerReportTables({
      extensionUri: context.extensionUri,
      folder: path.join(context.globalStorageUri.fsPath, 'tables'),
      log,
      reports,
      unpacked,
      exporter,
    }),
  );
  const { editor: tables, findingsTables } = reportTables;
  const opener = new ReportOpener(unpacked, (uri, options) => tables.open(uri, options));
  const notices = own(new ReportNotices(reports, unseen, opener, log));
  own(registerReportsView(reports, unseen));
  own(registerViewState({ session, scorecards, findings }, started));
  const collectionsView = own(
    registerCollectionsView({ session, scorecards, findings, collections }),
  );
  own(new BudgetItem(session));
  const documents = own(new FindingDocuments(findings, session, started));
  own(vscode.workspace.registerTextDocumentContentProvider(findingScheme, documents));
  const entries = own(new EntryDocuments(collections, session, started));
  own(vscode.workspace.registerTextDocumentContentProvider(entryScheme, entries));
  own(
    registerAccountCommands({
      runner,
      session,
      probe: () => scorecards.probe(),
      isHeld: ({ id }) =>
        reports.hasOpen(id) ||
        (session.signedIn?.account.id === id &&
          findings.active().length + collections.active().length > 0),
    }),
  );
  own(registerScorecardCommands({ runner, scorecards, session }));
  const bodies = own(new RequestBodyFiles(scorecards, session, started, () => systemClock.now()));
  own(vscode.workspace.registerFileSystemProvider(requestBodyScheme, bodies));
  const findingsDeps = { runner, session, scorecards, findings, counts, documents, view };
  own(registerFindingsCommands(findingsDeps));
  own(registerLoadAllCommands(findingsDeps));
  own(registerFilterCommands(findingsDeps));
  own(registerCopyCommands(findingsDeps));
  own(registerReadingCommands({ ...findingsDeps, entries }));
  own(registerRequestBodyCommands({ runner, scorecards, bodies }));
  own(registerExportCommand({ ...findingsDeps, exporter, pageSize, tables }));
  own(
    registerReportTableCommands({
      ...findingsDeps,
      runner: reportsRunner,
      reports,
      pageSize,
      editor: tables,
      findingsTables,
    }),
  );
  own(
    registerCollectionCommands({
      runner,
      session,
      scorecards,
      collections,
      view: collectionsView,
      findingsView: view,
    }),
  );
  own(
    registerReportCommands({
      runner: reportsRunner,
      session,
      scorecards,
      reports,
      store,
      unseen,
      opener,
      progress,
      notices,
    }),
  );
  own(registerCleanUp({ runner: reportsRunner, reports, store, logger: log }));
  own(
    registerGeneralCommands({
      runner,
      log,
      removeAll: async () => {
        await reports.load();
        await reports.removeAll();
        await session.signOut();
        await reportTables.removeAll();
        await keys.deleteAll();
        removeLedgers(budgets);
        // Earlier versions kept the findings of a Load All there.
        const pages = path.join(context.globalStorageUri.fsPath, 'pages');
        await rm(pages, { recursive: true, force: true });
      },
    }),
  );
}
