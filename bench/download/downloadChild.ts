import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ApiClient } from '../../src/api/client';
import {
  claimMemory,
  fillHeap,
  type Measured,
  memoryBefore,
  peakMb,
  runChild,
  tell,
  warmUpBytes,
} from '../child';
import { time } from '../measure';

/** What one download came to. */
export interface DownloadResult {
  readonly milliseconds: number;
  /** By how much resident memory grew at its highest, the warm-up included. */
  readonly growthMb: number;
}

/*
 * One download in a process of its own, so that its memory is its own:
 * `downloadChild.js time|memory ADDRESS BYTES PATH`.
 */
runChild(async ([measured, baseUrl = '', bytes = '', path = '']) => {
  const client = new ApiClient({
    baseUrl,
    apiKey: () => 'key',
    requestsPerHour: 5000,
    requestTimeoutMs: 30_000,
  });
  const download = async (address: string) => {
    const answer = await client.fetchReport(address);
    if (answer.type !== 'file') {
      throw new Error(`The report is ${answer.type}.`);
    }
    await answer.file.saveTo(path);
  };
  fillHeap();
  const before = memoryBefore(measured as Measured);
  await download(`/${warmUpBytes}.csv`);
  rmSync(path);
  claimMemory(dirname(path), Number(bytes));
  const milliseconds = await time(() => download(`/${bytes}.csv`));
  client.dispose();
  tell({ milliseconds, growthMb: peakMb() - before } satisfies DownloadResult);
});
