import { ApiError, AuthError, NetworkError, TimeoutError } from '../api/http/errors';

/**
 * What is known of the key: `unchecked` until the service answered, `refused` after a 401,
 * `unreachable` when the service could not be asked at sign-in.
 */
export type KeyState = 'unchecked' | 'accepted' | 'refused' | 'unreachable';

/** How the service answers a key that it knows: also when that key may not do what was asked. */
const statusesOfAKnownKey = new Set([400, 403, 404, 409, 413, 422, 429]);

/** What the end of a call tells of the key; `undefined`: nothing. */
export function keyStateAfter(failure: unknown): KeyState | undefined {
  if (failure instanceof AuthError) {
    return 'refused';
  }
  if (failure instanceof NetworkError || failure instanceof TimeoutError) {
    return 'unreachable';
  }
  // An error without a status was found out before anything was sent.
  const isAnswerToAKnownKey =
    failure === undefined ||
    (failure instanceof ApiError && statusesOfAKnownKey.has(failure.status ?? 0));
  return isAnswerToAKnownKey ? 'accepted' : undefined;
}
