import * as vscode from 'vscode';

/**
 * A tooltip of plain lines. VS Code turns addresses into links even in appended text, and text of the
 * service must not be clickable. The characters of addresses are written as entities, which look and
 * copy the same.
 */
export function textTooltip(...lines: string[]): vscode.MarkdownString {
  return tooltipOf(lines.map((line) => [line]));
}

/** The same, with a title and lines without gaps between them. */
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
