import { oneLine } from '../../../base/plainText';
import type { TableOverview } from '../overview/plainOverview';
import { type ComparedCell, comparedFields } from '../comparisonColumns';
import type { TableRecord } from '../types';
import type { CopyWriter } from './copyText';

/*
 * GitHub Flavored Markdown for tickets. Texts of a file are written as code only: there nothing is a
 * link, a mention, a reference to an issue or HTML. Escapes would not do: GitHub looks for mentions
 * and addresses in the text that the escapes give.
 */

/** UTF-16 units of a value in a table, and in a list. */
const tableLength = 1_000;
const listLength = 10_000;

/** The most values of a column in a summary. */
const mostValues = 10;

/** Writes rows as a table. */
export function markdownTable(names: readonly string[]): CopyWriter {
  return {
    head: () => `${line(names.map(cell))}${line(names.map(() => '---'))}`,
    row: (cells) => line(cells.map(comparedCode)),
    tail: () => '',
  };
}

/** Words of ours in a record and a summary. */
export interface MarkdownTexts {
  readonly title: string;
  /** The heading of counts. */
  readonly rows: string;
  /** The label of rows with other values, or none. */
  readonly other: string;
  /** How many rows there are. */
  readonly total: string;
  /** The heading of months. */
  readonly month: string;
}

/**
 * A record as a list of its fields; a record that could not be read as its text.
 * @param compared whether it is one of a file of differences, which has old values.
 */
export function markdownRecord(
  { fields, text, invalid }: TableRecord,
  { title, compared }: Pick<MarkdownTexts, 'title'> & { readonly compared: boolean },
): string {
  const shown: readonly { readonly name: string; readonly cell: ComparedCell }[] = compared
    ? comparedFields(fields)
    : fields;
  const lines =
    invalid === undefined
      ? shown.map(({ name, cell: value }) => `- ${code(name)}: ${listed(value)}`)
      : [block(text.slice(0, listLength), '')];
  return `### ${title}\n\n${lines.join('\n')}\n`;
}

/** The counts of a file, as tables. */
export function markdownSummary(overview: TableOverview, texts: MarkdownTexts): string {
  const { severity, issueType, factor, status, firstSeen } = overview;
  const tables = [severity, issueType, factor, status].flatMap((counts) => {
    if (!counts) {
      return [];
    }
    const { column, values } = counts;
    const shown = values.slice(0, mostValues);
    const other =
      counts.other + values.slice(mostValues).reduce((sum, { count }) => sum + count, 0);
    return [
      [
        line([cell(column), texts.rows]),
        line(['---', '---:']),
        ...shown.map(({ value, count }) => line([cell(value), String(count)])),
        ...(other > 0 ? [line([texts.other, String(other)])] : []),
      ].join(''),
    ];
  });
  if (firstSeen && firstSeen.months.length > 0) {
    tables.push(
      [
        line([`${texts.month} (${cell(firstSeen.column)})`, texts.rows]),
        line(['---', '---:']),
        ...firstSeen.months
          .slice(-12)
          .map(({ month, count }) => line([cell(month), String(count)])),
      ].join(''),
    );
  }
  return [`### ${texts.title}\n`, `${texts.total}\n`, ...tables].join('\n');
}

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

/** A cell of a table: of one that differs the old value, an arrow, the new one. */
function comparedCode({ text, was }: ComparedCell): string {
  return was ? `${cell(was.text) || '\u2014'} \u2192 ${cell(text) || '\u2014'}` : cell(text);
}

function listed(value: ComparedCell): string {
  const { was } = value;
  if ((was ? [was, value] : [value]).some(isLong)) {
    return was ? `${blockOf(was)}\n  \u2192${blockOf(value)}` : blockOf(value);
  }
  return was
    ? `${code(was.text) || '\u2014'} \u2192 ${code(value.text) || '\u2014'}`
    : code(value.text);
}

function isLong({ kind, text }: ComparedCell): boolean {
  return kind === 'json' || text.length > 200 || /[\r\n]/.test(text.trim());
}

function blockOf({ text }: ComparedCell): string {
  return `\n\n${block(shortened(text, listLength), '  ')}`;
}

/** A block of code, which is indented in a list. */
function block(text: string, indent: string): string {
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
