import type { ClosingForm } from '../../vocabulary/closing';
import type { ClosedDifferences, ClosingColumn } from '../data/comparisonAbout';

/** The maximum number of values that are listed, of words for them, and of the UTF-16 units of each. */
const maxListed = 50;
const maxLength = 200;

/** A value that closes a record. */
export interface FoundClosing {
  /** A JSON pointer into a line of the file of differences. */
  readonly column: string;
  readonly form: ClosingForm;
  readonly value: string;
  /** What it says, such as `resolved`. */
  readonly word: string;
}

/** What closes the records of a comparison, for the filter that leaves them out and for the words that say so. */
export class ClosingColumns {
  private readonly words = new Set<string>();
  /** The values of each column; `undefined` if they are not listed. */
  private readonly columns = new Map<
    string,
    Pick<ClosingColumn, 'column' | 'form'> & { values: Set<string> | undefined }
  >();
  private listed = 0;

  add({ column, form, value, word }: FoundClosing): void {
    if (this.words.size < maxListed) {
      this.words.add(word.slice(0, maxLength));
    }
    const key = `${form} ${column}`;
    const noted = this.columns.get(key) ?? { column, form, values: new Set<string>() };
    this.columns.set(key, noted);
    if (!noted.values || noted.values.has(value)) {
      return;
    }
    // A list may be written with other spaces in the file of differences.
    const mayBeListed = form !== 'suppressions' && value.length <= maxLength;
    if (mayBeListed && this.listed < maxListed) {
      noted.values.add(value);
      this.listed += 1;
    } else {
      noted.values = undefined;
    }
  }

  found(): Pick<ClosedDifferences, 'by' | 'words'> {
    const by = Array.from(this.columns.values(), ({ column, form, values }) => ({
      column,
      form,
      ...(values && { values: [...values] }),
    }));
    return { by, words: [...this.words] };
  }
}
