import type { ClosingForm } from '../../vocabulary/closing';
import type { ClosedCounts, ClosedDifferences, ClosingColumn } from '../data/comparisonAbout';

/** The maximum number of words that are listed. */
const maxWords = 50;
/** Of each, in UTF-16 units: a word may be a value of the file. */
const maxWordLength = 200;

/** What closes a record. */
export interface FoundClosing {
  /** A JSON pointer into a line of the file of differences. */
  readonly column: string;
  readonly form: ClosingForm;
  /** What its value says, such as `resolved`. */
  readonly word: string;
}

/** What closes the records of a comparison, for the filter that leaves them out and for the words that say so. */
export class ClosingColumns {
  private readonly words = new Set<string>();
  private readonly columns = new Map<string, ClosingColumn>();

  /** @param change of the record: each file may read a column in its own way. */
  add(change: keyof ClosedCounts, { column, form, word }: FoundClosing): void {
    if (this.words.size < maxWords) {
      this.words.add(word.slice(0, maxWordLength));
    }
    this.columns.set(`${change} ${form} ${column}`, { change, column, form });
  }

  found(): Pick<ClosedDifferences, 'by' | 'words'> {
    return { by: [...this.columns.values()], words: [...this.words] };
  }
}
