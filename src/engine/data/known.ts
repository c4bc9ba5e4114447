import type { SaidSeverity } from '../../vocabulary/severity';

/*
 * Findings that a user has decided about. The engine finds their rows in a file: these count as closed, and say why.
 */

/** What tells a finding from the others of its tool, in this report and in the next one. */
export interface FindingIdentity {
  /** The id of the service; or what was found and where, as an array in JSON; or `#` and a digest of what it says. */
  readonly id: string;
  /** What tells it from others with the same id: its line, or `#` and a digest of what it says. */
  readonly detail?: string;
  /** Whether the file had others with the same id when it was decided: then only the detail says which. */
  readonly isShared?: true;
}

/** A finding that is known. */
export interface KnownFinding extends FindingIdentity {
  /** How severe it was: worse ones are not known. */
  readonly severity?: SaidSeverity;
  /** Why, in words. */
  readonly label: string;
  /** Why, for programs. */
  readonly reason: string;
  /** Whether the decision is over: its row is open again, and says so. */
  readonly isOver?: true;
  /** What who decided has written about it. */
  readonly comment?: string;
}

/** Why a decision about a row no longer holds: its day is over, or the row is more severe than it was. */
export const pastReasons = ['expired', 'worse'] as const;

export type PastReason = (typeof pastReasons)[number];

/** A decision that no longer holds. */
export interface PastDecision {
  readonly why: PastReason;
  /** Why the finding was known, in words. */
  readonly label: string;
}

/** What was found of the known findings, by their position in the list. */
export interface KnownRowsSummary {
  /** How many rows are known: neither over nor more severe than they were. */
  readonly rows: number;
  /** Those without any row. */
  readonly unmatched: readonly number[];
  /** Those of which an open row is now more severe. */
  readonly worse: readonly number[];
  /** Whether other rows are known than before, or were, or for other reasons. */
  readonly hasChanged: boolean;
}

/** The most rows that are identified in one call. */
export const maxIdentified = 10_000;

/** Begins the id or the detail that is a digest. */
export const digestMark = '#';

/** A row, with what a decision about it is written down with. */
export interface IdentifiedRow extends FindingIdentity {
  readonly record: number;
  /** Whether the id is that of the service: it means the same everywhere. */
  readonly isOfService?: true;
  readonly severity?: SaidSeverity;
  /** What was found: a rule, a vulnerability or an issue type. */
  readonly rule?: string;
  readonly title?: string;
  /** Where: a file, an asset or a package. */
  readonly place?: string;
  /** The package URL, if the file has it. */
  readonly purl?: string;
}
