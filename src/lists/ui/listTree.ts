import * as vscode from 'vscode';
import { AuthError } from '../../api/http/errors';
import { plainText } from '../../base/plainText';
import { type CommandId, contextValues, type SettingTypes } from '../../contributions';
import { describeBriefly, describeError, describeWait, localize } from '../../workbench/describe';
import { formatAge, formatNumber } from '../../workbench/format';
import type { SettingProblem } from '../../workbench/settingList';
import { iconItem, textTooltip, TreeNode } from '../../workbench/views';
import { SignedOutError } from '../../workbench/workbenchErrors';
import { indexOfNumber } from '../listPages';
import type { Gap, ListRow, LoadedList } from '../loadedList';

/** The shortest time between two drawings of how far a list is, in milliseconds: VS Code drops quicker ones. */
const drawingMs = 300;

/**
 * How long VS Code may take to take in the row that stands for a first page, in milliseconds. Told sooner
 * that there is another one, it would keep this.
 */
const settlingMs = 100;

interface ListShape<
  L extends LoadedList,
  N extends ListNode<L>,
  R extends TreeNode,
> extends ListRows {
  node(list: L): N;
  row(list: L, row: ListRow): R;
}

/**
 * A tree of lists that are loaded page by page. It adapts the model: reading the children of a list
 * may begin the first page, and does so once; only Load More moves on.
 */
export abstract class ListTree<
  L extends LoadedList,
  N extends ListNode<L>,
  R extends TreeNode,
