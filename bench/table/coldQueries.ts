/** The queries of a table that was just opened. */
export const queryNames = ['filter', 'sort', 'group'] as const;

export type QueryName = (typeof queryNames)[number];

/** Milliseconds from opening the file, and peak memory in megabytes. */
export interface ColdResult {
  readonly rows: number;
  /** When all records were found. The query is sent before that. */
  readonly found: number;
  readonly answer: number;
  readonly peak: number;
}

/** A row of a sorted view that is read. */
export const sortedFrom = 2_000_000;

/** Milliseconds of each step of DuckDB, and peak memory in megabytes. */
export interface ColdPeerResult extends Readonly<Record<QueryName, number>> {
  readonly rows: number;
  readonly ingest: number;
  readonly peak: number;
}
