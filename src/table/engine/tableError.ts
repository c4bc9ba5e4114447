import type { TableErrorCode } from './types';

/** Something the Report Table could not do. The message is for the log; `code` says why. */
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
