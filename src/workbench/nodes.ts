import * as vscode from 'vscode';

/**
 * A row of one of our trees, which draws itself from the model. A command that gets a node was run by a
 * person on that row.
 */
export abstract class TreeNode {
  /** Unique in its tree, and the same after a reload. */
  abstract readonly id: string;

  /** The current tree item, without its id. */
  abstract draw(): vscode.TreeItem;
}

/** A tree item with a label and a product icon. */
export function iconItem(
  label: string,
  icon: string,
  state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}
