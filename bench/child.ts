import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Sends a message to the bench that started this process. */
export function sendResult(message: unknown): void {
  process.send?.(message);
}

/** Runs the main function of a program of the bench; the process ends with the bench, or when it fails. */
export function runChild(main: (args: readonly string[]) => Promise<void>): void {
  process.once('disconnect', () => {
    process.exit();
  });
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}

const bytesPerMb = 1024 ** 2;

/**
 * Fills as many megabytes of the heap as an extension host uses before our extension starts. With an almost
 * empty heap, V8 collects garbage after every few megabytes of a download, which it does not do in a window.
 */
export function fillHeap(megabytes = 32): void {
  const bytesPerObject = 64;
  for (let id = 0; id < (megabytes * bytesPerMb) / bytesPerObject; id += 1) {
    heapFiller.push({ id, next: id + 0.5 });
  }
}

const heapFiller: unknown[] = [];

/** What a child measures: not both, because a forced garbage collection makes V8 slower for a while. */
export type Measured = 'time' | 'memory';

/** Megabytes of resident memory before the work. */
export function memoryBefore(measured: Measured): number {
  return measured === 'memory' ? settledMb() : residentMb();
}

/** Bytes to download first: a window has used the service before, and what it loaded then does not count. */
export const warmUpBytes = 64 * 1024 ** 2;

/**
 * Writes twice as many bytes to a folder as are downloaded next, and removes them. A virtual machine returns
 * free memory to its host. Getting it back for the file in memory is several times slower than the whole
 * download, and would count for the first download after a pause.
 */
export function claimMemory(folder: string, bytes: number): void {
  const path = join(folder, 'claimed');
  const file = openSync(path, 'w');
  const piece = Buffer.alloc(bytesPerMb, 'x');
  for (let left = 2 * bytes; left > 0; left -= piece.length) {
    writeSync(file, piece);
  }
  closeSync(file);
  rmSync(path);
}

/** Megabytes of resident memory now, after a garbage collection. */
export function settledMb(): number {
  globalThis.gc?.();
  return residentMb();
}

/** Megabytes of resident memory now. */
export function residentMb(): number {
  return process.memoryUsage.rss() / bytesPerMb;
}

/** Megabytes of memory in use by JavaScript now, after a garbage collection. */
export function heapMb(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / bytesPerMb;
}

/** The peak resident memory of this process, with all its threads, in megabytes. */
export function peakMb(): number {
  // Linux counts that of the process that started this one, too, as `maxRSS`.
  const [, peak] =
    process.platform === 'linux'
      ? (/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [])
      : [];
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) / 1024;
}
