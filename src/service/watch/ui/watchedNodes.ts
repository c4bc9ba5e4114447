import * as vscode from 'vscode';
import { contextValues } from '../../../contributions';
import { plainText } from '../../../base/text/plainText';
import { formatDay, formatMoment } from '../../../workbench/format';
import { createTextMarkdown, GroupNode, TreeNode } from '../../../workbench/views';
import type { Watched } from '../watchFile';
import { describePeriod } from './watchTexts';

const { t } = vscode.l10n;

/** A scorecard that is watched: how often, what came last, and when. */
export class WatchedNode extends TreeNode {
  readonly id: string;

  constructor(
    readonly watched: Watched,
    private readonly name: string,
  ) {
    super();
    this.id = `watched:${watched.scorecardId}`;
  }

  get scorecardId(): string {
    return this.watched.scorecardId;
  }

  draw(): vscode.TreeItem {
    const { period, nextAt, lookedAt, failure } = this.watched;
    const item = new vscode.TreeItem(plainText(this.name, 100));
    item.iconPath = new vscode.ThemeIcon(failure ? 'warning' : 'eye');
    const last = failure ? t('Could not look') : this.describeNews();
    item.description = `${describePeriod(period)} \u00b7 ${last}`;
    item.contextValue = contextValues.watched;
    item.tooltip = createTextMarkdown(
      plainText(this.name, 100),
      `${describePeriod(period)} \u00b7 ${this.describeNews()}`,
      ...(failure ? [t('Could not look: {0}', plainText(failure.text, 200))] : []),
      ...(lookedAt === undefined ? [] : [t('Looked at last: {0}', formatMoment(lookedAt))]),
      t('Next: {0}, while VS Code is open', formatMoment(nextAt)),
    );
    item.accessibilityInformation = {
      label: [plainText(this.name, 100), describePeriod(period), last].join(', '),
    };
    item.command = { command: 'scorecard.reportTrend', title: t('Show Trend'), arguments: [this] };
    return item;
  }

  private describeNews(): string {
    const { news, lookedAt } = this.watched;
    const none = lookedAt === undefined ? t('Not looked at yet') : t('Nothing new yet');
    return news === undefined ? none : `${plainText(news.text)} \u00b7 ${formatDay(news.at)}`;
  }
}

/** The scorecards that are watched. */
export class WatchedGroupNode extends GroupNode {
  readonly id = 'watched';

  constructor(readonly rows: readonly WatchedNode[]) {
    super();
  }

  draw(): vscode.TreeItem {
    const item = new vscode.TreeItem(
      t('Watched Scorecards'),
      vscode.TreeItemCollapsibleState.Expanded,
    );
    item.description = String(this.rows.length);
    item.contextValue = contextValues.watchedGroup;
    return item;
  }
}
