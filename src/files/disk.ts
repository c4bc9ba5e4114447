import type { BigIntStats } from 'node:fs';
import {
  chmod,
  constants,
  type FileHandle,
  link,
  lstat,
  open,
  readdir,
  realpath,
  rename,
  statfs,
  unlink,
} from 'node:fs/promises';
import { basename } from 'node:path';
import { CancelledError } from '../base/cancelledError';
import { isErrno } from './files';
import { isLastingUse, type Patience, systemPatience, whenFree } from './inUse';
import { message } from '../base/message';
import { FileError, toFileError } from './fileError';

/** The methods of an open file that are used; FileHandle has them. */
export type DiskFile = Pick<
  FileHandle,
  'read' | 'writev' | 'truncate' | 'datasync' | 'sync' | 'stat' | 'close'
>;

/**
 * The operations of the file system that are used, step by step. It is a parameter, so that tests can fill
 * a disk, or end the process between any two steps.
 */
export interface Disk {
  open(path: string, flags: string | number, mode: number): Promise<DiskFile>;
  lstat: typeof lstat;
  link: typeof link;
  rename: typeof rename;
  chmod: typeof chmod;
  unlink: typeof unlink;
  readdir(folder: string): Promise<string[]>;
  realpath(path: string): Promise<string>;
  /** Free bytes for this user on the disk of the folder; `undefined` if unknown. */
  freeBytes(folder: string): Promise<number | undefined>;
}

/** The disks of this machine. Renaming and removing waits for files that are in use, see `whenFree`. */
export function createLocalDisk(patience: Patience = systemPatience): Disk {
  return {
    open,
    lstat,
    link,
    rename: (from, to) => whenFree(() => rename(from, to), patience),
    chmod,
    unlink: (path) => whenFree(() => unlink(path), patience),
    readdir,
    realpath,
    freeBytes: async (folder) => {
      try {
        const { bavail, bsize, blocks } = await statfs(folder);
        // Some network file systems provide no numbers and return zeros.
        return blocks === 0 ? undefined : bavail * bsize;
      } catch {
        return undefined;
      }
    },
  };
}

export const localDisk = createLocalDisk();

/** Opens an existing part to continue writing it. Does not follow a link that was put in its place. */
export function openPart(disk: Disk, part: string): Promise<DiskFile> {
  // Windows has no O_NOFOLLOW.
  const noFollow = (constants as { O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;
  return disk.open(part, constants.O_RDWR | noFollow, 0o600);
}

/**
 * Gives the part its final name. A rename alone would replace a file that was created in the meantime;
 * creating a hard link fails in that case. If the file system has no hard links (FAT, some network shares),
 * the path is checked before the rename instead.
 */
export async function moveWithoutReplacing(disk: Disk, part: string, path: string): Promise<void> {
  const moved = await disk.lstat(part, { bigint: true });
  try {
    await disk.link(part, path);
  } catch (error) {
    if (!(await isFileAt(disk, path, moved))) {
      if (isErrno(error, 'EEXIST')) {
        throw error;
      }
      await refuseExisting(disk, path);
      await renameFile(disk, part, path);
      return;
    }
  }
  // The file has its final name. It does not matter if the part keeps its name, too.
  await disk.unlink(part).catch(() => undefined);
}

/** Renames a file or a folder, and replaces another file. @throws an error of the file system */
export async function renameFile(disk: Disk, from: string, to: string): Promise<void> {
  const moved = await disk.lstat(from, { bigint: true });
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (!(await isFileAt(disk, to, moved))) {
      throw error;
    }
  }
}

/**
 * Whether a file is at a path although the step that put it there has failed: NFS repeats a request whose answer is
 * lost, and then finds its own work, "exists" for a link and "missing" for a rename.
 */
async function isFileAt(disk: Disk, path: string, moved: BigIntStats): Promise<boolean> {
  const found = await disk.lstat(path, { bigint: true }).catch(() => undefined);
  return isSameFile(moved, found);
}

/**
 * Whether two results of `lstat` are of one file, with the same content. Some file systems of Windows number no files,
 * and others give the number of a removed file to a new one.
 */
export function isSameFile(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return (
    one.ino !== 0n &&
    one.ino === other?.ino &&
    one.dev === other.dev &&
    one.mtimeNs === other.mtimeNs
  );
}

/** @throws FileError when anything exists at the path, even a broken link. */
export async function refuseExisting(disk: Disk, path: string): Promise<void> {
  const exists = await disk.lstat(path).then(
    () => true,
    (error: unknown) => {
      ignoreMissing(error);
      return false;
    },
  );
  if (exists) {
    throw new FileError('exists', message('A file with this name already exists.'));
  }
}

/**
 * Syncs a folder, so that a new name in it survives a power cut. Windows cannot open folders, and some file
 * systems cannot sync them. The file itself is safe by then, so a failure is ignored.
 */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  try {
    const handle = await disk.open(folder, 'r', 0);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // See above.
  }
}

