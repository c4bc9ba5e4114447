import type { ColumnId } from './types';

/** The names of the objects that a column is in, and its own. */
export function namesOf(id: ColumnId): string[] {
  return id
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
