import type { JsonValue } from '../common/json';

/**
 * What a spreadsheet takes for the beginning of a formula, or skips on its way to one: `=`, `+`, `-`,
 * `@`, tab, CR and LF, and the full-width forms that some locales read alike (OWASP, "CSV Injection").
 */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * A text that no spreadsheet computes: the findings quote what attackers wrote, and a cell that begins
 * like a formula would run in Excel, Calc or Sheets. A `'` in front makes it text; quoting alone does not.
 */
export function neutralised(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/**
 * A value of a finding as the text of one cell: text is neutralised, numbers stay numbers (so -5 is
 * no formula), what is nested is JSON text, and nothing (null, or no such field) is an empty cell.
 */
export function cellOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'string' ? neutralised(value) : JSON.stringify(value);
}

/** The same as a field of a CSV file (RFC 4180 section 2): quoted where it has to be. */
export function csvCell(value: JsonValue | undefined): string {
  const text = cellOf(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
