import type { Gap, ListRow, LoadedList } from '../loadedList';
import { indexOfNumber } from '../listPages';
import * as vscode from 'vscode';
import {
  EmptyListNode,
  FailureNode,
  GapNode,
  type ListNode,
  type ListRows,
  LoadMoreNode,
  RefreshFailureNode,
  RowNode,
} from './listItems';
import type { TreeNode } from '../../workbench/views';

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
