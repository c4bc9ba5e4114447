import { block, cell, code, isLong, line, listed, listedBlock } from '../../../base/text/markdown';
import type { TableOverview } from '../overview/plainOverview';
import { type ComparedCell, comparedFields } from '../comparisonColumns';
import type { TableRecord } from '../types';
import type { CopyWriter } from './copyText';

/** The most UTF-16 code units that are written of a record that could not be read. */
const textLength = 10_000;

/** The most values of a column in a summary. */
const maxValues = 10;

/**
 * Writes rows as a table; see base/text/markdown.ts.
 * @param onlyFilled whether columns without a value in any of the rows are left out.
 */
export function markdownTable(names: readonly string[], onlyFilled = false): CopyWriter {
  const head = (shown: readonly string[]) =>
    `${line(shown.map(cell))}${line(shown.map(() => '---'))}`;
  const written: string[][] = [];
  return {
    head: () => head(names),
    row: (cells) => {
      const texts = cells.map(comparedCode);
      if (onlyFilled) {
        written.push(texts);
      }
      return line(texts);
    },
    tail: () => '',
    ...(onlyFilled && {
      whole: (rows: number) => {
        const lines = written.slice(0, rows);
        const filled = names.map((_, at) => lines.some((texts) => texts[at] !== ''));
        const shown = (texts: readonly string[]) => texts.filter((_, at) => filled[at]);
        // A table has at least one column.
        return filled.includes(true)
          ? `${head(shown(names))}${lines.map((texts) => line(shown(texts))).join('')}`
          : `${head(names)}${lines.map(line).join('')}`;
      },
    }),
  };
}

/** The texts of this extension in a record and a summary. */
export interface MarkdownTexts {
  readonly title: string;
  /** The heading of counts. */
  readonly rows: string;
  /** The label of rows with other values, or without a value. */
  readonly other: string;
  /** How many rows there are. */
  readonly total: string;
  /** The heading of months. */
  readonly month: string;
}

/**
 * Writes a record as a list of its fields, or as its text if it could not be read.
 * @param compared whether the record is from a file of differences, which has old values.
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
      ? shown.map(({ name, cell: value }) => `- ${code(name)}: ${comparedItem(value)}`)
      : [block(text.slice(0, textLength), '')];
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
    const shown = values.slice(0, maxValues);
    const other = counts.other + values.slice(maxValues).reduce((sum, { count }) => sum + count, 0);
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

/** A cell of a table. If it has an old value: the old value, an arrow, and the new value. */
function comparedCode({ text, was }: ComparedCell): string {
  return was ? `${cell(was.text) || '\u2014'} \u2192 ${cell(text) || '\u2014'}` : cell(text);
}

/** Like `comparedCode`, for an item of a list. */
function comparedItem(value: ComparedCell): string {
  const { was, text, kind } = value;
  const isJson = kind === 'json';
  if (!was) {
    return listed(text, isJson);
  }
  return isLong(was.text, was.kind === 'json') || isLong(text, isJson)
    ? `${listedBlock(was.text)}\n  \u2192${listedBlock(text)}`
    : `${code(was.text) || '\u2014'} \u2192 ${code(text) || '\u2014'}`;
}
