import type { Message } from '../base/message';

/** A job stopped before it was done, and can be resumed. */
export class StoppedError extends Error {
  /**
   * @param next how to resume it.
   * @param cause the error that stopped the job; programs get its code.
   */
  constructor(
    readonly next: Message,
    override readonly cause: unknown,
  ) {
    super(String(next), { cause });
  }
}

/** The underlying error: the cause if a job was stopped, otherwise the error itself. */
export function causeOf(error: unknown): unknown {
  return error instanceof StoppedError ? error.cause : error;
}
