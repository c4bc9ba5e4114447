import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { removeFolder } from '../base/files';
import type { FileAbout } from '../table/protocol';

/** The age at which differences are removed, in milliseconds. */
const oldestMs = 7 * 24 * 60 * 60 * 1000;
const aboutName = 'about.json';

/** What is kept beside a file of differences, so that its tab looks the same after a reload. */
interface KeptAbout {
  readonly about: FileAbout;
  readonly tabTitle: string;
}

/**
 * Files of differences: NDJSON, private to the user. Each has a folder of its own, and is removed after a
 * week, when the next one is made.
 */
export class ComparisonFiles {
  /** @param folder nothing else is in it. */
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  /** A new path, in a new folder. @throws an error of the file system */
  async make(name: string): Promise<string> {
    await this.removeOld();
    const made = path.join(this.folder, randomBytes(8).toString('hex'));
    await fs.mkdir(made, { recursive: true, mode: 0o700 });
    return path.join(made, `${name}.ndjson`);
  }

  /** Keeps what a file is of. @throws an error of the file system */
  async keep(file: string, about: KeptAbout): Promise<void> {
    const target = path.join(path.dirname(file), aboutName);
    await fs.writeFile(target, JSON.stringify(about), { mode: 0o600 });
  }

  /** What a file is of; `undefined` for any other file. */
  async about(file: string): Promise<KeptAbout | undefined> {
    if (!this.owns(file)) {
      return undefined;
    }
    try {
      const text = await fs.readFile(path.join(path.dirname(file), aboutName), 'utf8');
      return JSON.parse(text) as KeptAbout;
    } catch {
      // Still being written, or removed: it is a table as any other.
      return undefined;
    }
  }

  /** Whether a file is one of these. */
  owns(file: string): boolean {
    return path.dirname(path.dirname(path.resolve(file))) === path.resolve(this.folder);
  }

  /** Removes a file that was not finished. Never rejects. */
  async drop(file: string): Promise<void> {
    if (this.owns(file)) {
      await removeFolder(path.dirname(path.resolve(file))).catch(() => undefined);
    }
  }

  /** @throws an error of the file system */
  async removeAll(): Promise<void> {
    await removeFolder(this.folder);
  }

  private async removeOld(): Promise<void> {
    for (const name of await fs.readdir(this.folder).catch(() => [])) {
      const folder = path.join(this.folder, name);
      const { mtimeMs } = await fs.stat(folder).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < this.now() - oldestMs) {
        await removeFolder(folder).catch(() => undefined);
      }
    }
  }
}
