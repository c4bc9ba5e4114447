import { existsSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { diskError, isDiskError } from '../api/download/disk';
import { ConfigError } from '../api/http/errors';
import type { Disposable } from '../base/events/disposable';
import { message } from '../base/message';
import { SignedOutError } from '../workbench/workbenchErrors';
import { belongsToReport, orphanParts, partsOf } from './reportParts';
import { LeaseLostError } from './reportErrors';
import { ReportJob, type ReportJobDeps } from './reportJob';
import type { ReportTask } from './reportLeases';
import { isUnfinished, type StoredReport, findDuplicates } from './reportRecord';
import { removeStaleUnpacked } from './unpack/unpackedReports';

/** A report that this window runs. */
interface RunningReport {
  readonly job: ReportJob;
  /** Settles like the job, after the report is no longer listed as running. */
  readonly done: Promise<StoredReport>;
}

/** Callbacks for changes to the reports that this window runs. They are called immediately. */
interface RunnerEvents {
  /** A record was written, or its activity has changed. */
  changed(report: StoredReport): void;
  removed(id: string): void;
  /** A report is ready, failed or cancelled, and its job has ended. */
  ended(report: StoredReport): void;
}

/** Pause before a report is retried after its record could not be written, in milliseconds. */
const unwritableMs = 30_000;
/** How long the record of a merged duplicate is kept, in milliseconds. */
const duplicateMs = 24 * 3_600_000;

/**
 * Does the work that only the window with the lease of an account may do. It runs the unfinished
 * reports, each as one job, and performs the tasks of all windows. It acquires the lease while there
 * is work and no other window holds it, and releases it when the work is done.
 */
export class ReportRunner implements Disposable {
  private readonly running = new Map<string, RunningReport>();
  /** Reports whose record could not be written, with the time of the next attempt. */
  private readonly unwritable = new Map<string, number>();
  /** By account: how many short actions are using its lease. */
  private readonly leaseUses = new Map<string, number>();
  /** By account, so that the tasks of one account do not wait for those of another. */
  private readonly performing = new Map<string, Promise<boolean>>();
  /** By account: tasks that are done but could not be removed from disk. They are not repeated. */
  private readonly unremovedTasks = new Map<string, Set<string>>();
  private readonly leaseListener: Disposable;
  private disposed = false;

  constructor(
    private readonly deps: ReportJobDeps,
    private readonly events: RunnerEvents,
  ) {
    this.leaseListener = deps.leases.onDidLose((accountId) => {
      for (const { job } of this.running.values()) {
        if (job.report.accountId === accountId) {
          job.stop(new LeaseLostError());
        }
      }
    });
  }

  /** The running job of a report. */
  runningReport(id: string): RunningReport | undefined {
    return this.running.get(id);
  }

  /**
   * Acquires the lease of the signed-in account if there is work for it, and releases leases that
   * are no longer needed.
   * @returns whether this call acquired the lease. If so, the records must be read again.
   */
  updateLeases(reports: readonly StoredReport[]): boolean {
    const accountId = this.accountId();
    for (const holding of this.deps.leases.leasedAccounts()) {
      if (!this.isUsed(holding) && (holding !== accountId || !this.isNeeded(reports))) {
        this.deps.leases.of(holding).release();
      }
    }
    if (accountId === undefined || this.disposed || !this.isNeeded(reports)) {
      return false;
    }
    const lease = this.deps.leases.of(accountId);
    return !lease.holds() && lease.acquire();
  }

  /** Resumes the unfinished reports of the signed-in account, if this window holds its lease. */
  resume(reports: readonly StoredReport[]): void {
    const accountId = this.accountId();
    if (accountId === undefined || this.disposed || !this.deps.leases.of(accountId).holds()) {
      return;
    }
    const unfinished = reports.filter(
      (report) => report.accountId === accountId && isUnfinished(report),
    );
    const merged = findDuplicates(unfinished).filter(
      ({ duplicate }) => !this.running.has(duplicate.id),
    );
    for (const { duplicate, original } of merged) {
      // No request was sent for the duplicate. Its callers follow the other report.
      const finishedAt = new Date(this.deps.clock.now()).toISOString();
      this.save({ ...duplicate, state: 'cancelled', sameAs: original.id, finishedAt });
    }
    for (const report of unfinished) {
      const isMerged = merged.some(({ duplicate }) => duplicate.id === report.id);
      const notBefore = this.unwritable.get(report.id) ?? -Infinity;
      if (!isMerged && notBefore <= this.deps.clock.monotonic()) {
        this.startJob(report);
      }
    }
    void this.performTasks(accountId);
  }

  /**
   * Acquires the lease of an account unless this window holds it already. The account need not be
   * signed in.
   * @returns false when another window holds it.
   * @throws DownloadError when the storage cannot be written.
   */
  acquireLease(accountId: string): boolean {
    try {
      return this.deps.leases.of(accountId).acquire();
    } catch (error) {
      throw isDiskError(error) ? diskError(error.code) : error;
    }
  }

  /** Whether there is work to do or to follow. If so, the records are checked at each heartbeat. */
  isActive(reports: readonly StoredReport[]): boolean {
    return this.deps.leases.leasedAccounts().length > 0 || this.isNeeded(reports);
  }

  /** Whether this window runs everything itself, so it does not need to check the records. */
  runsEverything(reports: readonly StoredReport[]): boolean {
    const { leases } = this.deps;
    const accountId = this.accountId();
    const open = reports.filter((each) => each.accountId === accountId && isUnfinished(each));
    return (
      accountId !== undefined &&
      leases.leasedAccounts().every((holding) => holding === accountId) &&
      leases.of(accountId).holds() &&
      leases.pendingTasks(accountId).length === 0 &&
      open.length > 0 &&
      open.every(({ id }) => this.running.has(id))
    );
  }

  /**
   * Performs a task of this window.
   * @returns false, with nothing done, when another window holds the lease.
   */
  async tryPerform(accountId: string, task: ReportTask): Promise<boolean> {
    try {
      return await this.withLease(accountId, () => this.perform(task));
    } catch (error) {
      if (error instanceof LeaseLostError) {
        return false;
      }
      throw error;
    }
  }

  /**
   * Performs all tasks that windows have handed over, one after the other.
   * @returns false when another window holds the lease.
   */
  performTasks(accountId: string): Promise<boolean> {
    let performing = this.performing.get(accountId);
    if (!performing) {
      performing = this.withLease(accountId, () => this.performPending(accountId)).finally(() => {
        this.performing.delete(accountId);
      });
      this.performing.set(accountId, performing);
    }
    return performing;
  }

  /** Performs one task while the lease is held. A task of a removed report does nothing. */
  async perform({ action, id }: ReportTask): Promise<void> {
    const report = this.running.get(id)?.job.report ?? this.deps.store.find(id);
    if (!report) {
      return;
    }
    switch (action) {
      case 'cancel':
        await this.cancel(report);
        break;
      case 'remove':
        await this.cancel(report);
        await this.remove(id);
        break;
      case 'removeEnded':
        // It may have been retried since the user confirmed.
        if (!isUnfinished(report)) {
          await this.remove(id);
        }
        break;
      case 'retry':
        this.retry(report);
        break;
      case 'requestAgain':
        this.retry(report, { isNew: true });
        break;
    }
  }

  /**
   * Removes leftovers of earlier processes from the reports of the signed-in account, unless another
   * window holds its lease.
   * @throws an error of the file system when the folder cannot be written.
   */
  async cleanUpLeftovers(reports: readonly StoredReport[]): Promise<void> {
    const accountId = this.accountId();
    const accountReports = reports.filter((report) => report.accountId === accountId);
    if (accountId !== undefined && accountReports.length > 0) {
      await this.withLease(accountId, () => this.removeLeftovers(accountReports));
    }
  }

  /**
   * Removes a report whose record is broken, with its files.
   * @param accountIds the accounts that it may belong to.
   * @throws ConfigError when its record can be read, or while another window may run it: a running
   * report keeps its record in memory and writes it again.
   */
  async removeBroken(id: string, accountIds: readonly string[]): Promise<void> {
    const { store } = this.deps;
    const [first, ...others] = accountIds;
    if (first !== undefined) {
      if (!(await this.withLease(first, () => this.removeBroken(id, others)))) {
        throw new ConfigError(
          message(
            'This report may be in use in another window. Close the other windows, then try again.',
          ),
        );
      }
      return;
    }
    if (store.has(id) && (this.running.has(id) || store.unreadableReason(id) !== 'broken')) {
      throw new ConfigError(
        message('This report is not removed: it is in use, or can be read again later.'),
      );
    }
    store.remove(id);
  }

  /** Cancels all jobs of this window and releases all leases. */
  async cancelAll(): Promise<void> {
    for (const { job } of this.running.values()) {
      job.cancel();
    }
    await this.settled();
    for (const accountId of this.deps.leases.leasedAccounts()) {
      this.deps.leases.of(accountId).release();
    }
  }

  /** Stops all runs after the client has changed; reports of the signed-in account resume. */
  interrupt(): void {
    for (const { job } of this.running.values()) {
      job.interrupt();
    }
  }

  /** Resolves when no job runs. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.running.values()].map(({ done }) => done));
  }

  /** Leaves the reports to another window, or to the next start of this one. */
  dispose(): void {
    this.disposed = true;
    this.leaseListener.dispose();
    for (const { job } of this.running.values()) {
      job.stop(new SignedOutError());
    }
    // No other window may resume the reports before their runs have ended here.
    void this.settled().then(() => {
      this.deps.leases.dispose();
    });
  }

  private accountId(): string | undefined {
    return this.deps.session.signedIn?.account.id;
  }

  private isNeeded(reports: readonly StoredReport[]): boolean {
    const accountId = this.accountId();
    return (
      accountId !== undefined &&
      (this.deps.leases.pendingTasks(accountId).length > 0 ||
        reports.some((report) => report.accountId === accountId && isUnfinished(report)))
    );
  }

  private isUsed(accountId: string): boolean {
    const isRunning = [...this.running.values()].some(
      ({ job }) => job.report.accountId === accountId,
    );
    return isRunning || (this.leaseUses.get(accountId) ?? 0) > 0;
  }

  /** @returns false, with nothing done, when another window holds the lease. */
  private async withLease(accountId: string, action: () => Promise<void>): Promise<boolean> {
    if (!this.acquireLease(accountId)) {
      return false;
    }
    this.leaseUses.set(accountId, (this.leaseUses.get(accountId) ?? 0) + 1);
    try {
      await action();
    } finally {
      this.leaseUses.set(accountId, (this.leaseUses.get(accountId) ?? 0) - 1);
    }
    return true;
  }

  private async performPending(accountId: string): Promise<void> {
    const { leases, logger } = this.deps;
    const before = this.unremovedTasks.get(accountId);
    const unremoved = new Set<string>();
    this.unremovedTasks.set(accountId, unremoved);
    for (const task of leases.pendingTasks(accountId)) {
      if (!leases.of(accountId).holds()) {
        return;
      }
      const name = `${task.action} ${task.id}`;
      const isDone = before?.has(name) === true;
      if (!isDone) {
        await this.perform(task).catch((error: unknown) => {
          logger.warn(`The task "${task.action}" of a window failed: ${String(error)}`);
        });
      }
      if (leases.of(accountId).holds()) {
        try {
          leases.removeTask(accountId, task);
        } catch (error) {
          unremoved.add(name);
          if (!isDone) {
            logger.warn(`A finished task could not be removed from disk: ${String(error)}`);
          }
        }
      }
    }
  }

  /** Runs a report, unless it is running already. */
  private startJob(report: StoredReport): RunningReport {
    let running = this.running.get(report.id);
    if (!running) {
      const job = new ReportJob(report, this.deps, (changed) => {
        this.events.changed(changed);
      });
      running = { job, done: Promise.resolve().then(() => this.runToEnd(job)) };
      this.running.set(report.id, running);
      // The record has the outcome; often nobody awaits this promise.
      running.done.catch(() => undefined);
    }
    return running;
  }

  private async runToEnd(job: ReportJob): Promise<StoredReport> {
    const { store, clock, logger } = this.deps;
    const { id } = job.report;
    try {
      return await job.run();
    } catch (error) {
      if (!isDiskError(error)) {
        throw error;
      }
      // The record on disk stays, and the report resumes from it later.
      this.unwritable.set(id, clock.monotonic() + unwritableMs);
      logger.error(`The record of report ${id} cannot be written: ${String(error)}`);
      throw diskError(error.code);
    } finally {
      const isEnd = !isUnfinished(job.report);
      this.running.delete(id);
      if (isEnd) {
        store.removeProgress(id);
      }
      if (store.has(id)) {
        this.events.changed(job.report);
      } else {
        this.events.removed(id);
      }
      if (isEnd) {
        this.events.ended(job.report);
      }
    }
  }

  private async cancel(report: StoredReport): Promise<void> {
    const running = this.running.get(report.id);
    running?.job.cancel();
    // It may fail at the same moment; the record has the outcome.
    await running?.done.catch(() => undefined);
    const left = this.deps.store.find(report.id);
    if (left && isUnfinished(left)) {
      const { job, done } = this.startJob(left);
      job.cancel();
      await done;
    }
  }

  private async remove(id: string): Promise<void> {
    const report = this.deps.store.find(id);
    if (report) {
      await removeFiles(report);
    }
    this.deps.store.remove(id);
    this.events.removed(id);
  }

  /**
   * Restarts a report that has ended. An unfinished one resumes with the next check; a merged
   * duplicate stays as it is.
   * @param options `isNew`: requests a new report, even if the address of the old one is known.
   */
  private retry(report: StoredReport, { isNew = false } = {}): void {
    this.unwritable.delete(report.id);
    const hasFile = report.path !== undefined && existsSync(report.path);
    if (isUnfinished(report) || hasFile || report.sameAs !== undefined) {
      return;
    }
    const { error: _error, finishedAt: _finishedAt, path: _path, bytes: _bytes, ...ended } = report;
    const { linkRefused: _linkRefused, ...rest } = ended;
    // A kept part belongs to the earlier file.
    const { serviceStatus: _status, reportUrl, partVersion: _version, ...unrequested } = rest;
    this.deps.store.resetNotice(report.id);
    const retriedAt = new Date(this.deps.clock.now()).toISOString();
    const next = this.save(
      reportUrl === undefined || isNew
        ? { ...unrequested, state: 'requested', unsent: true, requestedAt: retriedAt, retriedAt }
        : { ...rest, state: 'generating', retriedAt },
    );
    this.startJob(next);
  }

  private save(report: StoredReport): StoredReport {
    const saved = this.deps.store.write(report);
    this.events.changed(saved);
    return saved;
  }

  /** Removes leftovers of earlier processes, one report after another. */
  private async removeLeftovers(reports: readonly StoredReport[]): Promise<void> {
    const { store, leases, clock, logger } = this.deps;
    store.removeLeftovers(clock.now());
    for (const report of reports) {
      const { id, accountId, sameAs, finishedAt } = report;
      const parts = await orphanParts(report, store.fileFolderOf(id));
      // Synchronous from here on, so that no run of this process interferes.
      if (this.disposed || !leases.of(accountId).holds()) {
        return;
      }
      if (sameAs !== undefined && clock.now() - Date.parse(finishedAt ?? '') > duplicateMs) {
        // Nobody follows a merged duplicate for this long.
        store.remove(id);
        this.events.removed(id);
      }
      const now = store.find(id);
      if (parts.length > 0 && now?.path === report.path && now?.state === report.state) {
        const all = store.list();
        for (const part of parts.filter((each) => !belongsToReport(each, all))) {
          removeFile(part);
        }
      }
      await removeStaleUnpacked(report, store.folderOf(id), clock.now()).catch((error: unknown) => {
        logger.warn(`The unpacked files of report ${id} could not be removed: ${String(error)}`);
      });
    }
  }
}

/** Removes the file of a report, or the parts of an unfinished download. */
async function removeFiles(report: StoredReport): Promise<void> {
  for (const file of await filesOf(report)) {
    await fs.rm(file, { force: true });
  }
}

/** The file of a report, and the parts of an unfinished download. */
export async function filesOf({ path, downloadPath }: StoredReport): Promise<string[]> {
  return [
    ...(path === undefined ? [] : [path]),
    ...(downloadPath === undefined ? [] : await partsOf(downloadPath)),
  ];
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another program may have the file open. Nothing depends on its removal.
  }
}
