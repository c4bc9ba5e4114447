import type { Column } from '../../src/engine/data/column';
import type { ColumnRole } from '../../src/vocabulary/columnRole';
import type { TableInfo } from '../../src/engine/data/tableInfo';

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

/** A file of CSV with these columns and no rows. */
export function infoOf(columns: readonly Column[], changes: Partial<TableInfo> = {}): TableInfo {
  return {
    format: { kind: 'csv', gzip: false },
    rows: 0,
    done: true,
    bytesRead: 0,
    bytes: 0,
    columns,
    moreColumns: 0,
    invalidRows: 0,
    checked: true,
    ...changes,
  };
}
