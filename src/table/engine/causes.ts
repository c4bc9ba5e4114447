import { TableError } from './tableError';
import type { TableErrorCode } from './types';

/** Errors of JavaScript itself, and those that nobody has put a sentence to: messages for the log only. */
const unnamed = ['Error', 'TypeError', 'RangeError', 'SyntaxError'];

/**
 * Why a table cannot be shown, of what was thrown on the way to it, so that a page gets our sentence:
 * messages of the file system and of a full disk name paths. `undefined` for errors with a sentence of
 * their own.
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
