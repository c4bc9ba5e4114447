import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { Disposable } from '../../../base/events/disposable';
import type { Event } from '../../../base/events/emitter';
import type { Session } from '../../account/session';
import { viewIds, contextValues } from '../../../contributions';
import { dayName, endedByDay, isUnfinished, type StoredReport } from '../storedReport';
import { createPreviousFinder } from '../previousReport';
import type { Reports } from '../reports';
import type { Registry } from '../../../workbench/registry';
import {
  GroupNode,
  iconItem,
  setContext,
  TreeNode,
  createTextMarkdown,
} from '../../../workbench/views';
import { plainText } from '../../../base/text/plainText';
import { isFileMissing } from './reportFiles';
import { describeReportRow, describeState, hostOf, reportTitle } from './reportTexts';
import { formatDay, formatMoment } from '../../../workbench/format';

const { t } = vscode.l10n;

export class ReportNode extends TreeNode {
  readonly id: string;
  /** The report with which it can be compared. Called when the row is drawn: VS Code draws few of many. */
  findPrevious: () => StoredReport | undefined = () => undefined;
  /** How it differs from that, in a few words. */
  findRemark: (previous: StoredReport) => string | undefined = () => undefined;

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
    const texts = describeReportRow(reports, report, now, { isMissing });
    // A report that waits for its account does not run, so its icon does not spin.
    const isWaiting =
      isUnfinished(report) && !reports.isOfSignedIn(report) && !reports.isRunningElsewhere(report);
    const icon = isMissing ? 'warning' : isWaiting ? 'account' : icons[report.state];
    const item = iconItem(plainText(texts.label), icon);
    const state = plainText(describeState(reports, report, now));
    const description = isMissing ? t('File missing \u00b7 {0}', state) : state;
    const previous = isMissing || report.state !== 'ready' ? undefined : this.findPrevious();
    const remark = previous && this.findRemark(previous);
    const remarks = remark === undefined ? [] : [remark];
    item.description = plainText([texts.description, ...remarks].join(' \u00b7 '));
    const context = reportContext(report, { hasPrevious: previous !== undefined });
    item.contextValue = isMissing ? 'report.gone' : context;
    item.tooltip = createTooltip(report, description);
    item.accessibilityInformation = {
      label: plainText([texts.name, ...remarks].join(', ')),
    };
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

/** The reports that ended on one day. */
class ReportDayNode extends GroupNode {
  readonly id: string;

  constructor(
    private readonly start: number,
    readonly rows: ReportNode[],
    private readonly place: { readonly isNewest: boolean },
  ) {
    super();
    this.id = `day:${start}`;
  }

  draw(): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const name = dayName(this.start, systemClock.now());
    const names = { today: t('Today'), yesterday: t('Yesterday') };
    const label = name === undefined ? formatDay(this.start) : names[name];
    const isOpen = name !== undefined || this.place.isNewest;
    const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed);
    const { length } = this.rows;
    item.description = String(length);
    item.contextValue = contextValues.reportDay;
    const count = length === 1 ? t('1 report') : t('{0} reports', length);
    item.accessibilityInformation = { label: `${label}, ${count}` };
    return item;
  }
}

/** A report whose state file cannot be read. */
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
    item.tooltip = createTextMarkdown(
      label,
      t('ID: {0}. The log says why. To remove it, delete its folder.', this.reportId),
    );
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

function reportContext(
  report: StoredReport,
  { hasPrevious }: { readonly hasPrevious: boolean },
): string {
  return isUnfinished(report)
    ? 'report.unfinished'
    : report.linkRefused === true
      ? contextValues.refusedReport
      : report.state === 'ready' && hasPrevious
        ? contextValues.reportWithPrevious
        : `report.${report.state}`;
}

const icons: Readonly<Record<StoredReport['state'], string>> = {
  requested: 'loading~spin',
  generating: 'loading~spin',
  downloading: 'loading~spin',
  ready: 'file',
  failed: 'error',
  cancelled: 'circle-slash',
};

/** After the report is ready, the earlier status of the service is not shown. */
function isStatusShown({ state, error }: StoredReport): boolean {
  return state === 'generating' || (state === 'failed' && error?.code === 'server');
}

/** @param description the second column, which a narrow side bar cuts off. */
function createTooltip(report: StoredReport, description: string): vscode.MarkdownString {
  const at = Date.parse(report.requestedAt);
  const requested = Number.isNaN(at) ? plainText(report.requestedAt, 100) : formatMoment(at);
  return createTextMarkdown(
    reportTitle(report),
    description,
    t('Requested {0} from {1}', requested, hostOf(report)),
    ...(report.serviceStatus === undefined || !isStatusShown(report)
      ? []
      : [t('The service says: {0}', plainText(report.serviceStatus))]),
    ...(report.error ? [report.error.message] : []),
    ...(report.path === undefined ? [] : [report.path]),
  );
}

const tickMs = 1_000;
const ageMs = 60_000;

