import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { diskError } from '../api/download/disk';
import { ConfigError } from '../api/http/errors';
import { delay } from '../base/events/clock';
import type { Disposable } from '../base/events/disposable';
import { LockLostError } from '../base/fileLock';
import { isDiskError } from '../base/files';
import { message } from '../base/message';
import { SignedOutError } from '../workbench/workbenchErrors';
import { ReportJob, type ReportJobDeps } from './reportJob';
import { partsOf } from './reportParts';
import { isUnfinished, type StoredReport } from './reportRecord';

interface RunningReport {
  readonly job: ReportJob;
  /** Settles like the job, after the report is no longer listed as running. */
  readonly done: Promise<StoredReport>;
}

/** Called immediately. */
interface RunnerEvents {
  /** A record was written, or its activity has changed. */
  changed(report: StoredReport): void;
  removed(id: string): void;
  /** A report is ready, failed or cancelled, and its job has ended. */
  ended(report: StoredReport): void;
}

/** Pause before a report is retried after its record could not be written, in milliseconds. */
const unwritableMs = 30_000;

/**
 * Runs reports, each as one job. A window that owns the lock of a report runs it or removes it; a window
 * that does not own it waits until the lock is free. To cancel a report that another window runs, it leaves
 * a file for that window.
 */
export class ReportRunner implements Disposable {
  private readonly running = new Map<string, RunningReport>();
  /** The reports whose lock this window owns for something else than running them. */
  private readonly busy = new Set<string>();
  /** Reports whose record could not be written, with the time of the next attempt. */
  private readonly unwritable = new Map<string, number>();
  private readonly lockListener: Disposable;
  private readonly disposal = new AbortController();

  constructor(
    private readonly deps: ReportJobDeps,
    private readonly events: RunnerEvents,
  ) {
    this.lockListener = deps.store.onDidLoseLock((id) => {
      this.running.get(id)?.job.stop(new LockLostError());
    });
  }

  runningReport(id: string): RunningReport | undefined {
    return this.running.get(id);
  }

  /**
   * Runs the unfinished reports of the signed-in account, except for those that other windows run, and cancels those
   * that another window has cancelled.
   * @throws the last error, if any of them could not be read or written; the others run.
   */
  resume(reports: readonly StoredReport[]): void {
    let failure: { error: unknown } | undefined;
    for (const { id } of this.toRun(reports)) {
      if ((this.unwritable.get(id) ?? -Infinity) <= this.deps.clock.monotonic()) {
        try {
          this.run(id);
        } catch (error) {
          failure = { error };
        }
      }
    }
    for (const [id, { job }] of this.running) {
      if (this.deps.store.isCancelRequested(id)) {
        job.cancel();
      }
    }
    if (failure) {
      throw failure.error;
    }
  }

  /** Whether there is something to run or to follow: the records are then read at each heartbeat. */
  isActive(reports: readonly StoredReport[]): boolean {
    return this.running.size > 0 || this.toRun(reports).length > 0;
  }

  /** Cancels an unfinished report, whichever window runs it. A finished one stays as it is. */
  async cancel(id: string): Promise<void> {
    const { store } = this.deps;
    while (this.running.has(id) || isUnfinishedRecord(store.find(id))) {
      const running = this.run(id);
      if (running) {
        running.job.cancel();
        // It may fail at the same moment; the record has the outcome.
        await running.done.catch((error: unknown) => {
          if (isUnfinishedRecord(store.find(id)) && !(error instanceof LockLostError)) {
            throw error;
          }
        });
      } else {
        store.requestCancel(id);
        await this.waitForOthers();
      }
    }
  }

  /**
   * Restarts a report that has ended, or resumes an unfinished one.
   * @param options `isNew`: requests a new report, even if the address of the old one is known.
   */
  async retry(id: string, { isNew }: { isNew: boolean }): Promise<void> {
    const { store } = this.deps;
    this.unwritable.delete(id);
    let report = store.find(id);
    while (report && !isUnfinished(report) && !this.acquire(id)) {
      await this.waitForOthers();
      report = store.find(id);
    }
    report = store.find(id);
    const hasFile = report?.path !== undefined && existsSync(report.path);
    if (report && !isUnfinished(report) && !hasFile) {
      this.start(this.save(restarted(report, { isNew, now: this.deps.clock.now() })));
    } else {
      this.releaseUnused(id);
    }
  }

  /** Removes a report with its files; an unfinished one is cancelled first. */
  async remove(id: string): Promise<void> {
    while (this.deps.store.find(id)) {
      await this.cancel(id);
      if (!(await this.removeEnded(id)) && this.deps.store.find(id)) {
        await this.waitForOthers();
      }
    }
    if (this.deps.store.has(id)) {
      // Its record was damaged after it was read.
      await this.removeUnreadable(id);
    }
  }

