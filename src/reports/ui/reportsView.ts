import * as vscode from 'vscode';
import { systemClock } from '../../base/events/clock';
import type { Disposable } from '../../base/events/disposable';
import type { Session } from '../../account/session';
import { viewIds, contextValues } from '../../contributions';
import {
  groupReports,
  isUnfinished,
  type StoredReport,
  type ReportDay,
  previousReport,
} from '../reportRecord';
import type { Reports } from '../reports';
import type { UnseenReports } from '../unseenReports';
import type { Registry } from '../../workbench/registry';
import { iconItem, setContext, TreeNode, textTooltip } from '../../workbench/views';
import { plainText } from '../../base/text/plainText';
import { isFileMissing } from './reportFiles';
import { describeReport, describeReportRow, reportLabel } from './reportTexts';
import { formatDay, formatMoment } from '../../workbench/format';

const { t } = vscode.l10n;

export class ReportNode extends TreeNode {
  readonly id: string;
  /** Whether it can be compared with the report before it. */
  hasPrevious = false;

  constructor(
    public report: StoredReport,
    private readonly reports: Reports,
  ) {
    super();
    this.id = `report:${report.id}`;
  }

  draw(now = systemClock.now()): vscode.TreeItem {
    const { reports } = this;
    const report = reports.get(this.report.id);
    const isMissing = isFileMissing(report);
    const texts = describeReportRow(reports, report, now, isMissing);
    const isWaiting = isWaitingForAccount(reports, report);
    const icon = isMissing ? 'warning' : isWaiting ? 'account' : iconOf(report);
    const item = iconItem(plainText(texts.label), icon);
    const state = plainText(describeReport(reports, report, now));
    const description = isMissing ? t('File missing \u00b7 {0}', state) : state;
    item.description = plainText(texts.description);
    item.contextValue = isMissing ? 'report.gone' : contextOf(report, this.hasPrevious);
    item.tooltip = tooltipOf(report, description);
    item.accessibilityInformation = { label: plainText(texts.name) };
    if (!isUnfinished(report)) {
      // For a report without a file, the command explains why there is none.
      item.command = {
        command: 'scorecard.openReport',
        title: t('Open Report'),
        arguments: [this],
      };
    }
    return item;
  }
}

/** The reports that ended on one day; today, yesterday and the newest day are expanded. */
class ReportDayNode extends TreeNode {
  readonly id: string;

  constructor(public day: ReportDay) {
    super();
    this.id = `day:${day.key}`;
  }

  draw(): vscode.TreeItem {
    const { day } = this;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const isOld = day.name === undefined && !day.isNewest;
    const label = dayTitle(day);
    const item = new vscode.TreeItem(label, isOld ? Collapsed : Expanded);
    item.description = String(day.reports.length);
    item.contextValue = contextValues.reportDay;
    const count = day.reports.length === 1 ? t('1 report') : t('{0} reports', day.reports.length);
    item.accessibilityInformation = { label: `${label}, ${count}` };
    return item;
  }
}

/** A report whose record cannot be read. */
export class UnreadableReportNode extends TreeNode {
  readonly id: string;

  constructor(readonly reportId: string) {
    super();
    this.id = `unreadable:${reportId}`;
  }

  draw(): vscode.TreeItem {
    const label = t('Unreadable report');
    const item = iconItem(label, 'warning');
    item.description = t('Saved data unreadable');
    item.contextValue = contextValues.unreadableReport;
    item.tooltip = textTooltip(label, t('ID: {0}. See the log for details.', this.reportId));
    item.accessibilityInformation = { label: `${label}, ${item.description}` };
    return item;
  }
}

/** The row for an unreadable folder of reports. */
class ReportsProblemNode extends TreeNode {
  readonly id = 'problem';

