import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { previousReport } from '../service/reports/previousReport';
import type { StoredReport } from '../service/reports/storedReport';
import type { Reports } from '../service/reports/reports';
import { type ReportLookup, reportOfFile } from '../service/reports/ui/reportFiles';
import { pickReport, reportById } from '../service/reports/ui/pickReport';
import { ReportNode } from '../service/reports/ui/reportsView';
import { reportName } from '../service/reports/ui/reportTexts';
import { compare } from '../viewer/compare/ui/compareCommands';
import { createInput } from '../viewer/compare/ui/comparedInput';
import type { Comparer, ComparisonResult } from '../viewer/compare/ui/comparer';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import { showInformation } from '../workbench/messages';
import { localPath } from '../workbench/storedFiles';
import type { StoredReports } from './storedReports';
import type { ArgumentOf, ReportArgument } from '../commands';

const { t } = vscode.l10n;

interface CompareReportsDeps extends ReportLookup {
  readonly reports: Reports;
  readonly stored: StoredReports;
  readonly editor: TableEditor;
  readonly comparer: Comparer;
}

export function compareReportsCommands(deps: CompareReportsDeps) {
  return {
    'scorecard.compareWithPrevious': (call) => compareWithPrevious(deps, call),
  } satisfies Commands;
}

/** Compares a report with the one before it: see `previousReport`. */
async function compareWithPrevious(
  deps: CompareReportsDeps,
  call: CommandCall<ArgumentOf<'scorecard.compareWithPrevious'>>,
): Promise<ComparisonResult | undefined> {
  const report = await chosenReport(deps, call);
  if (!report) {
    return dismissed;
  }
  const previous = previousReport(report, deps.reports.listOfAllAccounts());
  if (previous) {
    const { stored } = deps;
    const [before, after] = await Promise.all([stored.get(previous.id), stored.get(report.id)]);
    return compare(deps, [createInput(before), createInput(after)], call);
  }
  const text = t(
    'There is no earlier report to compare with: {0}. Start another report later, or choose two reports to compare.',
    reportName(report),
  );
  if (call.by === 'api') {
    throw new UserError(text, 'notFound');
  }
  showInformation(text, [
    { title: t('Compare Reports\u2026'), command: 'scorecard.compareReports' },
  ]);
  return dismissed;
}

/** The report of a call: from its row, its editor, its id, or a quick pick of the reports that are ready. */
async function chosenReport(
  deps: CompareReportsDeps,
  call: CommandCall<ReportArgument>,
): Promise<StoredReport | undefined> {
  if (call.node instanceof ReportNode) {
    return deps.reports.get(call.node.report.id);
  }
  if (call.uri) {
    return reportOfFile(deps, localPath(call.uri) ?? '');
  }
  const id = call.args.id;
  return id === undefined
    ? pickReport(
        deps.reports,
        deps.reports.listShown().filter(({ state }) => state === 'ready'),
        { title: t('Compare with Previous'), placeHolder: t('Which report?') },
      )
    : reportById(deps.reports, id);
}
