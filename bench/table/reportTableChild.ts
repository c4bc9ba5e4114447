import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TableHandle } from '../../src/engine/engine';
import { type TableInfo, wholeFile } from '../../src/engine/types';
import { openTable } from '../../src/engine/openTable';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult } from '../child';

/** Milliseconds of each step, and peak memory in megabytes. */
export type TableResult = Record<string, number>;

/* Opens the file and asks what a user asks, step by step, in a separate process. */
runChild(async ([file = '']) => {
  const result: TableResult = {};
  let last = performance.now();
  const step = (name: string) => {
    result[name] = performance.now() - last;
    last = performance.now();
  };
  const start = last;
  const script = join(repositoryRoot, 'dist/tableWorker.js');
  const table = await openTable(script, file, { cacheFolder: tmpdir() });
  await table.call('rows', { view: wholeFile, from: 0, count: 200 });
  step('first rows');
  const { rows } = await whenIndexed(table);
  result.index = performance.now() - start;
  step('index after first rows');
  await table.call('checked', {});
  step('check');
  result['peak after check'] = peakMb();
  last = performance.now();
  const filter = (text: string) => ({
    filter: { op: 'equals' as const, column: '/severity', text },
  });
  await table.call('query', { query: filter('high') });
  step('build and filter');
  await table.call('query', { query: filter('low') });
  step('filter');
  await table.call('query', { query: { groupBy: ['/issue_type'] } });
  step('build and group');
  await table.call('query', { query: { groupBy: ['/issue_type'] } });
  step('group');
  for (const column of ['/domain', '/port', '/first_seen_time', '/issue_id']) {
    await table.call('query', { query: { sort: [{ column, descending: false }] } });
    step(`build and sort ${column}`);
    const view = await table.call('query', { query: { sort: [{ column, descending: true }] } });
    step(`sort ${column}`);
    await table.call('rows', { view: view.id, from: 2_000_000, count: 200 });
    step(`page ${column}`);
    result[`peak ${column}`] = peakMb();
  }
  await table.call('query', { query: { filter: { op: 'anywhere', text: 'host777.example' } } });
  step('anywhere');
  table.dispose();
  sendResult({ ...result, rows, peak: peakMb() });
});

function whenIndexed(table: TableHandle): Promise<TableInfo> {
  return new Promise((resolve) => {
    const look = (info: TableInfo) => {
      if (info.done) {
        listener.dispose();
        resolve(info);
      }
    };
    const listener = table.onInfo(look);
    look(table.info);
  });
}
