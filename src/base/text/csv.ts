import type { CellText } from './cellText';

/*
 * Tables as CSV (RFC 4180), or the same with semicolons or tabs.
 *
 * Findings quote text that attackers wrote, and a cell that starts like a formula runs in Excel, Calc or Sheets.
 * Quoting alone does not stop that. Where the comma is the decimal sign, Excel splits a CSV file at `;` and respects
 * quotes only where they start one of its own cells, so one quoted cell of ours can become several cells there.
 * Therefore each part of a text that could become a cell is checked. The same holds at a `,` for files that
 * are not separated by commas.
 */

interface LineSyntax {
  readonly delimiter: string;
  /** Whether it is for the clipboard: pasted text is split only at tabs and lines, and a blank line is an empty cell. */
  readonly isPasted?: true;
}

const lineFormats = {
  csv: { delimiter: ',' },
  /** For spreadsheets where the comma is the decimal sign. */
  semicolons: { delimiter: ';' },
  tsv: { delimiter: '\t' },
  clipboard: { delimiter: '\t', isPasted: true },
} as const satisfies Record<string, LineSyntax>;

export type LineFormat = keyof typeof lineFormats;

/** The lines of what is copied as CSV or TSV. */
export const copiedLines = {
  csv: 'csv',
  tsv: 'clipboard',
} as const satisfies Record<string, LineFormat>;

/** A line with its line end, in which a spreadsheet finds no formula. */
export function writeCsvLine(cells: readonly CellText[], format: LineFormat = 'csv'): string {
  return writeRawCsvLine(
    cells.map((cell) => neutralizeCell(cell, format)),
    format,
  );
}

/** The line with the names of the columns. */
export function writeCsvHead(names: readonly string[], format: LineFormat = 'csv'): string {
  return writeRawCsvLine(
    names.map((name) => neutralizeFormulas(name, format)),
    format,
  );
}

/** Like `writeCsvLine`, with formulas: only for what a service writes. */
export function writeRawCsvLine(texts: readonly string[], format: LineFormat = 'csv'): string {
  const { delimiter, isPasted }: LineSyntax = lineFormats[format];
  const line = joinRawFields(texts, delimiter);
  // A line of one empty field would be blank, which readers of files skip.
  return `${line === '' && !isPasted ? '""' : line}\r\n`;
}

/** The fields of a record as a file with this delimiter has them, without a line end, and with formulas. */
export function joinRawFields(texts: readonly string[], delimiter: string): string {
  return texts.map((text) => quoteField(text, delimiter)).join(delimiter);
}

/**
 * Quotes a field if necessary (RFC 4180 section 2). In CSV, fields with `,`, `;`, `|` or a tab are quoted in any case,
 * so that readers that guess the delimiter are not misled.
 */
function quoteField(text: string, delimiter: string): string {
  const isCsv = delimiter === ',' || delimiter === ';';
  const mustBeQuoted = (isCsv ? /[",;|\t\r\n]/ : /["\r\n]/).test(text) || text.includes(delimiter);
  return mustBeQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a cell in a form that no spreadsheet runs as a formula. -5 is a number, not a formula. */
export function neutralizeCell({ kind, text }: CellText, format: LineFormat = 'csv'): string {
  switch (kind) {
    case 'number':
      return text;
    case 'json':
      return neutralizeJson(text, format);
    default:
      return neutralizeFormulas(text, format);
  }
}

/** Signs that begin a formula, and the full-width forms that some locales read alike (OWASP, "CSV Injection"). */
const signs = String.raw`=+\-@\uff1d\uff0b\uff0d\uff20`;

/**
 * What a spreadsheet reads as the start of a formula, or skips before one: tab, CR and LF. A byte order mark before it
 * is dropped if the text is the first in a file.
 */
const formulaStart = new RegExp(String.raw`^\ufeff?[${signs}\t\r\n]`);

/** Where a formula starts after a `;`, a tab or a line break. The spreadsheet may remove quotes in between. */
const formulaInside = new RegExp(String.raw`(?<=[;\t\r\n])(?="*[${signs}])`, 'g');
const formulaInsideCommas = new RegExp(String.raw`(?<=[,;\t\r\n])(?="*[${signs}])`, 'g');

const formulaInJson = new RegExp(`;(?="*[${signs}])`, 'g');
const formulaAfterComma = new RegExp(`,(?="*[${signs}])`, 'g');

/** A text in JSON, or a comma between values. */
const jsonParts = /"[^"\\]*(?:\\.[^"\\]*)*"|,/g;

/** Whether a spreadsheet may split a field at commas, as quotes do not begin what it takes for a cell. */
function maySplitAtCommas(format: LineFormat): boolean {
  return format === 'semicolons' || format === 'tsv';
}

/**
 * Puts a `'` before each formula, so that no spreadsheet computes any part of the text. JSON stays JSON, see
 * `neutralizeJson`.
 */
function neutralizeFormulas(text: string, format: LineFormat): string {
  const inner = text.replace(maySplitAtCommas(format) ? formulaInsideCommas : formulaInside, "'");
  return formulaStart.test(text) ? `'${inner}` : inner;
}

/**
 * Neutralizes a JSON text, which still parses to the same value. A `;` occurs only inside strings, where it
 * may be escaped, as a `,` there. Tabs and line breaks occur only between values, where a space is allowed, also
 * after a `,`.
 */
function neutralizeJson(json: string, format: LineFormat): string {
  const text = json.replace(/[\t\r\n]+/g, ' ').replace(formulaInJson, String.raw`\u003b`);
  return maySplitAtCommas(format) && text.search(formulaAfterComma) >= 0
    ? text.replace(jsonParts, (part) =>
        part === ',' ? ', ' : part.replace(formulaAfterComma, String.raw`\u002c`),
      )
    : text;
}
