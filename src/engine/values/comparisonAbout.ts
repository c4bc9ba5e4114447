import type { DateOrder } from '../types';

/** The facts that a page shows above a file of differences. Plain data, in the display language. */
export interface ComparisonAbout {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Reasons to doubt the numbers, such as missing keys. */
  readonly warnings: readonly string[];
  readonly severities?: Tallies;
  readonly issueTypes?: Tallies;
  /** The order of day and month in dates with slashes, as the compared files tell it. */
  readonly dateOrder?: DateOrder;
}

/** Whether anything differs. */
export function hasChanges(counts: Pick<ComparisonAbout, 'new' | 'gone' | 'changed'>): boolean {
  return counts.new + counts.gone + counts.changed > 0;
}

/** One of the files that were compared. */
export interface ComparedSide {
  /** Kind and scope of a report, or the name of another file. Plain text. */
  readonly title: string;
  /** When a report was made, in milliseconds since the epoch. */
  readonly madeAt?: number;
}

/** How many differences have a certain value, such as a severity. */
export interface Tally {
  /** As in the file; empty for records without a value. */
  readonly value: string;
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  /** Of an issue type: the worst known severity of these differences, as in the file. */
  readonly severity?: string;
}

/** The differences by the values of a column. */
export interface Tallies {
  /** A JSON pointer into a line of the file of differences. */
  readonly column: string;
  /** At most 50, those with the most differences. */
  readonly values: readonly Tally[];
}

/** How a report differs from the one before it. */
export interface SincePrevious {
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  /** When the report before it was made, in milliseconds since the epoch. */
  readonly at: number;
}
