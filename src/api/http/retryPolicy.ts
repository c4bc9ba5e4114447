import { type ApiError, NetworkError } from './errors';
import { longestPauseMs } from '../budget/pauses';

/**
 * What a call does to the service. `read`: may be repeated, whatever its verb; the findings POST is
 * a read. `create`: starts something (a report), so it is repeated only when it was certainly not
 * accepted (429).
 */
export type Operation = 'read' | 'create';

export interface RetryInput {
  operation: Operation;
  failure: ApiError;
  /** How many attempts of this call have failed in this way (by a limit, or otherwise), from 1. */
  attempt: number;
  /** A number from 0 up to 1. */
  random: number;
}

/**
 * - `stop`: the failure is final.
 * - `limit`: the service said wait; so has everything that asks the same endpoint.
 * - `retry`: this call waits by itself.
 */
export type RetryDecision = { type: 'stop' } | { type: 'limit' | 'retry'; waitMs: number };

/** First waits, in milliseconds; each further one doubles, up to the longest. */
const firstWaitMs = {
  limit: 1000,
  // Shorter: somebody may be looking at it, and the next attempt often succeeds.
  retry: 500,
};
const longestBackoffMs = 60_000;

const retriedStatuses = new Set([500, 502, 503, 504]);
const attempts = { server: 5, network: 4, timeout: 2 };

/** Decides by the operation and the failure alone; it waits for nothing and keeps nothing. */
export function decideRetry(input: RetryInput): RetryDecision {
  const { failure, operation } = input;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > longestPauseMs) {
    return { type: 'stop' };
  }
  // Without a status it comes from our own queue, which has waited as long as it may.
  if (failure.code === 'rateLimited' && failure.status === undefined) {
    return { type: 'stop' };
  }
  if (failure.code === 'rateLimited') {
    return wait('limit', input);
  }
  if (operation === 'create' || input.attempt >= mostAttempts(failure)) {
    return { type: 'stop' };
  }
  return wait(retryAfterMs === undefined ? 'retry' : 'limit', input);
}

/** How often a call may be sent when it fails like this; a timeout costs the caller most. */
function mostAttempts(failure: ApiError): number {
  switch (failure.code) {
    case 'server':
      return retriedStatuses.has(failure.status ?? 0) ? attempts.server : 1;
    case 'network':
      // A certificate or TLS problem would occur at the second attempt, too.
      return failure instanceof NetworkError &&
        (failure.reason === 'certificate' || failure.reason === 'tls')
        ? 1
        : attempts.network;
    case 'timeout':
      return attempts.timeout;
    default:
      return 1;
  }
}

/**
 * At least what the service said, and at least the doubled first wait, so that Retry-After: 0 makes
 * no hot loop; jitter only adds, at most a fifth and never more than five seconds.
 */
function wait(type: 'limit' | 'retry', { failure, attempt, random }: RetryInput): RetryDecision {
  const backoffMs = Math.min(longestBackoffMs, firstWaitMs[type] * 2 ** (attempt - 1));
  const waitMs = Math.max(failure.retryAfterMs ?? 0, backoffMs);
  return { type, waitMs: Math.ceil(waitMs + random * Math.min(waitMs / 5, 5000)) };
}
