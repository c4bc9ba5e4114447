import * as vscode from 'vscode';
import { plainText } from '../../../base/text/plainText';
import { present } from '../../../base/text/present';
import { contextValues, type SettingTypes } from '../../../contributions';
import { localize } from '../../../workbench/describe';
import { describeWait } from '../../../workbench/describeWait';
import { describeServiceError } from '../../account/ui/describeApiError';
import { formatAge, formatNumber } from '../../../workbench/format';
import type { SettingProblem } from '../../../workbench/settingList';
import { iconItem, createTextMarkdown, TreeNode } from '../../../workbench/views';
import { indexOfNumber } from '../listPages';
import type { Gap, ListRow } from '../listRows';
import type { LoadedList } from '../loadedList';
import type { CommandId, LoadResult } from '../../../commands';

/** The shortest time between two updates of a list's progress, in milliseconds: VS Code drops faster ones. */
const redrawIntervalMs = 300;

/**
 * The time that VS Code may need to pick up the row for a loading first page, in milliseconds. If it were notified
 * of another row sooner, it would keep this one.
 */
const settleMs = 100;

interface ListTreeOptions<
  L extends LoadedList,
  N extends ListNode<L>,
  R extends TreeNode,
> extends ListRowOptions {
  createListNode(list: L): N;
  createRowNode(list: L, row: ListRow): R;
}

/**
 * A tree of lists that are loaded page by page. It adapts the model: reading the children of a list may start
 * loading its first page, once; only Load More loads further pages.
 */
export abstract class ListTree<
  L extends LoadedList,
  N extends ListNode<L>,
  R extends TreeNode,
