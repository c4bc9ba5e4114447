import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { Session } from '../../account/session';
import { viewIds } from '../../contributions';
import { groupReports } from '../reportDays';
import { isUnfinished, type StoredReport } from '../reportRecord';
import type { Reports } from '../reports';
import type { UnreadableReport } from '../reportStore';
import type { UnseenReports } from '../unseenReports';
import { setContext, type TreeNode } from '../../workbench/views';
import { ReportDayNode, ReportNode, ReportsProblemNode, UnreadableReportNode } from './reportItems';

const { t } = vscode.l10n;
const tickMs = 1_000;
const watchMs = 3_000;
const ageMs = 60_000;

/** The list of reports: unfinished ones first, then by the day on which they ended. */
class ReportsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  private nodes = new Map<string, ReportNode>();
  private days = new Map<string, ReportDayNode>();
  /** The day above each report that has ended. */
  private readonly parents = new Map<string, ReportDayNode>();

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly reports: Reports) {}

  /** Redraws all reports, or the row of one that did not move. */
  update(report?: StoredReport): void {
    const node = report && this.nodes.get(report.id);
    this.changed.fire(node && isUnfinished(node.report) && isUnfinished(report) ? node : undefined);
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
    // VS Code shows progress until they are read.
    await this.reports.load();
    const reports = this.reports.list();
    this.nodes = new Map(
      reports.map((report) => {
        const each = this.nodes.get(report.id) ?? new ReportNode(report, this.reports);
        each.report = report;
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
    return [
      ...(this.reports.problem === undefined ? [] : [new ReportsProblemNode()]),
      ...running.flatMap(({ id }) => this.nodes.get(id) ?? []),
      ...this.days.values(),
      ...unreadableReports(this.reports).map((report) => new UnreadableReportNode(report)),
    ];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node instanceof ReportNode ? this.parents.get(node.report.id) : undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.draw();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Registers the reports view. It redraws the row of an unfinished report each second. */
export function registerReportsView(
  reports: Reports,
  unseen: UnseenReports,
  session: Pick<Session, 'signedIn' | 'onDidChange'>,
): Disposable {
  const provider = new ReportsTree(reports);
  const tree = vscode.window.createTreeView(viewIds.reports, { treeDataProvider: provider });
  let ticking: NodeJS.Timeout | undefined;
  let drawn = '';
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
      reports.list().map(({ id, state }) => [id, state]),
      unreadableReports(reports),
    ];
    const now = JSON.stringify(rows);
    if (now !== drawn) {
      drawn = now;
      provider.update();
      updateContext(reports.list());
    }
    if (!ticking && reports.list().some(isUnfinished)) {
      ticking = setInterval(tick, tickMs);
    }
    updateBadge();
  };
  const updateBadge = () => {
    if (tree.visible && vscode.window.state.focused) {
      unseen.see();
    }
    const { length } = unseen.list();
    if (length !== (tree.badge?.value ?? 0)) {
      tree.badge = length === 0 ? undefined : { value: length, tooltip: badgeTooltip(length) };
    }
  };
  const describe = () => {
    tree.description = session.signedIn?.account.isDemo ? t('(demo)') : '';
  };
  follow();
  describe();
  // Reports of other windows are read while the view is visible.
  const watching = setInterval(() => {
    if (tree.visible && vscode.window.state.focused) {
      reports.resume();
    }
  }, watchMs);
  const ageing = setInterval(() => {
    provider.update();
  }, ageMs);
  return vscode.Disposable.from(
    session.onDidChange(describe),
    reports.onDidChange(follow),
    unseen.onDidChange(updateBadge),
    tree.onDidChangeVisibility(updateBadge),
    vscode.window.onDidChangeWindowState(updateBadge),
    tree,
    provider,
    {
      dispose: () => {
        clearInterval(ticking);
        clearInterval(watching);
        clearInterval(ageing);
      },
    },
  );
}

/** Tells menus which reports there are. */
function updateContext(reports: readonly StoredReport[]): void {
  const hasAny = (...states: StoredReport['state'][]) =>
    reports.some(({ state }) => states.includes(state));
  setContext('scorecard.hasReadyReport', hasAny('ready'));
  setContext('scorecard.hasFailedReport', hasAny('failed', 'cancelled'));
  setContext('scorecard.hasUnfinishedReport', reports.some(isUnfinished));
}

/** Empty while the folder itself cannot be read, which has its own row. */
function unreadableReports(reports: Reports): readonly UnreadableReport[] {
  return reports.problem === undefined ? reports.unreadable : [];
}

function badgeTooltip(count: number): string {
  return count === 1
    ? t('1 report has ended since you last looked')
    : t('{0} reports have ended since you last looked', count);
}
