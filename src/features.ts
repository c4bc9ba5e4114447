import * as path from 'node:path';
import type * as vscode from 'vscode';
import { registerAccount } from './service/account/ui/register';
import type { StartedSession } from './service/account/ui/startSession';
import type { AddDisposable } from './base/events/disposable';
import { message } from './base/message';
import { registerCollections } from './service/collections/ui/register';
import { createFindingNames } from './links/findingNames';
import { Links } from './links/register';
import { TrendRemarks } from './links/trendRemarks';
import {
  largeListActions,
  nextSteps,
  showTrend,
  startFullReport,
  tableActions,
} from './links/actions';
import { type CompareFeature, registerCompare } from './viewer/compare/ui/register';
import { registerExport } from './service/export/ui/register';
import type { FindingsFeature } from './service/findings/ui/findingsFeature';
import { registerFindings } from './service/findings/ui/register';
import { describeIfApiError } from './service/account/ui/describeApiError';
import { describeIfReportError } from './service/reports/ui/reportTexts';
import type { Reports } from './service/reports/reports';
import { ReportsFeature } from './service/reports/ui/register';
import { KnownFiles } from './viewer/table/ui/knownFiles';
import { KnownSnapshot } from './known/knownSnapshot';
import { FindingNode } from './service/findings/ui/findingItems';
import { KnownIssues } from './known/knownIssues';
import { localDisk } from './files/disk';
import { isWithin } from './files/files';
import { localProcesses } from './files/processes';
import { systemClock } from './base/events/clock';
import { registerWatch, type WatchFeature } from './service/watch/ui/register';
import { registerTables, type TablesFeature } from './viewer/table/ui/register';
import type { ToolsDeps } from './links/tools/tools';
import { CommandRunner } from './workbench/commandRunner';
import { deleteLocalData, type Removal } from './workbench/deleteLocalData';
import type { Registry } from './workbench/registry';
import { closeTables } from './workbench/storedFiles';
import { localizedNames } from './workbench/webviewPage';
import type { Collections } from './service/collections/collections';
import { refreshCollections } from './service/collections/ui/refreshCollections';

interface FeaturesDeps {
  readonly registry: Registry;
  readonly account: StartedSession;
  readonly log: vscode.LogOutputChannel;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  /** The folder in which this extension keeps its files. */
  readonly storage: string;
  /** The folder of the state files and files of reports. */
  readonly reportsFolder: string;
  readonly bundles: vscode.Uri;
}

/**
 * Registers the features, one after the other. Nothing is awaited.
 * @returns what the tools of language models need.
 */
