import * as fs from 'node:fs/promises';
import { BadRequestError, DownloadError, ReportFailedError } from '../../api/errors';
import type { Clock } from '../../common/clock';
import type { Disposable } from '../../common/disposable';
import type { Logger } from '../../common/logger';
import type { SignedIn } from '../session';
import { SignedOutError } from '../signedOutError';
import { keptPart, partOf } from './keptPart';
import { isUnfinished, type ReportFailure, type StoredReport } from './reportRecord';
import type { ReportRecords } from './reportRecords';
import { runReport, type ReportActivity } from './reportRun';
import type { ReportStore } from './reportStore';

/** What driving reports needs. */
export interface ReportDriverDeps {
  store: ReportStore;
  clock: Clock;
  logger: Logger;
  session: { readonly signedIn: SignedIn | undefined };
  /** The settings as they are now; `folder` empty: each report's file stands beside its record. */
  settings(): { folder: string; generationTimeoutMs: number };
  /** Turns an error into what the record says of it. */
  describeFailure(error: unknown): ReportFailure;
}

/** A report that is driven by this window. */
interface Job {
  readonly id: string;
  /** Settles when the report has ended, or waits for somebody to sign in. */
  readonly done: Promise<StoredReport>;
  activity: ReportActivity;
  /** Ends the run of now; unless the report was cancelled, another run goes on with the client of then. */
  abort: AbortController;
  cancelled: boolean;
}

/** Drives reports to their end, each by one job, however often its client changes on the way. */
export class ReportDriver implements Disposable {
  private readonly jobs = new Map<string, Job>();
  private disposed = false;

  constructor(
    private readonly records: ReportRecords,
    private readonly deps: ReportDriverDeps,
  ) {}

  isDriving(id: string): boolean {
    return this.jobs.has(id);
  }

  activity(id: string): ReportActivity | undefined {
    return this.jobs.get(id)?.activity;
  }

  /**
   * Drives a report, or goes on to.
   * @returns the record in state `ready` or `cancelled`; rejects with the reason when it failed, with
   * SignedOutError when it waits for its account. `undefined`: another window drives it.
   */
  drive(report: StoredReport): Promise<StoredReport> | undefined {
    const running = this.jobs.get(report.id);
    if (running) {
      return running.done;
    }
    if (this.disposed || !this.deps.store.claim(report.id)) {
      return undefined;
    }
    const job: Job = {
      id: report.id,
      activity: { stage: firstStage(report) },
      abort: new AbortController(),
      cancelled: false,
      done: Promise.resolve().then(() => this.run(job, report)),
    };
    this.jobs.set(report.id, job);
    // How it ends stands in the record; often nobody waits for this promise.
    job.done.catch(() => undefined);
    return job.done;
  }

  /** Ends a report if it is driven here; resolves when it is not driven any more. */
  async cancel(id: string): Promise<void> {
    const job = this.jobs.get(id);
    if (job) {
      job.cancelled = true;
      job.abort.abort();
      // It may fail in the same moment; how it ended stands in the record.
      await job.done.catch(() => undefined);
    }
  }

  /** Stops all runs, which used a client that is gone; those whose account is signed in go on. */
  renewClient(): void {
    for (const { abort } of this.jobs.values()) {
      abort.abort();
    }
  }

  /**
   * Writes down that a report is cancelled or failed, and leaves nothing half-done behind, but for
   * a part that a retry of the failed one can go on with.
   */
  async finish(
    report: StoredReport,
    end: { state: 'cancelled' } | { state: 'failed'; error: ReportFailure },
  ): Promise<StoredReport> {
    const { downloadPath, partVersion: _partVersion, ...rest } = report;
    const isKept = end.state === 'failed' && (await keptPart(report)) !== undefined;
    if (downloadPath !== undefined && !isKept) {
      await fs.rm(partOf(downloadPath), { force: true }).catch((error: unknown) => {
        this.deps.logger.warn(`A part of report ${report.id} is left behind: ${String(error)}`);
      });
    }
    const finishedAt = new Date(this.deps.clock.now()).toISOString();
    const finished: StoredReport = { ...(isKept ? report : rest), ...end, finishedAt };
    this.records.save(finished);
    return finished;
  }

  /** Leaves every report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposed = true;
    this.renewClient();
  }

  private async run(job: Job, first: StoredReport): Promise<StoredReport> {
    let report = first;
    try {
      for (;;) {
        report = this.records.find(job.id) ?? report;
        if (!this.deps.store.has(job.id)) {
          // Another window has removed it: it does not come back.
          this.records.forget(job.id);
          return { ...report, state: 'cancelled' };
        }
        if (job.cancelled) {
          return await this.finish(report, { state: 'cancelled' });
        }
        const { signedIn } = this.deps.session;
        if (this.disposed || signedIn?.account.id !== report.accountId) {
          throw new SignedOutError();
        }
        job.abort = new AbortController();
        try {
          return await this.attempt(report, job, signedIn);
        } catch (error) {
          if (!job.abort.signal.aborted && this.deps.store.has(job.id)) {
            return await this.fail(this.records.find(job.id) ?? report, error);
          }
        }
      }
    } finally {
      this.jobs.delete(job.id);
      this.deps.store.release(job.id);
      const end = this.records.find(job.id);
      this.records.fireChange(end);
      if (end && !isUnfinished(end)) {
        this.records.fireEnd({ report: end, drivenHere: true });
      }
    }
  }

  private attempt(report: StoredReport, job: Job, { api, account }: SignedIn) {
    const { clock, store } = this.deps;
    const { folder, generationTimeoutMs } = this.deps.settings();
    return runReport(report, {
      api,
      clock,
      signal: job.abort.signal,
      folder: folder === '' ? store.folderOf(job.id) : folder,
      demoOrigin: account.isDemo ? account.origin : undefined,
      generationTimeoutMs,
      save: (changed) => {
        this.records.save(changed);
      },
      onActivity: (activity) => {
        if (!store.has(job.id)) {
          job.abort.abort();
        }
        job.activity = activity;
        this.records.fireChange(this.records.find(job.id));
      },
    });
  }

  /** @throws the error, when it stands in the record. */
  private async fail(report: StoredReport, error: unknown): Promise<never> {
    const failure = this.deps.describeFailure(error);
    this.deps.logger.warn(`Report ${report.id} failed: ${failure.code}`);
    const { reportUrl: _reportUrl, ...unrequested } = report;
    await this.finish(isLost(error, report) ? unrequested : report, {
      state: 'failed',
      error: failure,
    });
    throw error;
  }
}

function firstStage({ state }: StoredReport): ReportActivity['stage'] {
  return state === 'requested' ? 'requesting' : state === 'downloading' ? state : 'generating';
}

/** Whether asking the same address again is in vain, so that only a new request can help. */
function isLost(error: unknown, report: StoredReport): boolean {
  return (
    error instanceof ReportFailedError ||
    (error instanceof BadRequestError && error.status === 410) ||
    // The service hands out a fresh link each time it is asked; a link that it named itself ages.
    (error instanceof DownloadError &&
      error.reason === 'expiredLink' &&
      isAbsoluteElsewhere(report))
  );
}

function isAbsoluteElsewhere({ reportUrl = '', origin }: StoredReport): boolean {
  return URL.canParse(reportUrl) && new URL(reportUrl).origin !== origin;
}
