import { StoppedError } from '../workbench/workbenchErrors';

/** Why a file beside the target, `<path>.part`, is not resumed. */
type PartProblem =
  /** It holds the pages of another list, account, query or version, or other values of secret-like fields. */
  | 'otherExport'
  /** It is no export of ours. */
  | 'foreign';

/** `<path>.part` is not an export that can be resumed. The file stays unchanged. */
export class PartMismatchError extends Error {
  override readonly name = 'PartMismatchError';

  constructor(
    readonly part: string,
    readonly problem: PartProblem,
  ) {
    super(`The partial export cannot be resumed (${problem}).`);
  }
}

/** An export to this file is running, in this window or, by a lock `<path>.part.lock.<process>`, in another. */
export class ExportRunningError extends Error {
  override readonly name = 'ExportRunningError';

  /** @param lock the file by which another process keeps others away; absent where it is this one. */
  constructor(readonly lock?: string) {
    super('An export to this file is running.');
  }
}

/** The findings have more different fields than any spreadsheet has columns. */
export class TooManyColumnsError extends Error {
  override readonly name = 'TooManyColumnsError';

  constructor(
    readonly columns: number,
    readonly most: number,
  ) {
    super(`The findings have ${columns} different fields; a CSV file is limited to ${most}.`);
  }
}

/** An export ended before its file was complete; what has arrived waits in `<path>.part`. */
export class ExportStoppedError extends StoppedError {
  override readonly name = 'ExportStoppedError';

  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super('The export stopped before its end.', cause);
  }
}
