/**
 * The kind of a cell: a JSON value, `null` (in CSV: an empty field), or no value (`missing`). In a
 * row without values the first cell is `invalid`, with the beginning of the record; the others are
 * missing.
 */
export type CellKind =
  'text' | 'number' | 'date' | 'boolean' | 'json' | 'null' | 'missing' | 'invalid';

/** A cell as it is shown. Plain text from the file: never HTML or Markdown. */
export interface Cell {
  readonly kind: CellKind;
  /** Numbers are as written in the file, with all digits. Empty for `null` and `missing`. */
  readonly text: string;
  /** The text is truncated; the record has the full text. */
  readonly cut?: true;
  /** The text is a mask. */
  readonly masked?: true;
}
