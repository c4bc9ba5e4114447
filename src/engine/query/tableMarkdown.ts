import { block, cell, inline, isLong, line, listed, listedBlock } from '../../base/text/markdown';
import { type ComparedCell, comparedFields } from '../data/comparisonColumns';
import type { TableRecord } from '../data/answers';

/** Writes rows as text for the clipboard. */
export interface CopyWriter {
  head(): string;
  row(cells: readonly ComparedCell[], index: number): string;
  tail(rows: number): string;
  /** Replaces the whole text, if it depends on all rows. */
  finalText?(rows: number): string;
}

/** The most UTF-16 code units that are written of a record that could not be read. */
const textLength = 10_000;

/**
 * Writes rows as a table; see base/text/markdown.ts.
 * @param onlyFilled whether columns without a value in any of the rows are left out.
 */
export function markdownTable(
  names: readonly string[],
  { onlyFilled = false }: { readonly onlyFilled?: boolean } = {},
): CopyWriter {
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
      finalText: (rows: number) => {
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

/**
 * Writes a record as a list of its fields that are not empty, or as its text if it could not be read.
 * @param compared whether the record is from a file of differences, which has old values.
 * @param title in the display language.
 */
export function markdownRecord(
  { fields, text, invalid }: TableRecord,
  { title, compared }: { readonly title: string; readonly compared: boolean },
): string {
  const shown: readonly { readonly name: string; readonly cell: ComparedCell }[] = compared
    ? comparedFields(fields)
    : fields;
  const lines =
    invalid === undefined || shown.length > 0
      ? shown
          .filter(({ cell: { text: shownText, was } }) => shownText !== '' || was !== undefined)
          .map(({ name, cell: value }) => `- ${inline(name)}: ${comparedItem(value)}`)
      : [block(text.slice(0, textLength), '')];
  return `### ${title}\n\n${lines.join('\n')}\n`;
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
    : `${inline(was.text) || '\u2014'} \u2192 ${inline(text) || '\u2014'}`;
}
