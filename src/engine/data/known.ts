import type { SeverityLevel } from '../../vocabulary/severity';

/*
 * Findings that a user has decided about. The engine finds their rows in a file: these count as closed, and say why.
 */

/** What tells a finding from the others of its tool, in this report and in the next one. */
export interface FindingIdentity {
  /** The text of the column that identifies it, or an array of several in JSON. */
  readonly id: string;
  /** The line of its file: only where a file has several rows with the same id, it says which. */
  readonly line?: string;
}

/** A finding that is known. */
export interface KnownFinding extends FindingIdentity {
  /** How severe it was: worse ones are not known. */
  readonly severity?: SeverityLevel;
  /** Why, in words. */
  readonly label: string;
  /** Why, for programs. */
  readonly reason: string;
  /** Whether the decision is over: its row is open again, and says so. */
  readonly isOver?: true;
}

/** What was found of the known findings, by their position in the list. */
export interface KnownRowsSummary {
  /** How many rows are known: neither over nor more severe than they were. */
  readonly rows: number;
  /** Those without any row. */
  readonly unmatched: readonly number[];
  /** Those of which a row is now more severe. */
  readonly worse: readonly number[];
}

/** The most rows that are identified in one call. */
export const maxIdentified = 10_000;

/** A row, with what a decision about it is written down with. */
export interface IdentifiedRow extends FindingIdentity {
  readonly record: number;
  readonly severity?: SeverityLevel;
  /** What was found: a rule, a vulnerability or an issue type. */
  readonly rule?: string;
  readonly title?: string;
  /** Where: a file, an asset or a package. */
  readonly place?: string;
}
