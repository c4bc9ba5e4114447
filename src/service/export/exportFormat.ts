import { toCellText } from '../../base/text/cellText';
import { writeCsvHead, writeCsvLine } from '../../base/text/csv';
import type { ExportFormat } from '../../base/exportFormats';
import { type JsonObject } from '../../base/json/json';
import { TooManyColumnsError } from './exportErrors';
import type { PutPiece } from '../../files/wholeFile';

/** The column limit of Excel (XFD). The row of each finding would get as many commas. */
export const maxColumns = 16_384;

interface FormatWriter {
  /** The text before the first finding. */
  readonly head: string;
  /** One finding; `index` counts from 0. */
  entry(entry: JsonObject, index: number): string;
  /** The text after the last finding. */
  tail(count: number): string;
}

/**
 * Writes findings in a format, values as parsed and members in their order.
 *
 * - `csv` (RFC 4180): CRLF, a header of all `columns`, nested values as JSON text, cells neutralized.
 *   UTF-8 without a byte order mark. Only Excel needs the mark: without it, Excel shows non-ASCII names
 *   wrong if the file is opened by a double click (Data > From Text/CSV asks for the encoding). Other readers, from pandas to `cut`, read the mark as a part of the first column's name.
 * - `json`: one array with one line per finding, so that `diff` and `grep` work on it.
 * - `ndjson`: one line per finding.
 *
 * @param columns the fields of all findings, in the order in which they first appear.
 * @param before what each finding gets before its own fields.
 * @throws TooManyColumnsError for a CSV file with more than 16,384 columns.
 */
export function formatWriter(
  format: ExportFormat,
  columns: ReadonlySet<string>,
  before: JsonObject = {},
): FormatWriter {
  const write = (entry: JsonObject) => JSON.stringify({ ...before, ...entry });
  switch (format) {
    case 'csv':
      return csvWriter([...Object.keys(before), ...columns], before);
    case 'json':
      return {
        head: '[',
        entry: (entry, index) => `${index === 0 ? '\n' : ',\n'}${write(entry)}`,
        tail: (count) => (count === 0 ? ']\n' : '\n]\n'),
      };
    case 'ndjson':
      return { head: '', entry: (entry) => `${write(entry)}\n`, tail: () => '' };
  }
}

function csvWriter(columns: readonly string[], before: JsonObject): FormatWriter {
  if (columns.length > maxColumns) {
    throw new TooManyColumnsError(columns.length, maxColumns);
  }
  return {
    head: columns.length === 0 ? '' : writeCsvHead(columns),
    // Object.hasOwn, because a field may be called `constructor`.
    entry: (entry) =>
      writeCsvLine(
        columns.map((name) => {
          const of = Object.hasOwn(entry, name) ? entry : before;
          return toCellText(Object.hasOwn(of, name) ? of[name] : undefined);
        }),
      ),
    tail: () => '',
  };
}

/**
 * Writes findings, of which only one batch at a time is in memory.
 * @returns their number.
 */
export async function putFindings(
  put: PutPiece,
  writer: FormatWriter,
  batches: AsyncIterable<readonly JsonObject[]> | Iterable<readonly JsonObject[]>,
): Promise<number> {
  let count = 0;
  await put(writer.head);
  for await (const entries of batches) {
    await put(entries.map((entry) => writer.entry(entry, count++)).join(''));
  }
  await put(writer.tail(count));
  return count;
}
