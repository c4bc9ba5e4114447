import * as vscode from 'vscode';

/**
 * A tooltip of lines that are shown as they are. VS Code makes links of bare addresses also in text
 * that is appended as text; what a service or an attacker wrote is nothing to click on. The characters
 * that make an address of it are written as entities, which look and copy the same.
 */
export function textTooltip(...lines: string[]): vscode.MarkdownString {
  return tooltipOf(lines.map((line) => [line]));
}

/** The same with many lines below the first, without a gap between them. */
export function denseTooltip(title: string, lines: readonly string[]): vscode.MarkdownString {
  return tooltipOf([[title], lines]);
}

function tooltipOf(paragraphs: readonly (readonly string[])[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  paragraphs.forEach((lines, index) => {
    tooltip.appendMarkdown(index === 0 ? '' : '\n\n');
    lines.forEach((line, at) => {
      // Two blanks before its end break a line (CommonMark 6.7).
      tooltip.appendMarkdown(at === 0 ? '' : '  \n').appendText(line);
    });
  });
  tooltip.value = tooltip.value
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\b(www)\./gi, '$1&#46;')
    .replace(/@/g, '&#64;');
  return tooltip;
}
