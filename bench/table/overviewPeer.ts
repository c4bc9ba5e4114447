import { peakMb, runChild, sendResult } from '../child';
import { connectDuckDb } from '../duckDb';
import { time } from '../measure';

/** Milliseconds to read and count the file, and peak memory in megabytes. */
export interface DuckDbResult {
  readonly all: number;
  readonly peak: number;
}

const time30 = "timestamp '2026-11-22' - interval 30 day";

/** One query for each part of the overview. */
const questions = [
  'select severity, count(*) from findings group by all',
  'select issue_type, count(*) from findings group by all',
  'select issue_type, severity, count(*) from findings group by all',
  'select issue_type, count(distinct domain), max(first_seen_time) from findings group by all',
  'select factor, count(*) from findings group by all',
  'select scorecard_identifier, count(*) from findings group by all',
  "select date_trunc('month', first_seen_time), count(*) from findings group by all",
  `select first_seen_time >= ${time30}, count(*) from findings group by all`,
  'select domain, count(*) from findings group by all order by 2 desc limit 50',
  'select count(distinct domain) from findings',
];

/* The same counts by DuckDB: the file as a table, then one query for each count. */
runChild(async ([file = '']) => {
  const connection = await connectDuckDb();
  const all = await time(async () => {
    await connection.runAndReadAll(
      `create table findings as select severity, issue_type, factor, scorecard_identifier, domain, first_seen_time
       from read_json('${file}', format = 'newline_delimited')`,
    );
    for (const question of questions) {
      await connection.runAndReadAll(question);
    }
  });
  sendResult({ all, peak: peakMb() } satisfies DuckDbResult);
});
