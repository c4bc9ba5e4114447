import { rmSync } from 'node:fs';
import { fillHeap, type Measured, memoryBefore, peakMb, sendResult, warmUpBytes } from '../child';

/** The result of one download. */
export interface DownloadResult {
  readonly milliseconds: number;
  /** The largest growth of resident memory, including the warm-up. */
  readonly growthMb: number;
}

/**
 * Sends the bench the result of a download, after another one to warm up.
 * @param download downloads this many bytes to the path; resolves to its duration in milliseconds.
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
  sendResult({ milliseconds, growthMb: peakMb() - before } satisfies DownloadResult);
}
