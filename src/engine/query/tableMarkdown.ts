import {
  joinCells,
  writeBlock,
  writeCells,
  writeFields,
  writeFilledTable,
  writeHeading,
  writeTableHead,
} from '../../base/text/markdown';
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

/**
 * Writes rows as a table; see base/text/markdown.ts.
 * @param onlyFilled whether columns without a value in any of the rows are left out.
 */
export function markdownTable(
  names: readonly string[],
  { onlyFilled = false }: { readonly onlyFilled?: boolean } = {},
): CopyWriter {
  const written: string[][] = [];
  return {
    head: () => writeTableHead(names),
    row: (cells) => {
      const texts = writeCells(cells);
      if (onlyFilled) {
        written.push(texts);
      }
      return joinCells(texts);
    },
    tail: () => '',
    ...(onlyFilled && {
      finalText: (rows: number) => writeFilledTable(names, written.slice(0, rows)),
    }),
  };
}

/**
 * Writes a record as a list of its fields that are not empty, or as its text if it could not be read.
 * @param compared whether the record is from a file of differences, which has old values.
 * @param title in the display language, as Markdown.
 */
export function markdownRecord(
  { fields, text, invalid }: TableRecord,
  { title, compared }: { readonly title: string; readonly compared: boolean },
): string {
  const shown: readonly { readonly name: string; readonly cell: ComparedCell }[] = compared
    ? comparedFields(fields)
    : fields;
  const filled = shown
    .filter(({ cell }) => cell.text !== '' || cell.was !== undefined)
    .map(({ name, cell }) => [name, cell] as const);
  const content =
    invalid === undefined || shown.length > 0 ? writeFields(filled) : `${writeBlock(text)}\n`;
  return `${writeHeading(title)}\n${content}`;
}
