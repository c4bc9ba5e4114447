import type { Measured } from '../child';

/** A report, or `fetch` into a file. */
export type Way = 'report' | 'fetch';

/** Environment variable with the work for an extension host, a ReportJobOrder in JSON. */
export const orderVariable = 'SCORECARD_BENCH_REPORT_JOB';

export interface ReportJobOrder {
  /** Address of the service. */
  readonly baseUrl: string;
  /** The folder for the records and the reports. */
  readonly folder: string;
  /** They alternate. */
  readonly ways: readonly Way[];
  readonly measured: Measured;
  /** Bytes of each download, and how many there are of each way. */
  readonly bytes: number;
  readonly runs: number;
  /** Bytes of a report over a simulated connection, and the bytes per second of that connection. */
  readonly slowBytes: number;
  readonly rate: number;
  /** The file to write the HostFigures to, in JSON. */
  readonly result: string;
}

/** Downloads of one way in an extension host. */
export interface HostDownloads {
  /** The duration of each, in milliseconds. */
  readonly milliseconds: readonly number[];
  /** The largest growth of resident memory, in megabytes. */
  readonly growthMb: number;
  /** The used percentage of one core while the simulated connection was full; only when measuring time. */
  readonly percentOfCore: number | undefined;
}

export type HostFigures = Readonly<Partial<Record<Way, HostDownloads>>>;
