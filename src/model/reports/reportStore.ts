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
  /** Reports of which the log says already that they cannot be read. */
  private readonly unreadable = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
    /** Who this process is, and whether another one lives; a parameter for tests. */
    private readonly processes: Processes = localProcesses,
  ) {}

  /**
   * All readable records, in no order. An unreadable one is logged and left as it is: a newer
   * version of the product may have written it.
   */
  list(): StoredReport[] {
    return this.ids()
      .map((id) => this.read(id))
      .filter((report) => report !== undefined);
  }

  /** Whether a report is still there: another window may have removed it. */
  has(id: string): boolean {
    return fs.existsSync(this.folderOf(id));
  }

  /** The folder of one report. */
  folderOf(id: string): string {
    return path.join(this.folder, id);
  }

  /**
   * Writes a record so that a reader finds the old one or the new one, whole.
   * @throws ENOENT for a report that was never created, or was removed: it does not come back.
   */
  write(report: StoredReport): void {
    const file = path.join(this.folderOf(report.id), recordName);
    const temporary = `${file}.${this.processes.own}.tmp`;
    fs.writeFileSync(temporary, JSON.stringify(report, undefined, 2), { mode: 0o600 });
    fs.renameSync(temporary, file);
  }

  /** Removes a report's folder with everything in it. */
  remove(id: string): void {
    fs.rmSync(this.folderOf(id), { recursive: true, force: true });
  }

  /** Removes everything, also what cannot be read. */
  removeAll(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes the folder of a new report, driven by this process before anybody can see its record. */
  create(id: string): void {
    fs.mkdirSync(this.folderOf(id), { recursive: true, mode: 0o700 });
    this.claim(id);
  }

  /**
   * Makes this process the one that drives a report, unless a living process does.
   * @returns whether this process drives it now; not when the report was removed.
   */
  claim(id: string): boolean {
    const file = path.join(this.folderOf(id), driverName);
    // Each turn but the last was lost to a process that was faster.
    for (let turn = 1; turn <= 10; turn += 1) {
      if (!this.has(id)) {
        return false;
      }
      const claim = readClaim(file);
      const driver = driverIn(claim);
      if (driver === this.processes.own) {
        return true;
      }
      if (driver !== undefined && this.processes.isAlive(driver)) {
        return false;
      }
      if (claim !== undefined) {
        // Left by a process that was killed.
        this.takeAway(file, claim);
      }
      if (this.place(file)) {
        return true;
      }
    }
    return false;
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

  /** Puts the own claim where none is, whole: who finds it must be able to read whose it is. */
  private place(file: string): boolean {
    const whole = `${file}.${this.processes.own}.new`;
    fs.writeFileSync(whole, String(this.processes.own), { mode: 0o600 });
    try {
      fs.linkSync(whole, file);
      return true;
    } catch (error) {
      if (isErrno(error, 'EEXIST')) {
        return false;
      }
    } finally {
      fs.rmSync(whole, { force: true });
    }
    // A file system without links (FAT, some network shares).
    try {
      fs.writeFileSync(file, String(this.processes.own), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (isErrno(error, 'EEXIST')) {
        return false;
      }
      throw error;
    }
  }

  /**
   * Removes the claim of a dead process. It is renamed first, so that of several that find it one
   * takes it away; what turns out to be the fresh claim of the fastest is put back.
   */
  private takeAway(file: string, dead: string): void {
    const taken = `${file}.${this.processes.own}.old`;
    try {
      fs.renameSync(file, taken);
      if (fs.readFileSync(taken, 'utf8') !== dead) {
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
    return driverIn(readClaim(path.join(this.folderOf(id), driverName)));
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
      const text = fs.readFileSync(path.join(this.folder, id, recordName), 'utf8');
      const report = parseStoredReport(text);
      if (report.id !== id) {
        throw new Error('It belongs to another folder.');
      }
      return report;
    } catch (error) {
      // A folder without a record is a report that is being made or removed right now.
      if (!isErrno(error, 'ENOENT') && !this.unreadable.has(id)) {
        this.unreadable.add(id);
        this.logger.warn(`The record of report ${id} cannot be read: ${String(error)}`);
      }
      return undefined;
    }
  }
}

function readClaim(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The process that a claim names; none where it is garbage. */
function driverIn(claim: string | undefined): number | undefined {
  const pid = Number(claim);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** The processes of this machine. */
export interface Processes {
  readonly own: number;
  isAlive(pid: number): boolean;
}

export const localProcesses: Processes = {
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
