import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { delay, systemClock } from '../../base/events/clock';
import { defaultLockTimes, FileLock, type LockDeps } from '../../files/fileLock';
import {
  isFileSystemError,
  isErrno,
  moveAside,
  namesIn,
  pathsOf,
  removeAllPossible,
  removeIfPossible,
} from '../../files/files';
import { isInUse, systemPatience, whenFree, whenFreeNow } from '../../files/inUse';
import { describeDiskError } from '../../files/disk';
import { toFileError } from '../../files/fileError';
import { UserError } from '../../base/userError';
import type { Logger } from '../../base/logger';
import { message } from '../../base/message';
import { localProcesses } from '../../files/processes';
import { localSyncDisk, moveOnce, writeSynced } from '../../files/syncDisk';
import { isUnfinished, parseStoredReport, type StoredReport } from './storedReport';

const stateName = 'report.json';
/** An empty file: a window has taken it on to tell the end of the report. */
const noticeName = 'notified';
/** An empty file: the report was cancelled or removed in a window that does not run it. */
const cancelName = 'cancel';
const lockName = 'lock';
/** The lock of windows that add a report. */
const startLockName = '.start';
/** An empty file: a user has seen how the report ended. */
const seenName = 'seen';
/** An empty file: nobody has asked for the report, so no notification tells its end. */
const quietName = 'quiet';
/** The folder of a report's file, alone there, because the service chooses its name. */
const fileFolderName = 'file';

/** The folder of a report's unpacked file. @param folder the report's own folder. */
export function unpackedFolder(folder: string): string {
  return path.join(folder, 'unpacked');
}

/** How long half-removed reports and drafts of files are kept, in milliseconds. */
const leftoverMs = 10 * 60_000;

/**
 * How long state files are read ahead before other work gets its turn, in milliseconds. To read a file at once takes a
 * tenth of the time that it takes to have it read: a thousand are 20 ms of work in place of 200.
 */
const turnMs = 5;

/** How long a window waits for another one that adds a report, in milliseconds, and how often it looks. */
const startWaitMs = 200;
const startPollMs = 5;

/**
 * How long ago the time of the folder must have been seen first before the same time means the same content, in
 * milliseconds: a file system may count in steps of two seconds. Its clock may be that of another machine, so its time
 * is not compared with ours.
 */
const settledMs = 2_500;

/** A report that has ended, as its state file was read. */
interface EndedReport {
  /** Changes with the state file. */
  version: string;
  report: StoredReport;
  /** Whether a user has seen it; `undefined` if that was not read yet. */
  isSeen?: boolean | undefined;
}

/**
 * The reports on disk. Each has a folder with its state file and the folder of its file,
 * unless the user chose another folder. Folders whose names start with a dot are not reports: a new one is drafted in
 * `.start`, the lock of all that add reports, and moved out of it when it is whole.
 *
 * Each report has a lock. Only the window that owns it writes the state file, so a window that was asleep cannot
 * undo the work of another.
 */
export class ReportStore {
  /** Unreadable reports that were already logged. */
  private readonly logged = new Set<string>();
  /** By report id. */
  private readonly reportLocks = new Map<string, FileLock>();
  /**
   * The reports that have ended, by id. Nothing of them changes on disk while the folder has the same stamp. If it has
   * another one, their state files are read again if they were replaced, which `stat` shows; those of the few other
   * reports are read each time.
   */
  private readonly ended = new Map<string, EndedReport>();
  /**
   * The folder as it was read last. `since`: when its stamp was first seen, on the monotonic clock. Until it is
   * settled, its stamp may stay the same when it changes.
   */
  private folderRead:
    | { stamp: number | undefined; ids: readonly string[]; since: number; isSettled: boolean }
    | undefined;
  /** The reports that an action of this window uses. */
  private readonly used = new Set<string>();
  private readonly startLock: FileLock;
  /** A call of this window that adds a report, if there is one; it never rejects. */
  private adding: Promise<void> | undefined;

  /** What the locks use. Their clock is that of the machine, because other processes use it, too. */
  readonly locks: Required<LockDeps>;

