import { type ApiError, NetworkError, ServerError, TimeoutError } from '../http/errors';
import { longestPauseMs } from '../budget/ledger';
import type { CallOptions } from '../types';

/**
 * What a call does to the service. `read`: may be repeated, whatever its HTTP method; the findings POST is
 * a read. `create`: starts something (a report), so it is repeated only when it was certainly not accepted:
 * after a 429 that is the answer to its first request. A redirect may mean that it was accepted (303 names the
 * result), so a 429 after one is final. That holds for 307 and 308, too: they rarely occur, and an exception for
 * them is not worth a second report.
 */
export type Operation = 'read' | 'create';

interface RetryInput extends Pick<CallOptions, 'priority' | 'attemptsIfTooLarge'> {
  operation: Operation;
  failure: ApiError;
  /** How many attempts of this call have failed in this way (because of a limit, or otherwise), from 1. */
  attempt: number;
  /** A number from 0 up to 1. */
  random: number;
}

/**
 * - `stop`: the failure is final.
 * - `limit`: the service ordered a wait; all calls to the same endpoint wait.
 * - `retry`: only this call waits.
 */
type RetryDecision = { type: 'stop' } | { type: 'limit' | 'retry'; waitMs: number };

/** First waits, in milliseconds. Each further wait doubles, up to `longestBackoffMs`. */
const firstWaitMs = {
  limit: 1000,
  // Shorter, because a user may be waiting, and the next attempt often succeeds.
  retry: 500,
};
const longestBackoffMs = 60_000;

/** Of the statuses of a ServerError, those that another attempt does not change; `create` repeats none of them. */
const finalStatuses = new Set([501, 505, 506, 508, 510, 511]);
/** How often a call is sent. A timeout costs the caller most time. */
const attempts = {
  interactive: { server: 5, network: 4, timeout: 2 },
  // Two minutes: nobody waits for a single page, and a request that comes later is one that is not sent in vain.
  bulk: { server: 9, network: 9, timeout: 2 },
};

/** Decides whether to retry, and after which wait. It does not wait itself and has no state. */
export function decideRetry(input: RetryInput): RetryDecision {
  const { failure, operation } = input;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > longestPauseMs) {
    return { type: 'stop' };
  }
  // Without a status, the error comes from our own queue, which has already waited as long as it may.
  if (failure.code === 'rateLimited' && failure.status === undefined) {
    return { type: 'stop' };
  }
  if (failure.code === 'rateLimited' && !(operation === 'create' && failure.isRedirected)) {
    return wait('limit', input);
  }
  if (operation === 'create' || input.attempt >= maxAttempts(input)) {
    return { type: 'stop' };
  }
  return wait(retryAfterMs === undefined ? 'retry' : 'limit', input);
}

/** How often a call may be sent if it fails like this. */
function maxAttempts({ failure, priority, attemptsIfTooLarge }: RetryInput): number {
  const { server, network, timeout } = attempts[priority ?? 'interactive'];
  const most = mayBeTooLarge(failure) ? (attemptsIfTooLarge ?? Infinity) : Infinity;
  switch (failure.code) {
    case 'server':
      // Without a status, it is a report that the service could not make.
      return failure.status === undefined || finalStatuses.has(failure.status)
        ? 1
        : Math.min(server, most);
    case 'network':
      // A certificate or TLS problem would occur at the second attempt, too.
      return failure instanceof NetworkError &&
        (failure.reason === 'certificate' || failure.reason === 'tls')
        ? 1
        : network;
    case 'timeout':
      return Math.min(timeout, most);
    default:
      return 1;
  }
}

/**
 * Whether a request may have failed because it asks for too much. A service that is down, which 503 says, fails with
 * less, too.
 */
export function mayBeTooLarge(error: unknown): boolean {
  return (
    error instanceof TimeoutError ||
    (error instanceof ServerError && [500, 502, 504].includes(error.status ?? 0))
  );
}

/**
 * The wait is at least as long as Retry-After says, and at least as long as the back-off, so that
 * Retry-After: 0 does not cause a hot loop. Jitter only adds to the wait: at most a fifth, and never more
 * than five seconds.
 */
function wait(type: 'limit' | 'retry', { failure, attempt, random }: RetryInput): RetryDecision {
  const backoffMs = Math.min(longestBackoffMs, firstWaitMs[type] * 2 ** (attempt - 1));
  const waitMs = Math.max(failure.retryAfterMs ?? 0, backoffMs);
  return { type, waitMs: Math.ceil(waitMs + random * Math.min(waitMs / 5, 5000)) };
}