> implements vscode.TreeDataProvider<TreeNode> {
  private readonly changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  private readonly nodes = new WeakMap<L, N>();
  private readonly rows = new WeakMap<ListRow, R>();
  /**
   * The `rowChanges` of what was drawn last, or is about to be. While it stays the same, only the rows in `others`
   * are redrawn.
   */
  private readonly drawn = new WeakMap<L, number>();
  /** The rows of a list other than its entries, by their ids: VS Code identifies a row by its object. */
  private readonly others = new WeakMap<L, Map<string, TreeNode>>();
  /** The appearance of a row other than that of an entry when VS Code last requested it. */
  private readonly shown = new WeakMap<TreeNode, string>();
  /** Lists whose row for a loading first page VS Code is still picking up. */
  private readonly settling = new Map<L, Promise<void>>();
  /** The rows that VS Code is about to be notified of; `undefined` means all. */
  private readonly queued = new Set<TreeNode | undefined>();
  private readonly due = new Set<L>();
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly options: ListTreeOptions<L, N, R>) {}

  abstract getParent(node: TreeNode): TreeNode | undefined;
  abstract getChildren(node?: TreeNode): TreeNode[];

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = this.draw(node);
    item.id = node.id;
    if (!(node instanceof RowNode)) {
      this.shown.set(node, describeAppearance(item));
    }
    return item;
  }

  /** Adds the tooltip of an entry, which is drawn only when it is needed. */
  resolveTreeItem(
    item: vscode.TreeItem,
    node: TreeNode,
  ): vscode.TreeItem | Promise<vscode.TreeItem> {
    if (node instanceof RowNode) {
      item.tooltip = node.tooltip;
    }
    return item;
  }

  /** Redraws the tree from the model, all of it or one list. */
  update(list?: L): void {
    if (!list) {
      this.redrawAll();
    } else if (this.settling.has(list)) {
      return;
    } else if (this.drawn.get(list) !== list.rowChanges) {
      this.drawn.set(list, list.rowChanges);
      // Do not redraw old rows until VS Code has fetched the new ones: it would start over.
      this.others.delete(list);
      this.due.delete(list);
      this.queue(this.listNode(list));
    } else if (this.others.has(list)) {
      this.due.add(list);
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        const nodes = [...this.due].flatMap((due) => [...(this.others.get(due)?.values() ?? [])]);
        this.due.clear();
        this.redraw(nodes);
      }, redrawIntervalMs);
    }
  }

  /** Resolves when VS Code has received the changes of a list: before that, it cannot reveal a row. */
  async synced(list?: L): Promise<void> {
    await (list && this.settling.get(list));
    if (this.queued.size > 0) {
      // This runs after the callback in `queue` that fires the event.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
  }

  /** The row of a list, the same object each time. */
  listNode(list: L): N {
    const node = this.nodes.get(list) ?? this.options.createListNode(list);
    this.nodes.set(list, node);
    return node;
  }

  /** The row of an entry, the same object each time. */
  rowNode(list: L, row: ListRow): R {
    const node = this.rows.get(row) ?? this.options.createRowNode(list, row);
    this.rows.set(row, node);
    return node;
  }

  /**
   * The children of a list's row: its entries, and a row for each gap. It does not wait for the first page.
   * When that page arrives, the list's own row has to be redrawn, and VS Code would briefly forget the rows
   * below it although they can already be seen and clicked.
   */
  protected rowsOf(list: L): TreeNode[] {
    this.drawn.set(list, list.rowChanges);
    if (!list.isLoaded && list.state.type !== 'failed') {
      // A failure is in the state of the list, and a row shows it.
      list.loadFirst().catch(() => undefined);
      this.settle(list);
    }
    const before = this.others.get(list);
    const others = new Map<string, TreeNode>();
    const parts: TreeNode[][] = [];
    const push = (node: TreeNode) => {
      const existing = before?.get(node.id) ?? node;
      // The end of a list moves with each page; its row keeps its id.
      const current = isMoved(existing, node) ? node : existing;
      others.set(node.id, current);
      parts.push([current]);
    };
    this.noticesOf(list).forEach(push);
    const isRefreshFailed = list.state.type === 'failed' && list.state.task === 'refresh';
    if (isRefreshFailed) {
      // Its old rows stay.
      push(
        new NoticeNode(list, 'refreshFailure', (node) =>
          failureItem(node, findError(list), this.options.refresh),
        ),
      );
    }
    // Where nothing is loaded, why its first page failed before the refresh no longer matters.
    const gaps = isRefreshFailed && !list.isLoaded ? [] : list.gaps;
    const entries = this.entriesOf(list);
    const nodes = entries.map((row) => this.rowNode(list, row));
    let from = 0;
    for (const gap of gaps) {
      const to = indexOfNumber(entries, gap.offset + 1);
      parts.push(nodes.slice(from, to));
      push(new GapNode(list, { ...gap, isFirst: gap === gaps[0] }, this.options));
      from = to;
    }
    parts.push(nodes.slice(from));
    if (parts.every(({ length }) => length === 0)) {
      push(new NoticeNode(list, 'empty', () => iconItem(this.options.empty, 'pass')));
    }
    this.others.set(list, others);
    this.due.delete(list);
    return parts.flat();
  }

  /**
   * Redraws the rows that look different now. With a row, VS Code also redraws everything below it, and until
   * then, those rows do not exist for it. A redrawn row loses its tooltip, and its button even while that is being
   * clicked.
   */
  protected redraw(nodes: readonly TreeNode[]): void {
    nodes
      .filter((node) => this.shown.get(node) !== describeAppearance(this.draw(node)))
      .forEach((node) => {
        this.queue(node);
      });
  }

  protected redrawAll(): void {
    this.queue(undefined);
  }

  protected draw(node: TreeNode): vscode.TreeItem {
    return node.draw();
  }

  protected entriesOf(list: L): readonly ListRow[] {
    return list.rows;
  }

  /** Rows above the entries of a list that show something about all of them. */
  protected noticesOf(_list: L): TreeNode[] {
    return [];
  }

  private settle(list: L): void {
    if (!this.settling.has(list)) {
      const settled = new Promise<void>((resolve) => setTimeout(resolve, settleMs)).then(() => {
        this.settling.delete(list);
        this.update(list);
        // VS Code may have fetched the rows again since the page arrived, but not the list's own row.
        this.redraw([this.listNode(list)]);
      });
      this.settling.set(list, settled);
    }
  }

  /**
   * Notifies VS Code in the next iteration of the event loop, once for all changes in this one. If VS Code were
   * notified of a row while it picks up the rows below it, it would keep the old ones.
   */
  private queue(node: TreeNode | undefined): void {
    if (this.queued.size === 0) {
      setImmediate(() => {
        const nodes = [...this.queued];
        this.queued.clear();
        this.changed.fire(
          nodes.includes(undefined) ? undefined : nodes.filter((each) => each !== undefined),
        );
      });
    }
    this.queued.add(node);
  }
}

/** Everything that can differ between two drawings of a row. */
function describeAppearance(item: vscode.TreeItem): string {
  const { label, description, contextValue, iconPath, tooltip, command } = item;
  return JSON.stringify([
    label,
    description,
    contextValue,
    command?.command,
    item.collapsibleState,
    iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined,
    item.accessibilityInformation?.label,
    tooltip instanceof vscode.MarkdownString ? tooltip.value : tooltip,
  ]);
}