  /** @param locks what tests give the locks. */
  constructor(
    readonly folder: string,
    private readonly logger: Logger,
    locks: Partial<LockDeps> = {},
  ) {
    this.locks = {
      clock: systemClock,
      disk: localSyncDisk,
      patience: { ...systemPatience, clock: locks.clock ?? systemClock },
      processes: localProcesses,
      times: defaultLockTimes,
      ...locks,
    };
    this.startLock = new FileLock(path.join(folder, startLockName), this.locks);
  }

  /** The lock of a report. It cannot be acquired after the report was removed. */
  lockOf(id: string): FileLock {
    let lock = this.reportLocks.get(id);
    if (!lock) {
      lock = new FileLock(path.join(this.folderOf(id), lockName), this.locks);
      this.reportLocks.set(id, lock);
    }
    return lock;
  }

  /**
   * Acquires the lock of a report for one action of this window; call `release` after it.
   * @returns false while another window, or another action of this one, uses the report.
   * @throws FileError when the lock cannot be written.
   */
  acquire(id: string): boolean {
    if (this.used.has(id)) {
      return false;
    }
    try {
      const isAcquired = this.lockOf(id).tryAcquire();
      if (isAcquired) {
        this.used.add(id);
      }
      return isAcquired;
    } catch (error) {
      throw folderError(error);
    }
  }

  release(id: string): void {
    this.used.delete(id);
    this.lockOf(id).tryRelease();
  }

  /**
   * Reads the state files of reports that have ended, some at a time. Never rejects: a state file that cannot be read
   * is left to later reads.
   */
  async readAhead(): Promise<void> {
    const names = await fs.promises.readdir(this.folder).catch(() => []);
    let turnEnds = performance.now() + turnMs;
    for (const id of names.filter(isReport)) {
      this.read(id);
      if (performance.now() >= turnEnds) {
        await setImmediate();
        turnEnds = performance.now() + turnMs;
      }
    }
  }

  /**
   * All state files, in no order, and the IDs of those that cannot be read: they are damaged, of a newer version of the
   * extension, or the disk fails. They are logged and left as they are.
   * @throws an error of the file system when the folder cannot be read.
   */
  readAll(): { reports: StoredReport[]; unreadable: string[] } {
    const reports: StoredReport[] = [];
    const unreadable: string[] = [];
    const known = this.hasChanged() ? undefined : this.folderRead;
    for (const id of known?.ids ?? this.readFolder()) {
      const read = (known && this.ended.get(id)?.report) ?? this.read(id);
      if (read === 'unreadable') {
        unreadable.push(id);
      } else if (read) {
        reports.push(read);
      }
    }
    return { reports, unreadable };
  }

  /** All readable state files, in no order. @throws as `readAll` does. */
  readReports(): StoredReport[] {
    return this.readAll().reports;
  }

  /** The current state file of a report on disk; `undefined` if it is gone or cannot be read. */
  find(id: string): StoredReport | undefined {
    const read = this.read(id);
    return read === 'unreadable' ? undefined : read;
  }

  /** Whether a report may have been added, removed, seen or started again since `readAll` was called. */
  hasChanged(): boolean {
    try {
      return !this.folderRead?.isSettled || this.folderRead.stamp !== this.stamp();
    } catch {
      // The next read says what the problem is.
      return true;
    }
  }

  /** Whether a report is still there: another window may have removed it. */
  has(id: string): boolean {
    return fs.existsSync(this.folderOf(id));
  }

  folderOf(id: string): string {
    return path.join(this.folder, id);
  }

  fileFolderOf(id: string): string {
    return path.join(this.folderOf(id), fileFolderName);
  }

