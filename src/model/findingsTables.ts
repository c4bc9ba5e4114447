import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { safeFileName } from '../api/fileName';
import type { Exporter, ExportJob } from './export/exporter';

/** A file that no editor has closed, in milliseconds since it was made: its window is gone. */
const oldestLeftMs = 7 * 24 * 60 * 60 * 1000;

/** Which findings, and how they are loaded. */
export interface FindingsTableJob extends Omit<ExportJob, 'query' | 'target'> {
  readonly query: Omit<ExportJob['query'], 'secretValues'>;
  /** What a person calls them. */
  readonly name: string;
}

/**
 * Files of all findings of a list, made to be shown as tables: NDJSON, private to the user, with
 * secret-like values masked. Each goes with its editor.
 */
export class FindingsTables {
  private readonly parts: string;

  /** @param folder nothing else is in it. */
  constructor(
    private readonly folder: string,
    private readonly exporter: Exporter,
    private readonly now: () => number,
  ) {
    this.parts = path.join(folder, 'parts');
  }

  /**
   * Loads all findings of a list into a new file. When that ends early, the next time goes on behind
   * what has arrived.
   * @returns the path of the file. @throws as Exporter.exportAll does.
   */
  async make({ name, query, ...job }: FindingsTableJob): Promise<string> {
    await this.removeLeft();
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
    const made = path.join(this.folder, randomBytes(8).toString('hex'));
    await fs.mkdir(made, { mode: 0o700 });
    const file = path.join(made, safeFileName(`${name.replace(/[/\\]/g, '-')}.ndjson`));
    await fs.rename(draft, file);
    // Unless another window is at work in it.
    await fs.rmdir(path.dirname(draft)).catch(() => undefined);
    return file;
  }

  /** Whether a file is one of these. */
  owns(file: string): boolean {
    const parent = path.dirname(path.resolve(file));
    return path.dirname(parent) === path.resolve(this.folder) && parent !== this.parts;
  }

  /** Removes the file of a table that was closed; any other file stays. */
  async remove(file: string): Promise<void> {
    if (this.owns(file)) {
      await remove(path.dirname(path.resolve(file)));
    }
  }

  async removeAll(): Promise<void> {
    await remove(this.folder);
  }

  /** A window that was closed has not closed its editors: a reload brings them back. */
  private async removeLeft(): Promise<void> {
    const oldest = this.now() - oldestLeftMs;
    for (const parent of [this.folder, this.parts]) {
      for (const name of await fs.readdir(parent).catch(() => [])) {
        const folder = path.join(parent, name);
        const { mtimeMs } = await fs.stat(folder).catch(() => ({ mtimeMs: Infinity }));
        if (folder !== this.parts && mtimeMs < oldest) {
          await remove(folder);
        }
      }
    }
  }
}

async function remove(folder: string): Promise<void> {
  await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
