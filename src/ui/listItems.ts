import * as vscode from 'vscode';
import { AuthError } from '../api/errors';
import type { JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import { type CommandId, contextValues, type SettingTypes } from '../contributions';
import { countFields, summaryFields } from '../model/findingSummary';
import type { Gap, LoadedList } from '../model/loadedList';
import { SignedOutError } from '../model/signedOutError';
import { describeBriefly, describeError, describeWait } from './describe';
import { formatNumber } from './format';
import { findingsNotLoaded, notLoaded } from './listTexts';
import { localize, localizedLabel } from './localize';
import {
  type FailureNode,
  GapNode,
  LoadMoreNode,
  type RefreshFailureNode,
  type SettingProblemNode,
} from './nodes';
import { denseTooltip, textTooltip } from './tooltip';

const { t } = vscode.l10n;
const { None } = vscode.TreeItemCollapsibleState;

/** The commands that load a list further, and load it anew. */
export interface ListCommands {
  readonly more: CommandId;
  readonly refresh: CommandId;
}

/** How much of a list is held: `200 of 41,237 loaded`, or all of it. */
export function countsOf(list: LoadedList): string {
  const { loaded, total, hasMore } = list.result;
  if (!hasMore) {
    return formatNumber(loaded);
  }
  return total === undefined
    ? t('{0} loaded', formatNumber(loaded))
    : t('{0} of {1} loaded', formatNumber(loaded), formatNumber(total));
}

/** What the lists of a view wait for; a first page has no row yet that could tell it. */
export function waitOf(lists: readonly LoadedList[]): string | undefined {
  const [first] = lists.flatMap(({ state }) =>
    state.type === 'loading' && state.wait ? [state.wait] : [],
  );
  return first && `${describeWait(first)}.`;
}

/** More would hide the rows around it. */
const tooltipFields = 8;

/** A tooltip with the most telling fields of an entry, as text, secret-like values masked. */
export function fieldsTooltip(title: string, entry: JsonObject): vscode.MarkdownString {
  const fields = summaryFields(entry, tooltipFields).map(
    ({ name, value }) => `${name}: ${localizedLabel(value)}`,
  );
  const more = countFields(entry) - fields.length;
  if (more > 0) {
    fields.push(
      more === 1
        ? t('\u2026 and 1 more field: press to see it')
        : t('\u2026 and {0} more fields: press to see them', formatNumber(more)),
    );
  }
  return denseTooltip(title, fields);
}

/** The gap that a row stands for, as it is now; `undefined` when it was filled meanwhile. */
export function gapOf(node: GapNode): Gap | undefined {
  return node.list.gaps.find((gap) => gap.offset === node.offset);
}

/**
 * A part of a list that is not loaded: a page of it is loaded by pressing the row.
 * @param pageSize how many entries the next page has at most, where that is known.
 */
export function gapItem(
  node: GapNode,
  commands: ListCommands,
  pageSize: number | undefined,
): vscode.TreeItem {
  const { state } = node.list;
  const gap = gapOf(node);
  const isRefreshing = state.type === 'loading' && state.task === 'refresh';
  // The first page is on its way wherever a row stands for it.
  const isFirst = !node.list.isLoaded && gap?.error === undefined;
  if (gap?.isLoading || isFirst || (isRefreshing && node instanceof LoadMoreNode)) {
    return loadingItem(node.list);
  }
  return node instanceof LoadMoreNode
    ? loadMoreItem(node, commands, pageSize)
    : innerGapItem(node, gap, commands);
}

function loadingItem(list: LoadedList): vscode.TreeItem {
  const { state } = list;
  const wait = state.type === 'loading' ? state.wait : undefined;
  const item = iconItem(wait ? describeWait(wait) : t('Loading\u2026'), 'loading~spin');
  if (list.isLoaded) {
    item.description = countsOf(list);
  }
  return item;
}

function innerGapItem(
  node: GapNode,
  gap: Gap | undefined,
  commands: ListCommands,
): vscode.TreeItem {
  const from = node.offset + 1;
  const to = gap?.end ?? from;
  const item = iconItem(notLoaded(from, to), 'fold');
  const { isFiltered } = node.list;
  item.description = isFiltered ? t('Not searched') : t('Load next page');
  const label = findingsNotLoaded(from, to);
  item.accessibilityInformation = {
    label: isFiltered ? t('{0}, and not searched', label) : label,
  };
  item.tooltip = textTooltip(
    findingsNotLoaded(from, to),
    t('Press to load the next page of them.'),
  );
  item.contextValue = contextValues.gap;
  item.command = { command: commands.more, title: t('Load More'), arguments: [node] };
  return item;
}

function loadMoreItem(
  node: LoadMoreNode,
  commands: ListCommands,
  pageSize: number | undefined,
): vscode.TreeItem {
  const { result, lastPageEmpty, gaps } = node.list;
  const elsewhere = gaps.reduce(
    (sum, { offset, end }) => sum + (isFinite(end) ? end - offset : 0),
    0,
  );
  const left = result.total === undefined ? Infinity : result.total - result.loaded - elsewhere;
  const next = pageSize === undefined ? undefined : left > 0 ? Math.min(pageSize, left) : pageSize;
  const label = next === undefined ? t('Load more') : t('Load {0} more', formatNumber(next));
  const item = iconItem(label, 'fold-down');
  // First what a narrow view must not cut off.
  item.description = [
    ...(lastPageEmpty ? [t('Last page was empty')] : []),
    ...(node.list.isFiltered ? [t('Not searched')] : []),
    countsOf(node.list),
  ].join(' \u00b7 ');
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  item.contextValue = contextValues.loadMore;
  item.command = { command: commands.more, title: t('Load More'), arguments: [node] };
  return item;
}

/** What a list could not load, and why, with the way on. */
export function failureItem(
  node: FailureNode | RefreshFailureNode,
  commands: ListCommands,
): vscode.TreeItem {
  const { state } = node.list;
  const gap = node instanceof GapNode ? gapOf(node) : undefined;
  if (gap?.isLoading) {
    return loadingItem(node.list);
  }
  const error = gap ? gap.error : state.type === 'failed' ? state.error : undefined;
  const needsSignIn = error instanceof AuthError || error instanceof SignedOutError;
  const action = needsSignIn ? t('Sign In') : t('Retry');
  const label = describeBriefly(error);
  // Where: the last gap is known by its place, and one before it by its numbers.
  const place = gap && gap.end !== Infinity ? notLoaded(gap.offset + 1, gap.end) : undefined;
  const item = iconItem(label, 'error');
  item.description = place === undefined ? action : `${action} \u00b7 ${place}`;
  item.contextValue = contextValues.failure;
  item.tooltip = textTooltip(describeError(error));
  item.accessibilityInformation = {
    label: [`${label}, ${action}. ${describeError(error)}`, ...(place ? [place] : [])].join(' '),
  };
  item.command = needsSignIn
    ? { command: 'scorecard.signIn', title: action }
    : {
        command: node instanceof GapNode ? commands.more : commands.refresh,
        title: action,
        arguments: [node],
      };
  return item;
}

/** @param key the setting whose entry cannot be used. */
export function settingProblemItem(
  { problem }: SettingProblemNode,
  key: keyof SettingTypes,
): vscode.TreeItem {
  const label = t('Setting {0}: {1}', problem.setting, plainText(localize(problem.message)));
  const item = iconItem(label, 'warning');
  item.description = t('Open Settings');
  item.contextValue = contextValues.settingProblem;
  item.tooltip = textTooltip(label);
  item.command = {
    command: 'workbench.action.openSettingsJson',
    title: t('Open Settings'),
    // Without `edit`, which would write a line into the list at once.
    arguments: [{ revealSetting: { key: `scorecard.${key}` } }],
  };
  return item;
}

export function iconItem(label: string, icon: string, state = None): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}
