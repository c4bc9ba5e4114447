import { ApiError, latestDate } from '../api/http/errors';

/** This window does not run the reports of an account, or no longer does. It must stop. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('Another window drives the reports of this account.');
  }
}

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

/** The service wants the next poll later than the time that the settings give it. */
export class LatePollError extends ApiError {
  override readonly name = 'LatePollError';
  override readonly code = 'timeout';
  /** Wall-clock time in milliseconds before which the service wants no poll. */
  readonly pollAt: number;

  constructor(pollAt: number) {
    const shown = Math.min(pollAt, latestDate);
    super(`The service asks to wait until ${new Date(shown).toISOString()}.`);
    this.pollAt = shown;
  }
}

/**
 * The window or its client ended between the sending of a report's request and its answer. Nobody can tell
 * whether the service accepted it, so it is not sent again by itself.
 */
export class UndecidedRequestError extends ApiError {
  override readonly name = 'UndecidedRequestError';
  override readonly code = 'network';

  constructor() {
    super('The service may have accepted this request: it was interrupted before its answer came.');
  }
}

/**
 * Why an archive is not unpacked: it cannot be read (`damaged`), not by this product (`unsupported`),
 * is not the packed form of one file (`entries`), or is what somebody would send to do harm.
 */
export type UnpackReason =
  'damaged' | 'unsupported' | 'entries' | 'encrypted' | 'path' | 'link' | 'ratio' | 'tooLarge';

/** An archive that is not unpacked; nothing of it is left on disk. */
export class UnpackError extends ApiError {
  override readonly name = 'UnpackError';
  override readonly code = 'download';

  constructor(readonly reason: UnpackReason) {
    super(`The archive is not unpacked: ${reason}.`);
  }
}
