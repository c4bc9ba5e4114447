import type { CellKind, CellText } from './cellText';
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

/** A value as it is written, with its old value where it has changed. */
export interface MarkdownValue {
  readonly text: string;
  readonly kind?: CellKind;
  readonly was?: CellText;
}

/** @param markdown already written: see `writeInline`. */
export function writeHeading(markdown: string): string {
  return `### ${markdown}\n`;
}

/** Text from a file in a line: as code where Markdown needs that, empty if it has no visible characters. */
export function writeInline(text: string): string {
  const shown = shortened(oneLine(text), tableLength);
  return isPlain(shown) ? shown : codeSpan(shown);
}

/** Short texts in one paragraph. */
export function writeFacts(texts: readonly string[]): string {
  return `${texts.map(writeInline).join(' \u00b7 ')}\n`;
}

export function writeList(texts: readonly string[]): string {
  return texts.map((text) => `- ${writeInline(text)}\n`).join('');
}

/** Fields as a list: each value in the line of its name, or as code blocks below it. */
export function writeFields(fields: readonly (readonly [string, MarkdownValue])[]): string {
  const items = fields.map(([name, value]) => `- ${writeInline(name)}: ${writeFieldValue(value)}`);
  return `${items.join('\n')}\n`;
}

function writeFieldValue(value: MarkdownValue): string {
  const { text, was } = value;
  if (!was) {
    return isLong(value) ? writeFieldBlock(text) : writeInline(text);
  }
  return isLong(was) || isLong(value)
    ? `${writeFieldBlock(was.text)}\n  \u2192${writeFieldBlock(text)}`
    : writeChange(was.text, text, writeInline);
}

function writeFieldBlock(text: string): string {
  return `\n\n${writeBlock(text, '  ')}`;
}

function isLong({ kind, text }: MarkdownValue): boolean {
  return text.length > (kind === 'json' ? 80 : 200) || /[\r\n]/.test(text.trim());
}

function writeChange(was: string, text: string, write: (text: string) => string): string {
  return `${write(was) || '\u2014'} \u2192 ${write(text) || '\u2014'}`;
}

/** A table. @param rows of `writeCells`. @param numbersFrom the column with which numbers begin. */
export function writeTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  numbersFrom?: number,
): string {
  return `${writeTableHead(names, numbersFrom)}${rows.map(joinCells).join('')}`;
}

/** A table without the columns that have no visible value, unless none has one: a table has at least one column. */
export function writeFilledTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const isFilled = names.map((_, at) => rows.some((cells) => cells[at] !== ''));
  const shown = (cells: readonly string[]) => cells.filter((_, at) => isFilled[at]);
  return isFilled.includes(true)
    ? writeTable(shown(names), rows.map(shown))
    : writeTable(names, rows);
}

export function writeTableHead(names: readonly string[], numbersFrom = names.length): string {
  const rule = names.map((_, at) => (at < numbersFrom ? '---' : '---:'));
  return `${joinCells(names.map(writeCellText))}${joinCells(rule)}`;
}

/** The cells of a row as Markdown, for `joinCells`. Those without visible characters are empty. */
export function writeCells(values: readonly MarkdownValue[]): string[] {
  return values.map(({ text, was }) =>
    was ? writeChange(was.text, text, writeCellText) : writeCellText(text),
  );
}

/** A row of a table. @param cells of `writeCells`. */
export function joinCells(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/**
 * Text from a file in a table row, where a `|` ends a cell, also in code. Parsers differ in how they read a
 * backslash before it.
 */
function writeCellText(text: string): string {
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

/** A code block of at most 10,000 UTF-16 units. In a list it is indented. */
export function writeBlock(text: string, indent = ''): string {
  const shown = shortened(text, listLength);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  const lines = shown.split(/\r\n|\r|\n/).map((each) => each.replace(/\p{Cc}|\p{Cf}/gu, ' '));
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
