import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { pathsOf, removeAllPossible, removeFolder } from './files';

/** How long a file stays after it was last opened, in milliseconds: a reload restores its editor. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Files that are private to the user, each in a folder of its own. When a new one is created, those that were last
 * opened more than a week ago are removed.
 */
export class KeptFiles {
  /** @param folder contains nothing else. */
  constructor(
    readonly folder: string,
    private readonly now: () => number,
  ) {}

  /**
   * Writes a new file in a folder of its own. If that fails, nothing is left.
   * @returns the result of `write`. @throws errors of `write` and of the file system
   */
  async create<T>(name: string, write: (file: string) => Promise<T>): Promise<T> {
    await this.removeOld();
    const folder = path.join(this.folder, randomBytes(8).toString('hex'));
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await write(path.join(folder, name));
    } catch (error) {
      await removeFolder(folder).catch(() => undefined);
      throw error;
    }
  }

  /** Whether a file is one of these, by its path. */
  owns(file: string): boolean {
    return path.dirname(path.dirname(path.resolve(file))) === path.resolve(this.folder);
  }

  /**
   * Marks a file as used, so that it stays for another week or until it is removed.
   * @returns whether the file exists
   */
  async touch(file: string): Promise<boolean> {
    try {
      await fs.access(file);
      const now = this.now() / 1000;
      await fs.utimes(path.dirname(file), now, now);
      return true;
    } catch {
      return false;
    }
  }

  /** Removes a file; any that is not one of these stays. @throws an error of the file system */
  async remove(file: string): Promise<void> {
    if (this.owns(file)) {
      await removeFolder(path.dirname(path.resolve(file)));
    }
  }

  /** Removes all files. @returns the paths that are left. */
  async removeAll(): Promise<string[]> {
    return pathsOf(await removeAllPossible(this.folder));
  }

  private async removeOld(): Promise<void> {
    for (const name of await fs.readdir(this.folder).catch(() => [])) {
      const folder = path.join(this.folder, name);
      const { mtimeMs } = await fs.stat(folder).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < this.now() - maxAgeMs) {
        await removeFolder(folder).catch(() => undefined);
      }
    }
  }
}
