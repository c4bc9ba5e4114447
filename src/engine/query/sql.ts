import { message } from '../../base/message';
import type { ColumnStore } from '../columns/columnStore';
import type { OrderedWord } from '../columns/ranks';
import type { TableFile } from '../read/tableFile';
import { TableError } from '../values/tableError';
import type { YieldBudget } from '../values/yieldBudget';
import type { ColumnId, SqlAnswer, SqlRequest, TableInfo } from '../types';
import { NoSqlError, refuse, stayHere, toNdjson } from './noSqlError';
import { SqlClauses } from './sqlClauses';
import { sqlEngines } from './sqlEngines';
import { SqlRecords } from './sqlRecords';

interface SqlTable {
  readonly file: TableFile;
  readonly store: ColumnStore;
  /** When all records are checked. */
  readonly info: TableInfo;
}

/**
 * Writes a query as SQL, then reads the file: SQL must read the same as the table. Rows with equal
 * sort keys may come in a different order, and `null` and a missing member are the same.
 */
export async function sqlOf(
  table: SqlTable,
  request: SqlRequest,
  budget: YieldBudget,
): Promise<SqlAnswer> {
  try {
    return { sql: await writeSql(table, request, budget) };
  } catch (error) {
    if (error instanceof NoSqlError) {
      return { reason: error.reason, remedy: error.remedy };
    }
    throw error;
  }
}

async function writeSql(
  { file, store, info }: SqlTable,
  { path, dialect, query, columns }: SqlRequest,
  budget: YieldBudget,
): Promise<string> {
  refuseFile(info);
  const { filter, sort = [], groupBy = [] } = query;
  const isGrouped = groupBy.length > 0;
  const words = new Map<ColumnId, readonly OrderedWord[]>();
  for (const id of [...sort.map(({ column }) => column), ...groupBy.slice(0, 1)]) {
    words.set(id, await store.orderedWords(file.shape.get(id), budget));
  }
  const engine = sqlEngines[dialect];
  const { format } = info;
  const fields = uniqueNames(info.columns.map(({ name }) => name));
  const sql = new SqlClauses({
    engine,
    shape: file.shape,
    fields:
      format.kind === 'csv'
        ? new Map(info.columns.map(({ id }, at) => [id, fields[at] ?? '']))
        : undefined,
    hasCommas: format.delimiter === ';',
    words,
  });
  const shown = isGrouped
    ? groupBy.map((id) => ({ id, value: sql.distinct(id) }))
    : columns.map((id) => ({ id, value: sql.shown(id) }));
  if (shown.length === 0) {
    refuse(message('The table shows no columns.'), stayHere);
  }
  const names = uniqueNames(shown.map(({ id }) => file.shape.get(id).name));
  const selected = [
    ...shown.map(({ value }, at) => `${value} as ${engine.name(names[at] ?? '')}`),
    ...(isGrouped ? [`count(*) as ${engine.name('count')}`] : []),
  ];
  const order = isGrouped
    ? [...sql.listed(groupBy[0] ?? ''), 'count(*) desc']
    : sort.map((key, at) => sql.sorted(key, at === sort.length - 1));
  const { before, from } = engine.records({ path, file, format, fields });
  const clauses = [
    `select\n  ${selected.join(',\n  ')}`,
    `from ${from}`,
    ...(filter ? [`where ${sql.condition(filter)}`] : []),
    ...(isGrouped ? [`group by ${groupBy.map((_, at) => at + 1).join(', ')}`] : []),
    ...(order.length > 0 ? [`order by\n  ${order.join(',\n  ')}`] : []),
  ];
  const records = new SqlRecords(file, sql.needs);
  records.readHead();
  await file.scan(budget, records);
  records.readTail();
  return `${before}${clauses.join('\n')};\n`;
}

/** @throws NoSqlError if SQL cannot read the records of the file as the table does */
function refuseFile({ changed, format, ...info }: TableInfo): void {
  if (changed !== undefined) {
    throw new TableError('changed', 'The file on the disk is not the file that was read.');
  }
  if (info.notUtf8 || format.encoding !== undefined) {
    refuse(message('The file is not UTF-8.'), toNdjson);
  }
  if (info.truncated !== undefined || info.trailingBytes) {
    refuse(message('The file is cut off or damaged.'), toNdjson);
  }
  if (info.invalidRows > 0) {
    refuse(message('The file has records that cannot be read.'), toNdjson);
  }
  if (format.kind === 'csv' && info.moreColumns > 0) {
    refuse(message('The file has more columns than the table.'), stayHere);
  }
}

/** Makes names unique, ignoring case, because engines ignore it. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    const first = name === '' ? 'column' : name;
    let found = first;
    for (let number = 2; seen.has(found.toLowerCase()); number += 1) {
      found = `${first}_${number}`;
    }
    seen.add(found.toLowerCase());
    return found;
  });
}
