import * as vscode from 'vscode';
import type { AddDisposable } from '../../../base/events/disposable';
import { systemClock } from '../../../base/events/clock';
import type { Logger } from '../../../base/logger';
import { plainText } from '../../../base/text/plainText';
import { localDisk } from '../../../files/disk';
import { pathsOf, removeAllPossible } from '../../../files/files';
import { localProcesses } from '../../../files/processes';
import type { CommandRunner } from '../../../workbench/commandRunner';
import { type TrendLevel, trendLevels } from '../../../summary/trend';
import { showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { setting } from '../../../workbench/settings';
import { hasSpareBudget } from '../../findings/companySummaries';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import type { ExtraRows } from '../../reports/ui/reportsView';
import { describeReportError } from '../../reports/ui/reportTexts';
import { lookAtCompany } from '../companyLook';
import { type Look, type ToldNews, Watch } from '../watch';
import { type Watched, WatchFile } from '../watchFile';
import { WatchedGroupNode, WatchedNode } from './watchedNodes';
import { describeNews } from './watchTexts';

const { t } = vscode.l10n;

interface WatchFeatureDeps {
  readonly runner: CommandRunner;
  readonly findings: FindingsFeature;
  readonly log: Logger;
  /** The folder of what is watched; contains nothing else. */
  readonly folder: string;
  /** Looks at a scorecard whose service tells no events: by a new report. */
  readonly lookAtReport: (watched: Watched) => Promise<Look>;
  /** Shows the trend of what is watched, or asks of what. */
  readonly showTrend: (node?: WatchedNode) => Thenable<unknown>;
}

/** What the watch offers to the features above. */
export interface WatchFeature {
  /** Its rows in the Reports view. */
  readonly rows: ExtraRows;
  /** Watches nothing any more. @returns the paths that are left. */
  removeAll(): Promise<string[]>;
}

/** Watches scorecards. */
export function registerWatch(add: AddDisposable, deps: WatchFeatureDeps): WatchFeature {
  const { findings, log, folder } = deps;
  const { session, scorecards } = findings;
  const nodeOf = (entry: Watched) => new WatchedNode(entry, scorecards.nameOf(entry.scorecardId));
  const watch = add(
    new Watch({
      file: new WatchFile({
        clock: systemClock,
        disk: localDisk,
        processes: localProcesses,
        folder,
      }),
      clock: systemClock,
      log,
      accountId: () => {
        const account = session.signedIn?.account;
        return account?.isDemo === false ? account.id : undefined;
      },
      isListed: (id) => scorecards.find(id) !== undefined,
      hasBudget: () => hasSpareBudget(session),
      look: (entry, now) => {
        const { companies } = session.requireSignedIn().api;
        const severityOf = (issueType: string) =>
          findings.counts.companies.issueType(entry.scorecardId, issueType)?.severity;
        return companies
          ? lookAtCompany(companies, entry, now, severityOf)
          : deps.lookAtReport(entry);
      },
      leastSeverity,
      describe: describeNews,
      describeFailure: (error) => plainText(describeReportError(error).text, 200),
      tell: (news) => {
        tell(news, (id) => scorecards.nameOf(id), showTrend);
      },
    }),
  );
  const showTrend = async (scorecardId: string) => {
    const entry = watch.find(scorecardId);
    await deps.showTrend(entry && nodeOf(entry));
  };
  deps.runner.registerGroup('watch', async () => {
    const { watchCommands } = await import('./watchCommands');
    return watchCommands({ session, scorecards, watch });
  });
  watch.start();
  return {
    rows: {
      rows: () => {
        const rows = watch.watched
          .filter(({ scorecardId }) => scorecards.find(scorecardId))
          .map(nodeOf);
        return rows.length === 0 ? [] : [new WatchedGroupNode(rows)];
      },
      onDidChange: watch.onDidChange,
    },
    removeAll: async () => {
      await watch.removeAll();
      return pathsOf(await removeAllPossible(folder));
    },
  };
}

/** An invalid value that was typed by hand counts as the default. */
function leastSeverity(): TrendLevel {
  const value = setting('watchSeverity');
  return trendLevels.includes(value) ? value : 'high';
}

/** `Tarnwick: 37 new, 4 critical; Pemberlane: a breach` */
function tell(
  all: readonly ToldNews[],
  nameOf: (scorecardId: string) => string,
  showTrend: (scorecardId: string) => Promise<void>,
): void {
  const texts = all.map(({ scorecardId, news }) => ({
    value: scorecardId,
    label: plainText(nameOf(scorecardId), 60),
    description: describeNews(news),
  }));
  const text = texts.map(({ label, description }) => `${label}: ${description}`).join('; ');
  const show = async () => {
    const [first, ...others] = texts;
    const chosen =
      others.length === 0
        ? first?.value
        : await pickOne(texts, {
            title: t('Watched Scorecards'),
            placeHolder: t('Which scorecard?'),
          });
    if (chosen !== undefined) {
      await showTrend(chosen);
    }
  };
  showInformation(text, [{ title: t('Show'), run: show }]);
}
