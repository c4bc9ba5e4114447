import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Logger } from '../../common/logger';
import { isUnfinished, parseStoredReport, type StoredReport } from './reportRecord';

const recordName = 'record.json';
const driverName = 'driver';
const noticeName = 'told';

/**
 * The reports on disk: a folder each, with its record, the process that drives it, and its file
 * unless another folder was chosen for that.
 *
 * Records are small and written synchronously: a step begins when its record is on disk, and no
 * later write can overtake an earlier one.
 */
export class ReportStore {
  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
    /** Who this process is, and whether another one lives; a parameter for tests. */
    private readonly processes: Processes = localProcesses,
  ) {}

  /** All readable records, the newest request first. Unreadable ones are logged and left alone. */
  list(): StoredReport[] {
    return this.ids()
      .map((id) => this.read(id))
      .filter((report) => report !== undefined)
      .sort((a, b) => b.requestedAt.localeCompare(a.requestedAt) || b.id.localeCompare(a.id));
  }

  /** The folder of one report. */
  folderOf(id: string): string {
    return path.join(this.folder, id);
  }

  /** Writes a record so that a reader finds the old one or the new one, whole. */
  write(report: StoredReport): void {
    const folder = this.folderOf(report.id);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, recordName);
    const temporary = `${file}.${this.processes.own}.tmp`;
    fs.writeFileSync(temporary, JSON.stringify(report, undefined, 2), { mode: 0o600 });
    fs.renameSync(temporary, file);
  }

  /** Removes a report's folder with everything in it. */
  remove(id: string): void {
    fs.rmSync(this.folderOf(id), { recursive: true, force: true });
  }

  /**
   * Makes this process the one that drives a report, unless a living process does.
   * @returns whether this process drives it now.
   */
  claim(id: string): boolean {
    const file = path.join(this.folderOf(id), driverName);
    fs.mkdirSync(this.folderOf(id), { recursive: true, mode: 0o700 });
    for (;;) {
      try {
        fs.writeFileSync(file, String(this.processes.own), { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        if (!isErrno(error, 'EEXIST')) {
          throw error;
        }
      }
      const driver = this.driverOf(id);
      if (driver === this.processes.own) {
        return true;
      }
      if (driver !== undefined && this.processes.isAlive(driver)) {
        return false;
      }
      // Left by a process that was killed.
      this.takeAway(file, driver);
    }
  }

  /** Gives a report up, so that another process may drive it. */
  release(id: string): void {
    if (this.driverOf(id) === this.processes.own) {
      fs.rmSync(path.join(this.folderOf(id), driverName), { force: true });
    }
  }

  /**
   * Whether the end of a report may be told here: of all windows, the first that asks tells it.
   */
  claimNotice(id: string): boolean {
    try {
      fs.writeFileSync(path.join(this.folderOf(id), noticeName), '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      // Told by another window, or the report was removed meanwhile.
      return false;
    }
  }

  /** Lets the next end of a report be told, after it was started again. */
  renewNotice(id: string): void {
    fs.rmSync(path.join(this.folderOf(id), noticeName), { force: true });
  }

  /** Whether another living process drives this report. */
  isDrivenElsewhere(report: StoredReport): boolean {
    if (!isUnfinished(report)) {
      return false;
    }
    const driver = this.driverOf(report.id);
    return driver !== undefined && driver !== this.processes.own && this.processes.isAlive(driver);
  }

  /**
   * Removes the claim of a dead process. It is renamed first, so that of several that find it one
   * takes it away; what turns out to be the fresh claim of the fastest is put back.
   */
  private takeAway(file: string, dead: number | undefined): void {
    const taken = `${file}.${this.processes.own}.old`;
    try {
      fs.renameSync(file, taken);
      if (fs.readFileSync(taken, 'utf8') !== String(dead ?? '')) {
        fs.linkSync(taken, file);
      }
    } catch (error) {
      if (!isErrno(error, 'ENOENT') && !isErrno(error, 'EEXIST')) {
        throw error;
      }
    } finally {
      fs.rmSync(taken, { force: true });
    }
  }

  private driverOf(id: string): number | undefined {
    try {
      const text = fs.readFileSync(path.join(this.folderOf(id), driverName), 'utf8');
      const pid = Number(text);
      return Number.isInteger(pid) && pid > 0 ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  private ids(): string[] {
    try {
      return fs.readdirSync(this.folder);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        return [];
      }
      throw error;
    }
  }

  private read(id: string): StoredReport | undefined {
    try {
      return parseStoredReport(fs.readFileSync(path.join(this.folder, id, recordName), 'utf8'));
    } catch (error) {
      this.logger.warn(`The record of report ${id} cannot be read: ${String(error)}`);
      return undefined;
    }
  }
}

/** The processes of this machine. */
export interface Processes {
  readonly own: number;
  isAlive(pid: number): boolean;
}

const localProcesses: Processes = {
  own: process.pid,
  isAlive: (pid) => {
    try {
      // Signal 0 is not sent; the call only tells whether it could be.
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return isErrno(error, 'EPERM');
    }
  },
};

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
