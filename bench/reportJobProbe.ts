import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { warmUpBytes } from './child';
import { type ReportJobOrder, orderVariable } from './reportJobOrder';
import { ReportJobs } from './reportJobs';

/** Called by VS Code in the extension host: runs reports and writes down how long each took. */
export async function run(): Promise<void> {
  const order = JSON.parse(process.env[orderVariable] ?? '') as ReportJobOrder;
  const jobs = new ReportJobs(order.baseUrl, order.folder);
  const path = join(order.folder, 'report.csv');
  const milliseconds: number[] = [];
  for (const bytes of [warmUpBytes, ...Array.from({ length: order.runs }, () => order.bytes)]) {
    milliseconds.push(await jobs.run(bytes, path));
    rmSync(path);
  }
  jobs.dispose();
  writeFileSync(order.result, JSON.stringify(milliseconds.slice(1)));
}
