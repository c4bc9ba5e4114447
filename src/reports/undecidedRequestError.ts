import { ApiError } from '../api/http/errors';

/**
 * The window ended between the sending of a report's request and its answer. Nobody can tell
 * whether the service accepted it, so it is not sent again by itself.
 */
export class UndecidedRequestError extends ApiError {
  override readonly name = 'UndecidedRequestError';
  override readonly code = 'network';

  constructor() {
    super('The service may have accepted this request: the window closed before its answer came.');
  }
}