  /**
   * Adds a report unless a report of the same request is unfinished. Of windows that call this at the same
   * moment, one adds its report and the others find it.
   * @param findSame returns that report, from the state files as they are now.
   * @param signal ends the wait for another window.
   * @returns the report that was found or added.
   * @throws FileError when the folder cannot be written or the disk is full; UserError if another window
   *   is about to add a report for too long: it may be gone; the reason of the signal; an error of `findSame`.
   */
  async start(
    report: StoredReport,
    findSame: () => StoredReport | undefined,
    signal: AbortSignal,
  ): Promise<StoredReport> {
    for (let waitedMs = 0; ;) {
      if (this.adding) {
        await this.adding;
      } else if (this.tryLockStart()) {
        break;
      } else if (waitedMs >= startWaitMs) {
        // Others need the lock for a few milliseconds only.
        throw new UserError(
          message('Another window is starting a report. Try again in a moment.'),
          'config',
        );
      } else {
        await delay(startPollMs, this.locks.clock, signal);
        waitedMs += startPollMs;
      }
    }
    const added = this.addWhileLocked(report, findSame);
    const ignore = () => undefined;
    this.adding = added.then(ignore, ignore);
    try {
      return await added;
    } finally {
      this.adding = undefined;
    }
  }

  private async addWhileLocked(
    report: StoredReport,
    findSame: () => StoredReport | undefined,
  ): Promise<StoredReport> {
    try {
      const same = findSame();
      if (!same) {
        // A window that was asleep loses its draft together with the lock, and adds nothing.
        await this.create(report, { draft: this.startLock.draft(), isLocked: true });
      }
      return same ?? report;
    } finally {
      this.startLock.tryRelease();
    }
  }

  /**
   * Adds a new report, completely or not at all.
   * @param options `file`: the report's file. It is moved to the folder for that file and gets the name in
   *   the report's `path`. `draft`: the path of the folder until it is complete. `isLocked`: this window
   *   owns the lock of the report from the beginning.
   * @throws FileError when the folder cannot be written or the disk is full.
   */
  async create(
    report: StoredReport,
    {
      file,
      draft = path.join(this.folder, `.${report.id}.new`),
      isLocked = false,
    }: { file?: string; draft?: string; isLocked?: boolean } = {},
  ): Promise<void> {
    const { disk, patience } = this.locks;
    const move = (from: string, to: string) =>
      whenFree(() => {
        try {
          moveOnce(disk, from, to);
        } catch (error) {
          // Another window was faster: that does not pass.
          const isTaken = isInUse(error, patience) && fs.existsSync(to);
          throw isTaken ? Object.assign(error as Error, { code: 'EEXIST' }) : error;
        }
      }, patience);
    try {
      fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      disk.makeFolder(draft);
      if (file !== undefined && report.path !== undefined) {
        disk.makeFolder(path.join(draft, fileFolderName));
        await move(file, path.join(draft, fileFolderName, path.basename(report.path)));
      }
      writeSynced(disk, path.join(draft, stateName), formatReport(report));
      const begin = isLocked
        ? this.lockOf(report.id).acquireIn(path.join(draft, lockName))
        : undefined;
      disk.syncFolder(draft);
      await move(draft, this.folderOf(report.id));
      begin?.();
    } catch (error) {
      await removeIfPossible(draft, patience);
      throw folderError(error);
    }
    disk.syncFolder(this.folder);
  }

  /**
   * Writes a state file. A reader finds either the complete old one or the complete new one.
   * @throws LockLostError when this window does not own the lock of the report; an error of the file
   *   system.
   */
  write(report: StoredReport): Promise<void> {
    this.ended.delete(report.id);
    return this.lockOf(report.id).replace(this.stateFile(report.id), formatReport(report));
  }

  /** As `write`, for a caller that cannot wait, see `FileLock.replaceNow`. */
  writeNow(report: StoredReport): void {
    this.ended.delete(report.id);
    this.lockOf(report.id).replaceNow(this.stateFile(report.id), formatReport(report));
  }