export function registerFeatures(add: AddDisposable, deps: FeaturesDeps): ToolsDeps {
  const { registry, account, log, globalState, storage, bundles } = deps;
  const names = localizedNames();
  const runner = new CommandRunner(registry, log, [describeIfReportError, describeIfApiError]);
  const tablesFolder = path.join(storage, 'tables');
  const comparisonsFolder = path.join(storage, 'comparisons');

  const knownFiles = add(new KnownFiles(deps.workspaceState, storage, () => known));
  const known: KnownIssues = add(
    new KnownIssues({
      disk: localDisk,
      clock: systemClock,
      processes: localProcesses,
      lockFolder: path.join(storage, 'locks'),
      file: () => knownFiles.file,
      isChosen: () => knownFiles.isChosen,
    }),
  );

  const findings = registerFindings(add, {
    registry,
    runner,
    ...account,
    globalState,
    bundles,
    names,
    known: new KnownSnapshot(known, () => systemClock.now()),
    knownIssues: known,
    workspace: tableActions,
    refreshOthers: () => refreshCollections(collections.active()),
    largeLists: largeListActions,
  });
  const collections: Collections = registerCollections(add, {
    registry,
    runner,
    ...account,
    findings,
    bundles,
  });
  const reportsFeature = new ReportsFeature({
    registry,
    runner,
    log,
    folder: deps.reportsFolder,
    tableFolders: [tablesFolder, comparisonsFolder],
    ...account,
    findings,
    // Asked when a report has ended: the links are there by then.
    findNews: (report) => links.findNews(report),
  });
  const remarks = add(
    new TrendRemarks({
      reports: reportsFeature.reports,
      trends: () => links.trends(),
      onDidChangeKnown: known.onChange,
      log,
    }),
  );
  const watched = registerWatch(add, {
    runner,
    findings,
    log,
    folder: path.join(storage, 'watch'),
    lookAtReport: (each) => links.lookAtReport(each),
    showTrend,
  });
  reportsFeature.register(add, { remarks, extra: watched.rows });
  const { reports, reportsRunner } = reportsFeature;
  const { exporter } = registerExport({ runner, findings });
  const links: Links = new Links({
    log,
    folder: path.join(tablesFolder, 'findings'),
    findings,
    collections,
    reports: reportsFeature,
    exporter,
    comparer: () => comparisons.comparer(),
    editor: () => tables.editor,
    tables: () => tables.tables(),
    knownFindings: async () => (await tables.tables()).knownFindings(),
    bundles,
    started: account.started,
  });
  const { stored } = links;
  const tables: TablesFeature = registerTables(add, {
    registry,
    runner: reportsRunner,
    log,
    folder: path.join(tablesFolder, 'unpacked'),
    statesFolder: path.join(storage, 'states'),
    cvesFolder: path.join(storage, 'cves'),
    compareFiles: (sides) => comparisons.compareFiles(sides),
    globalState,
    bundles,
    // The first one that owns a file counts.
    sources: async () => [comparisons.source, ...(await links.sources())],
    stored,
    actions: tableActions,
    known,
    knownFiles,
    workspaceState: deps.workspaceState,
    findingOf: (node) => (node instanceof FindingNode ? node.identify() : undefined),
    names: createFindingNames(findings),
  });
  const comparisons: CompareFeature = registerCompare({
    runner: reportsRunner,
    log,
    folder: comparisonsFolder,
    bundles,
    stored,
    tables,
    startFullReport,
  });
  links.register(add, registry, tables.editor);
  reportsRunner.registerGroup('agents', async () => {
    const { mcpCommands } = await import('./links/tools/mcpCommands');
    return mcpCommands({ storage, bundles, knownFile: () => knownFiles.file });
  });
  registerAccount(add, {
    runner,
    log,
    session: account.session,
    probe: () => findings.scorecards.probe(),
    showFirst: () => reportsFeature.showFirst(),
    next: nextSteps,
    hasLocalData: ({ id }) =>
      reports.hasResumable(id) ||
      (account.session.signedIn?.account.id === id &&
        findings.findings.active().length + collections.active().length > 0),
  });
  runner.register('scorecard.showLog', () => {
    log.show();
  });
  const parts = { account, findings, reports, tables, links, comparisons, knownFiles, watched };
  const removals = createRemovals(storage, parts);
  runner.register('scorecard.deleteLocalData', (call) => deleteLocalData(removals, call, log));
  registry.checkComplete();
  const { scorecards } = findings;
  const { comparer } = comparisons;
  const { trends } = links;
  return { scorecards, reports, stored, editor: tables.editor, comparer, trends };
}

/** What keeps local data; each removes its own. */
interface RemovedParts {
  readonly account: StartedSession;
  readonly findings: FindingsFeature;
  readonly reports: Reports;
  readonly tables: TablesFeature;
  readonly links: Links;
  readonly comparisons: CompareFeature;
  readonly knownFiles: KnownFiles;
  readonly watched: WatchFeature;
}

/** What **Delete Local Data** removes, in this order. */
function createRemovals(storage: string, parts: RemovedParts): readonly Removal[] {
  const { account, findings, reports, tables, links, comparisons, knownFiles, watched } = parts;
  return [
    // While the account is signed in: a report that waits for its account could not be cancelled.
    { what: message('running reports'), remove: () => reports.cancelAll() },
    // Before their files and copies are removed.
    {
      what: message('tables'),
      remove: () => closeTables((file) => isWithin(storage, file)),
    },
    { what: message('API keys'), remove: () => account.removeKeys() },
    { what: message('reports'), remove: () => reports.removeAll() },
    { what: message('counts of requests'), remove: () => account.removeBudgets() },
    { what: message('severities of reports'), remove: () => findings.reported.removeAll() },
    {
      what: message('tables'),
      remove: async () => [...(await tables.removeAll()), ...(await links.removeAll())],
    },
    { what: message('comparisons'), remove: () => comparisons.removeAll() },
    { what: message('known issues'), remove: () => knownFiles.removeOwn() },
    { what: message('watched scorecards'), remove: () => watched.removeAll() },
  ];
}
