import { dirname } from 'node:path';
import { type Disk, onDisk } from '../../files/disk';
import { type Clock, delay } from '../../base/events/clock';
import { defaultLockTimes, FileLock } from '../../files/fileLock';
import type { Processes } from '../../files/processes';
import { ExportRunningError } from './exportErrors';

/** How long an export waits for the lock of one that may be gone, in milliseconds. */
const takeOverMs = defaultLockTimes.silentMs + 2_000;

const attemptMs = 500;

/** The lock of a path against exports of other windows, a folder next to it. */
export function exportLockFolder(path: string): string {
  return `${path}.part.lock`;
}

/**
 * Locks a path against exports of other windows.
 * @throws ExportRunningError as soon as the process of another export is known to exist; FileError from the disk.
 */
export async function lockExport(
  path: string,
  { disk, clock, processes }: { disk: Disk; clock: Clock; processes: Processes },
): Promise<FileLock> {
  const folder = exportLockFolder(path);
  const lock = new FileLock(folder, { clock, processes, times: defaultLockTimes });
  // Nobody can lock a path in a folder that does not exist.
  await onDisk(() => disk.realpath(dirname(path)));
  const end = clock.monotonic() + takeOverMs;
  while (!(await onDisk(() => Promise.resolve(lock.tryAcquire())))) {
    if (lock.isOwnerAlive() || clock.monotonic() >= end) {
      throw new ExportRunningError(path, folder);
    }
    await delay(attemptMs, clock);
  }
  return lock;
}
