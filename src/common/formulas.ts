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
