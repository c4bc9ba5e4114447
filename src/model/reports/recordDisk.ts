import * as fs from 'node:fs';

/**
 * What records and leases need of the file system, step by step; a parameter, so that tests can
 * fill a disk, or end the process between any two steps. Synchronous: a record is small, what it
 * announces begins when it is on disk, and no later write can overtake an earlier one.
 */
export interface RecordDisk {
  /** Makes a folder; `EEXIST` when it is there, which decides who of several was the first. */
  makeFolder: (folder: string) => void;
  /** Writes a file anew, private to the user. */
  write: (file: string, text: string) => void;
  /** Makes the disk keep what was written to a file. */
  sync: (file: string) => void;
  /** Makes the disk keep the names in a folder. */
  syncFolder: (folder: string) => void;
  rename: (from: string, to: string) => void;
}

/** The file system of this machine. */
export const localRecordDisk: RecordDisk = {
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
      // Windows opens no folders and some file systems sync none; the file itself is safe by then.
    }
  },
  rename: fs.renameSync,
};

function syncPath(path: string, flags: string): void {
  const descriptor = fs.openSync(path, flags);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Whether an error is the file system's. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Whether an error is the file system's with this code. */
export function isErrno(error: unknown, code: string): boolean {
  return isDiskError(error) && error.code === code;
}
