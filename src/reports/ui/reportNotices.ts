import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/logger';
import type { StoredReport } from '../reportRecord';
import type { ReportEnd, Reports } from '../reports';
import type { UnseenReports } from '../unseenReports';
import { formatBytes } from '../../workbench/format';
import { showError, showInformation, showWarning } from '../../workbench/messages';
import { isTextReport } from './reportFiles';
import type { OpenReport } from './reportOpener';
import { ReportNode } from './reportItems';
import { setting } from '../../workbench/settingsCommands';

const { t } = vscode.l10n;

/** Milliseconds; other windows notice the end of a report sooner. */
const otherWindowsMs = 5_000;

/**
 * Opens a report that is ready, or shows how it ended: once, in the focused window, else in the window
 * that ran it.
 */
export class ReportNotices implements Disposable {
  private readonly answered = new Set<string>();
  private readonly listener: Disposable;
  private news: (report: StoredReport) => Promise<string | undefined> = () =>
    Promise.resolve(undefined);

  constructor(
    private readonly reports: Reports,
    private readonly unseen: UnseenReports,
    private readonly openReport: OpenReport,
    private readonly logger: Logger,
  ) {
    this.listener = reports.onDidEnd((end) => {
      void this.announce(end).catch((error: unknown) => {
        if (!this.reports.list().some(({ id }) => id === end.report.id)) {
          // Removed while it was being opened.
          return;
        }
        this.logger.error(`A report that is ready could not be opened: ${String(error)}`);
        showError(error);
      });
    });
  }

  /** Leaves the failure of a report to the command that waits for it. */
  leaveFailureToCommand(id: string): void {
    this.answered.add(id);
  }

  /**
   * Lets a room above say what is new in a report that is ready, in a few words without a full stop.
   * @param news resolves to `undefined` where there is nothing to say.
   */
  tellNews(news: (report: StoredReport) => Promise<string | undefined>): void {
    this.news = news;
  }

  dispose(): void {
    this.listener.dispose();
  }

  /** A failure is no news. */
  private async newsOf(report: StoredReport): Promise<string | undefined> {
    try {
      return report.state === 'ready' ? await this.news(report) : undefined;
    } catch (error) {
      this.logger.warn(`Could not tell what is new in a report: ${String(error)}`);
      return undefined;
    }
  }

  private async announce({ report, drivenHere }: ReportEnd): Promise<void> {
    const isAnswered = this.answered.delete(report.id);
    if (report.state === 'cancelled' || (report.state === 'failed' && isAnswered)) {
      return;
    }
    const opens =
      report.state === 'ready' && setting('reports.openWhenReady') && isTextReport(report);
    let isClaimed = false;
    if (drivenHere && opens) {
      // Claimed in the focused window; otherwise another window that gets the focus may show it.
      isClaimed = vscode.window.state.focused && this.reports.claimNotice(report.id);
      if (await this.openReport(report, { preserveFocus: true })) {
        this.unseen.see(report);
        const news = await this.newsOf(report);
        if (news !== undefined) {
          showInformation(t('"{0}": {1}.', report.title, news), [
            showChanges(new ReportNode(report, this.reports)),
          ]);
        }
        return;
      }
    }
    if (!isClaimed && !vscode.window.state.focused) {
      if (!drivenHere) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, otherWindowsMs));
    }
    if (isClaimed || this.reports.claimNotice(report.id)) {
      showEnd(report, this.reports, await this.newsOf(report));
    }
  }
}

function showChanges(node: ReportNode) {
  return {
    title: t('Show Changes'),
    command: 'scorecard.compareWithPrevious',
    node,
  } as const;
}

/** @param news what is new in it since the report before it. */
function showEnd(report: StoredReport, reports: Reports, news: string | undefined): void {
  const node = new ReportNode(report, reports);
  if (report.state === 'failed') {
    // Without an address, Retry does the same.
    const isRetryOffered = report.linkRefused !== true || report.reportUrl !== undefined;
    showWarning(t('"{0}" failed. {1}', report.title, report.error?.message ?? ''), [
      ...(report.linkRefused === true
        ? [{ title: t('Request Again'), command: 'scorecard.requestReportAgain' as const, node }]
        : []),
      ...(isRetryOffered
        ? [{ title: t('Retry'), command: 'scorecard.retryReport' as const, node }]
        : []),
      { title: t('Show Log'), command: 'scorecard.showLog' },
    ]);
  } else {
    const ready = t('"{0}" is ready ({1}).', report.title, formatBytes(report.bytes ?? 0));
    showInformation(news === undefined ? ready : `${ready} ${news}.`, [
      { title: t('Open'), command: 'scorecard.openReport', node },
      ...(news === undefined ? [] : [showChanges(node)]),
      { title: t('Reveal'), command: 'scorecard.revealReport', node },
    ]);
  }
}
