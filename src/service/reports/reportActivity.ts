import type { DownloadProgress, Wait } from '../../api/types';

/** What a running report is doing right now; it is not stored. */
export interface ReportActivity {
  stage: 'requesting' | 'generating' | 'downloading';
  /** Why the next request is delayed: by the service, by the budget, or after a failure. */
  wait?: Wait;
  /** The last failure, if a retry follows. */
  lastError?: unknown;
  /** When the next attempt after a failure starts: wall-clock time in milliseconds. */
  nextAttemptAt?: number;
  progress?: DownloadProgress;
  /** Average since the download began; absent in its first second, which only fills buffers. */
  bytesPerSecond?: number;
}
