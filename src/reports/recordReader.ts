import * as fs from 'node:fs';
import type { Clock } from '../base/clock';
import { parseStoredReport, type StoredReport } from './reportRecord';

/** How the files of records are read; a parameter, so that tests can count it. */
export interface RecordFiles {
  /** By a look at its name, without waiting for what is in it. */
  stat: (file: string) => fs.Stats;
  read: (file: string) => string;
  /** The same without blocking. */
  statLater: (file: string) => Promise<fs.Stats>;
  readLater: (file: string) => Promise<string>;
}

export const localRecordFiles: RecordFiles = {
  stat: (file) => fs.statSync(file),
  read: (file) => fs.readFileSync(file, 'utf8'),
  statLater: (file) => fs.promises.stat(file),
  readLater: (file) => fs.promises.readFile(file, 'utf8'),
};

/** A record as it was read from a file that has not changed since. */
interface Known {
  stamp: string;
  report: StoredReport;
}

/**
 * A file that was written less than so many milliseconds ago is read again: within the precision of
 * a file system's times, 2 s at most, a second write can leave all that `stat` shows as it was.
 */
const settledMs = 3_000;

/** So many records are read ahead at once. */
const readersAtOnce = 8;

/**
 * Reads records, each again only when its file has changed. A record is replaced as a whole, by
 * whichever window, so that `stat` tells.
 */
export class RecordReader {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly files: RecordFiles = localRecordFiles,
  ) {}

  /**
   * The record in a file as it is now; the same object while the file is the same.
   * @throws as parseStoredReport does; an error of the file system.
   */
  read(file: string): StoredReport {
    // First: what replaces the file from here on has another stamp.
    const stat = this.files.stat(file);
    const known = this.known.get(file);
    return known?.stamp === stampOf(stat)
      ? known.report
      : this.keep(file, stat, this.files.read(file));
  }

  /** Reads records without blocking, for `read` to have them. What cannot be read is left to it. */
  async readAhead(files: readonly string[]): Promise<void> {
    const left = files.values();
    const readRest = async () => {
      for (const file of left) {
        try {
          const stat = await this.files.statLater(file);
          this.keep(file, stat, await this.files.readLater(file));
        } catch {
          this.known.delete(file);
        }
      }
    };
    await Promise.all(Array.from({ length: readersAtOnce }, readRest));
  }

  /** The record in a file as it was last read, if it is kept. */
  last(file: string): StoredReport | undefined {
    return this.known.get(file)?.report;
  }

  /** Reads a file again the next time: this process has written it. */
  forget(file: string): void {
    this.known.delete(file);
  }

  /** Forgets all files but these. */
  retain(files: ReadonlySet<string>): void {
    for (const file of this.known.keys()) {
      if (!files.has(file)) {
        this.known.delete(file);
      }
    }
  }

  private keep(file: string, stat: fs.Stats, text: string): StoredReport {
    this.known.delete(file);
    const report = parseStoredReport(text);
    if (this.clock.now() - stat.mtimeMs >= settledMs) {
      this.known.set(file, { stamp: stampOf(stat), report });
    }
    return report;
  }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: fs.Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
