import { type JsonValue } from '../json/json';

/**
 * Makes the cells of a table safe. Findings quote text that attackers wrote, and a cell that starts
 * like a formula runs in Excel, Calc or Sheets. Quoting alone does not stop that. Where the comma
 * is the decimal sign, Excel splits a CSV file at `;` and respects quotes only where they start one
 * of its own cells, so one quoted cell of ours can become several cells there. Therefore each part
 * of a text that could become a cell is checked.
 */

/**
 * What a spreadsheet reads as the start of a formula, or skips before one: `=`, `+`, `-`, `@`, tab, CR and
 * LF, and the full-width forms that some locales read alike (OWASP, "CSV Injection"). A byte order mark
 * before it is dropped if the text is the first in a file.
 */
const formulaStart = /^\ufeff?[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Where a formula starts after a `;`, a tab or a line break. The spreadsheet may remove quotes in between. */
const formulaInside = /(?<=[;\t\r\n])(?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Puts a `'` before each formula, so that no spreadsheet computes any part of the text. */
export function neutralizeFormulas(text: string): string {
  const inner = text.replace(formulaInside, "'");
  return formulaStart.test(text) ? `'${inner}` : inner;
}

/**
 * Neutralizes a JSON text, which still parses to the same value. A `;` occurs only inside strings, where it
 * may be escaped. Tabs and line breaks occur only between values, where a space is allowed.
 */
export function neutralizeFormulasInJson(json: string): string {
  return json
    .replace(/[\t\r\n]+/g, ' ')
    .replace(/;(?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, String.raw`\u003b`);
}

/**
 * A value of a finding as the text of one cell. Text is neutralized, numbers stay numbers (-5 is not a
 * formula), lists and objects become JSON text, and null or a missing field becomes an empty cell.
 */
export function formatCell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'string'
    ? neutralizeFormulas(value)
    : neutralizeFormulasInJson(JSON.stringify(value));
}
