import type { ListRow, PagedList } from '../model/pagedList';
import * as vscode from 'vscode';
import { EmptyListNode, FailureNode, LoadMoreNode, type ListNode, type TreeNode } from './nodes';

/** How a tree shows its lists and their entries. */
export interface ListShape<L extends PagedList, N extends ListNode<L>, R extends TreeNode> {
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
  L extends PagedList,
  N extends ListNode<L>,
  R extends TreeNode,
> implements vscode.TreeDataProvider<TreeNode> {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  private readonly nodes = new WeakMap<L, N>();
  private readonly rows = new WeakMap<ListRow, R>();
  /** Lists whose children VS Code is waiting for: a change event for them would break the view. */
  private readonly pending = new Map<L, number>();

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
    } else if (!this.pending.has(list)) {
      this.changed.fire(this.listNode(list));
    }
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

  /** What is below the row of a list: its entries, and then what can be done. */
  protected async rowsOf(list: L): Promise<TreeNode[]> {
    await this.loadFirst(list);
    const rows: TreeNode[] = list.rows.map((row) => this.rowNode(list, row));
    if (list.state.type === 'failed') {
      rows.push(new FailureNode(list));
    } else if (list.isLoaded && list.result.hasMore) {
      rows.push(new LoadMoreNode(list));
    } else if (list.isLoaded && rows.length === 0) {
      rows.push(new EmptyListNode(list));
    }
    return rows;
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
        // The list's own row tells how much is loaded now. Not before VS Code has the rows.
        setTimeout(() => {
          this.update(list);
        }, 0);
      }
    }
  }
}
