import { ConfigError } from '../api/http/errors';

/** Nobody is signed in, or the key was deleted from the key store. */
export class SignedOutError extends ConfigError {
  constructor() {
    super('Nobody is signed in.');
  }
}

/**
 * A job stopped before it was done. The message says what became of the job; `cause` says what went
 * wrong.
 */
export class StoppedError extends Error {
  /** @param cause what ended it: its code is the one that programs get. */
  constructor(
    message: string,
    override readonly cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** What went wrong: the cause where a job was stopped, else the error itself. */
export function causeOf(error: unknown): unknown {
  return error instanceof StoppedError ? error.cause : error;
}
