import { TableError } from './tableError';
import type { TableInfo } from './types';

/**
 * How many rows and columns a table has, of which every record was checked.
 * @throws TableError `changed` when the file was changed meanwhile, so that they are not all there.
 */
export function sizeOf(info: TableInfo): { readonly rows: number; readonly columns: number } {
  if (!info.checked || info.changed === 'modified') {
    throw new TableError('changed', 'The file was changed while its records were checked.');
  }
  return { rows: info.rows, columns: info.columns.length + info.moreColumns };
}
