import type { Column, ColumnRole } from '../../src/engine/types';

/** A column of texts at the top of a record. */
export function column(name: string, role?: ColumnRole, changes: Partial<Column> = {}): Column {
  return {
    id: `/${name}`,
    name,
    type: 'text',
    verified: true,
    secret: false,
    ...(role && { role }),
    ...changes,
  };
}
