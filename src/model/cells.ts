import { neutralised } from '../common/formulas';
import type { JsonValue } from '../common/json';

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