/** Errors of the disk become FileErrors. @throws FileError, CancelledError */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof FileError || error instanceof CancelledError
      ? error
      : describeDiskError(error);
  }
}

/** The error for what a step on the disk has thrown. */
export function describeDiskError(error: unknown): FileError {
  if (isLastingUse(error)) {
    const {
      code = '',
      path = '',
      dest = path,
    } = error as NodeJS.ErrnoException & { dest?: string };
    return new FileError(
      'inUse',
      message(
        'Another program has {0} open ({1}). Close it there, then try again.',
        basename(dest),
        code,
      ),
    );
  }
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return toFileError(typeof code === 'string' ? code : undefined);
}

export function ignoreMissing(error: unknown): void {
  if (!isErrno(error, 'ENOENT')) {
    throw error;
  }
}

/**
 * After how many bytes the file is synced. Otherwise the system would collect gigabytes in memory,
 * and the sync at the end would wait for all of them. Twice as many wait for a slow sync.
 */
const syncEvery = 16 * 1024 * 1024;

/**
 * Writes the pieces of a body in order while the next ones arrive: one write at a time, and one sync.
 * A disk that is slower than the network makes the reader wait, so memory use does not grow with the file.
 */
export class PartWriter {
  private writing = Promise.resolve();
  private syncing = Promise.resolve();
  private unsynced = 0;
  private syncedTo: number;

  /** @param position the offset of the next byte in the file. */
  constructor(
    private readonly file: Pick<DiskFile, 'writev' | 'datasync'>,
    private position: number,
  ) {
    this.syncedTo = position;
  }

  /** The offset up to which the bytes are on the disk, whatever happens to the machine. */
  get synced(): number {
    return this.syncedTo;
  }

  /**
   * Resolves when the pieces before these are written.
   * @param options `sync`: syncs the file after them, also if they are few.
   * @throws the error of the disk
   */
  async write(pieces: readonly Buffer[], { sync = false } = {}): Promise<void> {
    await this.writing;
    this.writing = this.writeAll(pieces, sync ? 1 : syncEvery);
    // The next call reports it, and each one after that.
    this.writing.catch(() => undefined);
  }

  /** Resolves when all pieces are written and no write or sync is in progress. */
  async flush(): Promise<void> {
    await Promise.allSettled([this.writing, this.syncing]);
    await this.writing;
    await this.syncing;
  }

  private async writeAll(pieces: readonly Buffer[], syncFrom: number): Promise<void> {
    for (let rest = skip(pieces, 0); rest.length > 0;) {
      const { bytesWritten } = await this.file.writev(rest, this.position);
      if (bytesWritten === 0) {
        throw new Error('The disk accepted no bytes.');
      }
      this.position += bytesWritten;
      this.unsynced += bytesWritten;
      rest = skip(rest, bytesWritten);
    }
    if (this.unsynced >= syncFrom) {
      await this.syncing;
      this.unsynced = 0;
      const { position } = this;
      this.syncing = this.file.datasync().then(() => {
        this.syncedTo = position;
      });
      this.syncing.catch(() => undefined);
    }
  }
}

/** The pieces without their first `count` bytes; empty pieces are left out. */
function skip(pieces: readonly Buffer[], count: number): Buffer[] {
  let left = count;
  return pieces
    .map((piece) => {
      const skipped = Math.min(left, piece.length);
      left -= skipped;
      return piece.subarray(skipped);
    })
    .filter(({ length }) => length > 0);
}

export function byteLength(batch: readonly Buffer[]): number {
  return batch.reduce((sum, { length }) => sum + length, 0);
}
