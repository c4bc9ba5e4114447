/** Environment variable with the work for an extension host, a ReportJobOrder in JSON. */
export const orderVariable = 'SCORECARD_BENCH_REPORT_JOB';

export interface ReportJobOrder {
  /** Address of the service. */
  readonly baseUrl: string;
  /** The folder for the records and the reports. */
  readonly folder: string;
  /** Bytes of each report, and how many there are. */
  readonly bytes: number;
  readonly runs: number;
  /** Bytes of a report over a simulated connection, and the bytes per second of that connection. */
  readonly slowBytes: number;
  readonly rate: number;
  /** The file to write the HostFigures to, in JSON. */
  readonly result: string;
}

/** Reports, or downloads by `fetch`, in an extension host. */
export interface HostDownloads {
  /** The duration of each, in milliseconds. */
  readonly milliseconds: readonly number[];
  /** The largest growth of resident memory, in megabytes. */
  readonly growthMb: number;
  /** The used percentage of one core while the simulated connection was full. */
  readonly percentOfCore: number;
}

export interface HostFigures {
  readonly reports: HostDownloads;
  readonly fetches: HostDownloads;
}
