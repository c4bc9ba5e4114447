import * as vscode from 'vscode';
import type { Comparer } from '../../viewer/compare/ui/comparer';
import {
  type ComparedInput,
  createFileInput,
  createInput,
  createSide,
} from '../../viewer/compare/ui/comparedInput';
import { comparisonFactTexts, textsOfPages } from '../../viewer/compare/ui/compareTexts';
import { UserError } from '../../base/userError';
import { withoutInvisible } from '../../base/text/visibleText';
import type { toolNames } from '../../contributions';
import type { Scorecards } from '../../service/findings/scorecards';
import { reportsLike } from '../../service/reports/storedReport';
import type { Reports } from '../../service/reports/reports';
import { reportFile } from '../../service/reports/ui/reportFiles';
import { storedFileUri } from '../../workbench/storedFiles';
import { reportById } from '../../service/reports/ui/pickReport';
import { systemClock } from '../../base/events/clock';
import { trendFacts } from '../../summary/trendModel';
import type { TableDocument } from '../../viewer/table/ui/tableDocument';
import type { StoredFiles } from '../../viewer/table/ui/storedFile';
import type { TableEditor } from '../../viewer/table/ui/tableEditor';
import { localizedMessage } from '../../workbench/describe';
import { describeTrend, type ReportTrends } from '../reportTrends';
import { describeComparison, describeReports, describeTable } from './answers/describeFiles';
import { namesFile } from './answers/findTableFile';
import { queryTable } from './answers/queryTable';
import { defaultRows, parseList, parseText, type ToolInput } from './answers/toolInput';
import { findWorkspaceTable } from './workspaceTables';

export interface ToolsDeps {
  readonly scorecards: Scorecards;
  readonly reports: Reports;
  readonly stored: () => Promise<StoredFiles>;
  readonly editor: TableEditor;
  readonly comparer: () => Promise<Comparer>;
  readonly trends: () => Promise<ReportTrends>;
}

type Tools = Readonly<
  Record<(typeof toolNames)[number], (input: ToolInput, signal: AbortSignal) => Promise<unknown>>
>;

/** The implementations of the tools, by name. Their inputs follow the schema in package.json. */
export function tools(deps: ToolsDeps): Tools {
  return {
    scorecard_list: async () => list(deps),
    scorecard_report_overview: (input) =>
      withReport(deps, input, (document) =>
        document.forProgram((table) => describeTable(table, document.ratings())),
      ),
    scorecard_query_report: (input, signal) =>
      withReport(deps, input, (document) =>
        document.forProgram((table) => queryTable(table, input, signal)),
      ),
    scorecard_compare_reports: (input, signal) => compare(deps, input, signal),
    scorecard_trend: (input, signal) => trend(deps, input, signal),
  };
}

async function list({ scorecards, reports }: ToolsDeps): Promise<unknown> {
  await reports.load();
  return {
    scorecards: scorecards.list().map(({ id, name, issueTypes }) => ({ id, name, issueTypes })),
    reports: describeReports(reports.listShown()),
  };
}

async function withReport<T>(
  { reports, editor }: ToolsDeps,
  { report, list: named }: ToolInput,
  work: (document: TableDocument) => Promise<T>,
): Promise<T> {
  const name = parseText(report);
  if (namesFile(name)) {
    return editor.withTable(await findWorkspaceTable(name), work, parseList(named));
  }
  await reports.load();
  const { path } = await reportFile(reportById(reports, name));
  return editor.withTable(storedFileUri(path), work, parseList(named));
}

async function compare(
  { reports, stored, comparer, editor }: ToolsDeps,
  input: ToolInput,
  signal: AbortSignal,
): Promise<unknown> {
  await reports.load();
  const files = await stored();
  const inputOf = async (name: string): Promise<ComparedInput> =>
    namesFile(name)
      ? createFileInput(await findWorkspaceTable(name))
      : createInput(await files.get(name));
  const older = await inputOf(parseText(input.before));
  const newer = await inputOf(parseText(input.after));
  const by = { list: parseList(input.list) };
  const loaded = await comparer();
  const compared = await loaded.compare(older, newer, by, { signal });
  const first = await editor.withTable(vscode.Uri.file(compared.path), (document) =>
    document.forProgram((table) => queryTable(table, { limit: defaultRows }, signal)),
  );
  const about = { ...compared, before: createSide(older), after: createSide(newer) };
  return {
    summary: comparisonFactTexts(about),
    ...describeComparison(compared),
    warnings: compared.warnings,
    first,
  };
}

/** How the open findings of reports like this one, or of a file, have developed; numbers only. */
async function trend(
  { reports, trends }: ToolsDeps,
  input: ToolInput,
  signal: AbortSignal,
): Promise<unknown> {
  const name = parseText(input.report);
  if (namesFile(name)) {
    const { fsPath } = await findWorkspaceTable(name);
    return vscode.commands.executeCommand('scorecard.reportTrend', { path: fsPath });
  }
  await reports.load();
  const report = reportById(reports, name);
  const like = [report, ...reportsLike(report, reports.listOfAllAccounts())];
  const points = await (await trends()).readPoints(like, { signal });
  const time = { now: systemClock.now(), days: 'local' } as const;
  return { summary: trendFacts(points, textsOfPages(), time), ...describeTrend(points) };
}

/** What a model is told of a failure. Invisible characters are left out: the name of a column may be in it. */
export function describeToolError(error: Error): string {
  return withoutInvisible(error instanceof UserError ? localizedMessage(error) : error.message);
}
