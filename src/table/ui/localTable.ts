import type { FileAbout } from '../protocol';

/** A table as a file on this machine. */
export interface LocalTable {
  /** Absolute. */
  readonly path: string;
  /** The file was written with its secret-like values masked: there is nothing to show. */
  readonly isMasked: boolean;
  /** What a report is; absent for other files. */
  readonly about?: FileAbout;
  /** Removes what was made only to read the table. Never rejects. */
  release(): Promise<void>;
}

/** How many rows and columns a table has. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
}
