import * as v from 'valibot';
import { NetworkError, ServerError, TimeoutError } from '../api/http/errors';
import type { ReportActivity } from './reportRun';

const progressSchema = v.object({
  stage: v.picklist(['requesting', 'generating', 'downloading']),
  wait: v.exactOptional(
    v.object({ reason: v.picklist(['limit', 'budget', 'retry']), until: v.number() }),
  ),
  troubleCode: v.exactOptional(v.string()),
  nextTryAt: v.exactOptional(v.number()),
  received: v.exactOptional(v.number()),
  total: v.exactOptional(v.number()),
  bytesPerSecond: v.exactOptional(v.number()),
});

/** The activity of a report, as the window that runs it writes it for other windows. */
export function progressText(activity: ReportActivity, troubleCode: string | undefined): string {
  const { trouble: _trouble, progress, ...rest } = activity;
  return JSON.stringify({ ...rest, ...progress, troubleCode });
}

/** @throws SyntaxError or ValiError when it is invalid. */
export function parseProgress(text: string): ReportActivity {
  const { troubleCode, received, total, ...rest } = v.parse(progressSchema, JSON.parse(text));
  return {
    ...rest,
    ...(received === undefined ? {} : { progress: { received, total } }),
    ...(troubleCode === undefined ? {} : { trouble: troubleOf(troubleCode) }),
  };
}

/** Only the kind of error: the views show no more while a report is running. */
function troubleOf(code: string): Error {
  switch (code) {
    case 'network':
      return new NetworkError('other', 'the service', undefined);
    case 'timeout':
      return new TimeoutError('the service', 0);
    default:
      return new ServerError('The service failed.');
  }
}
