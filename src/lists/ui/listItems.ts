import * as vscode from 'vscode';
import { AuthError } from '../../api/http/errors';
import { plainText } from '../../base/plainText';
import { type CommandId, contextValues, type SettingTypes } from '../../contributions';
import type { Gap, ListRow, LoadedList } from '../loadedList';
import type { SettingProblem } from '../../workbench/settingList';
import { SignedOutError } from '../../workbench/workbenchErrors';
import { describeBriefly, describeError, describeWait, localize } from '../../workbench/describe';
import { formatNumber, formatAge } from '../../workbench/format';
import { iconItem, TreeNode, textTooltip } from '../../workbench/views';

const { t } = vscode.l10n;

export interface ListRows {
  readonly more: CommandId;
  readonly refresh: CommandId;
  readonly empty: string;
}

/** A node of a list. */
export abstract class ListNode<L extends LoadedList = LoadedList> extends TreeNode {
  constructor(readonly list: L) {
    super();
  }

  protected idOf(kind: string, rest = ''): string {
    return `${kind}:${this.list.id}${rest}`;
  }
}

/** The list that a row belongs to, if it is one of this kind. */
export function listOf<L extends LoadedList>(
  node: TreeNode | undefined,
  kind: abstract new (...args: never[]) => L,
): L | undefined {
  const list = node instanceof ListNode ? (node.list as LoadedList) : undefined;
  return list instanceof kind ? list : undefined;
}

export abstract class RowNode<L extends LoadedList> extends ListNode<L> {
  readonly id: string;

  constructor(
    kind: string,
    list: L,
    readonly row: ListRow,
  ) {
    super(list);
    this.id = this.idOf(kind, `/${row.key}`);
  }

  /** Drawn when the row is pointed at: its first fields as text, secret-like values masked. */
  abstract get tooltip(): vscode.MarkdownString;
}

/** A part of a list that is not loaded; clicked, it loads its next page. */
export class GapNode extends ListNode {
  readonly id: string;

  /** @param offset where the gap begins. */
  constructor(
    list: LoadedList,
    readonly offset: number,
    protected readonly rows: ListRows,
    kind = 'gap',
  ) {
    super(list);
    this.id = this.idOf(kind, kind === 'loadMore' ? '' : `/${offset}`);
  }

  /** The gap as it is now; `undefined` when it was filled in the meantime. */
  protected get gap(): Gap | undefined {
    return this.list.gaps.find((gap) => gap.offset === this.offset);
  }

  /** Whether a page that this row stands for is on its way; the first one is wherever there is a row. */
  protected get isLoading(): boolean {
    const { gap } = this;
    return gap?.isLoading === true || (!this.list.isLoaded && gap?.error === undefined);
  }

  draw(): vscode.TreeItem {
    if (this.isLoading) {
      return loadingItem(this.list);
    }
    const from = this.offset + 1;
    const to = this.gap?.end ?? from;
    const item = iconItem(notLoaded(from, to), 'fold');
    const { isFiltered } = this.list;
    item.description = isFiltered ? t('Not searched') : t('Load next page');
    const label = findingsNotLoaded(from, to);
    item.accessibilityInformation = {
      label: isFiltered ? t('{0}, not searched', label) : label,
    };
    item.tooltip = textTooltip(label, t('Click to load the next page.'));
    item.contextValue = contextValues.gap;
    item.command = { command: this.rows.more, title: t('Load More'), arguments: [this] };
    return item;
  }
}

/** The last gap: what is behind everything that is loaded. */
export class LoadMoreNode extends GapNode {
  constructor(list: LoadedList, offset: number, rows: ListRows) {
    super(list, offset, rows, 'loadMore');
  }

  override draw(): vscode.TreeItem {
    const { result, lastPageEmpty, gaps, state, pageSize } = this.list;
    if (this.isLoading || (state.type === 'loading' && state.task === 'refresh')) {
      return loadingItem(this.list);
    }
    const elsewhere = gaps.reduce(
      (sum, { offset, end }) => sum + (isFinite(end) ? end - offset : 0),
      0,
    );
    const left = result.total === undefined ? Infinity : result.total - result.loaded - elsewhere;
    const next =
      pageSize === undefined ? undefined : left > 0 ? Math.min(pageSize, left) : pageSize;
    const label = next === undefined ? t('Load more') : t('Load {0} more', formatNumber(next));
    const item = iconItem(label, 'fold-down');
    const words = [
      ...(lastPageEmpty ? [t('Last page was empty')] : []),
      ...(this.list.isFiltered ? [t('Not searched')] : []),
    ];
    item.description = [...words, briefCountsOf(this.list)].join(' \u00b7 ');
    item.accessibilityInformation = {
      label: `${label}, ${[...words, countsOf(this.list)].join(' \u00b7 ')}`,
    };
    item.contextValue = contextValues.loadMore;
    item.command = { command: this.rows.more, title: t('Load More'), arguments: [this] };
    return item;
  }
}

/** A gap whose next page could not be loaded; with Retry. */
export class FailureNode extends GapNode {
  constructor(list: LoadedList, offset: number, rows: ListRows) {
    super(list, offset, rows, 'failure');
  }

