import { message } from '../../base/message';
import { UserError } from '../../base/userError';

/**
 * `<path>.part` is not an export that can be resumed: it has another list, account, query or choice of secret
 * values, or is not an export at all. The file stays as it is.
 */
export class PartMismatchError extends UserError {
  constructor(part: string) {
    super(
      message(
        '"{0}" is not an unfinished export of the same list, account and choice of secret values. Choose another path, or move the file.',
        part,
      ),
      'config',
    );
  }
}

export class ExportRunningError extends UserError {
  /** @param lock the folder that shows it. */
  constructor(path: string, lock: string) {
    super(
      message(
        'An export to {0} is running. Wait until it finishes, or choose another path. If no export is running, delete "{1}".',
        path,
        lock,
      ),
      'config',
    );
  }
}

export class TooManyColumnsError extends UserError {
  constructor(columns: number, limit: number) {
    super(
      message(
        'The findings have {0} different fields; CSV files are limited to {1} columns. Export as JSON or NDJSON.',
        columns,
        limit,
      ),
      'config',
    );
  }
}
