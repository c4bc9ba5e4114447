import { oneLine } from './visibleText';

/*
 * Markdown for tickets, as GitHub and GitLab read it. Text from a file never becomes a link, a mention, an
 * issue reference or HTML: what could be read as one is written as code. Escaping is not enough: GitHub looks
 * for mentions and addresses in the unescaped text. Prefixes that a project has made links itself, and
 * numbers that are the name of a commit, stay as they are.
 */

/** The longest value in a table and in a list, in UTF-16 units. */
const tableLength = 1_000;
const listLength = 10_000;

/** Text from a file in a line: as code where Markdown needs that, empty if it has no visible characters. */
export function inline(text: string): string {
  const shown = shortened(oneLine(text), tableLength);
  return isPlain(shown) ? shown : codeSpan(shown);
}

/**
 * Text from a file in a table row, where a `|` ends a cell, also in code. Parsers differ in how they read a
 * backslash before it.
 */
export function cell(text: string): string {
  const shown = shortened(oneLine(text), tableLength);
  return isPlain(shown)
    ? shown
    : codeSpan(shown.replace(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|'));
}

const plainText =
  /^[\p{L}\p{N}\u2022(][\p{L}\p{M}\p{N} ,;()./:\u00b7\u2013\u2014\u2022\u2026\u2192-]*$/u;
/**
 * What is not read as it is although all of its characters are: addresses, numbers of lists, `:emoji:`, and
 * references to issues (`GH-1`) and commits.
 */
const notPlain =
  /www\.|\/\/|^\d+[.)](?: |$)|:(?! |\d+(?:Z|\b)(?!:[^\d]))|\bG[HL]-\d|\b(?=\d*[a-f])[\da-f]{7,40}\b/iu;

/** Whether Markdown shows a text as it is. An underscore within a word is no emphasis. */
function isPlain(text: string): boolean {
  const words = text.replace(/(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu, '-');
  return plainText.test(words) && !notPlain.test(words);
}

function codeSpan(text: string): string {
  if (text === '') {
    return '';
  }
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

export function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** A value in a list, after the name of its field: in the same line, or as a code block below. */
export function listed(text: string, isJson: boolean): string {
  return isLong(text, isJson) ? listedBlock(text) : inline(text);
}

export function listedBlock(text: string): string {
  return `\n\n${block(shortened(text, listLength), '  ')}`;
}

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
