import * as vscode from 'vscode';

/**
 * A row of one of our trees, which draws itself. Commands that get an instance were called by a person
 * on that row. Nodes are light: what they show is drawn from the model when VS Code asks.
 */
export abstract class TreeNode {
  /** Unique in its tree, and the same after a reload. */
  abstract readonly id: string;

  /** What the row looks like now. Its tree adds the id. */
  abstract draw(): vscode.TreeItem;
}

/** A row with a label and an icon of VS Code's own. */
export function iconItem(
  label: string,
  icon: string,
  state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}
