import { moveWithoutReplacing, onDisk, openPart } from '../../api/disk';
import type { Processes } from '../../common/processes';
import { ExportRunningError } from './exportErrors';
import type { ExportDisk } from './exportDisk';

/** More than any lock of ours holds, in bytes. */
const longestLock = 32;

/**
 * Keeps exports of other windows away from a path, by a file beside it that holds the number of this
 * process. One whose process is gone, or of this process, which runs none there, is taken over.
 *
 * @param randomName a name that no other file has.
 * @returns what gives the path free.
 * @throws ExportRunningError; DownloadError from the disk.
 */
export async function lockExport(
  disk: ExportDisk,
  path: string,
  processes: Processes,
  randomName: string,
): Promise<() => Promise<void>> {
  const lock = `${path}.part.lock`;
  const isOurs = await onDisk(async () => {
    if (await make(disk, lock, processes.own)) {
      return true;
    }
    await removeStale(disk, lock, processes, `${lock}.${randomName}`);
    return make(disk, lock, processes.own);
  });
  if (!isOurs) {
    throw new ExportRunningError(path);
  }
  // One that stays behind is taken over when this process has ended.
  return () => disk.unlink(lock).catch(() => undefined);
}

/** @returns whether there was none. */
async function make(disk: ExportDisk, lock: string, own: number): Promise<boolean> {
  const file = await disk.open(lock, 'wx', 0o600).catch(unless('EEXIST'));
  if (!file) {
    return false;
  }
  try {
    await file.writev([Buffer.from(`${own}\n`)], 0).finally(() => file.close());
  } catch (error) {
    await disk.unlink(lock).catch(() => undefined);
    throw error;
  }
  return true;
}

async function removeStale(
  disk: ExportDisk,
  lock: string,
  processes: Processes,
  aside: string,
): Promise<void> {
  const holder = await holderOf(disk, lock);
  if (holder === undefined || (holder !== processes.own && processes.isAlive(holder))) {
    return;
  }
  // Two windows may have found it stale: the second must not remove the lock of the first.
  await disk.rename(lock, aside).catch(unless('ENOENT'));
  const moved = await holderOf(disk, aside);
  if (moved === holder) {
    await disk.unlink(aside);
  } else if (moved !== undefined) {
    await moveWithoutReplacing(disk, aside, lock);
  }
}

/** The process that a lock names; `undefined` where there is none, or it is not one of ours. */
async function holderOf(disk: ExportDisk, lock: string): Promise<number | undefined> {
  const file = await openPart(disk, lock).catch(unless('ENOENT'));
  if (!file) {
    return undefined;
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLock), 0, longestLock, 0);
    const [, pid] = /^([1-9]\d{0,9})\n$/.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return pid === undefined ? undefined : Number(pid);
  } finally {
    await file.close();
  }
}

function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== code) {
      throw error;
    }
  };
}
