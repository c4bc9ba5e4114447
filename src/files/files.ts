import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { lstat, mkdir, rm, rmdir, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { isInUse, type Patience, systemPatience, whenFree, whenFreeNow } from './inUse';

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a path is that of a folder, or is in it. Windows does not distinguish upper and lower case. */
export function isWithin(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Whether there is a file, a folder or a link, even a broken one. */
export function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Creates a folder and the parents that are missing, for this user only. Rejected: the option `recursive` of Node,
 * which never ends where the system refuses a folder with ENOENT although its parent exists, as in /proc.
 * @throws file system errors
 */
export async function makeFolders(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (!isErrno(error, 'ENOENT') || parent === folder) {
      throw error;
    }
    await makeFolders(parent).catch((inner: unknown) => {
      // Windows says of a file in the way that it is no parent.
      throw isErrno(inner, 'EEXIST') ? Object.assign(inner as Error, { code: 'ENOTDIR' }) : inner;
    });
    // Another window may create it, too.
    await makeFolder(folder);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST') || !(await stat(folder)).isDirectory()) {
      throw error;
    }
  }
}

/** Whether an error is of the file system, as Node throws it. A FileError, into which `onDisk` turns it, is none. */
export function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Whether an error is of the file system and has this code, such as `ENOENT`. */
export function isErrno(error: unknown, code: string): boolean {
  return isFileSystemError(error) && error.code === code;
}

/** Removes a file or folder, with everything in it, at once: for what cannot wait. @throws an error of the file system */
export function removeNow(target: string): void {
  rmSync(target, { recursive: true, force: true });
}

/** Removes a folder at once, if it is empty. @throws an error of the file system */
export function removeEmptyNow(folder: string): void {
  rmdirSync(folder);
}

/** Removes a file or folder that nothing depends on. If it is open elsewhere, it stays. */
export async function removeIfPossible(target: string, patience?: Patience): Promise<void> {
  try {
    await whenFree(() => {
      removeNow(target);
    }, patience);
  } catch {
    // Another program has it open, or it is not ours to remove.
  }
}

/** Removes a file, if there is one. @throws an error of the file system, see `whenFree` */
export async function removeFile(file: string, patience?: Patience): Promise<void> {
  await whenFree(() => rm(file, { force: true }), patience);
}

/** Removes a folder with everything in it, if there is one. @throws an error of the file system, see `whenFree` */
export async function removeFolder(folder: string, patience?: Patience): Promise<void> {
  await whenFree(() => rm(folder, { recursive: true, force: true }), patience);
}

/** Removes a folder if it is empty. It stays if it is not, or is in use. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/**
 * Moves a file, or a folder with everything in it. Windows does not rename a folder in which a file is open, but, unless
 * the program that has opened it forbids it, the file.
 * @throws an error of the file system; then some of it may be at each place
 */
export function moveAside(from: string, to: string): void {
  whenFreeNow(() => {
    if (!lstatSync(from).isDirectory()) {
      renameSync(from, to);
      return;
    }
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(from)) {
      moveAside(path.join(from, name), path.join(to, name));
    }
    rmdirSync(from);
  });
}

type FailedRemoval = NodeJS.ErrnoException & { readonly path: string };

export function pathsOf(errors: readonly FailedRemoval[]): string[] {
  return errors.map(({ path: target }) => target);
}

/**
 * Removes a file, or a folder with everything in it, as far as possible. What is in use is tried again, all of it
 * together, see `whenFree`. Rejected: rmSync, which stops at the first thing that it cannot remove; in newer versions
 * of Node its error does not even have a code.
 * @returns for each file or folder that is left, the error of the file system. A folder that is left only
 * because of its content is not among them.
 */
export async function removeAllPossible(
  target: string,
  patience: Patience = systemPatience,
): Promise<FailedRemoval[]> {
  let left: FailedRemoval[] = [];
  try {
    await whenFree(() => {
      left = removeWhatCanBe(target);
      const inUse = left.find((failure) => isInUse(failure, patience));
      if (inUse) {
        throw inUse;
      }
    }, patience);
  } catch {
    // It is among those that are left.
  }
  return left;
}

function removeWhatCanBe(target: string): FailedRemoval[] {
  try {
    if (!lstatSync(target).isDirectory()) {
      unlinkSync(target);
      return [];
    }
    const left = readdirSync(target).flatMap((name) => removeWhatCanBe(path.join(target, name)));
    if (left.length === 0) {
      rmdirSync(target);
    }
    return left;
  } catch (error) {
    const failure = Object.assign(error as NodeJS.ErrnoException, { path: target });
    // Another process may remove the same files.
    return failure.code === 'ENOENT' ? [] : [failure];
  }
}
