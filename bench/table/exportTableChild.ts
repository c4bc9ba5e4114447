import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../src/engine';
import { type TableExport, writeTable } from '../../src/viewer/table/writeTable';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult } from '../child';
import { time } from '../measure';

/** Milliseconds from opening the file until the export is written, and peak memory in megabytes. */
export interface ExportTableResult {
  readonly all: number;
  readonly peak: number;
}

/* Opens the file and exports the rows of a filter, or all as Parquet, in a separate process: `FILE TO [parquet]`. */
runChild(async ([file = '', path = '', format]) => {
  const script = join(repositoryRoot, 'dist/engineWorker.js');
  const all = await time(async () => {
    const table = await openTable(script, file, { cacheFolder: tmpdir() });
    await table.call('checked', {});
    const filter = { op: 'equals', column: '/severity', text: 'high' } as const;
    const what: TableExport =
      format === 'parquet' ? { query: {}, format } : { query: { filter }, format: 'ndjson' };
    await writeTable(table, what, { path, replace: false }, { reveal: false });
    table.dispose();
  });
  sendResult({ all, peak: peakMb() } satisfies ExportTableResult);
});
