import type { ClosingForm } from '../../vocabulary/closing';
import type { NumberScale } from '../../vocabulary/numberScales';
import type { SeverityLevel } from '../../vocabulary/severity';
import type { DateOrder } from './column';

/** How many records differ, as pages show it. */
export interface ComparisonCounts {
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  readonly unchanged: number;
  /**
   * The columns with what was found and where, if findings were recognized by them. Then another line of a file, or other
   * code there, is no change by itself.
   */
  readonly recognizedBy?: readonly string[];
  /** The order of day and month in dates with slashes, if a file tells one and the other no other. */
  readonly dateOrder?: DateOrder;
  /** The new and gone records with a closed status, which count among the others, too; absent if there are none. */
  readonly closed?: ClosedDifferences;
  /** How many of the changed records were open and have a closed status now; absent if none has. */
  readonly nowClosed?: number;
  /** How many of the changed records had a closed status and are open now; absent if none is. */
  readonly reopened?: number;
  /** Absent if the rows of a file are no findings. */
  readonly open?: OpenFindings;
  readonly severities?: Tallies;
  readonly issueTypes?: Tallies;
  /** Absent if all are of one scorecard. */
  readonly scorecards?: Tallies;
}

/** The facts that a page shows above a file of differences. Plain data, in the display language. */
export interface ComparisonAbout extends ComparisonCounts {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /** Whether the older file may be the newer one: their order is not that of reports. */
  readonly canSwap?: boolean;
  /** New and gone findings that neither file has, because a user has decided about them. */
  readonly leftOut?: ClosedCounts;
  /** Reasons to doubt the numbers, such as missing keys. */
  readonly warnings: readonly string[];
}

/** Whether anything differs. */
export function hasChanges(counts: Pick<ComparisonAbout, 'new' | 'gone' | 'changed'>): boolean {
  return counts.new + counts.gone + counts.changed > 0;
}

/** The same counts without new and gone records that have a closed status. */
export function openCounts<
  Counts extends Pick<SincePrevious, 'new' | 'gone'> & { readonly closed?: ClosedCounts },
>(counts: Counts): Omit<Counts, 'closed'> {
  const { closed, ...all } = counts;
  return { ...all, new: all.new - (closed?.new ?? 0), gone: all.gone - (closed?.gone ?? 0) };
}

/** The open findings of the older and of the newer file, as their overviews count them. */
export interface OpenFindings {
  readonly before: number;
  readonly after: number;
  /** Whether these are all findings: no file has closed ones. */
  readonly areAll?: true;
  /** Absent if a file has no severities, or too many different ones. */
  readonly severities?: {
    /** The name of the column. */
    readonly column: string;
    /** The scale of their numbers. */
    readonly scale?: NumberScale;
    /** The worst first. */
    readonly values: readonly OpenSeverity[];
  };
}

/** The open findings with a severity. */
export interface OpenSeverity {
  /** As a file has it, or the level of scores; empty for findings without one. */
  readonly value: string;
  readonly scores?: { readonly lowest: number; readonly highest: number };
  readonly before: number;
  readonly after: number;
}

/** One of the files that were compared. */
export interface ComparedSide {
  /** Kind and scope of a report, or the name of another file. Plain text. */
  readonly title: string;
  /** When a report was downloaded: `madeAt` of storedReport.ts, in milliseconds since the epoch. */
  readonly madeAt?: number;
}

/** Differences that are not open findings: new ones that are already closed or known, and gone ones that were. */
export interface ClosedDifferences extends ClosedCounts {
  /** The columns that close records. */
  readonly by: readonly ClosingColumn[];
  /** What they say, such as `resolved`; at most 50 words. */
  readonly words: readonly string[];
  /** Those that no file closes: a user has decided about them. Absent if there are none. */
  readonly known?: ClosedCounts;
}

/** A column with values that close records. */
export interface ClosingColumn {
  /** Which records: the new ones as the newer file reads it, the gone ones as the older one does. */
  readonly change: keyof ClosedCounts;
  /** A JSON pointer into a line of the file of differences. */
  readonly column: string;
  /** How its values say so. */
  readonly form: ClosingForm;
}

/** How many new and gone records are not open. */
export interface ClosedCounts {
  readonly new: number;
  readonly gone: number;
}

/** How many differences have a certain value, such as a severity. Where a status tells, closed ones are left out. */
export interface Tally {
  /** As in the file; empty for records without a value. */
  readonly value: string;
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  /** As in `ComparisonCounts`. */
  readonly nowClosed?: number;
  readonly reopened?: number;
  /** Of a scorecard: the domain of its company, as the first of these records has it. */
  readonly domain?: string;
  /** Of an issue type or a scorecard: the worst known severity of them, as in the file. */
  readonly severity?: string;
}

/** The differences by the values of a column. */
export interface Tallies {
  /** A JSON pointer into a line of the file of differences. */
  readonly column: string;
  /** Of severities: the scale of their numbers. */
  readonly scale?: NumberScale;
  /** At most 50: the worst, and of equal ones those with the most differences. */
  readonly values: readonly Tally[];
  /** How many values are left out. */
  readonly more?: number;
}

/** How a file differs from the one before it, which was made at a time in milliseconds since the epoch. */
export function changesSince(
  {
    new: added,
    gone,
    changed,
    closed,
    nowClosed,
    reopened,
  }: Pick<ComparisonCounts, 'new' | 'gone' | 'changed' | 'nowClosed' | 'reopened'> & {
    readonly closed?: ClosedCounts;
  },
  at: number,
): SincePrevious {
  return {
    new: added,
    gone,
    changed,
    ...(closed && { closed }),
    ...(nowClosed !== undefined && { nowClosed }),
    ...(reopened !== undefined && { reopened }),
    at,
  };
}

/** How a report differs from the one before it. */
export interface SincePrevious extends Pick<
  ComparisonCounts,
  'new' | 'gone' | 'changed' | 'nowClosed' | 'reopened'
> {
  /** See `ComparisonCounts`. */
  readonly closed?: ClosedCounts;
  /** The worst severity of the new ones, with their number, if that is known. */
  readonly worstNew?: { readonly severity: SeverityLevel; readonly count: number };
  /** When the report before it was made, in milliseconds since the epoch. */
  readonly at: number;
}
