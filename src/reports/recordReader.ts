import * as fs from 'node:fs';
import { parseStoredReport, type StoredReport } from './reportRecord';

/** How the files of records are read; a parameter, so that tests can count the reads. */
export interface RecordFiles {
  /** Looks only at the file's metadata, not its content. */
  stat: (file: string) => fs.Stats;
  read: (file: string) => string;
  /** Like `stat`, without blocking. */
  statLater: (file: string) => Promise<fs.Stats>;
  readLater: (file: string) => Promise<string>;
}

export const localRecordFiles: RecordFiles = {
  stat: (file) => fs.statSync(file),
  read: (file) => fs.readFileSync(file, 'utf8'),
  statLater: (file) => fs.promises.stat(file),
  readLater: (file) => fs.promises.readFile(file, 'utf8'),
};

/**
 * A file that was changed less than this many milliseconds ago is read again: the times of a file
 * system may be as coarse as 2 s, so `stat` may not show a second write.
 */
const settledMs = 3_000;

/** How many records are read at the same time. */
const readersAtOnce = 8;

/**
 * Reads records, and reads one again only when its file has changed. Every window replaces a record
 * as a whole, so `stat` shows the change.
 */
export class RecordReader {
  private readonly cached = new Map<string, { stamp: string; report: StoredReport }>();

  constructor(private readonly files: RecordFiles = localRecordFiles) {}

  /**
   * The record in a file as it is now; the same object while the file is the same.
   * @throws as parseStoredReport does; an error of the file system.
   */
  read(file: string): StoredReport {
    // Before the content is read: if the file is replaced after this, it has another stamp.
    const stat = this.files.stat(file);
    const cached = this.cached.get(file);
    return cached?.stamp === stampOf(stat)
      ? cached.report
      : this.parseAndCache(file, stat, this.files.read(file));
  }

  /** Reads records ahead for `read`, without blocking. If that fails, `read` tries again. */
  async readAhead(files: readonly string[]): Promise<void> {
    const remaining = files.values();
    const readRest = async () => {
      for (const file of remaining) {
        try {
          const stat = await this.files.statLater(file);
          this.parseAndCache(file, stat, await this.files.readLater(file));
        } catch {
          this.cached.delete(file);
        }
      }
    };
    await Promise.all(Array.from({ length: readersAtOnce }, readRest));
  }

  private parseAndCache(file: string, stat: fs.Stats, text: string): StoredReport {
    this.cached.delete(file);
    const report = parseStoredReport(text);
    if (Date.now() - stat.mtimeMs >= settledMs) {
      this.cached.set(file, { stamp: stampOf(stat), report });
    }
    return report;
  }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: fs.Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
