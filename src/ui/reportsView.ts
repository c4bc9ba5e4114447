import * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';
import { viewIds } from '../contributions';
import { plainText } from '../common/plainText';
import { isUnfinished, type StoredReport } from '../model/reports/reportRecord';
import type { Reports } from '../model/reports/reports';
import { ReportNode, type TreeNode } from './nodes';
import { isFileGone } from './reportFiles';
import { describeReport } from './reportTexts';
import { textTooltip } from './tooltip';

const { t } = vscode.l10n;
const tickMs = 1_000;
const watchMs = 3_000;
const ageMs = 60_000;

/** The list of reports: what is running first, then by age. */
class ReportsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  private readonly nodes = new Map<string, ReportNode>();

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly reports: Reports) {}

  /** Draws all reports again, or the row of one whose place did not change. */
  update(report?: StoredReport): void {
    const node = report && this.nodes.get(report.id);
    this.changed.fire(node && isUnfinished(node.report) && isUnfinished(report) ? node : undefined);
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node) {
      return [];
    }
    const reports = this.reports.list();
    const nodes = [
      ...reports.filter(isUnfinished),
      ...reports.filter((report) => !isUnfinished(report)),
    ].map((report) => this.nodes.get(report.id) ?? new ReportNode(report));
    this.nodes.clear();
    for (const each of nodes) {
      each.report = this.reports.get(each.report.id);
      this.nodes.set(each.report.id, each);
    }
    return nodes;
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    if (!(node instanceof ReportNode)) {
      throw new Error(`Not a row of this view: ${node.id}`);
    }
    const report = this.reports.get(node.report.id);
    const label = plainText(report.title, 120);
    const item = new vscode.TreeItem(label);
    item.id = node.id;
    item.description = plainText(
      describeReport(
        report,
        this.reports.activity(report.id),
        this.reports.isDrivenElsewhere(report),
        Date.now(),
      ),
    );
    const isGone = isFileGone(report);
    item.iconPath = new vscode.ThemeIcon(isGone ? 'warning' : iconOf(report));
    item.contextValue = isGone ? 'report.gone' : contextOf(report);
    item.tooltip = tooltipOf(report);
    item.accessibilityInformation = { label: `${label}, ${item.description}` };
    if (isGone) {
      item.description = t('File is gone \u00b7 {0}', item.description);
    } else if (report.state === 'ready') {
      item.command = {
        command: 'scorecard.openReport',
        title: t('Open Report'),
        arguments: [node],
      };
    }
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function contextOf(report: StoredReport): string {
  return isUnfinished(report) ? 'report.unfinished' : `report.${report.state}`;
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

function tooltipOf(report: StoredReport): vscode.MarkdownString {
  const requested = new Date(report.requestedAt).toLocaleString(vscode.env.language);
  return textTooltip(
    report.title,
    t('Requested {0} from {1}', requested, new URL(report.origin).host),
    ...(report.serviceStatus === undefined
      ? []
      : [t('The service says: {0}', plainText(report.serviceStatus))]),
    ...(report.error ? [report.error.message] : []),
    ...(report.path === undefined ? [] : [report.path]),
  );
}

/** Registers the reports view; while a report is on its way its row is drawn anew each second. */
export function registerReportsView(reports: Reports): Disposable {
  const provider = new ReportsTree(reports);
  const tree = vscode.window.createTreeView(viewIds.reports, { treeDataProvider: provider });
  let ticking: NodeJS.Timeout | undefined;
  const states = new Map<string, string>();
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
  const follow = () => {
    // Progress comes several times a second; rows change place only with their state.
    const now = new Map(reports.list().map((report) => [report.id, report.state]));
    if (now.size !== states.size || [...now].some(([id, state]) => states.get(id) !== state)) {
      states.clear();
      now.forEach((state, id) => states.set(id, state));
      provider.update();
    }
    if (!ticking && reports.list().some(isUnfinished)) {
      ticking = setInterval(tick, tickMs);
    }
  };
  follow();
  // Reports of other windows, and ages: looked at while somebody may see them.
  const watching = setInterval(() => {
    if (tree.visible && vscode.window.state.focused) {
      reports.resume();
      tree.message =
        reports.problem === undefined
          ? ''
          : t('The reports on disk cannot be read. The log says more.');
    }
  }, watchMs);
  const ageing = setInterval(() => {
    provider.update();
  }, ageMs);
  return vscode.Disposable.from(reports.onDidChange(follow), tree, provider, {
    dispose: () => {
      clearInterval(ticking);
      clearInterval(watching);
      clearInterval(ageing);
    },
  });
}
