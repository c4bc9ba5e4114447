import { rmSync } from 'node:fs';
import { fillHeap, type Measured, memoryBefore, peakMb, tell, warmUpBytes } from '../child';

/** What one download came to. */
export interface DownloadResult {
  readonly milliseconds: number;
  /** By how much resident memory grew at its highest, the warm-up included. */
  readonly growthMb: number;
}

/**
 * Sends the bench what a download came to, after one to warm up.
 * @param download of so many bytes to the path; resolves to its milliseconds.
 */
export async function measureDownload(
  measured: string | undefined,
  bytes: string,
  path: string,
  download: (bytes: number) => Promise<number>,
): Promise<void> {
  fillHeap();
  const before = memoryBefore(measured as Measured);
  await download(warmUpBytes);
  rmSync(path);
  const milliseconds = await download(Number(bytes));
  tell({ milliseconds, growthMb: peakMb() - before } satisfies DownloadResult);
}
