import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work in a new folder, which is removed afterwards; rejects if the disk has no room for `neededBytes`. */
export async function inScratchFolder<Result>(
  work: (folder: string) => Promise<Result>,
  neededBytes = 0,
): Promise<Result> {
  const free = statfsSync(tmpdir());
  if (free.bavail * free.bsize < neededBytes) {
    throw new Error(`${tmpdir()} needs ${neededBytes / 1e9} GB for this row.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'scorecard-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
