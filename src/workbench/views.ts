import * as vscode from 'vscode';
import { type ContextKeys, type viewIds, reportTableId } from '../contributions';

/**
 * A row of one of our trees, which draws itself from the model. A command that gets a node was run by a
 * user on that row.
 */
export abstract class TreeNode {
  /** Unique in its tree, and the same after a reload. */
  abstract readonly id: string;

  /** The current tree item, without its id. */
  abstract draw(): vscode.TreeItem;
}

/** A row with rows below it, which are known. */
export abstract class GroupNode extends TreeNode {
  abstract readonly rows: readonly TreeNode[];
}

/** The colors of icons that say that something went wrong. */
const iconColors: Readonly<Partial<Record<string, vscode.ThemeColor>>> = {
  error: new vscode.ThemeColor('list.errorForeground'),
  warning: new vscode.ThemeColor('list.warningForeground'),
};

export function iconItem(
  label: string,
  icon: string,
  state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon, iconColors[icon]);
  return item;
}

export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  // It fails only while the window is closed.
  vscode.commands.executeCommand('setContext', key, value).then(undefined, () => undefined);
}

export async function inView<T>(
  viewId: (typeof viewIds)[keyof typeof viewIds],
  work: () => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress({ location: { viewId } }, work);
}

/**
 * Plain paragraphs for a tooltip or a question; a list has its lines without gaps between them. VS Code turns
 * addresses into links even in appended text, and text of others must not be clickable. The characters of addresses
 * are written as entities, which look and copy the same.
 */
export function createTextMarkdown(
  ...paragraphs: readonly (string | readonly string[])[]
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  paragraphs.forEach((lines, index) => {
    markdown.appendMarkdown(index === 0 ? '' : '\n\n');
    [lines].flat().forEach((line, at) => {
      // Two spaces before a line ending make a hard line break (CommonMark 6.7).
      markdown.appendMarkdown(at === 0 ? '' : '  \n').appendText(line);
    });
  });
  markdown.value = markdown.value
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\b(www)\./gi, '$1&#46;')
    .replace(/@/g, '&#64;');
  return markdown;
}

export async function showTable(
  uri: vscode.Uri,
  { preserveFocus = false }: { readonly preserveFocus?: boolean } = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, reportTableId, {
    preview: false,
    preserveFocus,
  });
}
