/** Environment variable with the work for an extension host, an OpenOrder in JSON. */
export const openOrderVariable = 'SCORECARD_BENCH_OPEN';

export interface OpenOrder {
  readonly path: string;
  /** How often it is opened. */
  readonly times: number;
  /** The file to write the OpenedTables to, in JSON. */
  readonly result: string;
}

/** The rows and the milliseconds of each time. */
export interface OpenedTables {
  readonly rows: number[];
  readonly milliseconds: number[];
}
