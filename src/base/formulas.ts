/*
 * What makes cells safe. The findings quote what attackers wrote, and a cell that begins like a formula
 * runs in Excel, Calc or Sheets; quoting alone does not stop that. Where a comma is the decimal sign
 * Excel splits a CSV file at `;`, and sees quotes only where they begin one of its own cells: what is
 * one quoted cell to us are several to it. So each part of a text that could become a cell is looked at.
 */

/**
 * What a spreadsheet takes for the beginning of a formula, or skips on its way to one: `=`, `+`, `-`,
 * `@`, tab, CR and LF, and the full-width forms that some locales read alike (OWASP, "CSV Injection"). A
 * byte order mark in front of it is taken off where the text is the first of a file.
 */
const formulaStart = /^\ufeff?[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Where a formula begins behind a `;`, a tab or a line break; quotes in between may be taken off. */
const formulaBehind = /(?<=[;\t\r\n])(?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Puts a `'` in front of each formula, so that no spreadsheet computes any part of the text. */
export function neutralised(text: string): string {
  const inner = text.replace(formulaBehind, "'");
  return formulaStart.test(text) ? `'${inner}` : inner;
}

/**
 * The same for a text of JSON, which still parses to the same value: a `;` stands in strings alone,
 * where it may be escaped; tabs and line breaks stand between values alone, where a space does.
 */
export function neutralisedJson(json: string): string {
  return json
    .replace(/[\t\r\n]+/g, ' ')
    .replace(/;(?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, String.raw`\u003b`);
}
