import { StoppedError } from '../workbench/workbenchErrors';

/** Why a file next to the target, `<path>.part`, is not resumed. */
type PartProblem =
  /**
   * It contains the pages of another list, account, query or version, or was made with the other setting for
   * secret-like values.
   */
  | 'otherExport'
  /** It is not an export of this extension. */
  | 'foreign';

/** `<path>.part` is not an export that can be resumed. The file stays as it is. */
export class PartMismatchError extends Error {
  override readonly name = 'PartMismatchError';

  constructor(
    readonly part: string,
    readonly problem: PartProblem,
  ) {
    super(`The partial export cannot be resumed (${problem}).`);
  }
}

/**
 * An export to this file is running: in this window or, as the folder `<path>.part.lock` shows, in another
 * one.
 */
export class ExportRunningError extends Error {
  override readonly name = 'ExportRunningError';

  /** @param lock the lock of another process; absent if the export runs in this process. */
  constructor(readonly lock?: string) {
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
