import type { Gap, ListRow, LoadedList } from '../model/loadedList';
import { placeOf } from '../model/sparseRows';
import * as vscode from 'vscode';
import {
  EmptyListNode,
  FailureNode,
  GapNode,
  type ListNode,
  LoadMoreNode,
  RefreshFailureNode,
  type TreeNode,
} from './nodes';

/** The shortest time between two drawings of how far a list is, in milliseconds: VS Code drops quicker ones. */
const drawingMs = 300;

/** How a tree shows its lists and their entries. */
export interface ListShape<L extends LoadedList, N extends ListNode<L>, R extends TreeNode> {
  /** The row of a list. */
  node(list: L): N;
  /** The row of an entry. */
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
  /** Lists whose children VS Code is waiting for: a change event for them would break the view. */
  private readonly pending = new Map<L, number>();
  /** What was drawn last, or is about to be: with the same revision only these rows are drawn again. */
  private readonly drawn = new WeakMap<L, number>();
  /** The rows of a list that are none of its entries, by their ids: VS Code knows rows by the object. */
  private readonly others = new WeakMap<L, Map<string, TreeNode>>();
  private readonly due = new Set<L>();
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly shape: ListShape<L, N, R>) {}

  abstract getTreeItem(node: TreeNode): vscode.TreeItem;
  abstract getParent(node: TreeNode): TreeNode | undefined;
  abstract getChildren(node?: TreeNode): Promise<TreeNode[]>;

  /** The tooltip of a row that has one worth waiting for. */
  protected abstract tooltipOf(node: TreeNode): vscode.MarkdownString | undefined;

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    item.tooltip = this.tooltipOf(node) ?? item.tooltip;
    return item;
  }

  /** Draws the tree again from the model, all of it or one list. */
  update(list?: L): void {
    if (!list) {
      this.changed.fire(undefined);
    } else if (this.pending.has(list)) {
      return;
    } else if (this.drawn.get(list) !== list.revision) {
      this.drawn.set(list, list.revision);
      // Until VS Code has fetched the new rows the old ones must not be drawn: it would begin anew.
      this.others.delete(list);
      this.due.delete(list);
      this.changed.fire(this.listNode(list));
    } else if (this.others.has(list)) {
      this.due.add(list);
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        const nodes = [...this.due].flatMap((due) => [...(this.others.get(due)?.values() ?? [])]);
        this.due.clear();
        if (nodes.length > 0) {
          this.changed.fire(nodes);
        }
      }, drawingMs);
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

  /** What is below the row of a list: its entries, and in their places what is not loaded. */
  protected async rowsOf(list: L): Promise<TreeNode[]> {
    await this.loadFirst(list);
    this.drawn.set(list, list.revision);
    const before = this.others.get(list);
    const others = new Map<string, TreeNode>();
    const parts: TreeNode[][] = [];
    const push = (node: TreeNode) => {
      const same = before?.get(node.id) ?? node;
      // The end of a list moves with each page, and its row stays the same one.
      const current = isMoved(same, node) ? node : same;
      others.set(node.id, current);
      parts.push([current]);
    };
    this.noticesOf(list).forEach(push);
    if (list.state.type === 'failed' && list.state.task === 'refresh') {
      push(new RefreshFailureNode(list));
    }
    const { gaps } = list;
    const isAll = list.state.type === 'loading' && list.state.task === 'all';
    const first = gaps[0];
    const pushGap = (gap: Gap) => {
      const progress = isAll && gap === first ? this.progressOf(list) : undefined;
      push(progress ?? gapNode(list, gap));
    };
    const entries = this.entriesOf(list);
    const nodes = this.rowNodes(list, entries);
    let from = 0;
    for (const gap of gaps) {
      const to = placeOf(entries, gap.offset + 1);
      parts.push(nodes.slice(from, to));
      pushGap(gap);
      from = to;
    }
    parts.push(nodes.slice(from));
    if (parts.every(({ length }) => length === 0)) {
      push(new EmptyListNode(list));
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

  /** Whether VS Code waits for the first rows of a list. */
  protected isPending(list: L): boolean {
    return this.pending.has(list);
  }

  /** Draws rows again, with what is below them. */
  protected redraw(nodes: TreeNode[]): void {
    if (nodes.length > 0) {
      this.changed.fire(nodes);
    }
  }

  /** Called when VS Code has the first rows of a list. */
  protected onDidArrive(): void {
    // Nothing waits for it.
  }

  /** The entries of a list that are shown. */
  protected entriesOf(list: L): readonly ListRow[] {
    return list.rows;
  }

  /** Rows above the entries of a list that tell something about all of them. */
  protected noticesOf(_list: L): TreeNode[] {
    return [];
  }

  /** The row that stands in the place of the first gap while all gaps are being loaded. */
  protected progressOf(_list: L): TreeNode | undefined {
    return undefined;
  }

  private async loadFirst(list: L): Promise<void> {
    if (list.isLoaded || list.state.type === 'failed') {
      return;
    }
    this.pending.set(list, (this.pending.get(list) ?? 0) + 1);
    try {
      await list.loadFirst();
    } catch {
      // The list holds the failure, and a row shows it.
    } finally {
      const left = (this.pending.get(list) ?? 1) - 1;
      if (left > 0) {
        this.pending.set(list, left);
      } else {
        this.pending.delete(list);
        // The list's own row tells how much is loaded now. Not before VS Code has the rows; and not
        // for nothing, because a row that is drawn again loses its tooltip.
        setTimeout(() => {
          if (list.isLoaded) {
            this.changed.fire(this.listNode(list));
          }
          this.onDidArrive();
        }, 0);
      }
    }
  }
}

function gapNode(list: LoadedList, gap: Gap): TreeNode {
  if (gap.error !== undefined) {
    return new FailureNode(list, gap.offset);
  }
  return gap.end === Infinity ? new LoadMoreNode(list, gap.offset) : new GapNode(list, gap.offset);
}

function isMoved(known: TreeNode, node: TreeNode): boolean {
  return known instanceof GapNode && node instanceof GapNode && known.offset !== node.offset;
}
