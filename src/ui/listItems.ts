import * as vscode from 'vscode';
import { AuthError } from '../api/errors';
import type { JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import { type CommandId, contextValues, type SettingTypes } from '../contributions';
import { summaryFields } from '../model/findingSummary';
import type { PagedList } from '../model/pagedList';
import { SignedOutError } from '../model/signedOutError';
import { describeBriefly, describeError, describeWait } from './describe';
import { formatNumber } from './format';
import { localize } from './localize';
import type { FailureNode, LoadMoreNode, SettingProblemNode } from './nodes';
import { textTooltip } from './tooltip';

const { t } = vscode.l10n;
const { None } = vscode.TreeItemCollapsibleState;

/** The commands that load a list further, and load it anew. */
export interface ListCommands {
  readonly more: CommandId;
  readonly refresh: CommandId;
}

/** How much of a list is held: `200 of 41,237 loaded`, or all of it. */
export function countsOf(list: PagedList): string {
  const { loaded, total, hasMore } = list.result;
  if (!hasMore) {
    return formatNumber(loaded);
  }
  return total === undefined
    ? t('{0} loaded', formatNumber(loaded))
    : t('{0} of {1} loaded', formatNumber(loaded), formatNumber(total));
}

/** What the lists of a view wait for; a first page has no row yet that could tell it. */
export function waitOf(lists: readonly PagedList[]): string | undefined {
  const [first] = lists.flatMap(({ state }) =>
    state.type === 'loading' && state.wait ? [state.wait] : [],
  );
  return first && `${describeWait(first)}.`;
}

/** A tooltip with the first fields of an entry, as text, secret-like values masked. */
export function fieldsTooltip(title: string, entry: JsonObject): vscode.MarkdownString {
  const fields = summaryFields(entry, 15).map(({ name, value }) => `${name}: ${value}`);
  return textTooltip(title, ...fields);
}

/** @param pageSize how many entries the next page has at most, where that is known. */
export function loadMoreItem(
  node: LoadMoreNode,
  commands: ListCommands,
  pageSize: number | undefined,
): vscode.TreeItem {
  const { state, result, lastPageEmpty } = node.list;
  if (state.type === 'loading') {
    const item = iconItem(
      state.wait ? describeWait(state.wait) : t('Loading\u2026'),
      'loading~spin',
    );
    item.description = countsOf(node.list);
    return item;
  }
  const left = result.total === undefined ? Infinity : result.total - result.loaded;
  const next = pageSize === undefined ? undefined : Math.min(pageSize, left);
  const label =
    next !== undefined && next > 0 ? t('Load {0} more', formatNumber(next)) : t('Load more');
  const item = iconItem(label, 'fold-down');
  item.description = lastPageEmpty
    ? // First, because a narrow view cuts off the end.
      t('Last page was empty \u00b7 {0}', countsOf(node.list))
    : countsOf(node.list);
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  item.contextValue = contextValues.loadMore;
  item.command = { command: commands.more, title: t('Load More'), arguments: [node] };
  return item;
}

/** What a list could not load, and why, with the way on. */
export function failureItem(node: FailureNode, commands: ListCommands): vscode.TreeItem {
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
          state.type === 'failed' && state.task === 'refresh' ? commands.refresh : commands.more,
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
