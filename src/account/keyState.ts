import { ApiError, AuthError, NetworkError, TimeoutError } from '../api/http/errors';
import type { Api } from '../api/types';

/**
 * `unchecked` until the service has answered, `refused` after a 401, `unreachable` when the service
 * could not be reached at sign-in.
 */
export type KeyState = 'unchecked' | 'accepted' | 'refused' | 'unreachable';

/** Statuses that the service sends for a valid key, also when the key has no access. */
const statusesOfAKnownKey = new Set([400, 403, 404, 409, 413, 422, 429]);

/** What the result of a call shows about the key; `undefined`: nothing. */
export function keyStateAfter(failure: unknown): KeyState | undefined {
  if (failure instanceof AuthError) {
    return 'refused';
  }
  if (failure instanceof NetworkError || failure instanceof TimeoutError) {
    return 'unreachable';
  }
  // An error without a status occurred before anything was sent.
  const isAnswerToAKnownKey =
    failure === undefined ||
    (failure instanceof ApiError && statusesOfAKnownKey.has(failure.status ?? 0));
  return isAnswerToAKnownKey ? 'accepted' : undefined;
}

/**
 * The same interface, which reports how each call ended.
 * @param onEnd gets the error, or `undefined` after success.
 */
export function observeApi(api: Api, onEnd: (failure: unknown) => void): Api {
  const observed = async <T>(call: Promise<T>, isRelevant?: (result: T) => boolean): Promise<T> => {
    try {
      const result = await call;
      if (isRelevant?.(result) !== false) {
        onEnd(undefined);
      }
      return result;
    } catch (error) {
      onEnd(error);
      throw error;
    }
  };
  return {
    findingsPage: (query, options) => observed(api.findingsPage(query, options)),
    collectionPage: (query, options) => observed(api.collectionPage(query, options)),
    // A file shows nothing: it may be anything, such as the login page of a network.
    requestReport: (kind, body, options) =>
      observed(api.requestReport(kind, body, options), ({ type }) => type === 'record'),
    // Another host may serve a report, and its answers show nothing about the key.
    fetchReport: (reportUrl, options) => api.fetchReport(reportUrl, options),
    budget: () => api.budget(),
  };
}
