import { TableError } from './tableError';
import type { TableInfo } from './types';

/**
 * The rows and columns of a table whose records were all checked.
 * @throws TableError `changed` when the file changed while they were checked
 */
export function sizeOf(info: TableInfo): { readonly rows: number; readonly columns: number } {
  if (!info.checked || info.changed === 'modified') {
    throw new TableError('changed', 'The file was changed while its records were checked.');
  }
  return { rows: info.rows, columns: info.columns.length + info.moreColumns };
}
