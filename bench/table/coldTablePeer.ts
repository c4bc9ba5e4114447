import { peakMb, runChild, sendResult } from '../child';
import { connectDuckDb } from '../duckDb';
import { time } from '../measure';
import { type ColdPeerResult, sortedFrom } from './coldQueries';

/* The same by DuckDB: the first rows, then the whole file as a table, then one question after another. */
runChild(async ([file = '']) => {
  const connection = await connectDuckDb();
  const source = `read_csv('${file}')`;
  const timeOf = (sql: string) => time(() => connection.runAndReadAll(sql));
  const rows = await timeOf(`select * from ${source} limit 200`);
  const ingest = await timeOf(`create table findings as select * from ${source}`);
  const filter = await timeOf("select count(*) from findings where severity = 'high'");
  const sort = await timeOf(
    `select * from findings order by first_seen_time limit 200 offset ${sortedFrom}`,
  );
  const group = await timeOf(
    'select issue_type, count(*) from findings group by 1 order by 2 desc',
  );
  sendResult({ rows, ingest, filter, sort, group, peak: peakMb() } satisfies ColdPeerResult);
});
