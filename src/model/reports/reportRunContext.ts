import type { Api, DownloadProgress, Wait } from '../../api/types';
import type { Clock } from '../../common/clock';
import type { StoredReport } from './reportRecord';

/** What a report that is being driven does right now; not stored. */
export interface ReportActivity {
  stage: 'requesting' | 'generating' | 'downloading';
  /** The service or the budget lets the next request go only then. */
  wait?: Wait;
  /** The last failure, which is not the end: it is tried again. */
  trouble?: unknown;
  /** Wall-clock time in milliseconds of the next try after a failure. */
  nextTryAt?: number;
  progress?: DownloadProgress;
  /** Average since the download began; missing in the first second, when it would tell of buffers. */
  bytesPerSecond?: number;
}

/** What one run of a report needs. */
export interface ReportRunContext {
  api: Api;
  clock: Clock;
  signal: AbortSignal;
  /** The turn of the lease in which this run goes. */
  epoch: number;
  /**
   * Writes the record down; returns it as it is then on disk.
   * @throws LeaseLostError when another window has taken over; an error of the file system.
   */
  save: (report: StoredReport) => StoredReport;
  /** @throws LeaseLostError when another window has taken over: then nothing more may be done. */
  requireLease: () => void;
  /** Whether another window has gone on with this report, or removed it. */
  isSuperseded: () => boolean;
  /** Ends this run, with this reason. */
  stop: (reason: unknown) => void;
  onActivity: (activity: ReportActivity) => void;
  /** The folder into which the file goes; made when it is missing. */
  folder: string;
  /** The address of the demo service, which is another one after a reload; see storedUrl. */
  demoOrigin: string | undefined;
  /** How long to wait for the generation, in milliseconds, counted from the start of this run. */
  generationTimeoutMs: number;
}
