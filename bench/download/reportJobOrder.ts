/** Environment variable with what is to be done in an extension host, a ReportJobOrder in JSON. */
export const orderVariable = 'SCORECARD_BENCH_REPORT_JOB';

export interface ReportJobOrder {
  /** Address of the service. */
  readonly baseUrl: string;
  /** Gets the records and the reports. */
  readonly folder: string;
  /** Bytes of each report, and how many there are. */
  readonly bytes: number;
  readonly runs: number;
  /** Bytes of a report over a simulated line, and how many bytes a second it takes. */
  readonly slowBytes: number;
  readonly rate: number;
  /** File that gets the HostFigures, in JSON. */
  readonly result: string;
}

/** Reports, or downloads by `fetch`, in an extension host. */
export interface HostDownloads {
  /** Of each, in milliseconds. */
  readonly milliseconds: readonly number[];
  /** By how much resident memory grew at its highest, in megabytes. */
  readonly growthMb: number;
  /** Of one core, while the simulated line was full. */
  readonly percentOfCore: number;
}

export interface HostFigures {
  readonly reports: HostDownloads;
  readonly fetches: HostDownloads;
}
