import { csvLine } from '../base/csv';
import type { ExportFormat } from '../base/exportFormats';
import { type JsonObject, jsonText } from '../base/json';
import { cellOf } from '../findings/cells';
import { TooManyColumnsError } from './exportErrors';

/** As many columns as Excel has (XFD); a row for each finding would get as many commas. */
export const mostColumns = 16_384;

/** The pieces of a file in one format. */
export interface FormatWriter {
  /** The text before the first finding. */
  readonly head: string;
  /** One finding; `index` counts from 0. */
  entry(entry: JsonObject, index: number): string;
  /** The text after the last finding. */
  tail(count: number): string;
}

/**
 * Writes findings in a format, values as they were parsed and members in their order.
 *
 * - `csv` (RFC 4180): CRLF, a header of all `columns`, nested values as JSON text, cells neutralised
 *   (see formulas.ts). UTF-8 without a byte order mark: Excel alone wants one, and shows names beyond
 *   ASCII wrong without it when the file is opened by a double click (Data > From Text/CSV asks). Every
 *   other reader, from pandas to `cut`, takes the mark for a part of the first column's name.
 * - `json`: one array with a line for each finding, so that `diff` and `grep` work on it.
 * - `ndjson`: a line for each finding.
 *
 * @param columns the fields of all findings in the order in which they first appear.
 * @throws TooManyColumnsError for a CSV file with more than 16,384 of them.
 */
export function formatWriter(format: ExportFormat, columns: ReadonlySet<string>): FormatWriter {
  switch (format) {
    case 'csv':
      return csvWriter([...columns]);
    case 'json':
      return {
        head: '[',
        entry: (entry, index) => `${index === 0 ? '\n' : ',\n'}${jsonText(entry)}`,
        tail: (count) => (count === 0 ? ']\n' : '\n]\n'),
      };
    case 'ndjson':
      return { head: '', entry: (entry) => `${jsonText(entry)}\n`, tail: () => '' };
  }
}

function csvWriter(columns: readonly string[]): FormatWriter {
  if (columns.length > mostColumns) {
    throw new TooManyColumnsError(columns.length, mostColumns);
  }
  return {
    head: columns.length === 0 ? '' : csvLine(columns.map(cellOf)),
    // Own members alone: a field may be called `constructor`.
    entry: (entry) =>
      csvLine(columns.map((name) => (Object.hasOwn(entry, name) ? cellOf(entry[name]) : ''))),
    tail: () => '',
  };
}
