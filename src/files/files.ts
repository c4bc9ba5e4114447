import { lstatSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { lstat, mkdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';

/** What `rm` needs to remove a folder; on Windows a file may be locked for a moment. */
export const removalOptions = { recursive: true, force: true, maxRetries: 3 } as const;

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
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
    // Another window may create it, too.
    await makeFolders(parent);
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

/** Whether an error is of the file system. */
export function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Whether an error is of the file system and has this code, such as `ENOENT`. */
export function isErrno(error: unknown, code: string): boolean {
  return isFileSystemError(error) && error.code === code;
}

/** Removes a file or folder that nothing depends on. If it is open elsewhere, it stays. */
export function removeIfPossible(target: string): void {
  try {
    rmSync(target, { recursive: true, force: true });
  } catch {
    // Another program has it open, or it is not ours to remove.
  }
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, removalOptions);
}

type FailedRemoval = NodeJS.ErrnoException & { readonly path: string };

export function pathsOf(errors: readonly FailedRemoval[]): string[] {
  return errors.map(({ path: target }) => target);
}

/**
 * Removes a file, or a folder with everything in it, as far as possible. Rejected: rmSync, which stops at the
 * first thing that it cannot remove; in newer versions of Node its error does not even have a code.
 * @returns for each file or folder that is left, the error of the file system. A folder that is left only
 * because of its content is not among them.
 */
export function removeAllPossible(target: string): FailedRemoval[] {
  try {
    if (!lstatSync(target).isDirectory()) {
      unlinkSync(target);
      return [];
    }
    const left = readdirSync(target).flatMap((name) => removeAllPossible(path.join(target, name)));
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