  override draw(): vscode.TreeItem {
    const { gap } = this;
    if (gap?.isLoading) {
      return loadingItem(this.list);
    }
    // Where: the last gap is known by its place, and one before it by its numbers.
    const place = gap && gap.end !== Infinity ? notLoaded(gap.offset + 1, gap.end) : undefined;
    return failureItem(this, gap ? gap.error : errorOf(this.list), this.rows.more, place);
  }
}

/** The list could not be refreshed; its old rows stay. With Retry. */
export class RefreshFailureNode extends ListNode {
  readonly id = this.idOf('refreshFailure');

  constructor(
    list: LoadedList,
    private readonly rows: ListRows,
  ) {
    super(list);
  }

  draw(): vscode.TreeItem {
    return failureItem(this, errorOf(this.list), this.rows.refresh);
  }
}

export class EmptyListNode extends ListNode {
  readonly id = this.idOf('empty');

  constructor(
    list: LoadedList,
    private readonly rows: ListRows,
  ) {
    super(list);
  }

  draw(): vscode.TreeItem {
    return iconItem(this.rows.empty, 'pass');
  }
}

/** An entry of a setting that holds a list, which cannot be used. */
export class SettingProblemNode extends TreeNode {
  readonly id: string;

  constructor(
    readonly problem: SettingProblem,
    private readonly key: keyof SettingTypes,
  ) {
    super();
    this.id = `problem:${problem.setting}`;
  }

  draw(): vscode.TreeItem {
    const { setting, message } = this.problem;
    const label = `${setting}: ${plainText(localize(message))}`;
    const item = iconItem(label, 'warning');
    item.description = t('Open Settings');
    item.contextValue = contextValues.settingProblem;
    item.tooltip = textTooltip(label);
    item.command = {
      command: 'workbench.action.openSettingsJson',
      title: t('Open Settings'),
      // Without `edit`, which would write a line into the list at once.
      arguments: [{ revealSetting: { key: `scorecard.${this.key}` } }],
    };
    return item;
  }
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

/** The same for a row: it begins with a word, because a number that is cut off reads as another one. */
export function briefCountsOf(list: LoadedList): string {
  const { loaded, total, hasMore } = list.result;
  if (!hasMore) {
    return formatNumber(loaded);
  }
  return total === undefined
    ? t('loaded: {0}', formatNumber(loaded))
    : t('loaded: {0} of {1}', formatNumber(loaded), formatNumber(total));
}

/** What the lists of a view wait for; a first page has no row yet that could show it. */
export function waitOf(lists: readonly LoadedList[]): string | undefined {
  const [first] = lists.flatMap(({ state }) =>
    state.type === 'loading' && state.wait ? [state.wait] : [],
  );
  return first && `${describeWait(first)}.`;
}

function loadingItem(list: LoadedList): vscode.TreeItem {
  const { state } = list;
  const wait = state.type === 'loading' ? state.wait : undefined;
  const item = iconItem(wait ? describeWait(wait) : t('Loading\u2026'), 'loading~spin');
  if (list.isLoaded) {
    item.description = briefCountsOf(list);
  }
  return item;
}

function errorOf({ state }: LoadedList): unknown {
  return state.type === 'failed' ? state.error : undefined;
}

/** The row of a failure, with its cause and the next step. */
function failureItem(
  node: TreeNode,
  error: unknown,
  retry: CommandId,
  place?: string,
): vscode.TreeItem {
  const needsSignIn = error instanceof AuthError || error instanceof SignedOutError;
  const action = needsSignIn ? t('Sign In') : t('Retry');
  const label = describeBriefly(error);
  const item = iconItem(label, 'error');
  item.description = place === undefined ? action : `${action} \u00b7 ${place}`;
  item.contextValue = contextValues.failure;
  item.tooltip = textTooltip(describeError(error));
  item.accessibilityInformation = {
    label: [`${label}, ${action}. ${describeError(error)}`, ...(place ? [place] : [])].join(' '),
  };
  item.command = needsSignIn
    ? { command: 'scorecard.signIn', title: action }
    : { command: retry, title: action, arguments: [node] };
  return item;
}

/** The message when all findings of a list are loaded. */
export function allFindingsLoaded(count: number): string {
  switch (count) {
    case 0:
      return t('This list has no findings.');
    case 1:
      return t('The only finding in this list is loaded.');
    default:
      return t('All {0} findings in this list are loaded.', formatNumber(count));
  }
}

/** How old loaded findings are, as a sentence: `Loaded 12 min ago.` */
export function loadedAgo(loadedAt: number): string {
  return t('Loaded {0}.', formatAge(loadedAt));
}

/** The message when all entries of a collection are loaded. */
export function allEntriesLoaded(count: number): string {
  switch (count) {
    case 0:
      return t('This collection has no entries.');
    case 1:
      return t('The only entry in this collection is loaded.');
    default:
      return t('All {0} entries in this collection are loaded.', formatNumber(count));
  }
}

/** A part of a list that is not loaded, by the first and the last number in it: `101\u2013200 not loaded`. */
function notLoaded(from: number, to: number): string {
  return from === to
    ? t('{0} not loaded', formatNumber(from))
    : t('{0}\u2013{1} not loaded', formatNumber(from), formatNumber(to));
}

/** The same as a sentence. */
function findingsNotLoaded(from: number, to: number): string {
  return from === to
    ? t('Finding {0} is not loaded', formatNumber(from))
    : t('Findings {0} to {1} are not loaded', formatNumber(from), formatNumber(to));
}
