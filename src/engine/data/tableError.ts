import type { Message } from '../../base/message';
import type { CallFailure } from '../../base/rpc';

/** Why a call failed: the file (the first seven), the request (the next six), or the thread. */
export type TableErrorCode =
  | 'notFound'
  | 'unreadable'
  | 'notATable'
  | 'noList'
  | 'utf32'
  | 'changed'
  | 'disk'
  | 'badRequest'
  | 'noSql'
  | 'gone'
  | 'cancelled'
  | 'superseded'
  | 'memory'
  | 'closed'
  | 'internal';

/**
 * A failure of the Report Table. The message is for the log; `code` is the cause, and `details` may
 * say more about it to users.
 */
export class TableError extends Error {
  override readonly name = 'TableError';
  readonly details: readonly Message[];

  constructor(
    readonly code: TableErrorCode,
    message: string,
    { details = [], ...options }: ErrorOptions & { readonly details?: readonly Message[] } = {},
  ) {
    super(message, options);
    this.details = details;
  }
}

/**
 * Whether an error says that a thread has no more memory: that of V8, or that of the kernel, where
 * WebAssembly stops with a `RuntimeError`. The kernel stopped in the middle of its work, so what is in
 * its memory may be incomplete: the thread has to end.
 */
export function isOutOfMemory(error: unknown): boolean {
  const { code, name } = (error ?? {}) as Partial<Record<string, unknown>>;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'RuntimeError';
}

/** JavaScript errors without a text for users. Their messages are only for the log. */
const unnamed = ['Error', 'TypeError', 'RangeError', 'SyntaxError'];

/**
 * The cause of an error in opening or using a table. With it, the page shows our own text, because
 * file system messages contain paths. `undefined` for errors that have their own text.
 */
export function findTableCause(error: unknown): TableErrorCode | undefined {
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

/** The error as a thread answers it to a call. */
export function toCallFailure(error: unknown): CallFailure {
  return {
    code: isOutOfMemory(error) ? 'memory' : (findTableCause(error) ?? 'internal'),
    message: error instanceof Error ? error.message : String(error),
    details: error instanceof TableError ? error.details : [],
  };
}

/** The error of a call to a thread, or to the host of a page. Both answer with our own codes only. */
export function toTableError({ code, message, details = [] }: CallFailure): TableError {
  return new TableError(code as TableErrorCode, message, { details });
}
