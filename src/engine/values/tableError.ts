import type { TableErrorCode } from '../types';

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

/** JavaScript errors without a text for users. Their messages are only for the log. */
const unnamed = ['Error', 'TypeError', 'RangeError', 'SyntaxError'];

/**
 * The cause of an error in opening or using a table. With it, the page shows our own text, because
 * file system messages contain paths. `undefined` for errors that have their own text.
 */
export function tableCauseOf(error: unknown): TableErrorCode | undefined {
  if (error instanceof TableError) {
    return error.code;
  }
  const { code, syscall, reason, name } = (error ?? {}) as Partial<Record<string, unknown>>;
  if (reason === 'noSpace') {
    return 'disk';
  }
  if (typeof syscall === 'string' && typeof code === 'string') {
    switch (code) {
      case 'ENOENT':
      case 'ENOTDIR':
        return 'notFound';
      case 'ENOSPC':
      case 'EDQUOT':
        return 'disk';
      default:
        return 'unreadable';
    }
  }
  return !(error instanceof Error) || unnamed.includes(String(name)) ? 'internal' : undefined;
}
