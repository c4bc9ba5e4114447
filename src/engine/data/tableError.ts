import type { Message } from '../../base/message';
import type { TableErrorCode } from './types';

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