  /**
   * Removes a report with its files, unless it is unfinished: it may have been retried since the user
   * confirmed.
   * @returns whether this call removed it.
   */
  async removeEnded(id: string): Promise<boolean> {
    const { store } = this.deps;
    let isRemoved = false;
    await this.withLock(id, async () => {
      const report = store.find(id);
      if (report && !isUnfinished(report)) {
        for (const file of await filesOf(report)) {
          await fs.rm(file, { force: true });
        }
        store.remove(id);
        isRemoved = true;
        this.events.removed(id);
      }
    });
    return isRemoved;
  }

  /**
   * Removes a report whose record cannot be read, with its files.
   * @throws ConfigError when its record can be read, or while a window runs it: a running report keeps its
   * record in memory and writes it again.
   */
  async removeUnreadable(id: string): Promise<void> {
    const { store } = this.deps;
    await this.withLock(id, () => {
      if (!store.find(id)) {
        store.remove(id);
      }
      return Promise.resolve();
    });
    if (store.has(id)) {
      throw new ConfigError(
        message(
          'This report may be in use in another window. Close the other windows, then try again.',
        ),
      );
    }
  }

  async cancelAll(): Promise<void> {
    for (const { job } of this.running.values()) {
      job.cancel();
    }
    await Promise.allSettled([...this.running.values()].map(({ done }) => done));
  }

  /** Stops all runs after the client has changed; reports of the signed-in account resume. */
  interrupt(): void {
    for (const { job } of this.running.values()) {
      job.interrupt();
    }
  }

  /** Leaves the reports to another window, or to the next start of this one. */
  dispose(): void {
    this.disposal.abort();
    this.lockListener.dispose();
    // The lock of each is released when its job has ended here.
    for (const { job } of this.running.values()) {
      job.stop(new SignedOutError());
    }
  }

  private accountId(): string | undefined {
    return this.deps.session.signedIn?.account.id;
  }

  private toRun(reports: readonly StoredReport[]): StoredReport[] {
    const accountId = this.accountId();
    return reports.filter((report) => report.accountId === accountId && isUnfinished(report));
  }

  /** Runs an unfinished report. @returns `undefined` if another window runs it, or it has ended. */
  private run(id: string): RunningReport | undefined {
    const running = this.running.get(id);
    if (running || !this.acquire(id)) {
      return running;
    }
    // Read only now: another window may have ended it.
    const report = this.deps.store.find(id);
    if (report && isUnfinished(report)) {
      return this.start(report);
    }
    this.releaseUnused(id);
    return undefined;
  }

  private start(report: StoredReport): RunningReport {
    const job = new ReportJob(report, this.deps, (changed) => {
      this.events.changed(changed);
    });
    const running = { job, done: Promise.resolve().then(() => this.runToEnd(job)) };
    this.running.set(report.id, running);
    // Often nobody awaits this promise.
    running.done.catch(() => undefined);
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
      this.releaseUnused(id);
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

  /** @returns false while another window, or another action of this one, uses the report. */
  private acquire(id: string): boolean {
    if (this.disposal.signal.aborted || this.running.has(id) || this.busy.has(id)) {
      return false;
    }
    try {
      return this.deps.store.lockOf(id).tryAcquire();
    } catch (error) {
      throw isDiskError(error) ? diskError(error.code) : error;
    }
  }

  private releaseUnused(id: string): void {
    if (!this.running.has(id) && !this.busy.has(id)) {
      this.deps.store.lockOf(id).dispose();
    }
  }

  /** @returns false, with nothing done, if the report is in use. */
  private async withLock(id: string, action: () => Promise<void>): Promise<boolean> {
    if (!this.acquire(id)) {
      return false;
    }
    this.busy.add(id);
    try {
      await action();
    } finally {
      this.busy.delete(id);
      this.releaseUnused(id);
    }
    return true;
  }

  private waitForOthers(): Promise<void> {
    const { clock, times } = this.deps.store.locks;
    return delay(times.heartbeatMs, clock, this.disposal.signal);
  }

  private save(report: StoredReport): StoredReport {
    const { store } = this.deps;
    store.forgetEnd(report.id);
    store.write(report);
    this.events.changed(report);
    return report;
  }
}

function isUnfinishedRecord(report: StoredReport | undefined): boolean {
  return report !== undefined && isUnfinished(report);
}

/** An ended report as it starts again. */
function restarted(
  report: StoredReport,
  { isNew, now }: { isNew: boolean; now: number },
): StoredReport {
  const { error: _error, finishedAt: _finishedAt, path: _path, bytes: _bytes, ...ended } = report;
  const { linkRefused: _linkRefused, ...rest } = ended;
  // A kept part belongs to the earlier file.
  const { serviceStatus: _status, reportUrl, partVersion: _version, ...unrequested } = rest;
  const retriedAt = new Date(now).toISOString();
  return reportUrl === undefined || isNew
    ? { ...unrequested, state: 'requested', unsent: true, requestedAt: retriedAt, retriedAt }
    : { ...rest, state: 'generating', retriedAt };
}

/** The file of a report, and the parts of an unfinished download. */
export async function filesOf({ path, downloadPath }: StoredReport): Promise<string[]> {
  return [
    ...(path === undefined ? [] : [path]),
    ...(downloadPath === undefined ? [] : await partsOf(downloadPath)),
  ];
}