/** How a row is shown besides that it is selected. */
export type RevealOptions = Pick<
  NonNullable<Parameters<vscode.TreeView<TreeNode>['reveal']>[1]>,
  'focus' | 'expand'
>;

/**
 * Selects a row, and shows it. VS Code gives up if rows above it are redrawn at the same time, such as with their first
 * counts: then it is asked once more.
 * @param synced resolves when VS Code has received what has changed.
 */
export async function revealRow(
  tree: vscode.TreeView<TreeNode>,
  node: TreeNode,
  options: RevealOptions,
  synced: () => Promise<void>,
): Promise<void> {
  await synced();
  await tree.reveal(node, { select: true, ...options });
  if (!tree.selection.some(({ id }) => id === node.id)) {
    await synced();
    await tree.reveal(node, { select: true, ...options });
  }
}

function isMoved(before: TreeNode, node: TreeNode): boolean {
  return (
    before instanceof GapNode &&
    node instanceof GapNode &&
    (before.offset !== node.offset || before.isFirst !== node.isFirst)
  );
}

const { t } = vscode.l10n;

/** The commands and texts of the rows of a list other than its entries. */
interface ListRowOptions {
  readonly more: CommandId;
  readonly refresh: CommandId;
  readonly empty: string;
}

export abstract class ListNode<L extends LoadedList = LoadedList> extends TreeNode {
  constructor(readonly list: L) {
    super();
  }

  protected idOf(kind: string, rest = ''): string {
    return `${kind}:${this.list.id}${rest}`;
  }
}

/** The list that a row belongs to, if it is one of this kind. */
export function findList<L extends LoadedList>(
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

  /** Drawn on hover: the first fields as text, secret-like values masked. */
  abstract get tooltip(): vscode.MarkdownString;
}

/** A part of a list that is not loaded. A click loads its next page, or tries again. */
export class GapNode extends ListNode {
  readonly id: string;
  /** Where it begins. */
  readonly offset: number;
  /** Whether it is the first gap of its list, as drawn. */
  readonly isFirst: boolean;
  private readonly isLast: boolean;

  constructor(
    list: LoadedList,
    { offset, end, isFirst }: Gap & { readonly isFirst: boolean },
    private readonly options: ListRowOptions,
  ) {
    super(list);
    this.offset = offset;
    this.isFirst = isFirst;
    this.isLast = end === Infinity;
    this.id = this.isLast ? this.idOf('loadMore') : this.idOf('gap', `/${offset}`);
  }

  draw(): vscode.TreeItem {
    const { isLoaded, state } = this.list;
    // It may have been filled meanwhile.
    const gap = this.list.gaps.find(({ offset }) => offset === this.offset);
    const error = gap?.error;
    // A first page is always in flight, unless it failed.
    const isLoading = gap?.isLoading === true || (!isLoaded && error === undefined);
    const isReplaced = this.isLast && state.type === 'loading' && state.task === 'refresh';
    if (isLoading || isReplaced) {
      return loadingItem(this.list);
    }
    const to = gap?.end ?? this.offset + 1;
    if (error !== undefined) {
      // The last gap is clear from its position; one before it needs its numbers.
      const range = this.isLast ? undefined : notLoaded(this.offset + 1, to);
      return failureItem(this, error, this.options.more, range);
    }
    const item = this.isLast ? this.drawLast() : this.drawRange(to);
    item.command = { command: this.options.more, title: t('Load More'), arguments: [this] };
    return item;
  }

  private drawRange(to: number): vscode.TreeItem {
    const label = notLoaded(this.offset + 1, to);
    const item = iconItem(label, 'fold');
    const notSearched = this.list.isFiltered ? t('Not searched') : undefined;
    item.description = notSearched ?? t('Load next page');
    item.accessibilityInformation = { label: present(label, notSearched).join(', ') };
    item.tooltip = createTextMarkdown(label, t('Click to load the next page.'));
    item.contextValue = contextValues.gap;
    return item;
  }