  draw(): vscode.TreeItem {
    const item = iconItem(t('Reports cannot be read from disk. See the log for details.'), 'error');
    item.contextValue = contextValues.reportsProblem;
    item.command = { command: 'scorecard.showLog', title: t('Show Log') };
    return item;
  }
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

function contextOf(report: StoredReport, hasPrevious: boolean): string {
  return isUnfinished(report)
    ? 'report.unfinished'
    : report.linkRefused === true
      ? contextValues.refusedReport
      : report.state === 'ready' && hasPrevious
        ? contextValues.reportWithPrevious
        : `report.${report.state}`;
}

/** Whether a report waits until its account signs in. It does not run, so its icon does not spin. */
function isWaitingForAccount(reports: Reports, report: StoredReport): boolean {
  return (
    isUnfinished(report) && !reports.isOfSignedIn(report) && !reports.isRunningElsewhere(report)
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

const tickMs = 1_000;
const ageMs = 60_000;

/** The list of reports: unfinished ones first, then by the day on which they ended. */
class ReportsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  private nodes = new Map<string, ReportNode>();
  private days = new Map<string, ReportDayNode>();
  /** The day above each report that has ended. */
  private readonly parents = new Map<string, ReportDayNode>();

  readonly onDidChangeTreeData = this.changed.event;

  /** @param demoReport settles when the earlier report of the demo was added. */
  constructor(
    private readonly reports: Reports,
    private readonly demoReport: () => Promise<void>,
  ) {}

  /**
   * Redraws all reports, or only the row of one that did not move. While all are redrawn, VS Code does
   * not know the rows, and a button that is pressed then gets no row.
   */
  update(report?: StoredReport): void {
    const node = report && this.nodes.get(report.id);
    if (node && isUnfinished(node.report) && isUnfinished(report)) {
      node.report = report;
      this.changed.fire(node);
    } else {
      this.changed.fire(undefined);
    }
  }

  /** Whether a report has a row that shows it in its state. */
  isDrawnAs({ id, state }: StoredReport): boolean {
    return this.nodes.get(id)?.report.state === state;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node) {
      return node instanceof ReportDayNode
        ? node.day.reports.flatMap(({ id }) => this.nodes.get(id) ?? [])
        : [];
    }
    // VS Code shows progress until the reports are read.
    await this.reports.load();
    await this.demoReport();
    const reports = this.reports.list();
    const all = this.reports.all();
    this.nodes = new Map(
      reports.map((report) => {
        const each = this.nodes.get(report.id) ?? new ReportNode(report, this.reports);
        each.report = report;
        each.hasPrevious = previousReport(report, all) !== undefined;
        return [report.id, each];
      }),
    );
    const { running, days } = groupReports(reports, systemClock.now());
    this.parents.clear();
    this.days = new Map(
      days.map((day) => {
        const each = this.days.get(day.key) ?? new ReportDayNode(day);
        each.day = day;
        day.reports.forEach(({ id }) => this.parents.set(id, each));
        return [day.key, each];
      }),
    );
    const rows = [
      ...(this.reports.problem === undefined ? [] : [new ReportsProblemNode()]),
      ...running.flatMap(({ id }) => this.nodes.get(id) ?? []),
      ...this.days.values(),
      ...unreadableReports(this.reports).map((report) => new UnreadableReportNode(report)),
    ];
    // VS Code may receive the rows much later, for example after the text of a report.
    setContext('scorecard.hasNoReports', rows.length === 0);
    return rows;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node instanceof ReportNode ? this.parents.get(node.report.id) : undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return Object.assign(node.draw(), { id: node.id });
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/**
 * Registers the reports view. It redraws the row of an unfinished report each second.
 * @param demoReport settles when the earlier report of the demo was added.
 */
export function registerReportsView(
  registry: Pick<Registry, 'registerTree'>,
  reports: Reports,
  unseen: UnseenReports,
  session: Pick<Session, 'signedIn' | 'onDidChange' | 'demo'>,
  demoReport: () => Promise<void>,
): Disposable {
  const provider = new ReportsTree(reports, demoReport);
  const tree = registry.registerTree(viewIds.reports, provider);
  let ticking: NodeJS.Timeout | undefined;
  let drawn = '';
  let demo: Session['demo'];
  const tick = () => {
    const running = reports.list().filter(isUnfinished);
    for (const report of tree.visible ? running : []) {
      provider.update(report);
    }
    if (running.length === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  };
  const follow = (report?: StoredReport) => {
    if (report && provider.isDrawnAs(report)) {
      // Progress comes several times a second; rows move only when their state changes.
      return;
    }
    const rows = [
      reports.problem,
      reports.list().map((each) => [each.id, isUnfinished(each) ? 'unfinished' : each.state]),
      unreadableReports(reports),
    ];
    const now = JSON.stringify(rows);
    if (now !== drawn) {
      drawn = now;
      provider.update();
      updateContext(reports.list());
    } else if (report && isUnfinished(report)) {
      provider.update(report);
    }
    if (!ticking && reports.list().some(isUnfinished)) {
      ticking = setInterval(tick, tickMs);
    }
    updateBadge();
  };
  const updateBadge = () => {
    if (tree.visible && vscode.window.state.focused) {
      unseen.markSeen();
    }
    const { length } = unseen.list();
    if (length !== (tree.badge?.value ?? 0)) {
      tree.badge = length === 0 ? undefined : { value: length, tooltip: badgeTooltip(length) };
    }
  };
  const describe = () => {
    tree.description = session.signedIn?.account.isDemo ? t('(demo)') : '';
    if (session.demo !== demo) {
      demo = session.demo;
      // Until the reports are read, it is open whether there are any.
      setContext('scorecard.hasNoReports', false);
      provider.update();
    }
  };
  follow();
  describe();
  const labelUpdates = setInterval(() => {
    provider.update();
  }, ageMs);
  return vscode.Disposable.from(
    session.onDidChange(describe),
    reports.onDidChange(follow),
    unseen.onDidChange(updateBadge),
    tree.onDidChangeVisibility(updateBadge),
    vscode.window.onDidChangeWindowState(updateBadge),
    provider,
    {
      dispose: () => {
        clearInterval(ticking);
        clearInterval(labelUpdates);
      },
    },
  );
}

/** Sets the context keys that tell menus which reports exist. */
function updateContext(reports: readonly StoredReport[]): void {
  const hasAny = (...states: StoredReport['state'][]) =>
    reports.some(({ state }) => states.includes(state));
  setContext('scorecard.hasReadyReport', hasAny('ready'));
  setContext('scorecard.hasFailedReport', hasAny('failed', 'cancelled'));
  setContext('scorecard.hasUnfinishedReport', reports.some(isUnfinished));
}

/** Empty while the folder itself cannot be read, which has its own row. */
function unreadableReports(reports: Reports): readonly string[] {
  return reports.problem === undefined ? reports.unreadable : [];
}

function badgeTooltip(count: number): string {
  return count === 1
    ? t('1 report has ended since you last looked')
    : t('{0} reports have ended since you last looked', count);
}
