import type { CellText } from '../../base/text/cellText';

/** A cell as it is shown. Plain text from the file: never HTML or Markdown. */
export interface Cell extends CellText {
  /** Numbers are as written in the file, with all digits. Empty for `null` and `missing`. */
  readonly text: string;
  /** The text is truncated; the record has the full text. */
  readonly cut?: true;
  /** The text is a mask. */
  readonly masked?: true;
}
