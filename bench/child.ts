import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Sends a message to the bench that started this process. */
export function tell(message: unknown): void {
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
 * Takes as many megabytes of heap as an extension host has in use before we are started in it. Beside a
 * heap of next to nothing V8 collects garbage with every few megabytes that a download brings, which
 * it does in no window.
 */
export function fillHeap(megabytes = 32): void {
  const bytesPerObject = 64;
  for (let id = 0; id < (megabytes * bytesPerMb) / bytesPerObject; id += 1) {
    held.push({ id, next: id + 0.5 });
  }
}

const held: unknown[] = [];

/** What a child measures: a collection of garbage that is forced makes V8 slower for a while. */
export type Measured = 'time' | 'memory';

/** Megabytes of resident memory before the work. */
export function memoryBefore(measured: Measured): number {
  return measured === 'memory' ? settledMb() : residentMb();
}

/** What is downloaded first: a window has talked to the service before, and what it loaded then is no download. */
export const warmUpBytes = 64 * 1024 ** 2;

/**
 * Writes twice as many bytes to a folder as are downloaded next, and removes them. A
 * virtual machine gives free memory back to its host, and what has to come again, for the file in
 * memory, takes several times as long as the whole download: it would be counted for whoever
 * comes after a pause.
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

/** The most megabytes of resident memory that this process ever had. */
export function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}
