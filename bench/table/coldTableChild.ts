import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../src/engine/openTable';
import { type Query, wholeFile } from '../../src/engine/types';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult } from '../child';
import { type ColdResult, type QueryName, sortedFrom } from './coldQueries';
import { csvRows } from './reportTableFile';

const questions: Readonly<Record<QueryName, (idOf: (name: string) => string) => Query>> = {
  filter: (idOf) => ({ filter: { op: 'equals', column: idOf('severity'), text: 'high' } }),
  sort: (idOf) => ({ sort: [{ column: idOf('first_seen_time'), descending: false }] }),
  group: (idOf) => ({ groupBy: [idOf('issue_type')] }),
};

/* Opens the file, shows its first rows and asks one question at once, in a separate process. */
runChild(async ([file = '', name = 'filter']) => {
  const start = performance.now();
  const passed = () => performance.now() - start;
  const script = join(repositoryRoot, 'dist/tableWorker.js');
  const table = await openTable(script, file, { cacheFolder: tmpdir() });
  await table.call('rows', { view: wholeFile, from: 0, count: 200 });
  const rows = passed();
  let found = NaN;
  const listener = table.onInfo((info) => {
    if (info.done && Number.isNaN(found)) {
      found = passed();
    }
  });
  const idOf = (title: string) =>
    table.info.columns.find((column) => column.name === title)?.id ?? '';
  const view = await table.call('query', { query: questions[name as QueryName](idOf) });
  const from = name === 'sort' ? sortedFrom : 0;
  await (name === 'group'
    ? table.call('groups', { view: view.id, from, count: 200 })
    : table.call('rows', { view: view.id, from, count: 200 }));
  const answer = passed();
  listener.dispose();
  const { rows: all } = table.info;
  table.dispose();
  if (all !== csvRows) {
    throw new Error(`Found ${all} records.`);
  }
  sendResult({ rows, found, answer, peak: peakMb() } satisfies ColdResult);
});
