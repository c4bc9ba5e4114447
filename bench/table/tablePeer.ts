import { totalmem } from 'node:os';
import { peakMb, runChild, sendResult, settledMb } from '../child';
import { connectDuckDb, type DuckDbConnection } from '../duckDb';
import { time } from '../measure';
import { now } from './findingTexts';
import { middleOf, type Shape, shapeNamed } from './shapes';
import type { TableResult } from './tableChild';

/* The same by DuckDB, with the file as a table; the overview is one query of the file: `FILE SHAPE`. */
runChild(async ([file = '', name = '']) => {
  const shape = shapeNamed(name);
  const connection = await connectDuckDb();
  // A table of many columns would fill the memory of the machine or, after that, its disk.
  await connection.run(`set memory_limit = '${Math.floor(totalmem() / 2)} B'`);
  await connection.run("set temp_directory = ''");
  const before = settledMb();
  try {
    const { figures, numbers } = await measure(connection, shape, sourceOf(shape, file));
    const memory = peakMb() - before;
    sendResult({ figures: { ...figures, memory }, numbers } satisfies TableResult);
  } catch (error) {
    // It refuses the file, or has no room for it.
    sendResult(String(error));
  }
});

function sourceOf({ format }: Shape, file: string): string {
  // With the time zone that the file has, it would convert each time twice. Records with many names would be maps.
  return format === 'CSV'
    ? `read_csv('${file}', types = {first_seen: 'TIMESTAMP'})`
    : `read_json('${file}', map_inference_threshold = -1)`;
}

async function measure(
  connection: DuckDbConnection,
  { asset, searched }: Shape,
  source: string,
): Promise<TableResult> {
  const figures: Record<string, number> = {};
  const numbers: Record<string, number> = {};
  const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  /** Adds rows of a name and a number. */
  const add = (rows: unknown[][]) => {
    Object.assign(numbers, Object.fromEntries(rows.map(([name, count]) => [name, Number(count)])));
  };
  const timed = async (name: string, sql: string) => {
    let rows: unknown[][] = [];
    figures[name] = await time(async () => {
      rows = await rowsOf(sql);
    });
    return rows;
  };
  add(await timed('overview', overviewQuery(asset, source)));
  await timed('import', `create table findings as select * from ${source}`);
  add(await rowsOf("select 'rows', count(*) from findings"));
  const count = (name: string) => `select ${name}, count(*) from findings`;
  add(await timed('filter', `${count("'severity high'")} where severity = 'high'`));
  add(await timed('group', `${count("'issue_type ' || issue_type")} group by 1`));
  const middle = middleOf(numbers.rows ?? NaN);
  const sortBy = (column: string, rows: number) =>
    `from findings order by ${column} limit ${rows} offset ${middle}`;
  await timed('sort by date', `select * ${sortBy('first_seen', 200)}`);
  await timed('sort by asset', `select * ${sortBy(asset, 200)}`);
  const seen = `select 'first seen in the middle', epoch_ms(first_seen)`;
  const host = `select 'host in the middle', regexp_extract(${asset}, '[0-9]+')`;
  add(await rowsOf(`${seen} ${sortBy('first_seen', 1)}`));
  add(await rowsOf(`${host} ${sortBy(asset, 1)}`));
  add(await rowsOf(`${count("'with the text'")} where contains(${asset}, '${searched}')`));
  return { figures, numbers };
}

/** All numbers of the overview in one query, which takes less time than a table and a query for each part of it. */
function overviewQuery(asset: string, source: string): string {
  const counts = (part: string, name = part) =>
    `select '${part} ' || ${name}, n from counts where ${name} is not null`;
  return `
    with findings as (
      select severity, issue_type, factor, status, date_trunc('month', first_seen) as month,
        first_seen >= epoch_ms(${now}) - interval 30 day as recent, ${asset} as asset, first_seen
      from ${source}
    ), counts as materialized (
      select severity, issue_type, factor, status, month, recent, asset, count(*) as n, max(first_seen) as last
      from findings
      group by grouping sets ((severity), (issue_type), (issue_type, severity), (issue_type, asset), (factor), (status), (month), (recent), (asset))
    )
    ${counts('severity')} and issue_type is null
    union all ${counts('issue_type')} and severity is null and asset is null
    union all ${counts('both', "(issue_type || ' ' || severity)")}
    union all ${counts('factor')}
    union all ${counts('status')}
    union all ${counts('month', "strftime(month, '%Y-%m')")}
    union all select 'first seen in 30 days', n from counts where recent
    union all select 'assets of ' || issue_type, count(*) from counts where issue_type is not null and asset is not null group by issue_type
    union all select 'last of ' || issue_type, epoch_ms(last) from counts where issue_type is not null and severity is null and asset is null
    union all select 'assets', count(*) from counts where asset is not null and issue_type is null
    union all select 'rows of 50 assets', sum(n) from (
      select n from counts where asset is not null and issue_type is null order by n desc limit 50
    )`;
}
