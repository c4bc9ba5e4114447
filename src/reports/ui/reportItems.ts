import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { plainText } from '../../base/plainText';
import { contextValues } from '../../contributions';
import type { ReportDay } from '../reportDays';
import { isUnfinished, type StoredReport } from '../reportRecord';
import type { Reports } from '../reports';
import type { UnreadableReason, UnreadableReport } from '../reportStore';
import { TreeNode, textTooltip } from '../../workbench/views';
import { isFileGone } from './reportFiles';
import { describeReport, describeReportRow, reportLabel } from './reportTexts';
import { formatDay, formatMoment } from '../../workbench/format';

const { t } = vscode.l10n;

export class ReportNode extends TreeNode {
  readonly id: string;

  constructor(
    public report: StoredReport,
    private readonly reports: Reports,
  ) {
    super();
    this.id = `report:${report.id}`;
  }

  draw(): vscode.TreeItem {
    return reportItem(this.reports, this, systemClock.now());
  }
}

/** The reports that ended on one day. */
export class ReportDayNode extends TreeNode {
  readonly id: string;

  constructor(public day: ReportDay) {
    super();
    this.id = `day:${day.key}`;
  }

  draw(): vscode.TreeItem {
    return reportDayItem(this);
  }
}

/** A report whose record cannot be read. */
export class UnreadableReportNode extends TreeNode {
  readonly id: string;

  constructor(readonly report: UnreadableReport) {
    super();
    this.id = `unreadable:${report.id}`;
  }

  draw(): vscode.TreeItem {
    return unreadableReportItem(this);
  }
}

/** The row for an unreadable folder of reports. */
export class ReportsProblemNode extends TreeNode {
  readonly id = 'problem';

  draw(): vscode.TreeItem {
    return reportsProblemItem(this);
  }
}

/** The row of a report. */
export function reportItem(reports: Reports, node: ReportNode, now: number): vscode.TreeItem {
  const report = reports.get(node.report.id);
  const isGone = isFileGone(report);
  const texts = describeReportRow(reports, report, now, isGone);
  const item = new vscode.TreeItem(plainText(texts.label));
  item.id = node.id;
  const state = plainText(describeReport(reports, report, now));
  const description = isGone ? t('File missing \u00b7 {0}', state) : state;
  item.description = plainText(texts.description);
  item.iconPath = new vscode.ThemeIcon(
    isGone ? 'warning' : isWaitingForAccount(reports, report) ? 'account' : iconOf(report),
  );
  item.contextValue = isGone ? 'report.gone' : contextOf(report);
  item.tooltip = tooltipOf(report, description);
  item.accessibilityInformation = { label: plainText(texts.name) };
  if (report.state === 'ready' && !isGone) {
    item.command = {
      command: 'scorecard.openReport',
      title: t('Open Report'),
      arguments: [node],
    };
  }
  return item;
}

/** The row above the reports of a day; today, yesterday and the newest day are expanded. */
function reportDayItem({ id, day }: ReportDayNode): vscode.TreeItem {
  const label = dayTitle(day);
  const item = new vscode.TreeItem(
    label,
    day.name === undefined && !day.isNewest
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = id;
  item.description = String(day.reports.length);
  item.contextValue = contextValues.reportDay;
  const count = day.reports.length === 1 ? t('1 report') : t('{0} reports', day.reports.length);
  item.accessibilityInformation = { label: `${label}, ${count}` };
  return item;
}

/** The row of a report whose record cannot be read. */
function unreadableReportItem({ id, report }: UnreadableReportNode): vscode.TreeItem {
  const label = t('Unreadable report');
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.description = unreadableDescription(report.reason);
  item.iconPath = new vscode.ThemeIcon('warning');
  // Only a damaged record can be removed.
  item.contextValue =
    report.reason === 'broken' ? contextValues.unreadableReport : contextValues.keptReport;
  item.tooltip = textTooltip(label, t('ID: {0}. See the log for details.', report.id));
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

function unreadableDescription(reason: UnreadableReason): string {
  switch (reason) {
    case 'broken':
      return t('Its record is damaged');
    case 'newer':
      return t('A newer version of the extension wrote it');
    case 'unavailable':
      return t('Its record cannot be read right now');
  }
}

/** The row for an unreadable folder of reports. */
function reportsProblemItem({ id }: ReportsProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Reports cannot be read from disk. See the log for details.'));
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('error');
  item.contextValue = contextValues.reportsProblem;
  item.command = { command: 'scorecard.showLog', title: t('Show Log') };
  return item;
}

function dayTitle({ name, start }: ReportDay): string {
  switch (name) {
    case 'today':
      return t('Today');
    case 'yesterday':
      return t('Yesterday');
    default:
      return formatDay(start);
  }
}

function contextOf(report: StoredReport): string {
  return isUnfinished(report)
    ? 'report.unfinished'
    : report.linkRefused === true
      ? contextValues.refusedReport
      : `report.${report.state}`;
}

/** Such a report does not run, so its icon does not spin. */
function isWaitingForAccount(reports: Reports, report: StoredReport): boolean {
  return (
    isUnfinished(report) && !reports.isOfSignedIn(report) && !reports.isDrivenElsewhere(report)
  );
}

function iconOf(report: StoredReport): string {
  switch (report.state) {
    case 'ready':
      return 'file';
    case 'failed':
      return 'error';
    case 'cancelled':
      return 'circle-slash';
    case 'requested':
    case 'generating':
    case 'downloading':
      return 'loading~spin';
  }
}

/** After the report is ready, the earlier status of the service is not shown. */
function isStatusShown({ state, error }: StoredReport): boolean {
  return state === 'generating' || (state === 'failed' && error?.code === 'server');
}

/** @param description the second column, which a narrow side bar cuts off. */
function tooltipOf(report: StoredReport, description: string): vscode.MarkdownString {
  const requested = formatMoment(Date.parse(report.requestedAt));
  return textTooltip(
    reportLabel(report),
    description,
    t('Requested {0} from {1}', requested, new URL(report.origin).host),
    ...(report.serviceStatus === undefined || !isStatusShown(report)
      ? []
      : [t('The service says: {0}', plainText(report.serviceStatus))]),
    ...(report.error ? [report.error.message] : []),
    ...(report.path === undefined ? [] : [report.path]),
  );
}
