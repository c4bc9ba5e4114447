import { oneLine } from './plainText';

/*
 * GitHub Flavored Markdown for tickets. Text from a file is written only as code, where nothing becomes a
 * link, a mention, an issue reference or HTML. Escaping is not enough: GitHub looks for mentions and
 * addresses in the unescaped text.
 */

/** The longest value in a table and in a list, in UTF-16 units. */
const tableLength = 1_000;
const listLength = 10_000;

/** Text from a file as inline code; empty if the text has no visible characters. */
export function code(text: string): string {
  return codeSpan(shortened(oneLine(text), tableLength));
}

/**
 * Inline code in a table row, where a `|` ends a cell. Parsers differ in how they read a backslash before
 * it.
 */
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

/** A row of a table. */
export function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** A value in a list, after the name of its field: inline code, or a code block below. */
export function listed(text: string, isJson: boolean): string {
  return isLong(text, isJson) ? listedBlock(text) : code(text);
}

/** A value in a list as a code block. */
export function listedBlock(text: string): string {
  return `\n\n${block(shortened(text, listLength), '  ')}`;
}

/** Whether a value in a list needs a code block instead of inline code. */
export function isLong(text: string, isJson: boolean): boolean {
  return text.length > (isJson ? 80 : 200) || /[\r\n]/.test(text.trim());
}

/** A code block. In a list it is indented. */
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
