import { readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** What `rm` needs to remove a folder; on Windows a file may be locked for a moment. */
export const removalOptions = { recursive: true, force: true, maxRetries: 3 } as const;

/** The names in a folder; empty if the folder cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes a file or folder that nothing depends on. If it is open elsewhere, it stays. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another program has it open, or it is not ours to remove.
  }
}

/** Removes a folder and everything in it. @throws file system errors */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, removalOptions);
}
