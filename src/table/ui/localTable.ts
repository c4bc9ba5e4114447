import type { FileAbout } from '../protocol';

/** A table as a file on this machine. */
export interface LocalTable {
  /** Absolute. */
  readonly path: string;
  /** The file has only masked secret-like values: there is nothing to show. */
  readonly isMasked: boolean;
  /** The report; absent for other files. */
  readonly about?: FileAbout;
  /** A full report: whose it is, and when it was made, in milliseconds since the epoch. */
  readonly fullReport?: { readonly accountId: string; readonly madeAt: number };
  /** Removes temporary files of the table. Never rejects. */
  release(): Promise<void>;
}

/** How many rows and columns a table has. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
}
