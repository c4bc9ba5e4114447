import { oneLine } from './plainText';

/*
 * GitHub Flavored Markdown for tickets. Texts of a file are written as code only: there nothing is a
 * link, a mention, a reference to an issue or HTML. Escapes would not do: GitHub looks for mentions
 * and addresses in the text that the escapes give.
 */

/** UTF-16 units of a value in a table, and in a list. */
const tableLength = 1_000;
const listLength = 10_000;

/** A text of a file as code in a line; empty where nothing can be seen. */
export function code(text: string): string {
  return codeSpan(shortened(oneLine(text), tableLength));
}

/** The same in a line of a table, where a `|` ends a cell. Parsers differ over a backslash before it. */
export function cell(text: string): string {
  const inLine = shortened(oneLine(text), tableLength);
  return codeSpan(inLine.replace(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|'));
}

function codeSpan(text: string): string {
  if (text === '') {
    return '';
  }
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** A line of a table. */
export function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** A value in a list, after the name of its field: code in the line, or a block below it. */
export function listed(text: string, isJson: boolean): string {
  return isLong(text, isJson) ? listedBlock(text) : code(text);
}

/** A value in a list as a block. */
export function listedBlock(text: string): string {
  return `\n\n${block(shortened(text, listLength), '  ')}`;
}

/** Whether a value in a list is a block instead of code in its line. */
export function isLong(text: string, isJson: boolean): boolean {
  return text.length > (isJson ? 80 : 200) || /[\r\n]/.test(text.trim());
}

/** A block of code, which is indented in a list. */
export function block(text: string, indent: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const lines = text.split(/\r\n|\r|\n/).map((each) => each.replace(/\p{Cc}|\p{Cf}/gu, ' '));
  return [fence, ...lines, fence].map((each) => `${indent}${each}\n`).join('');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function shortened(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}\u2026`;
}
