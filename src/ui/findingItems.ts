import * as vscode from 'vscode';
import { contextValues } from '../contributions';
import { issueTypeTitle } from '../common/issueTypes';
import type { JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import { summarizeFinding } from '../model/findingSummary';
import type { Scorecards } from '../model/scorecards';
import { maskSecrets } from '../model/secretFields';
import type { Session } from '../model/session';
import { findingUri } from './findingDocuments';
import { formatNumber } from './format';
import {
  countsOf,
  failureItem,
  fieldsTooltip,
  iconItem,
  type ListCommands,
  loadMoreItem,
  settingProblemItem,
} from './listItems';
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
const { Collapsed } = vscode.TreeItemCollapsibleState;
const commands: ListCommands = { more: 'scorecard.loadMore', refresh: 'scorecard.refresh' };

/** What the rows of the findings view are drawn from. */
export interface FindingItemsDeps {
  session: Session;
  scorecards: Scorecards;
}

/** What a row of the findings view looks like. */
export function findingItem(node: TreeNode, deps: FindingItemsDeps): vscode.TreeItem {
  const item = draw(node, deps);
  item.id = node.id;
  return item;
}

function draw(node: TreeNode, deps: FindingItemsDeps): vscode.TreeItem {
  switch (true) {
    case node instanceof ScorecardNode:
      return scorecardItem(node);
    case node instanceof IssueTypeNode:
      return issueTypeItem(
        node,
        deps.scorecards.bodyOf(node.list.scorecardId, node.list.issueType),
      );
    case node instanceof FindingNode:
      return rowItem(node, deps.session.signedIn?.account.id ?? '');
    case node instanceof LoadMoreNode:
      return loadMoreItem(
        node,
        commands,
        numberSetting('pageSize', { min: 1, max: 500, fallback: 100 }),
      );
    case node instanceof FailureNode:
      return failureItem(node, commands);
    case node instanceof EmptyListNode:
      return iconItem(t('No findings'), 'pass');
    case node instanceof NoIssueTypesNode:
      return noIssueTypesItem(node);
    case node instanceof SettingProblemNode:
      return settingProblemItem(node, 'scorecards');
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

function issueTypeItem({ list }: IssueTypeNode, body: JsonObject): vscode.TreeItem {
  const title = issueTypeTitle(list.issueType);
  const item = new vscode.TreeItem(title, Collapsed);
  const counts = list.isLoaded ? countsOf(list) : undefined;
  const hasBody = Object.keys(body).length > 0;
  const told = [...(hasBody ? [t('filtered')] : []), ...(counts === undefined ? [] : [counts])];
  item.contextValue = hasBody ? contextValues.issueTypeWithBody : contextValues.issueType;
  if (told.length > 0) {
    item.description = told.join(' \u00b7 ');
  }
  if (hasBody) {
    item.iconPath = new vscode.ThemeIcon('filter');
  }
  item.tooltip = textTooltip(
    title,
    list.issueType + (counts === undefined ? '' : `: ${counts}`),
    ...(hasBody ? [t('Request body: {0}', plainText(JSON.stringify(maskSecrets(body)), 300))] : []),
  );
  item.accessibilityInformation = { label: [title, ...told].join(', ') };
  return item;
}

function rowItem({ list, row }: FindingNode, accountId: string): vscode.TreeItem {
  const { label, description, status } = summarizeFinding(row.entry, row.number, list.issueType);
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
export function findingTooltip({ list, row }: FindingNode): vscode.MarkdownString {
  const title = issueTypeTitle(list.issueType);
  return fieldsTooltip(t('{0}, finding {1}', title, formatNumber(row.number)), row.entry);
}
