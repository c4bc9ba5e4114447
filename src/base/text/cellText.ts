import { isContainer, isJsonNumber, type JsonValue } from '../json/json';

/**
 * The kind of a cell: a JSON value, `null` (in CSV: an empty field), or no value (`missing`). In a
 * row without values the first cell is `invalid`, with the beginning of the record; the others are
 * missing.
 */
export type CellKind =
  | 'text'
  | 'number'
  | 'date'
  | 'boolean'
  | 'json'
  | 'null'
  | 'missing'
  | 'invalid';

/** A value as one text, which `csv.ts` and `markdown.ts` write as a cell. */
export interface CellText {
  readonly kind: CellKind;
  readonly text: string;
}

/** A value of a finding: lists and objects become JSON text, null and a missing field an empty one. */
export function toCellText(value: JsonValue | undefined): CellText {
  if (value === undefined || value === null) {
    return { kind: value === null ? 'null' : 'missing', text: '' };
  }
  if (isContainer(value)) {
    return { kind: 'json', text: JSON.stringify(value) };
  }
  const kind = isJsonNumber(value) ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
  return { kind, text: String(value) };
}
