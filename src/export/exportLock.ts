import { basename, dirname, join } from 'node:path';
import { type Disk, ignoreMissing, onDisk } from '../api/download/disk';
import { isProcessAlive, ownProcessName, type Processes } from '../base/processes';
import { ExportRunningError } from './exportErrors';

/**
 * Locks a path against exports of other windows, with an empty file next to it that has the process in its
 * name: `<path>.part.lock.<process>`.
 *
 * Each process first creates its file, then looks for the files of others. So at least one of two processes
 * sees the other. The file of a process that has ended is removed: no other process ever creates a file with
 * that name. A single lock file with the process in its content could not guarantee this. If two windows
 * begin at the same moment, both may be refused.
 *
 * @returns a function that releases the path.
 * @throws ExportRunningError; DownloadError from the disk.
 */
export async function lockExport(
  disk: Disk,
  path: string,
  processes: Processes,
): Promise<() => Promise<void>> {
  const prefix = `${basename(path)}.part.lock.`;
  const lockName = prefix + ownProcessName(processes);
  const folder = dirname(path);
  const release = () => disk.unlink(join(folder, lockName)).catch(() => undefined);
  await onDisk(async () => {
    // An existing file is left over: a process never runs two exports to one path.
    const file = await disk.open(join(folder, lockName), 'wx', 0o600).catch(ignoreExisting);
    await file?.close();
  });
  try {
    const names = await onDisk(() => disk.readdir(folder));
    for (const name of names.filter((each) => each.startsWith(prefix) && each !== lockName)) {
      if (isProcessAlive(processes, name.slice(prefix.length))) {
        throw new ExportRunningError(join(folder, name));
      }
      await onDisk(() => disk.unlink(join(folder, name)).catch(ignoreMissing));
    }
  } catch (error) {
    await release();
    throw error;
  }
  // A file that stays behind is removed by the next export, once this process has ended.
  return release;
}

function ignoreExisting(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
    throw error;
  }
}
