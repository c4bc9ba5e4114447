/** A job ended before its end. It shows what became of the job; what went wrong is its cause. */
export class StoppedError extends Error {
  /** @param cause what ended it: its code is the one that programs get. */
  constructor(
    message: string,
    override readonly cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** What went wrong: for a job that was stopped, what stopped it. */
export function causeOf(error: unknown): unknown {
  return error instanceof StoppedError ? error.cause : error;
}