  /** Everything after the loaded rows. */
  private drawLast(): vscode.TreeItem {
    const { result, lastPageEmpty, gaps, pageSize } = this.list;
    const elsewhere = gaps
      .filter(({ end }) => isFinite(end))
      .reduce((sum, { offset, end }) => sum + end - offset, 0);
    const left = (result.total ?? Infinity) - result.loaded - elsewhere;
    const next = pageSize !== undefined && left > 0 ? Math.min(pageSize, left) : pageSize;
    const label =
      next === undefined
        ? t('Load more')
        : next === 1
          ? t('Load 1 more')
          : t('Load {0} more', formatNumber(next));
    const item = iconItem(label, 'fold-down');
    const words = present(
      lastPageEmpty ? t('Last page was empty') : undefined,
      this.list.isFiltered ? t('Not searched') : undefined,
    );
    item.description = [...words, formatCountsBriefly(this.list)].join(' \u00b7 ');
    item.accessibilityInformation = {
      label: `${label}, ${[...words, formatCounts(this.list)].join(' \u00b7 ')}`,
    };
    item.contextValue = contextValues.loadMore;
    return item;
  }
}

/** A row that says something about all of a list. */
export class NoticeNode<L extends LoadedList = LoadedList> extends ListNode<L> {
  readonly id: string;

  constructor(
    list: L,
    kind: string,
    private readonly drawNotice: (node: NoticeNode<L>) => vscode.TreeItem,
  ) {
    super(list);
    this.id = this.idOf(kind);
  }

  draw(): vscode.TreeItem {
    return this.drawNotice(this);
  }
}

/** An unusable entry of a setting that holds a list. */
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
    const label = t('Setting {0}: {1}', setting, plainText(localize(message)));
    const item = iconItem(label, 'warning');
    item.description = t('Open Settings');
    item.contextValue = contextValues.settingProblem;
    item.tooltip = createTextMarkdown(label);
    item.command = {
      command: 'workbench.action.openSettingsJson',
      title: t('Open Settings'),
      // Without `edit`, which would immediately write a line into the list.
      arguments: [{ revealSetting: { key: `scorecard.${this.key}` } }],
    };
    return item;
  }
}

/** How much of a list is loaded: `200 of 41,237 loaded`, or all of it. */
export function formatCounts(list: LoadedList): string {
  return list.result.hasMore
    ? t('{0} loaded', formatNumbers(list.result))
    : formatNumbers(list.result);
}

/** The same for a row. It begins with a word, because a truncated number looks like another number. */
function formatCountsBriefly(list: LoadedList): string {
  return list.result.hasMore
    ? t('loaded: {0}', formatNumbers(list.result))
    : formatNumbers(list.result);
}

/** `200 of 41,237`, or `200` if that is all, or of how many is unknown. */
function formatNumbers({ loaded, total, hasMore }: LoadResult): string {
  return hasMore && total !== undefined
    ? t('{0} of {1}', formatNumber(loaded), formatNumber(total))
    : formatNumber(loaded);
}

/** What the lists of a view wait for, in words. A first page has no row yet that could show it. */
export function describeWaits(lists: readonly LoadedList[]): string | undefined {
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
    item.description = formatCountsBriefly(list);
  }
  return item;
}

function findError({ state }: LoadedList): unknown {
  return state.type === 'failed' ? state.error : undefined;
}

/** The row of a failure, with its cause and the next step. */
function failureItem(
  node: TreeNode,
  error: unknown,
  retry: CommandId,
  range?: string,
): vscode.TreeItem {
  const { text, brief: label, remedy } = describeServiceError(error);
  const needsSignIn = remedy === 'signIn';
  const action = needsSignIn ? t('Sign In') : t('Retry');
  const item = iconItem(label, 'error');
  item.description = present(action, range).join(' \u00b7 ');
  item.contextValue = contextValues.failure;
  item.tooltip = createTextMarkdown(text);
  item.accessibilityInformation = {
    label: present(`${label}, ${action}.`, text, range).join(' '),
  };
  item.command = needsSignIn
    ? { command: 'scorecard.signIn', title: action }
    : { command: retry, title: action, arguments: [node] };
  return item;
}

export function allLoaded(count: number): string {
  return t('Everything in this list is loaded: {0}.', formatNumber(count));
}

/** How old loaded findings are, as a sentence: `Loaded 12 min ago.` */
export function loadedAgo(loadedAt: number): string {
  return t('Loaded {0}.', formatAge(loadedAt));
}

/** A part of a list that is not loaded, by the first and the last number in it: `101\u2013200 not loaded`. */
function notLoaded(from: number, to: number): string {
  return from === to
    ? t('{0} not loaded', formatNumber(from))
    : t('{0}\u2013{1} not loaded', formatNumber(from), formatNumber(to));
}
