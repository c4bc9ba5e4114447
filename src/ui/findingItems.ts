import * as vscode from 'vscode';
import { AuthError } from '../api/errors';
import { contextValues } from '../contributions';
import { issueTypeTitle } from '../common/issueTypes';
import { plainText } from '../common/plainText';
import type { FindingsList } from '../model/findingsList';
import { summarizeFinding, summaryFields } from '../model/findingSummary';
import { maskSecrets } from '../model/secretFields';
import type { Session } from '../model/session';
import { SignedOutError } from '../model/signedOutError';
import { describeBriefly, describeError, describeWait } from './describe';
import { findingUri } from './findingDocuments';
import { formatNumber } from './format';
import {
  EmptyListNode,
  FailureNode,
  FindingNode,
  IssueTypeNode,
  LoadMoreNode,
  NoIssueTypesNode,
  ScorecardNode,
  SettingProblemNode,
  type TreeNode,
} from './nodes';
import { numberSetting } from './settings';
import { textTooltip } from './tooltip';

const { t } = vscode.l10n;
const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** What a row of the findings view looks like. */
export function findingItem(node: TreeNode, deps: { session: Session }): vscode.TreeItem {
  const item = draw(node, deps);
  item.id = node.id;
  return item;
}

function draw(node: TreeNode, deps: { session: Session }): vscode.TreeItem {
  switch (true) {
    case node instanceof ScorecardNode:
      return scorecardItem(node);
    case node instanceof IssueTypeNode:
      return issueTypeItem(node);
    case node instanceof FindingNode:
      return rowItem(node, deps.session.signedIn?.account.id ?? '');
    case node instanceof LoadMoreNode:
      return loadMoreItem(node);
    case node instanceof FailureNode:
      return failureItem(node);
    case node instanceof EmptyListNode:
      return iconItem(t('No findings'), 'pass');
    case node instanceof NoIssueTypesNode:
      return noIssueTypesItem(node);
    case node instanceof SettingProblemNode:
      return settingProblemItem(node);
    default:
      throw new Error(`Not a row of this view: ${node.id}`);
  }
}

function noIssueTypesItem({ scorecard }: NoIssueTypesNode): vscode.TreeItem {
  const item = iconItem(t('Add issue types\u2026'), 'add');
  item.command = {
    command: 'scorecard.addScorecard',
    title: t('Add Issue Types'),
    arguments: [new ScorecardNode(scorecard)],
  };
  return item;
}

function scorecardItem({ scorecard }: ScorecardNode): vscode.TreeItem {
  const item = iconItem(scorecard.name, 'organization', Collapsed);
  item.contextValue = contextValues.scorecard;
  item.tooltip = textTooltip(scorecard.name, scorecard.id);
  return item;
}

function issueTypeItem({ list }: IssueTypeNode): vscode.TreeItem {
  const title = issueTypeTitle(list.issueType);
  const item = new vscode.TreeItem(title, Collapsed);
  const counts = list.isLoaded ? countsOf(list) : undefined;
  item.contextValue = contextValues.issueType;
  if (counts !== undefined) {
    item.description = counts;
  }
  item.tooltip = textTooltip(title, list.issueType + (counts === undefined ? '' : `: ${counts}`));
  item.accessibilityInformation = { label: counts === undefined ? title : `${title}, ${counts}` };
  return item;
}

/** How much of a list is held: `200 of 41,237 loaded`, or all of it. */
function countsOf(list: FindingsList): string {
  const { loaded, total, hasMore } = list.result;
  if (!hasMore) {
    return formatNumber(loaded);
  }
  return total === undefined
    ? t('{0} loaded', formatNumber(loaded))
    : t('{0} of {1} loaded', formatNumber(loaded), formatNumber(total));
}

function rowItem({ list, row }: FindingNode, accountId: string): vscode.TreeItem {
  const { label, description, status } = summarizeFinding(row.entry, row.number);
  const item = iconItem(label, iconOf(status));
  item.description = description;
  item.contextValue = contextValues.finding;
  item.accessibilityInformation = {
    label: [label, description, t('finding {0}', formatNumber(row.number))]
      .filter((text) => text !== '')
      .join(', '),
  };
  item.command = {
    command: 'vscode.open',
    title: t('Open Finding'),
    arguments: [findingUri(accountId, list, row.number, row), { preview: true }],
  };
  return item;
}

/** Told apart by shape, not by colour. */
function iconOf(status: string | undefined): string {
  switch (status) {
    case 'resolved':
      return 'pass';
    case 'departed':
      return 'circle-slash';
    case 'decayed':
      return 'history';
    default:
      return 'warning';
  }
}

/** The tooltip of a finding: its first fields, as text, secret-like values masked. */
export function resolveFindingTooltip({ list, row }: FindingNode): vscode.MarkdownString {
  return textTooltip(
    t('{0}, finding {1}', issueTypeTitle(list.issueType), formatNumber(row.number)),
    ...summaryFields(maskSecrets(row.entry), 15).map(({ name, value }) => `${name}: ${value}`),
  );
}

function loadMoreItem(node: LoadMoreNode): vscode.TreeItem {
  const { state, result, lastPageEmpty } = node.list;
  if (state.type === 'loading') {
    const item = iconItem(
      state.wait ? describeWait(state.wait) : t('Loading\u2026'),
      'loading~spin',
    );
    item.description = countsOf(node.list);
    return item;
  }
  const pageSize = numberSetting('pageSize', { min: 1, max: 500, fallback: 100 });
  const left = result.total === undefined ? pageSize : result.total - result.loaded;
  const label =
    left > 0 ? t('Load {0} more', formatNumber(Math.min(pageSize, left))) : t('Load more');
  const item = iconItem(label, 'fold-down');
  item.description = lastPageEmpty
    ? // First, because a narrow view cuts off the end.
      t('Last page was empty \u00b7 {0}', countsOf(node.list))
    : countsOf(node.list);
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  item.contextValue = contextValues.loadMore;
  item.command = { command: 'scorecard.loadMore', title: t('Load More'), arguments: [node] };
  return item;
}

function failureItem(node: FailureNode): vscode.TreeItem {
  const { state } = node.list;
  const error = state.type === 'failed' ? state.error : undefined;
  const needsSignIn = error instanceof AuthError || error instanceof SignedOutError;
  const action = needsSignIn ? t('Sign In') : t('Retry');
  const label = describeBriefly(error);
  const item = iconItem(label, 'error');
  item.description = action;
  item.contextValue = contextValues.failure;
  item.tooltip = textTooltip(describeError(error));
  item.accessibilityInformation = {
    label: `${label}, ${action}. ${describeError(error)}`,
  };
  item.command = needsSignIn
    ? { command: 'scorecard.signIn', title: action }
    : {
        command:
          state.type === 'failed' && state.task === 'refresh'
            ? 'scorecard.refresh'
            : 'scorecard.loadMore',
        title: action,
        arguments: [node],
      };
  return item;
}

function settingProblemItem({ problem }: SettingProblemNode): vscode.TreeItem {
  const label = t('Setting {0}: {1}', problem.setting, plainText(problem.message));
  const item = iconItem(label, 'warning');
  item.description = t('Open Settings');
  item.contextValue = contextValues.settingProblem;
  item.tooltip = textTooltip(label);
  item.command = {
    command: 'workbench.action.openSettingsJson',
    title: t('Open Settings'),
    // Without `edit`, which would write a line into the list at once.
    arguments: [{ revealSetting: { key: 'scorecard.scorecards' } }],
  };
  return item;
}

function iconItem(label: string, icon: string, state = None): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}
