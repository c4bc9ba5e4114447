import { CancelledError } from '../../base/cancelledError';
import { AuthError, NetworkError, RateLimitedError, TimeoutError } from '../../api/http/errors';
import { SignedOutError } from '../account/signedOutError';

/** Whether the next request would fail for the same reason. */
export function affectsAll(error: unknown): boolean {
  return [
    AuthError,
    RateLimitedError,
    NetworkError,
    TimeoutError,
    CancelledError,
    SignedOutError,
  ].some((kind) => error instanceof kind);
}
