import * as path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger';
import { ReportSource } from '../../../src/links/reportSource';
import type { ReportSeverities } from '../../../src/service/findings/severity';
import type { ReportStore } from '../../../src/service/reports/reportStore';
import { UnpackedReports } from '../../../src/service/reports/unpackedReports';
import { localizedNames } from '../../../src/workbench/webviewPage';
import { ReportTables } from '../../../src/viewer/table/ui/tables';
import { knownIssuesIn, knownTablesIn } from '../viewer/table/knownTables';
import { noRatings, noTableActions } from '../viewer/table/tableActions';

/** Opens the reports of a store as tables. @param store gets the severities of full reports */
export function reportTables(
  reportStore: ReportStore,
  folder: string,
  store: ReportSeverities['store'] = () => undefined,
  known = knownIssuesIn(folder),
): ReportTables {
  const reports = new ReportSource({
    reports: {
      listOfAllAccounts: () => reportStore.readReports(),
      load: () => reportStore.readAhead(),
      resume: () => undefined,
    },
    unpacked: new UnpackedReports(reportStore),
    changes: { find: () => Promise.resolve(undefined) },
    reported: { store },
    scorecards: { find: () => undefined },
  });
  return new ReportTables({
    bundles: vscode.Uri.file(path.resolve(__dirname, '../../../dist')),
    folder,
    log: silentLogger,
    sources: [reports],
    actions: noTableActions,
    known: knownTablesIn(folder, known),
    cveLists: () => Promise.resolve([]),
    paths: { matcher: () => () => false },
    statesFolder: path.join(folder, 'states'),
    compareFiles: () => Promise.resolve(),
    kindState: { get: () => undefined, update: () => Promise.resolve() },
    names: localizedNames(),
    scorecardNames: () => ({}),
    ratings: noRatings,
    meaningOf: () => Promise.resolve(undefined),
  });
}
