import type { TableErrorCode } from './types';

/** A failure of the Report Table. The message is for the log; `code` is the cause. */
export class TableError extends Error {
  override readonly name = 'TableError';

  constructor(
    readonly code: TableErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
