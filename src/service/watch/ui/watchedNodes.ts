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
    const { period, news, nextAt, lookedAt } = this.watched;
    const item = new vscode.TreeItem(plainText(this.name, 100));
    item.iconPath = new vscode.ThemeIcon('eye');
    const last =
      news === undefined
        ? t('Nothing new yet')
        : `${plainText(news.text)} \u00b7 ${formatDay(news.at)}`;
    item.description = `${describePeriod(period)} \u00b7 ${last}`;
    item.contextValue = contextValues.watched;
    item.tooltip = createTextMarkdown(
      plainText(this.name, 100),
      `${describePeriod(period)} \u00b7 ${last}`,
      ...(lookedAt === undefined ? [] : [t('Looked at last: {0}', formatMoment(lookedAt))]),
      t('Next: {0}, while VS Code is open', formatMoment(nextAt)),
    );
    item.accessibilityInformation = {
      label: [plainText(this.name, 100), describePeriod(period), last].join(', '),
    };
    item.command = { command: 'scorecard.reportTrend', title: t('Show Trend'), arguments: [this] };
    return item;
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
