import { join } from 'node:path';
import { openTable } from '../../src/engine';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult } from '../child';
import { meter } from '../measure';
import { byName, type DumpsResult } from './dumpsResult';

/* Opens one file after another, and groups its findings by severity. */
runChild(async (files) => {
  const script = join(repositoryRoot, 'dist/engineWorker.js');
  const counts = new Map<string, number>();
  const spent = meter();
  for (const file of files) {
    const table = await openTable(script, file, { cacheFolder: '' });
    const severity = table.info.columns.find(({ name }) => name === 'severity')?.id ?? '';
    const { id } = await table.call('query', { query: { groupBy: [severity] } });
    const { groups } = await table.call('groups', { view: id, from: 0, count: 200 });
    for (const { values, count } of groups) {
      const word = values[0]?.text ?? '';
      counts.set(word, (counts.get(word) ?? 0) + count);
    }
    table.dispose();
  }
  sendResult({ ...spent(), counts: byName(counts), peak: peakMb() } satisfies DumpsResult);
});
