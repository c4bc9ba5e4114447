import * as fs from 'node:fs';
import { isSameFile } from './disk';

/**
 * The operations of the file system that write small files and locks, step by step. It is a parameter, so that
 * tests can fill a disk, or end the process between any two steps. Synchronous: the step that a file announces
 * starts only after it is on disk, and no later write can overtake an earlier one.
 */
export interface SyncDisk {
  /** Creates a folder. Fails with `EEXIST` if it exists, so of several callers only the first succeeds. */
  makeFolder: (folder: string) => void;
  /** Writes a file that only the user can access; overwrites an existing one. */
  write: (file: string, text: string) => void;
  /** Syncs a file to the disk. */
  sync: (file: string) => void;
  /** Syncs the names in a folder to the disk, if the system can: Windows cannot open folders. */
  syncFolder: (folder: string) => void;
  move: (from: string, to: string) => void;
}

export const localSyncDisk: SyncDisk = {
  makeFolder: (folder) => {
    fs.mkdirSync(folder, { mode: 0o700 });
  },
  write: (file, text) => {
    fs.writeFileSync(file, text, { mode: 0o600 });
  },
  sync: (file) => {
    syncPath(file, 'r+');
  },
  syncFolder: (folder) => {
    try {
      syncPath(folder, 'r');
    } catch {
      // The file itself is safe by then.
    }
  },
  move: fs.renameSync,
};

/** Writes a file that is on disk when this returns. Its name is not yet: see `syncFolder`. */
export function writeSynced(disk: SyncDisk, file: string, text: string): void {
  disk.write(file, text);
  disk.sync(file);
}

/**
 * Moves a file or a folder. On NFS, a request whose answer is lost is repeated, and then what it has moved already is
 * missing: that is no error here.
 * @param requireRight throws if this process, which may have been asleep in that step, must not go on.
 * @throws an error of the file system, and of `requireRight`
 */
export function moveOnce(
  disk: SyncDisk,
  from: string,
  to: string,
  requireRight: () => void = () => undefined,
): void {
  const statOf = (file: string) => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  const moved = statOf(from);
  try {
    disk.move(from, to);
  } catch (error) {
    requireRight();
    if (!moved || !isSameFile(moved, statOf(to))) {
      throw error;
    }
  }
}

function syncPath(path: string, flags: string): void {
  const descriptor = fs.openSync(path, flags);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
