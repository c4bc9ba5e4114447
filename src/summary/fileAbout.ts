import type { ComparisonAbout, SincePrevious } from '../engine/page';

/** What the overview shows about a file besides its counts. Times are milliseconds since the epoch. */
export interface FileAbout {
  /** Kind and scope of a report, or the name of another file. Plain text. */
  readonly title: string;
  /** When a report was downloaded: `madeAt` of storedReport.ts. */
  readonly madeAt?: number;
  /** The same of the report before it: until `sincePrevious` is known, the overview counts what was first seen since. */
  readonly previousAt?: number;
  /** How the report differs from the one before it, once that is known. */
  readonly sincePrevious?: SincePrevious;
  /** The documents beside the file that state that open findings need no attention, and of how many. */
  readonly stated?: readonly StatedFindings[];
  /** For a file of differences: what was compared. */
  readonly comparison?: ComparisonAbout;
}

export interface StatedFindings {
  /** The file name of the document. */
  readonly document: string;
  readonly findings: number;
}