  requestCancel(id: string): void {
    try {
      fs.writeFileSync(path.join(this.folderOf(id), cancelName), '', { mode: 0o600 });
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) {
        throw error;
      }
      // The report was removed.
    }
  }

  /** Whether a report that is unfinished is to be cancelled. */
  isCancelRequested(id: string): boolean {
    return fs.existsSync(path.join(this.folderOf(id), cancelName));
  }

  /**
   * Removes a report's folder with everything in it, in one step if possible. What is open is put aside, and goes when it
   * is closed, or with the leftovers.
   * @throws an error of the file system if it can be neither removed nor put aside
   */
  async remove(id: string): Promise<void> {
    const { patience } = this.locks;
    const folder = this.folderOf(id);
    const removed = this.asideOf(id);
    try {
      whenFreeNow(() => {
        moveOnce(localSyncDisk, folder, removed);
      }, patience);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        return;
      }
      // Another program has a file in it open. Some systems do not rename a folder then.
      await this.removeOpen(folder, removed);
    }
    this.removeLater(removed);
  }

  /** @throws an error of the file system */
  private async removeOpen(folder: string, aside: string): Promise<void> {
    const { patience } = this.locks;
    try {
      if (patience.platform === 'win32') {
        moveAside(folder, aside);
        return;
      }
    } catch {
      // Its program does not let it be moved.
    }
    const [failure] = await removeAllPossible(folder, patience);
    if (failure) {
      throw failure;
    }
  }

  /** Where something of a report is until it can be removed: a leftover. */
  private asideOf(id: string): string {
    return path.join(this.folder, `.${id}-${randomBytes(6).toString('hex')}.removed`);
  }

  /** Removes what nothing depends on now or, if it is open, when it is closed. */
  private removeLater(aside: string): void {
    removeIfPossible(aside, this.locks.patience).catch(() => undefined);
  }

  /**
   * Removes everything that can be removed, including reports that cannot be read.
   * @returns the paths that are left.
   */
  async removeAll(): Promise<string[]> {
    return pathsOf(await removeAllPossible(this.folder, this.locks.patience));
  }

  /**
   * Removes leftovers of processes that ended during `remove`, drafts of report files and of unpacked ones, and what was
   * open when its report was removed. The draft of a new report goes with the lock that it lies in, see `FileLock`.
   */
  async removeLeftovers(now: number): Promise<void> {
    const isLeftover = (name: string) => /^\..+\.(new|removed|file)$/.test(name);
    for (const name of namesIn(this.folder).filter(isLeftover)) {
      const left = path.join(this.folder, name);
      const { mtimeMs = now } = fs.statSync(left, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs < now - leftoverMs) {
        await removeIfPossible(left, this.locks.patience);
      }
    }
  }

  /** @returns whether this window shows the notification for the end of a report: the first one that asks does. */
  claimNotice(id: string): boolean {
    try {
      fs.writeFileSync(path.join(this.folderOf(id), noticeName), '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      // Another window has claimed it, or the report was removed.
      return false;
    }
  }

  /** Whether nobody has asked for a report: then no window opens it, and no notification tells its end. */
  isQuiet(id: string): boolean {
    return fs.existsSync(path.join(this.folderOf(id), quietName));
  }

  /** Best effort: without it, more is told. */
  async setQuiet(id: string, isQuiet: boolean): Promise<void> {
    const file = path.join(this.folderOf(id), quietName);
    try {
      if (isQuiet) {
        fs.writeFileSync(file, '', { mode: 0o600 });
      } else {
        await removeIfPossible(file, this.locks.patience);
      }
    } catch {
      // The report was removed, or the disk is full.
    }
  }

  /**
   * Writes the state file of a report that starts again. Other windows notice that, once it is written.
   * @throws like `write`.
   */
  async writeRestarted(report: StoredReport): Promise<void> {
    await this.forgetEnd(report.id);
    await this.write(report);
    this.touch();
  }

  /** Forgets the end of a report that starts again: its next end is shown, and counts as not seen. */
  async forgetEnd(id: string): Promise<void> {
    const { patience } = this.locks;
    const folder = this.folderOf(id);
    for (const name of [noticeName, seenName, cancelName, quietName]) {
      await removeIfPossible(path.join(folder, name), patience);
    }
    // The next file has the same path, and is unpacked again.
    const aside = this.asideOf(id);
    await this.removeOpen(unpackedFolder(folder), aside).catch(() => undefined);
    this.removeLater(aside);
  }

  /** Whether a user has seen how a report ended, in any window. */
  isSeen(id: string): boolean {
    const ended = this.ended.get(id);
    const isSeen = ended?.isSeen ?? fs.existsSync(path.join(this.folderOf(id), seenName));
    if (ended) {
      ended.isSeen = isSeen;
    }
    return isSeen;
  }

  /** Other windows notice it. Best effort: nothing depends on it. */
  markSeen(ids: readonly string[]): void {
    for (const id of ids) {
      try {
        fs.writeFileSync(path.join(this.folderOf(id), seenName), '', { mode: 0o600 });
        const ended = this.ended.get(id);
        if (ended) {
          ended.isSeen = true;
        }
        this.touch();
      } catch {
        // The report was removed, or the disk is full.
      }
    }
  }

  /** @throws FileError when the folder cannot be written. */
  private tryLockStart(): boolean {
    try {
      fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      return this.startLock.tryAcquire();
    } catch (error) {
      throw folderError(error);
    }
  }

  /** Reads which reports there are, and forgets what may have changed. @returns their ids. */
  private readFolder(): readonly string[] {
    // Both are read before all else, so that what is written from now on is noticed.
    const now = this.locks.clock.monotonic();
    const stamp = this.stamp();
    const ids = this.ids();
    const { folderRead } = this;
    const since = folderRead?.stamp === stamp ? (folderRead?.since ?? now) : now;
    this.folderRead = { stamp, ids, since, isSettled: now - since > settledMs };
    for (const ended of this.ended.values()) {
      // A mark stays until the report starts again, which replaces its state file.
      if (ended.isSeen !== true) {
        ended.isSeen = undefined;
      }
    }
    this.forgetOthers(new Set(ids));
    return ids;
  }

  /** Forgets reports that were removed. */
  private forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of [...this.ended.keys(), ...this.logged]) {
      if (!ids.has(id)) {
        this.ended.delete(id);
        this.logged.delete(id);
      }
    }
    for (const [id, lock] of this.reportLocks) {
      if (!ids.has(id) && !this.used.has(id) && !lock.isOwned()) {
        this.reportLocks.delete(id);
      }
    }
  }

  /** Changes when an entry of the folder is added or removed, and by `touch`; `undefined` if it does not exist. */
  private stamp(): number | undefined {
    return fs.statSync(this.folder, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Tells other windows that something has changed below the folder. */
  private touch(): void {
    const now = this.locks.clock.now() / 1_000;
    fs.utimesSync(this.folder, now, now);
  }

  private ids(): string[] {
    try {
      return fs.readdirSync(this.folder).filter(isReport);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        return [];
      }
      throw error;
    }
  }

  /** `undefined` if there is no state file. */
  private read(id: string): StoredReport | 'unreadable' | undefined {
    try {
      const file = this.stateFile(id);
      // Before the content is read: if the file is replaced after this, it has another version.
      const version = versionOf(fs.statSync(file));
      const ended = this.ended.get(id);
      const isSame = ended?.version === version;
      const report = isSame ? ended.report : this.parse(id, version, fs.readFileSync(file, 'utf8'));
      this.logged.delete(id);
      return report;
    } catch (error) {
      this.ended.delete(id);
      if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) {
        // A report without a state file is being removed right now.
        return undefined;
      }
      if (!this.logged.has(id)) {
        this.logged.add(id);
        this.logger.warn(`The state file of report ${id} cannot be read: ${String(error)}`);
      }
      return 'unreadable';
    }
  }

  private parse(id: string, version: string, text: string): StoredReport {
    const report = parseStoredReport(text);
    if (report.id !== id) {
      throw new Error('It belongs to another folder.');
    }
    if (isUnfinished(report)) {
      this.ended.delete(id);
    } else {
      this.ended.set(id, { version, report });
    }
    return report;
  }

  private stateFile(id: string): string {
    return path.join(this.folderOf(id), stateName);
  }
}

/** Whether an entry of the folder is a report, not a lock or a half-created or half-removed report. */
function isReport(name: string): boolean {
  return !name.startsWith('.');
}

function versionOf({ ino, size, mtimeMs, ctimeMs }: fs.Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** The error of a folder of reports that cannot be created or written. */
function folderError(error: unknown): unknown {
  // `EEXIST` means that a file is where the folder should be.
  const isFileInPlace = isErrno(error, 'EEXIST');
  if (isFileInPlace) {
    return toFileError('ENOTDIR');
  }
  return isFileSystemError(error) ? describeDiskError(error) : error;
}

function formatReport(report: StoredReport): string {
  return JSON.stringify(report, undefined, 2);
}
