import { StoppedError } from '../workbench/workbenchErrors';

/**
 * `<path>.part` is not an export that can be resumed: it has another list, account, query or choice of secret
 * values, or is not an export at all. The file stays as it is.
 */
export class PartMismatchError extends Error {
  override readonly name = 'PartMismatchError';

  constructor(readonly part: string) {
    super('The partial export cannot be resumed.');
  }
}

/** An export to this file is running. */
export class ExportRunningError extends Error {
  override readonly name = 'ExportRunningError';

  /** @param lock the folder that shows it. */
  constructor(readonly lock: string) {
    super('An export to this file is running.');
  }
}

/** The findings have more distinct fields than any spreadsheet has columns. */
export class TooManyColumnsError extends Error {
  override readonly name = 'TooManyColumnsError';

  constructor(
    readonly columns: number,
    readonly limit: number,
  ) {
    super(`The findings have ${columns} different fields; a CSV file is limited to ${limit}.`);
  }
}

/** An export ended before its file was complete; the pages that arrived are in `<path>.part`. */
export class ExportStoppedError extends StoppedError {
  override readonly name = 'ExportStoppedError';

  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super('The export stopped before its end.', cause);
  }
}
