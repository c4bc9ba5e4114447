import { message } from '../../base/message';
import type { ColumnStore } from '../columns/columnStore';
import type { TableFile } from '../read/tableFile';
import { TableError } from '../data/tableError';
import type { YieldBudget } from '../threads/yieldBudget';
import type { ColumnId } from '../data/column';
import type { SqlColumn, SqlPart, SqlRequest } from '../data/sqlParts';
import type { TableInfo } from '../data/tableInfo';
import { fold } from './conditions';
import { uniqueNames } from './copyText';
import { kindsOf, SqlClauses } from './sqlClauses';
import { dateColumn, sqlEngines, table } from './sqlEngines';
import { SqlRecords } from './sqlRecords';
import { refuse, stayHere, toCsv, toNdjson } from './sqlRefusal';

/**
 * Writes a query for SQL, then reads the file: SQL must read the same as the table. A column that only other files
 * have is missing in all records.
 * @param info when all records are checked.
 * @throws TableError `noSql`
 */
export async function sqlPart(
  file: TableFile,
  store: ColumnStore,
  info: TableInfo,
  request: SqlRequest,
  budget: YieldBudget,
): Promise<SqlPart> {
  try {
    return await write(file, store, info, request, budget);
  } catch (error) {
    const [reason, remedy] = error instanceof TableError ? error.details : [];
    // Spark reads no CSV.
    throw request.dialect === 'spark' && reason && remedy === toCsv
      ? new TableError('noSql', [reason, stayHere].join(' '), { details: [reason, stayHere] })
      : error;
  }
}

async function write(
  file: TableFile,
  store: ColumnStore,
  info: TableInfo,
  { path, dialect, query, columns, like }: SqlRequest,
  budget: YieldBudget,
): Promise<SqlPart> {
  refuseFile(info);
  if (file.detected.extracted) {
    // The records are nowhere in the file as the table shows them: with members of their parents.
    refuse(message('The rows are a list that SQL cannot ask for.'), toNdjson);
  }
  const { filter, sort = [], groupBy = [] } = query;
  const isGrouped = groupBy.length > 0;
  const words = new Map<ColumnId, Set<string>>();
  for (const id of [...sort.map(({ column }) => column), ...groupBy.slice(0, 1)]) {
    const other = like?.[id];
    const known = other ? other.words && [] : (await store.ranks(file.shape.get(id), budget)).words;
    if (known) {
      words.set(id, new Set(known));
    }
  }
  const reserved = like ? [{ name: dateColumn }] : [];
  const all = new Map([
    ...info.columns.map(({ id, name }) => [id, { name }] as const),
    ...Object.entries(like ?? {}),
  ]);
  const names = sqlNames([...reserved, ...all.values()]).slice(reserved.length);
  const fields = new Map([...all.keys()].map((id, at) => [id, names[at] ?? '']));
  const engine = sqlEngines[dialect];
  const of = { path, file, format: info.format, fields, words, like: like ?? {} };
  const sql = new SqlClauses(of, engine);
  const shown = isGrouped ? groupBy : columns;
  if (shown.length === 0) {
    refuse(message('The table shows no columns.'), stayHere);
  }
  const shownNames = shown.map((id) => ({ name: like?.[id]?.name ?? file.shape.get(id).name }));
  const titles = sqlNames([...reserved, ...shownNames]);
  const selected = [
    ...reserved.map(({ name }) => `${table}.${name}`),
    ...shown.map((id, at) => {
      const value = isGrouped ? sql.distinct(id) : sql.shown(id);
      return `${value} as ${engine.name(titles[at + reserved.length] ?? '')}`;
    }),
    ...(isGrouped ? [`count(*) as ${engine.name('count')}`] : []),
  ];
  const order = isGrouped
    ? sql.listed(groupBy[0] ?? '')
    : sort.map((key, at) => sql.sorted(key, at === sort.length - 1));
  const part = {
    source: engine.source(of),
    selected,
    ...(filter && { condition: sql.condition(filter) }),
    groupedBy: isGrouped ? selected.length - 1 : 0,
    order,
  };
  const records = new SqlRecords(file, sql.needs, engine);
  records.readHead();
  await file.scan(budget, records);
  records.readTail();
  const columnsOfFile = info.columns.map(({ id }): [ColumnId, SqlColumn] => {
    const node = file.shape.get(id);
    const own = words.get(id);
    return [id, { name: node.name, kinds: kindsOf(node), ...(own && { words: [...own] }) }];
  });
  return { ...part, columns: Object.fromEntries(columnsOfFile) };
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
