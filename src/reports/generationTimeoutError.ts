import { ApiError } from '../api/http/errors';

/** The service did not make the report within the time that the settings give it. */
export class GenerationTimeoutError extends ApiError {
  override readonly name = 'GenerationTimeoutError';
  override readonly code = 'timeout';

  constructor(
    /** The time that passed, in milliseconds. */
    readonly timeoutMs: number,
  ) {
    super(`The report was not ready after ${Math.round(timeoutMs / 60_000)} minutes.`);
  }
}
