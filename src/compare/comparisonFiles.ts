import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { pathsOf, removeAllPossible, removeFolder } from '../base/files';
import type { SwappedComparison } from '../table/localTable';
import type { FileAbout } from '../webview/protocol';

/** The age at which files of differences are removed, in milliseconds. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;
const aboutName = 'about.json';

/** The data stored next to a file of differences, so that its tab looks the same after a reload. */
interface StoredAbout {
  readonly about: FileAbout;
  readonly tabTitle: string;
  /** The arguments that compare the files the other way round; absent if that makes no sense. */
  readonly swapped?: SwappedComparison;
}

/**
 * Files of differences: NDJSON, private to the user. Each is in a folder of its own. When a new one is created,
 * those older than a week are removed.
 */
export class ComparisonFiles {
  /** @param folder contains nothing else. */
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  /** Creates a folder, and returns the path of a new file in it. @throws an error of the file system */
  async create(name: string): Promise<string> {
    await this.removeOld();
    const created = path.join(this.folder, randomBytes(8).toString('hex'));
    await fs.mkdir(created, { recursive: true, mode: 0o700 });
    return path.join(created, `${name}.ndjson`);
  }

  async saveAbout(file: string, readAbout: StoredAbout): Promise<void> {
    const target = path.join(path.dirname(file), aboutName);
    await fs.writeFile(target, JSON.stringify(readAbout), { mode: 0o600 });
  }

  /** The data about a file; `undefined` for a file that is not one of these. */
  async about(file: string): Promise<StoredAbout | undefined> {
    if (!this.owns(file)) {
      return undefined;
    }
    try {
      const text = await fs.readFile(path.join(path.dirname(file), aboutName), 'utf8');
      return JSON.parse(text) as StoredAbout;
    } catch {
      // The data is still being written, or was removed: the file is shown like any other table.
      return undefined;
    }
  }

  owns(file: string): boolean {
    return path.dirname(path.dirname(path.resolve(file))) === path.resolve(this.folder);
  }

  /** Removes a file that was not finished. Never rejects. */
  async remove(file: string): Promise<void> {
    if (this.owns(file)) {
      await removeFolder(path.dirname(path.resolve(file))).catch(() => undefined);
    }
  }

  /** Removes all files. @returns the paths that are left. */
  removeAll(): string[] {
    return pathsOf(removeAllPossible(this.folder));
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
