import { peakMb, runChild, sendResult } from '../child';
import { connectDuckDb } from '../duckDb';
import type { CompareResult } from './compareChild';
import { time } from '../measure';

/* The same comparison by DuckDB: both files as tables, a full join of them, and its differences as NDJSON. */
runChild(async ([before = '', after = '', target = '']) => {
  const connection = await connectDuckDb();
  const table = (file: string) => `read_json('${file}', format = 'newline_delimited')`;
  let found = '';
  const all = await time(async () => {
    await connection.run(
      `copy (
         select case when older.issue_id is null then 'new' when newer.issue_id is null then 'gone' else 'changed' end as change,
                older, newer
         from ${table(before)} older full join ${table(after)} newer on older.issue_id = newer.issue_id
         where older is distinct from newer
       ) to '${target}' (format json)`,
    );
    const counts = await connection.runAndReadAll(
      `select change, count(*) from read_json('${target}', format = 'newline_delimited', columns = {change: 'varchar'}) group by 1`,
    );
    const of = new Map(counts.getRows().map(([change, count]) => [String(change), String(count)]));
    found = `${of.get('new') ?? 0} new, ${of.get('gone') ?? 0} gone, ${of.get('changed') ?? 0} changed`;
  });
  sendResult({ all, found, peak: peakMb() } satisfies CompareResult);
});
