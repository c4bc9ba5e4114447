import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Line, type Row, table } from './line';
import { firstPage } from './findings/firstPage';
import { activation } from './activation/activation';
import { compare } from './compare/compare';
import { download } from './download/download';
import { exportAll } from './findings/exportAll';
import { dumps } from './table/dumps';
import { exportTable } from './table/exportTable';
import { loadAll } from './findings/loadAll';
import { million } from './findings/million';
import { queue } from './budget/queue';
import { reportTable } from './table/reportTable';
import { requests } from './budget/requests';
import { serviceRequests } from './findings/serviceRequests';
import { size } from './size';
import { states } from './table/states';

/*
 * The benchmarks: `npm run bench [-- --only ROW] [-- --json FILE]`. Each figure is compared with that of a
 * peer that does the same work in the same run, because machines differ.
 */

const rows: readonly Row[] = [
  firstPage,
  loadAll,
  million,
  exportAll,
  download,
  queue,
  requests,
  serviceRequests,
  activation,
  reportTable,
  exportTable,
  dumps,
  compare,
  states,
  size,
];

const usage = `Usage: npm run bench [-- --only ROW] [--json FILE] [--shapes] [--shape TEXT] [--small]
  --only    one row: ${rows.map(({ name }) => name).join(', ')}
  --json    a file that the figures are written to as well, those of all shapes of files among them
  --shapes  prints all shapes of files, not only the worst
  --shape   only the shapes of files with this text in their names
  --small   for a try: files of 100 MB instead of 1 GB, and one run instead of three`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      json: { type: 'string' },
      shape: { type: 'string', default: '' },
      shapes: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
    },
  });
  const selected = rows.filter(({ name }) => values.only === undefined || values.only === name);
  if (selected.length === 0) {
    throw new UsageError(`There is no row "${values.only ?? ''}".`);
  }
  const machine = {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    load: loadavg()[0],
    node: process.version,
    platform: process.platform,
  };
  const lines: Line[] = [];
  for (const row of selected) {
    console.log(`${row.name}: ${row.work}`);
    lines.push(...(await row.measure({ isSmall: values.small, shape: values.shape })));
  }
  const { cpu, cores, load = 0, node } = machine;
  console.log(`\n${cpu}, ${cores} cores, Node ${node}, load ${load.toFixed(1)} at the start\n`);
  console.log(table(lines.filter(({ isDetail }) => !isDetail)));
  if (values.shapes) {
    console.log(`\n${table(lines.filter(({ isDetail }) => isDetail))}`);
  }
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ machine, lines }, undefined, 2)}\n`);
  }
}

class UsageError extends Error {}

main().catch((error: unknown) => {
  const isUsage =
    error instanceof UsageError ||
    String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `${(error as Error).message}\n${usage}` : error);
  process.exitCode = isUsage ? 2 : 1;
});
