import { basename, dirname, join } from 'node:path';
import { type Disk, ignoreMissing, onDisk } from '../api/download/disk';
import { isProcessAlive, ownProcessName, type Processes } from '../base/processes';
import { ExportRunningError } from './exportErrors';

/**
 * Keeps exports of other windows away from a path, by an empty file beside it that has the process in its
 * name: `<path>.part.lock.<process>`.
 *
 * Each process makes its own file first and looks for those of others after that, so of two at least one
 * sees the other. A file of a process that has ended is removed: no other process ever makes one of that
 * name, which a single lock file with a process in it could not promise. Two windows that begin in the
 * same moment may both be refused.
 *
 * @returns what gives the path free.
 * @throws ExportRunningError; DownloadError from the disk.
 */
export async function lockExport(
  disk: Disk,
  path: string,
  processes: Processes,
): Promise<() => Promise<void>> {
  const prefix = `${basename(path)}.part.lock.`;
  const own = prefix + ownProcessName(processes);
  const folder = dirname(path);
  const release = () => disk.unlink(join(folder, own)).catch(() => undefined);
  await onDisk(async () => {
    // One that is there is left over: no two exports of one process write to one path.
    const file = await disk.open(join(folder, own), 'wx', 0o600).catch(ignoreExisting);
    await file?.close();
  });
  try {
    const names = await onDisk(() => disk.readdir(folder));
    for (const name of names.filter((each) => each.startsWith(prefix) && each !== own)) {
      if (isProcessAlive(processes, name.slice(prefix.length))) {
        throw new ExportRunningError(join(folder, name));
      }
      await onDisk(() => disk.unlink(join(folder, name)).catch(ignoreMissing));
    }
  } catch (error) {
    await release();
    throw error;
  }
  // One that stays behind is removed by the next export, once this process has ended.
  return release;
}

function ignoreExisting(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
    throw error;
  }
}
