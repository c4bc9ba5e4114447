import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { pathsOf, removeAllPossible, removeFolder } from '../base/files';
import { safeFileName } from '../api/download/fileName';
import type { JsonObject } from '../base/json/json';
import type { Exporter, ExportJob } from '../export/exporter';

/** How long a file stays after it was last opened, in milliseconds: a reload restores its editor. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

/** The findings to load, and how. */
interface FindingsFileJob extends Omit<ExportJob, 'query' | 'target'> {
  readonly query: Omit<ExportJob['query'], 'secretValues'>;
  /** Their name for users, which is also that of the file. */
  readonly name: string;
}

/**
 * Files with all findings of a list, made to be shown as tables: NDJSON, private to the user, with
 * secret-like values masked. Each is deleted with its editor.
 */
export class FindingsFiles {
  private readonly parts: string;

  /** @param folder contains nothing else. */
  constructor(
    readonly folder: string,
    private readonly exporter: Exporter,
    private readonly now: () => number,
  ) {
    this.parts = path.join(folder, 'parts');
  }

  /**
   * Loads all findings of a list into a new file. After an interruption, loading resumes where it
   * stopped.
   * @returns the path of the file. @throws as Exporter.exportAll does.
   */
  async make({ name, query, ...job }: FindingsFileJob): Promise<string> {
    await this.removeOld();
    const { accountId, scorecardId, issueType, body } = query;
    const key = createHash('sha256')
      .update(JSON.stringify([accountId, scorecardId, issueType, body]))
      .digest('hex')
      .slice(0, 16);
    const draft = path.join(this.parts, key, 'findings.ndjson');
    await fs.mkdir(path.dirname(draft), { recursive: true, mode: 0o700 });
    await this.exporter.exportAll({
      ...job,
      query: { ...query, secretValues: 'masked' },
      target: { path: draft, format: 'ndjson', replace: true },
    });
    const file = await this.newFile(name);
    await fs.rename(draft, file);
    // Not empty if another window uses it.
    await fs.rmdir(path.dirname(draft)).catch(() => undefined);
    return file;
  }

  /** Writes findings that are loaded into a new file. @returns its path @throws as Exporter.exportEntries does */
  async makeOf(name: string, entries: readonly JsonObject[]): Promise<string> {
    await this.removeOld();
    const file = await this.newFile(name);
    await this.exporter.exportEntries(entries, 'masked', {
      path: file,
      format: 'ndjson',
      replace: true,
    });
    return file;
  }

  /** @returns the path of a new file, in a folder of its own. */
  private async newFile(name: string): Promise<string> {
    const folder = path.join(this.folder, randomBytes(8).toString('hex'));
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return path.join(folder, safeFileName(`${name.replace(/[/\\]/g, '-')}.ndjson`));
  }

  /** Whether a file is one of these, by its path. */
  owns(file: string): boolean {
    const parent = path.dirname(path.resolve(file));
    return path.dirname(parent) === path.resolve(this.folder) && parent !== this.parts;
  }

  /**
   * Marks the file of a table as used, so that it stays for another week or until it is removed.
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

  /** Removes the file of a table that was closed; any other file stays. */
  async remove(file: string): Promise<void> {
    if (this.owns(file)) {
      await removeFolder(path.dirname(path.resolve(file)));
    }
  }

  /** Removes all files. @returns the paths that are left. */
  removeAll(): string[] {
    return pathsOf(removeAllPossible(this.folder));
  }

  /** Removes old files. Recent ones stay: a window that was closed may restore their editors. */
  private async removeOld(): Promise<void> {
    const oldest = this.now() - maxAgeMs;
    for (const parent of [this.folder, this.parts]) {
      for (const name of await fs.readdir(parent).catch(() => [])) {
        const folder = path.join(parent, name);
        const { mtimeMs } = await fs.stat(folder).catch(() => ({ mtimeMs: Infinity }));
        if (folder !== this.parts && mtimeMs < oldest) {
          await removeFolder(folder);
        }
      }
    }
  }
}
