import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../src/engine/openTable';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult } from '../child';
import { tableRows } from './reportTableFile';

/** Milliseconds from opening the file to the first counts and to all counts, and peak memory in megabytes. */
export interface OverviewResult {
  readonly first: number;
  readonly all: number;
  readonly peak: number;
}

/* Opens the file and asks for its overview, as the page does, in a separate process. */
runChild(async ([file = '']) => {
  const start = performance.now();
  const script = join(repositoryRoot, 'dist/tableWorker.js');
  const table = await openTable(script, file, { cacheFolder: tmpdir() });
  const now = Date.now();
  let first = NaN;
  const listener = table.onInfo(() => {
    table.call('overview', { now }).then(
      ({ rows }) => {
        if (rows > 0 && Number.isNaN(first)) {
          first = performance.now() - start;
        }
      },
      // The table is closed before the last request is answered.
      () => undefined,
    );
  });
  const { rows, topIssueTypes = [], assets } = await table.call('counted', { now });
  const all = performance.now() - start;
  listener.dispose();
  table.dispose();
  if (rows !== tableRows || topIssueTypes.length !== 10 || assets?.total !== 20_000) {
    throw new Error(`Counted ${rows} rows and ${assets?.total ?? 'no'} assets.`);
  }
  sendResult({ first, all, peak: peakMb() } satisfies OverviewResult);
});