/** How reports differ from those before them, as far as that is known. */
export interface ReportRemarks {
  /** A few words, such as `12 more critical than last time`. */
  of(report: StoredReport, previous: StoredReport): string | undefined;
  readonly onDidChange: Event<void>;
}

/** Rows above the reports, of a room above this one. */
export interface ExtraRows {
  rows(): readonly TreeNode[];
  readonly onDidChange: Event<void>;
}

/** The list of reports: unfinished ones first, then by the day on which they ended. */
class ReportsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  private nodes = new Map<string, ReportNode>();

  readonly onDidChangeTreeData = this.changed.event;

  /** @param demoReport settles when the earlier report of the demo was added. */
  constructor(
    private readonly reports: Reports,
    private readonly demoReport: () => Promise<void>,
    private readonly remarks: ReportRemarks,
    private readonly extra: ExtraRows,
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

  /** Redraws the rows of unfinished reports. */
  tick(): void {
    for (const node of this.nodes.values()) {
      if (isUnfinished(node.report)) {
        this.changed.fire(node);
      }
    }
  }

  /** Whether a report has a row that shows it in its state. */
  isDrawnAs({ id, state }: StoredReport): boolean {
    return this.nodes.get(id)?.report.state === state;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node) {
      return node instanceof GroupNode ? [...node.rows] : [];
    }
    // VS Code shows progress until the reports are read.
    await this.reports.load();
    await this.demoReport();
    const reports = this.reports.listShown();
    const findPrevious = createPreviousFinder(this.reports.listOfAllAccounts());
    // A row is the same object while VS Code asks for all rows again: it knows which one to redraw.
    const rowOf = (report: StoredReport) => {
      const row = this.nodes.get(report.id) ?? new ReportNode(report, this.reports);
      row.report = report;
      row.findPrevious = () => findPrevious(report);
      row.findRemark = (previous) => this.remarks.of(report, previous);
      return row;
    };
    this.nodes = new Map(reports.map((report) => [report.id, rowOf(report)]));
    const rowsOf = (some: readonly StoredReport[]) =>
      some.flatMap(({ id }) => this.nodes.get(id) ?? []);
    const rows = [
      ...this.extra.rows(),
      ...(this.reports.problem === undefined ? [] : [new ReportsProblemNode()]),
      ...rowsOf(reports.filter(isUnfinished)),
      ...endedByDay(reports).map(
        (day, index) =>
          new ReportDayNode(day.start, rowsOf(day.reports), { isNewest: index === 0 }),
      ),
      ...unreadableReports(this.reports).map((id) => new UnreadableReportNode(id)),
    ];
    // VS Code may receive the rows much later, for example after the text of a report.
    setContext('scorecard.hasNoReports', rows.length === 0);
    return rows;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return Object.assign(node.draw(), { id: node.id });
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/**
 * Registers the reports view. While a report is unfinished, its row is redrawn each second.
 * @param demoReport settles when the earlier report of the demo was added.
 */
export function registerReportsView(
  registry: Pick<Registry, 'registerTree'>,
  reports: Reports,
  session: Pick<Session, 'signedIn' | 'onDidChange' | 'demo'>,
  demoReport: () => Promise<void>,
  { remarks, extra }: { readonly remarks: ReportRemarks; readonly extra: ExtraRows },
): Disposable {
  const provider = new ReportsTree(reports, demoReport, remarks, extra);
  const tree = registry.registerTree(viewIds.reports, provider);
  let drawn = '';
  let demo: Session['demo'];
  const follow = (report?: StoredReport) => {
    if (report && provider.isDrawnAs(report)) {
      // Progress comes several times a second; rows move only when their state changes.
      return;
    }
    const list = reports.listShown();
    const now = JSON.stringify([
      reports.problem,
      list.map((each) => [each.id, isUnfinished(each) ? 'unfinished' : each.state]),
      unreadableReports(reports),
    ]);
    if (now !== drawn) {
      drawn = now;
      provider.update();
      updateContext(list);
    } else if (report && isUnfinished(report)) {
      provider.update(report);
    }
    updateBadge();
  };
  const updateBadge = () => {
    if (tree.visible && vscode.window.state.focused) {
      reports.markSeen();
    }
    const { length } = reports.unseen();
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
  // Not more often: VS Code waits until a tree has not changed for 200 ms.
  const ticks = setInterval(() => {
    if (tree.visible) {
      provider.tick();
    }
  }, tickMs);
  // Days pass, and files are removed.
  const updates = setInterval(() => {
    provider.update();
  }, ageMs);
  return vscode.Disposable.from(
    session.onDidChange(describe),
    reports.onDidChange(follow),
    ...[remarks, extra].map(({ onDidChange }) =>
      onDidChange(() => {
        provider.update();
      }),
    ),
    tree.onDidChangeVisibility(() => {
      follow();
    }),
    vscode.window.onDidChangeWindowState(updateBadge),
    provider,
    new vscode.Disposable(() => {
      clearInterval(ticks);
      clearInterval(updates);
    }),
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
