import { ApiError, AuthError, NetworkError, TimeoutError } from '../api/http/errors';

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
