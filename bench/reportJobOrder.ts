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
  /** File that gets the milliseconds of each, an array in JSON. */
  readonly result: string;
}
