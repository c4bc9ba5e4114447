/** The character between two cells. */
type Delimiter = ',' | '\t';

/**
 * A line of a table, with its line end: CSV (RFC 4180), or the same with tabs for the clipboard.
 * @param cells already neutralized (see formulas.ts).
 */
export function csvLine(cells: readonly string[], delimiter: Delimiter = ','): string {
  const line = cells.map((cell) => csvField(cell, delimiter)).join(delimiter);
  // A line of one empty field would be blank, which CSV readers skip.
  return `${line === '' && delimiter === ',' ? '""' : line}\r\n`;
}

/**
 * A field (RFC 4180 section 2), quoted if necessary. In CSV, fields with `;`, `|` or a tab are quoted too, so
 * that readers that guess the delimiter are not misled.
 */
export function csvField(text: string, delimiter: string): string {
  const mustBeQuoted =
    (delimiter === ',' ? /[",;|\t\r\n]/ : /["\r\n]/).test(text) || text.includes(delimiter);
  return mustBeQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}
