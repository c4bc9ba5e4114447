import * as v from 'valibot';
import { NetworkError, ServerError, TimeoutError } from '../api/http/errors';
import type { DownloadProgress, Wait } from '../api/types';

/** What a running report is doing right now; not part of its record. */
export interface ReportActivity {
  stage: 'requesting' | 'generating' | 'downloading';
  /** The service or the budget delays the next request. */
  wait?: Wait;
  /** The last failure, if a retry follows. */
  lastError?: unknown;
  /** When the next attempt after a failure starts: wall-clock time in milliseconds. */
  nextAttemptAt?: number;
  progress?: DownloadProgress;
  /** Average since the download began; absent in its first second, which only fills buffers. */
  bytesPerSecond?: number;
}

const schema = v.object({
  stage: v.picklist(['requesting', 'generating', 'downloading']),
  wait: v.exactOptional(
    v.object({ reason: v.picklist(['limit', 'budget', 'retry']), until: v.number() }),
  ),
  errorCode: v.exactOptional(v.string()),
  nextAttemptAt: v.exactOptional(v.number()),
  received: v.exactOptional(v.number()),
  total: v.exactOptional(v.number()),
  bytesPerSecond: v.exactOptional(v.number()),
});

/** The text of an activity, as the window that runs it writes it for other windows. */
export function activityText(activity: ReportActivity, errorCode: string | undefined): string {
  const { lastError: _lastError, progress, ...rest } = activity;
  return JSON.stringify({ ...rest, ...progress, errorCode });
}

/** @throws SyntaxError or ValiError when it is invalid. */
export function parseActivity(text: string): ReportActivity {
  const { errorCode, received, total, ...rest } = v.parse(schema, JSON.parse(text));
  return {
    ...rest,
    ...(received === undefined ? {} : { progress: { received, total } }),
    ...(errorCode === undefined ? {} : { lastError: errorOf(errorCode) }),
  };
}

/** Only the kind of error: the views show no more while a report is running. */
function errorOf(code: string): Error {
  switch (code) {
    case 'network':
      return new NetworkError('other', 'the service', undefined);
    case 'timeout':
      return new TimeoutError('the service', 0);
    default:
      return new ServerError('The service failed.');
  }
}
