import { message } from '../../base/message';
import type { ColumnStore } from '../columns/columnStore';
import type { Ranks } from '../columns/ranks';
import type { TableFile } from '../read/tableFile';
import { TableError } from '../values/tableError';
import type { YieldBudget } from '../values/yieldBudget';
import type { ColumnId, SqlRequest, TableInfo } from '../types';
import { fold } from './conditions';
import { uniqueNames } from './copyText';
import { SqlClauses } from './sqlClauses';
import { sqlEngines } from './sqlEngines';
import { SqlRecords } from './sqlRecords';
import { refuse, stayHere, toCsv, toNdjson } from './sqlRefusal';

/**
 * Writes a query as SQL, then reads the file: SQL must read the same as the table.
 * @param info when all records are checked.
 * @throws TableError `noSql`
 */
export function writeSql(...given: Parameters<typeof write>): Promise<string> {
  const [, , , { dialect }] = given;
  return write(...given).catch((error: unknown) => {
    const [reason, remedy] = error instanceof TableError ? error.details : [];
    // It reads no CSV.
    throw dialect === 'spark' && reason && remedy === toCsv
      ? new TableError('noSql', [reason, stayHere].join(' '), { details: [reason, stayHere] })
      : error;
  });
}

async function write(
  file: TableFile,
  store: ColumnStore,
  info: TableInfo,
  { path, dialect, query, columns }: SqlRequest,
  budget: YieldBudget,
): Promise<string> {
  refuseFile(info);
  if (file.detected.extracted) {
    // The records are nowhere in the file as the table shows them: with members of their parents.
    refuse(message('The rows are a list that SQL cannot ask for.'), toNdjson);
  }
  const { filter, sort = [], groupBy = [] } = query;
  const isGrouped = groupBy.length > 0;
  const ranks = new Map<ColumnId, Pick<Ranks, 'words' | 'wordPositions' | 'equals'>>();
  for (const id of [...sort.map(({ column }) => column), ...groupBy.slice(0, 1)]) {
    ranks.set(id, await store.ranks(file.shape.get(id), budget));
  }
  const names = sqlNames(info.columns);
  const fields = new Map(info.columns.map(({ id }, at) => [id, names[at] ?? '']));
  const engine = sqlEngines[dialect];
  const table = { path, file, format: info.format, fields, ranks };
  const sql = new SqlClauses(table, engine);
  const shown = isGrouped ? groupBy : columns;
  if (shown.length === 0) {
    refuse(message('The table shows no columns.'), stayHere);
  }
  const titles = sqlNames(shown.map((id) => file.shape.get(id)));
  const selected = [
    ...shown.map((id, at) => {
      const value = isGrouped ? sql.distinct(id) : sql.shown(id);
      return `${value} as ${engine.name(titles[at] ?? '')}`;
    }),
    ...(isGrouped ? [`count(*) as ${engine.name('count')}`] : []),
  ];
  const order = isGrouped
    ? [...sql.listed(groupBy[0] ?? ''), 'count(*) desc']
    : sort.map((key, at) => sql.sorted(key, at === sort.length - 1));
  const { before, from } = engine.records(table);
  const clauses = [
    `select\n  ${selected.join(',\n  ')}`,
    `from ${from}`,
    ...(filter ? [`where ${sql.condition(filter)}`] : []),
    ...(isGrouped ? [`group by ${groupBy.map((_, at) => at + 1).join(', ')}`] : []),
    ...(order.length > 0 ? [`order by\n  ${order.join(',\n  ')}`] : []),
  ];
  const records = new SqlRecords(file, sql.needs, engine);
  records.readHead();
  await file.scan(budget, records);
  records.readTail();
  return `${before}${clauses.join('\n')};\n`;
}

function refuseFile({ changed, format, ...info }: TableInfo): void {
  if (changed !== undefined) {
    throw new TableError('changed', 'The file on the disk is not the file that was read.');
  }
  if (info.notUtf8 || format.encoding !== undefined) {
    refuse(message('The file is not UTF-8.'), toNdjson);
  }
  if (info.truncated !== undefined || info.invalidRows > 0) {
    refuse(message('The file is damaged, or has records that cannot be read.'), toNdjson);
  }
}

/** Engines ignore the case of names. */
export function sqlNames(columns: readonly { readonly name: string }[]): string[] {
  return uniqueNames(
    columns.map(({ name }) => ({ name: name === '' ? 'column' : name })),
    fold,
  );
}
