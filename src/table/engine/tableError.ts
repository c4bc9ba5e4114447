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

/** Errors of JavaScript without a text for people; their messages are for the log only. */
const unnamed = ['Error', 'TypeError', 'RangeError', 'SyntaxError'];

/**
 * The cause of an error on the way to a table, so that a page shows our text: messages of the file
 * system contain paths. `undefined` for errors with a text of their own.
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
