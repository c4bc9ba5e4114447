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
  /** @param cause the error that stopped the job; programs get its code. */
  constructor(
    message: string,
    override readonly cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** The underlying error: the cause if a job was stopped, otherwise the error itself. */
export function causeOf(error: unknown): unknown {
  return error instanceof StoppedError ? error.cause : error;
}
