import { neutralised, neutralisedJson } from '../base/formulas';
import { jsonText, type JsonValue } from '../base/json';

/**
 * A value of a finding as the text of one cell: text is neutralised, numbers stay numbers (so -5 is
 * no formula), what is nested is JSON text, and nothing (null, or no such field) is an empty cell.
 */
export function cellOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'string' ? neutralised(value) : neutralisedJson(jsonText(value));
}
