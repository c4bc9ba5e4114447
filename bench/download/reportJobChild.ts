import { rmSync } from 'node:fs';
import {
  fillHeap,
  type Measured,
  memoryBefore,
  peakMb,
  runChild,
  tell,
  warmUpBytes,
} from '../child';
import type { DownloadResult } from './downloadChild';
import { ReportJobs } from './reportJobs';

/*
 * A report in a process of its own: `reportJobChild.js time|memory ADDRESS FOLDER BYTES PATH`.
 */
runChild(async ([measured, baseUrl = '', folder = '', bytes = '', path = '']) => {
  const jobs = new ReportJobs(baseUrl, folder);
  fillHeap();
  const before = memoryBefore(measured as Measured);
  await jobs.run(warmUpBytes, path);
  rmSync(path);
  const milliseconds = await jobs.run(Number(bytes), path);
  jobs.dispose();
  tell({ milliseconds, growthMb: peakMb() - before } satisfies DownloadResult);
});
