import * as vscode from 'vscode';
import type { Disposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { type StoredReport, isUnfinished } from '../storedReport';
import type { ReportEnd, Reports } from '../reports';
import { describeForLog } from '../../../workbench/describeForLog';
import { formatBytes } from '../../../workbench/format';
import { showError, showInformation, showWarning } from '../../../workbench/messages';
import { isTextReport } from './reportFiles';
import type { OpenReport } from './reportOpener';
import { ReportNode } from './reportsView';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { setting } from '../../../workbench/settings';
import { delay, systemClock } from '../../../base/events/clock';
import { plainText } from '../../../base/text/plainText';
import { viewIds } from '../../../contributions';
import { setContext } from '../../../workbench/views';
import { describeReportError, describeActivity, reportName } from './reportTexts';

const { t } = vscode.l10n;

/**
 * How long a window without focus that ran a report waits for another window to show the notification, in
 * milliseconds. Other windows notice the end of a report sooner; without focus, they show nothing.
 */
const otherWindowsMs = 5_000;

/** How long the notification of a report that is ready waits for its news, in milliseconds. */
const newsWaitMs = 10_000;

/** The changes of a report since the one before it. */
export interface ReportNews {
  /** A few words without a full stop. */
  readonly text: string;
  readonly hasChanges: boolean;
}

/** Finds what is new in a report that is ready; resolves to `undefined` if there is no news. */
export type FindReportNews = (report: StoredReport) => Promise<ReportNews | undefined>;

/**
 * Opens a text report that is ready, in the window that ran it, and shows that a report is ready or has failed: once, in
 * the focused window, or otherwise in the one that ran it; if that is closed while it waits for another one, only the
 * badge of the view tells it. A window without focus that opens a report tells its news
 * there, and the focused one shows it as well. A failure that a command of this window reports is not shown here.
 */
export class ReportNotices implements Disposable {
  /** Reports whose failure a command shows. */
  private readonly shownByCommand = new Set<string>();
  /** Reports that a user waits for, also where a program has joined. */
  private readonly startedByUser = new Set<string>();
  private readonly listener: Disposable;

  constructor(
    private readonly reports: Reports,
    private readonly openReport: OpenReport,
    private readonly findNews: FindReportNews,
    private readonly logger: Logger,
  ) {
    this.listener = reports.onDidEnd((end) => {
      this.announce(end).catch((error: unknown) => {
        if (!this.reports.listShown().some(({ id }) => id === end.report.id)) {
          // Removed while it was being opened.
          return;
        }
        this.logger.error(`A report that is ready could not be opened: ${String(error)}`);
        showError(describeReportError(error));
      });
    });
  }

  leaveFailureToCommand(id: string): void {
    this.shownByCommand.add(id);
  }

  /** Shows a failure although a command of a program shows it, too: the user who started the report hears of no other. */
  showFailureAnyway(id: string): void {
    this.startedByUser.add(id);
  }

  /** Shows why a report that has ended has no file, and offers Retry. */
  explain(report: StoredReport): void {
    const node = new ReportNode(report, this.reports);
    if (report.state === 'failed') {
      showFailure(report, node);
      return;
    }
    if (report.state === 'cancelled') {
      showInformation(t('"{0}" was cancelled.', reportName(report)), [retryAction(node)]);
      return;
    }
    const missing =
      report.reportUrl === undefined
        ? t('The file of "{0}" is missing. Retry requests the report again.', reportName(report))
        : t('The file of "{0}" is missing. Retry downloads it again.', reportName(report));
    showWarning(missing, [retryAction(node)]);
  }

  dispose(): void {
    this.listener.dispose();
  }

  /** Never rejects: after a failure, there is no news. */
  private async tryFindNews(report: StoredReport): Promise<ReportNews | undefined> {
    try {
      return report.state === 'ready' ? await this.findNews(report) : undefined;
    } catch (error) {
      this.logger.warn(`Could not find out what is new in a report: ${String(error)}`);
      return undefined;
    }
  }

  /** Shows how a report has ended. News that take long follow, if there are changes. */
  private async tellEnd(report: StoredReport): Promise<void> {
    const finding = this.tryFindNews(report);
    // Not by the system clock of the extension: it measures work, which is no faster where that clock is.
    const wait = new Promise<undefined>((resolve) => {
      setTimeout(() => {
        resolve(undefined);
      }, newsWaitMs);
    });
    const news = await Promise.race([finding, wait]);
    showEnd(report, this.reports, news);
    const late = news === undefined ? await finding : undefined;
    if (late?.hasChanges === true && this.reports.listShown().some(({ id }) => id === report.id)) {
      showNews(report, this.reports, late);
    }
  }

  private async announce({ report, ranHere }: ReportEnd): Promise<void> {
    const isOfUser = this.startedByUser.delete(report.id);
    const isShownByCommand = this.shownByCommand.delete(report.id) && !isOfUser;
    if (this.reports.isQuiet(report.id)) {
      return;
    }
    if (report.state === 'cancelled' || (report.state === 'failed' && isShownByCommand)) {
      return;
    }
    const opens =
      report.state === 'ready' && setting('reports.openWhenReady') && isTextReport(report);
    let isClaimed = false;
    if (ranHere && opens) {
      // Claimed in the focused window, which then shows the news below; otherwise another window that gets the focus
      // may show it.
      isClaimed = vscode.window.state.focused && this.reports.claimNotice(report.id);
      if (await this.openReport(report, { preserveFocus: true })) {
        this.reports.markSeen(report);
        const news = await this.tryFindNews(report);
        if (news) {
          showNews(report, this.reports, news);
        }
        return;
      }
    }
    if (!isClaimed && !vscode.window.state.focused) {
      if (!ranHere) {
        return;
      }
      await delay(otherWindowsMs, systemClock);
    }
    if (isClaimed || this.reports.claimNotice(report.id)) {
      await this.tellEnd(report);
    }
  }
}

function showChanges(news: ReportNews | undefined, node: ReportNode) {
  return news?.hasChanges
    ? [{ title: t('Show Changes'), command: 'scorecard.compareWithPrevious', node } as const]
    : [];
}

function showNews(report: StoredReport, reports: Reports, news: ReportNews): void {
  const node = new ReportNode(report, reports);
  showInformation(t('"{0}": {1}', reportName(report), news.text), showChanges(news, node));
}

/** @param news its changes since the report before it. */
function showEnd(report: StoredReport, reports: Reports, news: ReportNews | undefined): void {
  const node = new ReportNode(report, reports);
  if (report.state === 'failed') {
    showFailure(report, node);
    return;
  }
  const ready = t('"{0}" is ready ({1}).', reportName(report), formatBytes(report.bytes ?? 0));
  showInformation(news === undefined ? ready : `${ready} ${news.text}.`, [
    { title: t('Open Report'), command: 'scorecard.openReport', node },
    ...showChanges(news, node),
    { title: t('Reveal'), command: 'scorecard.revealReport', node },
  ]);
}

function showFailure(report: StoredReport, node: ReportNode) {
  const { error, linkRefused, reportUrl } = report;
  // Without an address, Retry does the same as Request Again.
  const isRetryOffered = linkRefused !== true || reportUrl !== undefined;
  showWarning(t('"{0}" failed. {1}', reportName(report), error?.message ?? ''), [
    ...(linkRefused === true
      ? [{ title: t('Request Again'), command: 'scorecard.requestReportAgain' as const, node }]
      : []),
    ...(error?.code === 'auth'
      ? [{ title: t('Sign In'), command: 'scorecard.signIn' as const }]
      : []),
    ...(isRetryOffered ? [retryAction(node)] : []),
    { title: t('Show Log'), command: 'scorecard.showLog' },
  ]);
}

function retryAction(node: ReportNode) {
  return { title: t('Retry'), command: 'scorecard.retryReport', node } as const;
}

/** Milliseconds before a notification moves to the status bar. */
const foregroundMs = 5 * 60_000;

/**
 * Shows the progress of reports: the latest that this window has started or joined as a notification for at most
 * five minutes, the others that run here as one item of the status bar.
 */
export class ReportProgress implements Disposable {
  private readonly foreground = new Map<string, () => void>();
  private readonly item = vscode.window.createStatusBarItem(
    'scorecard.reports',
    vscode.StatusBarAlignment.Left,
    0,
  );
  private readonly listener: Disposable;

  constructor(
    private readonly reports: Reports,
    private readonly logger: Logger,
  ) {
    this.item.name = t('Scorecard Reports');
    this.item.command = `${viewIds.reports}.focus`;
    // It fires at least each second while a report of this account is unfinished.
    this.listener = reports.onDidChange(() => {
      this.updateItem();
    });
  }

  /** Shows the progress of a report as a notification, until it ends or moves to the status bar. */
  show(report: StoredReport, done: Promise<unknown>): void {
    const { id } = report;
    if (this.foreground.has(id)) {
      return;
    }
    // VS Code hides older notifications; the status bar shows those reports.
    this.continueInBackground();
    const ended = new Promise<void>((resolve) => {
      const leave = () => {
        resolve();
      };
      this.foreground.set(id, leave);
      done.then(leave, leave);
      systemClock.setTimeout(leave, foregroundMs);
    });
    this.updateContext();
    const read = () => {
      const { received = 0, total } = this.reports.activity(id)?.progress ?? {};
      return { done: received, total, text: this.describe(id) };
    };
    const leaveForeground = () => {
      this.foreground.delete(id);
      this.updateContext();
      this.updateItem();
    };
    withProgressNotification(plainText(reportName(report), 100), read, (signal) => {
      signal.addEventListener('abort', () => {
        this.reports.cancel(id).catch((error: unknown) => {
          this.tellNotCancelled(id, error);
        });
      });
      return ended;
    }).then(leaveForeground, leaveForeground);
  }

  /** Moves a report that is shown as a notification to the status bar; without an id, every one. */
  continueInBackground(id?: string): void {
    for (const [shown, leave] of this.foreground) {
      if (id === undefined || shown === id) {
        leave();
      }
    }
  }

  dispose(): void {
    // A notification stays until its promise settles.
    this.continueInBackground();
    this.listener.dispose();
    this.item.dispose();
  }

  /** A report that was removed meanwhile is cancelled, too. */
  private tellNotCancelled(id: string, error: unknown): void {
    if (this.reports.listShown().some((report) => report.id === id)) {
      this.logger.error(`Could not cancel report ${id}: ${describeForLog(error)}`);
      showError(describeReportError(error));
    }
  }

  /** Empty after the report was removed, here or in another window: its promise settles. */
  private describe(id: string): string {
    const report = this.reports.listShown().find((listed) => listed.id === id);
    // Only this link is ours: plainText removes links from the text.
    return report
      ? `${plainText(describeActivity(this.reports, report, systemClock.now()))} \u00b7 [${t('Continue in Background')}](${backgroundCommand(id)})`
      : '';
  }

  private updateContext(): void {
    setContext('scorecard.hasForegroundReport', this.foreground.size > 0);
  }

  private updateItem(): void {
    const background = this.reports
      .listShown()
      .filter(
        (report) =>
          isUnfinished(report) &&
          this.reports.isRunningHere(report.id) &&
          !this.foreground.has(report.id),
      );
    const [first] = background;
    if (!first) {
      this.item.hide();
      return;
    }
    const now = systemClock.now();
    const lines = background.map((report) =>
      plainText(`${reportName(report)} \u00b7 ${describeActivity(this.reports, report, now)}`),
    );
    const count = background.length === 1 ? t('1 report') : t('{0} reports', background.length);
    this.item.text = `$(sync~spin) ${count}`;
    this.item.tooltip = lines.join('\n');
    this.item.accessibilityInformation = { label: `${count}: ${lines.join('; ')}` };
    this.item.show();
  }
}

function backgroundCommand(id: string): string {
  return `command:scorecard.continueInBackground?${encodeURIComponent(JSON.stringify([{ id }]))}`;
}
