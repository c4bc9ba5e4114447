import { openTable } from '../../../../../src/engine/openTable';
import { writeTable } from '../../../../../src/viewer/table/writeTable';
import { bundle } from '../../../../host/paths';

/*
 * Exports a file to XLSX as a window does, with the thread of a table, and prints how many rows it has and the most
 * memory of this process in bytes: `FILE TO FOLDER`.
 */
async function exportFile([
  file = '',
  to = '',
  cacheFolder = '',
]: readonly string[]): Promise<void> {
  const table = await openTable(bundle('extension/dist/engineWorker.js'), file, { cacheFolder });
  await table.call('checked', {});
  const target = { path: to, replace: false };
  const { count } = await writeTable(table, { query: {}, format: 'xlsx' }, target, {
    reveal: false,
  });
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ rows: count, peak }));
  table.dispose();
}

void exportFile(process.argv.slice(2));
