import { peakMb, runChild, sendResult } from '../child';
import { connectDuckDb } from '../duckDb';
import { meter } from '../measure';
import { byName, type DumpsResult } from './dumpsResult';

/* The same by DuckDB, as the SQL of docs/beyond-one-machine.md asks: one query of all files. */
runChild(async (files) => {
  const connection = await connectDuckDb();
  const list = files.map((file) => `'${file}'`).join(', ');
  const spent = meter();
  const answer = await connection.runAndReadAll(
    `select json->>'$.severity', count(*) from read_ndjson_objects([${list}], filename = true) group by filename, 1`,
  );
  const counts = new Map<string, number>();
  for (const [severity, count] of answer.getRows()) {
    counts.set(String(severity), (counts.get(String(severity)) ?? 0) + Number(count));
  }
  sendResult({
    ...spent(),
    counts: byName(counts),
    peak: peakMb(),
  } satisfies DumpsResult);
});
