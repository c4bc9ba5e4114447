import * as vscode from 'vscode';
import { contextValues } from '../contributions';
import { issueTypeTitle } from '../common/issueTypes';
import type { JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import type { FindingsList } from '../model/findingsList';
import { summarizeFinding } from '../model/findingSummary';
import type { IssueCounts } from '../model/issueCounts';
import type { Scorecards } from '../model/scorecards';
import { maskSecrets } from '../common/secretFields';
import { filterItem, shownCounts } from './filterItems';
import { findingUri } from './findingDocuments';
import { describeWait } from './describe';
import { formatNumber, formatTime } from './format';
import {
  countsOf,
  failureItem,
  fieldsTooltip,
  gapItem,
  iconItem,
  type ListCommands,
  settingProblemItem,
} from './listItems';
import { localizedLabel } from './localize';
import {
  ChangedNode,
  EmptyListNode,
  FailureNode,
  FilterNode,
  FindingNode,
  GapNode,
  IssueTypeNode,
  NoIssueTypesNode,
  RefreshFailureNode,
  ScorecardNode,
  SettingProblemNode,
  type TreeNode,
} from './nodes';
import { numberSetting } from './settings';
import { textTooltip } from './tooltip';

const { t } = vscode.l10n;
const { Collapsed } = vscode.TreeItemCollapsibleState;
const commands: ListCommands = { more: 'scorecard.loadMore', refresh: 'scorecard.refresh' };

/** One object for all rows: there may be 41,237 of them. */
const icons = {
  pass: new vscode.ThemeIcon('pass'),
  'circle-slash': new vscode.ThemeIcon('circle-slash'),
  history: new vscode.ThemeIcon('history'),
  warning: new vscode.ThemeIcon('warning'),
};

/** What the rows of the findings view are drawn from. */
export interface FindingItemsDeps {
  scorecards: Scorecards;
  counts: IssueCounts;
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
      return scorecardItem(node, deps.counts);
    case node instanceof IssueTypeNode:
      return issueTypeItem(
        node,
        deps.scorecards.bodyOf(node.list.scorecardId, node.list.issueType),
        deps.counts,
      );
    case node instanceof FindingNode:
      return rowItem(node);
    case node instanceof ChangedNode:
      return changedItem(node);
    case node instanceof FilterNode:
      return filterItem(node);
    case node instanceof FailureNode || node instanceof RefreshFailureNode:
      return failureItem(node, commands);
    case node instanceof GapNode:
      return gapItem(
        node,
        commands,
        numberSetting('pageSize', { min: 1, max: 500, fallback: 100 }),
      );
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

function scorecardItem({ scorecard }: ScorecardNode, counts: IssueCounts): vscode.TreeItem {
  const { id, name, issueTypes } = scorecard;
  const item = iconItem(name, 'organization', Collapsed);
  const sum = counts.sumOf(id, issueTypes);
  const types =
    issueTypes.length === 1
      ? t('1 issue type')
      : t('{0} issue types', formatNumber(issueTypes.length));
  item.contextValue = contextValues.scorecard;
  if (issueTypes.length > 0) {
    item.description = sum === undefined ? types : `${formatNumber(sum)} \u00b7 ${types}`;
    const findings = sum === undefined ? [] : [t('{0} findings in all', formatNumber(sum))];
    item.accessibilityInformation = { label: [name, ...findings, types].join(', ') };
  }
  item.tooltip = textTooltip(
    name,
    id,
    ...(sum === undefined ? [] : [t('{0} findings in all', formatNumber(sum))]),
  );
  return item;
}

function issueTypeItem(
  { list }: IssueTypeNode,
  body: JsonObject,
  known: IssueCounts,
): vscode.TreeItem {
  const title = issueTypeTitle(list.issueType);
  const item = new vscode.TreeItem(title, Collapsed);
  const hasBody = Object.keys(body).length > 0;
  const counts = listCounts(list, known);
  const bodyWords = hasBody ? [t('own request body')] : [];
  item.contextValue = contextValues[issueTypeValue(hasBody, list.isFiltered)];
  item.description = [...(counts ? [counts.text] : []), ...bodyWords].join(' \u00b7 ');
  const icon = issueTypeIcon(list, hasBody);
  if (icon) {
    item.iconPath = new vscode.ThemeIcon(icon);
  }
  item.tooltip = textTooltip(
    title,
    list.issueType + (counts ? `: ${counts.label}` : ''),
    ...(list.isFiltered ? [t('Filter: {0}', plainText(list.filter.text, 300))] : []),
    ...(hasBody ? [t('Request body: {0}', plainText(JSON.stringify(maskSecrets(body)), 300))] : []),
    ...agesOf(list),
  );
  item.accessibilityInformation = {
    label: [title, ...(counts ? [counts.label] : []), ...bodyWords].join(', '),
  };
  return item;
}

/** What a narrow view shows also where the title of an issue type takes the whole row. */
function issueTypeIcon(list: FindingsList, hasBody: boolean): string | undefined {
  if (list.isFiltered) {
    return 'filter-filled';
  }
  return hasBody ? 'json' : undefined;
}

function issueTypeValue(hasBody: boolean, isFiltered: boolean): keyof typeof contextValues {
  if (isFiltered) {
    return hasBody ? 'issueTypeWithBodyFiltered' : 'issueTypeFiltered';
  }
  return hasBody ? 'issueTypeWithBody' : 'issueType';
}

/** What the row of a list says of its rows, and how that is read out. */
function listCounts(
  list: FindingsList,
  counts: IssueCounts,
): { text: string; label: string } | undefined {
  if (!list.isLoaded) {
    const count = counts.of(list.scorecardId, list.issueType);
    const told = [
      ...(list.isFiltered ? [{ text: t('filter on'), label: t('filter on') }] : []),
      ...(count === undefined
        ? []
        : [{ text: formatNumber(count), label: t('{0} in all, not loaded', formatNumber(count)) }]),
    ];
    return told.length === 0
      ? undefined
      : {
          text: told.map(({ text }) => text).join(' \u00b7 '),
          label: told.map(({ label }) => label).join(', '),
        };
  }
  if (list.isFiltered) {
    return shownCounts(list);
  }
  const { loaded, hasMore } = list.result;
  // Told from a count of rows that are not loaded.
  const text = hasMore || loaded === 0 ? countsOf(list) : t('{0} loaded', formatNumber(loaded));
  return { text, label: text };
}

/** What a list's tooltip says of its age: a time of the clock, which does not have to be drawn again. */
function agesOf(list: FindingsList): string[] {
  const { loadedAt, duplicates } = list;
  return [
    ...(loadedAt === undefined ? [] : [t('Loaded at {0}', formatTime(loadedAt))]),
    ...(duplicates === 0 ? [] : [t('{0} served twice, shown once', formatNumber(duplicates))]),
  ];
}

/** How far a Load All is: `12,300 of 41,237`. */
export function loadedOf(list: FindingsList): string {
  const { loaded, total } = list.result;
  return total === undefined
    ? formatNumber(loaded)
    : t('{0} of {1}', formatNumber(loaded), formatNumber(total));
}

/** What stands in the place of the first gap while all of a list is being loaded. */
export function loadingAllItem(list: FindingsList, id: string): vscode.TreeItem {
  const { state } = list;
  const wait = state.type === 'loading' ? state.wait : undefined;
  const progress = t('Loading all: {0}', loadedOf(list));
  // First what a narrow view must not cut off: when it goes on.
  const label = wait ? t('Paused until {0}', formatTime(wait.until)) : progress;
  const item = iconItem(label, wait ? 'watch' : 'loading~spin');
  if (wait) {
    item.description = loadedOf(list);
    item.tooltip = textTooltip(progress, `${describeWait(wait)}.`);
  }
  item.accessibilityInformation = {
    label: wait ? [label, progress, describeWait(wait)].join(', ') : label,
  };
  item.contextValue = contextValues.loadingAll;
  item.id = id;
  return item;
}

function changedItem(node: ChangedNode): vscode.TreeItem {
  const { from, to } = node.list.totalChange ?? { from: 0, to: 0 };
  const item = iconItem(t('List changed: reload?'), 'info');
  item.description = t('{0} before, {1} now', formatNumber(from), formatNumber(to));
  item.accessibilityInformation = { label: `${item.label as string} ${item.description}` };
  item.contextValue = contextValues.changed;
  item.command = { command: 'scorecard.refresh', title: t('Refresh'), arguments: [node] };
  return item;
}

function rowItem({ row }: FindingNode): vscode.TreeItem {
  const summary = summarizeFinding(row.entry, row.number, formatNumber);
  const { description, status } = summary;
  const label = localizedLabel(summary.label);
  const item = new vscode.TreeItem(label);
  item.iconPath = icons[iconOf(status)];
  item.description = description;
  item.contextValue = contextValues.finding;
  const place = t('finding {0}', formatNumber(row.number));
  item.accessibilityInformation = {
    label: [label, description, place].filter((text) => text !== '').join(', '),
  };
  return item;
}

/**
 * What pressing a finding does. VS Code asks for it when the row is pressed: with an address for each
 * of 41,237 rows the view would take several times as long.
 */
export function openCommand({ list, row }: FindingNode, accountId: string): vscode.Command {
  return {
    command: 'vscode.open',
    title: t('Open Finding'),
    arguments: [findingUri(accountId, list, row.number, row), { preview: true }],
  };
}

/** Told apart by shape, not by colour. */
function iconOf(status: string | undefined): keyof typeof icons {
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