> implements vscode.TreeDataProvider<TreeNode> {
  private readonly changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  private readonly nodes = new WeakMap<L, N>();
  private readonly rows = new WeakMap<ListRow, R>();
  /** The rows of entries, by the array that holds those: it grows, and only what is new is looked at. */
  private readonly rowsBefore = new WeakMap<readonly ListRow[], R[]>();
  /** What was drawn last, or is about to be: with the same revision only these rows are drawn again. */
  private readonly drawn = new WeakMap<L, number>();
  /** The rows of a list that are not of its entries, by their ids: VS Code knows rows by the object. */
  private readonly others = new WeakMap<L, Map<string, TreeNode>>();
  /** The row in place of the first gap of a list. */
  private readonly firstGaps = new WeakMap<L, TreeNode>();
  /** What VS Code shows of a row, as far as it was asked for. */
  private readonly shown = new WeakMap<TreeNode, string>();
  /** Lists of which VS Code is taking in that the first page is on its way. */
  private readonly settling = new Map<L, Promise<void>>();
  /** The rows that VS Code is about to be known of; `undefined` stands for all. */
  private readonly queued = new Set<TreeNode | undefined>();
  private readonly due = new Set<L>();
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly shape: ListShape<L, N, R>) {}

  abstract getParent(node: TreeNode): TreeNode | undefined;
  abstract getChildren(node?: TreeNode): TreeNode[];

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = this.draw(node);
    item.id = node.id;
    this.shown.set(node, looksOf(item));
    return item;
  }

  /** Adds what a row has that is worth waiting for. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node instanceof RowNode) {
      item.tooltip = node.tooltip;
    }
    return item;
  }

  /** Draws the tree again from the model, all of it or one list. */
  update(list?: L): void {
    if (!list) {
      this.redrawAll();
    } else if (this.settling.has(list)) {
      return;
    } else if (this.drawn.get(list) !== list.revision) {
      this.drawn.set(list, list.revision);
      // Until VS Code has fetched the new rows the old ones must not be drawn: it would start over.
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
      }, drawingMs);
    }
  }

  /** Resolves when VS Code has the changes of a list: before that it cannot reveal a row. */
  async synced(list?: L): Promise<void> {
    await (list && this.settling.get(list));
    if (this.queued.size > 0) {
      // Behind the turn in which it is reported.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
  }

  /** The row of a list, the same object each time. */
  listNode(list: L): N {
    const node = this.nodes.get(list) ?? this.shape.node(list);
    this.nodes.set(list, node);
    return node;
  }

  /** The row of an entry, the same object each time. */
  rowNode(list: L, row: ListRow): R {
    const node = this.rows.get(row) ?? this.shape.row(list, row);
    this.rows.set(row, node);
    return node;
  }

  /**
   * What is below the row of a list: its entries, and in their places what is not loaded. The first
   * page is not waited for: with it the list's own row has to be drawn again, and VS Code would forget
   * for a moment which rows are below it, when they are to be seen and clicked already.
   */
  protected rowsOf(list: L): TreeNode[] {
    this.drawn.set(list, list.revision);
    if (!list.isLoaded && list.state.type !== 'failed') {
      // The list holds a failure, and a row shows it.
      list.loadFirst().catch(() => undefined);
      this.settle(list);
    }
    const before = this.others.get(list);
    const others = new Map<string, TreeNode>();
    const parts: TreeNode[][] = [];
    const push = (node: TreeNode) => {
      const same = before?.get(node.id) ?? node;
      // The end of a list moves with each page, and its row stays the same one.
      const current = isMoved(same, node) ? node : same;
      others.set(node.id, current);
      parts.push([current]);
      return current;
    };
    this.noticesOf(list).forEach(push);
    if (list.state.type === 'failed' && list.state.task === 'refresh') {
      push(new RefreshFailureNode(list, this.shape));
    }
    const { gaps } = list;
    const first = gaps[0];
    const pushGap = (gap: Gap) => {
      const node = push(this.gapNode(list, gap));
      if (gap === first) {
        this.firstGaps.set(list, node);
      }
    };
    const entries = this.entriesOf(list);
    const nodes = this.rowNodes(list, entries);
    let from = 0;
    for (const gap of gaps) {
      const to = indexOfNumber(entries, gap.offset + 1);
      parts.push(nodes.slice(from, to));
      pushGap(gap);
      from = to;
    }
    parts.push(nodes.slice(from));
    if (parts.every(({ length }) => length === 0)) {
      push(new EmptyListNode(list, this.shape));
    }
    this.others.set(list, others);
    this.due.delete(list);
    return parts.flat();
  }

  /** The rows of entries, which VS Code asks for at each page. */
  private rowNodes(list: L, entries: readonly ListRow[]): readonly R[] {
    const nodes = this.rowsBefore.get(entries) ?? [];
    for (let row = entries[nodes.length]; row; row = entries[nodes.length]) {
      nodes.push(this.rowNode(list, row));
    }
    this.rowsBefore.set(entries, nodes);
    return nodes;
  }

  /**
   * Draws rows again that look different now. With a row VS Code draws what is below it, and knows
   * none of that in the meantime; what is drawn loses its tooltip, and a button that is being clicked.
   */
  protected redraw(nodes: readonly TreeNode[]): void {
    nodes
      .filter((node) => this.shown.get(node) !== looksOf(this.draw(node)))
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

  private gapNode(list: L, gap: Gap): TreeNode {
    if (gap.error !== undefined) {
      return new FailureNode(list, gap.offset, this.shape);
    }
    return gap.end === Infinity
      ? new LoadMoreNode(list, gap.offset, this.shape)
      : new GapNode(list, gap.offset, this.shape);
  }

  /** Whether a row stands in place of the first gap of its list, as it was drawn last. */
  protected isFirstGap(list: L, node: TreeNode): boolean {
    return this.firstGaps.get(list) === node;
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
      const settled = new Promise<void>((resolve) => setTimeout(resolve, settlingMs)).then(() => {
        this.settling.delete(list);
        this.update(list);
        // Its rows may have been asked for again since the page came; its own row was not.
        this.redraw([this.listNode(list)]);
      });
      this.settling.set(list, settled);
    }
  }

  /**
   * Tells VS Code in the next turn of the event loop, once for all that changes in this one. Told of a
   * row while it takes in what is below it, VS Code would keep that as it was.
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

/** Everything that distinguishes two drawings of a row. */
function looksOf(item: vscode.TreeItem): string {
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

function isMoved(known: TreeNode, node: TreeNode): boolean {
  return known instanceof GapNode && node instanceof GapNode && known.offset !== node.offset;
}

const { t } = vscode.l10n;

interface ListRows {
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
class LoadMoreNode extends GapNode {
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
class FailureNode extends GapNode {
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
class RefreshFailureNode extends ListNode {
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

class EmptyListNode extends ListNode {
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
function briefCountsOf(list: LoadedList): string {
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
