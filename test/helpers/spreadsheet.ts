import assert from 'node:assert/strict';

/**
 * The cells that a spreadsheet makes of a text: a quote opens a quoted part only at the start of a cell, and
 * text after the closing quote is appended to it. Unlike csv-parse, this accepts any text.
 */
export function spreadsheetCells(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (let isLast = false; !isLast;) {
      let cell = '';
      if (text[at] === '"') {
        for (at += 1; at < text.length; at += 1) {
          if (text[at] === '"' && text[(at += 1)] !== '"') {
            break;
          }
          cell += text.charAt(at);
        }
      }
      for (; at < text.length && ![separator, '\r', '\n'].includes(text.charAt(at)); at += 1) {
        cell += text.charAt(at);
      }
      row.push(cell);
      isLast = text[at] !== separator;
      at += 1;
    }
    rows.push(row);
  }
  return rows;
}

/** Asserts that no cell is a formula, whichever separator splits the text. Negative numbers are not formulas. */
export function assertNoFormula(text: string, separators: readonly string[]): void {
  for (const separator of separators) {
    for (const cell of spreadsheetCells(text, separator).flat()) {
      const isNumber = /^-\d/.test(cell);
      const isFormula = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell) && !isNumber;
      assert.ok(!isFormula, JSON.stringify({ separator, cell, text }));
    }
  }
}
