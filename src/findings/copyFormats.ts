import { csvLine } from '../base/csv';
import { isTooDeep, type JsonObject, jsonText, type JsonValue } from '../base/json';
import { cellOf } from './cells';

export const copyFormats = ['tsv', 'csv', 'json'] as const;
export type FindingCopyFormat = (typeof copyFormats)[number];

/**
 * Entries as one text: a table with a header whose columns are the fields of all of them in the order in
 * which they first occur, or JSON (one entry as an object, several as a list; on one line where one is
 * nested too deeply). No cell can be taken for a formula. Lines end in LF; those of CSV in CRLF (RFC
 * 4180 section 2).
 *
 * @param entries with secret-like values masked already.
 */
export function copyText(entries: readonly JsonObject[], format: FindingCopyFormat): string {
  if (format === 'json') {
    const [first, ...others] = entries;
    const value = first && others.length === 0 ? first : [...entries];
    // Indented, each level would take more room than the one before.
    return entries.some((entry) => isTooDeep(entry))
      ? jsonText(value)
      : JSON.stringify(value, undefined, 2);
  }
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const rows = [
    columns,
    ...entries.map((entry) =>
      columns.map((name) => (Object.hasOwn(entry, name) ? entry[name] : undefined)),
    ),
  ];
  return rows
    .map((cells) =>
      format === 'csv' ? csvLine(cells.map(cellOf)) : `${cells.map(tsvCell).join('\t')}\n`,
    )
    .join('');
}

/**
 * A cell that is pasted: TSV has no quoting, so what would end the cell becomes a space. Spreadsheets
 * unquote all the same what begins with a quote, and may compute what is left.
 */
function tsvCell(value: JsonValue | undefined): string {
  const text = cellOf(value).replace(/[\t\r\n]+/g, ' ');
  return text.startsWith('"') ? `'${text}` : text;
}
