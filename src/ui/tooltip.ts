import * as vscode from 'vscode';

/**
 * A tooltip of lines that are shown as they are. VS Code makes links of bare addresses also in text
 * that is appended as text; what a service or an attacker wrote is nothing to click on. The characters
 * that make an address of it are written as entities, which look and copy the same.
 */
export function textTooltip(...lines: string[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  lines.forEach((line, index) => {
    tooltip.appendMarkdown(index === 0 ? '' : '\n\n').appendText(line);
  });
  tooltip.value = tooltip.value
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\b(www)\./gi, '$1&#46;')
    .replace(/@/g, '&#64;');
  return tooltip;
}
