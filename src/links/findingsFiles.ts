import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { localDisk, renameFile } from '../files/disk';
import { removeIfEmpty } from '../files/files';
import { KeptFiles } from '../files/keptFiles';
import { safeFileName } from '../files/fileName';
import type { JsonObject } from '../base/json/json';
import type { Exporter, ExportJob } from '../service/export/exporter';

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
export class FindingsFiles extends KeptFiles {
  constructor(
    folder: string,
    private readonly exporter: Exporter,
    now: () => number,
  ) {
    super(folder, now);
  }

  /**
   * Loads all findings of a list into a new file. After an interruption, loading resumes where it
   * stopped.
   * @returns the path of the file. @throws as Exporter.exportAll does.
   */
  async make({ name, query, ...job }: FindingsFileJob): Promise<string> {
    const { accountId, scorecardId, issueType, body } = query;
    const key = createHash('sha256')
      .update(JSON.stringify([accountId, scorecardId, issueType, body]))
      .digest('hex')
      .slice(0, 16);
    const draft = path.join(this.folder, key, 'findings.ndjson');
    return this.create(formatFileName(name), async (file) => {
      await fs.mkdir(path.dirname(draft), { recursive: true, mode: 0o700 });
      try {
        await this.exporter.exportAll({
          ...job,
          query: { ...query, secretValues: 'masked' },
          target: { path: draft, format: 'ndjson', replace: true },
        });
        await renameFile(localDisk, draft, file);
      } finally {
        // Not empty if pages are left to resume, or another window uses it.
        await removeIfEmpty(path.dirname(draft));
      }
      return file;
    });
  }

  /** Writes findings that are loaded into a new file. @returns its path @throws as Exporter.exportEntries does */
  async createFromEntries(name: string, entries: readonly JsonObject[]): Promise<string> {
    return this.create(formatFileName(name), async (file) => {
      const target = { path: file, format: 'ndjson', replace: true } as const;
      await this.exporter.exportEntries(entries, 'masked', target);
      return file;
    });
  }
}

function formatFileName(name: string): string {
  return safeFileName(`${name.replace(/[/\\]/g, '-')}.ndjson`);
}
