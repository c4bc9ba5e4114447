import { diskError, isDiskError } from '../../api/disk';
import {
  ApiError,
  BadRequestError,
  DownloadError,
  ForbiddenError,
  ReportFailedError,
} from '../../api/errors';
import type { Clock } from '../../common/clock';
import type { Disposable } from '../../common/disposable';
import type { Logger } from '../../common/logger';
import { describeForLog } from '../describeForLog';
import type { SignedIn } from '../session';
import { SignedOutError } from '../signedOutError';
import { keptPart, removeParts } from './keptPart';
import { LeaseLostError } from './leaseLostError';
import type { ReportLeases } from './reportLeases';
import { isUnfinished, type ReportFailure, type StoredReport } from './reportRecord';
import type { ReportRecords } from './reportRecords';
import { runReport, type ReportActivity } from './reportRun';
import type { ReportStore } from './reportStore';

/** What driving reports needs. */
export interface ReportDriverDeps {
  store: ReportStore;
  leases: ReportLeases;
  clock: Clock;
  logger: Logger;
  session: { readonly signedIn: SignedIn | undefined };
  /** The settings as they are now; `folder` empty: each report's file stands in a folder of its own. */
  settings(): { folder: string; generationTimeoutMs: number };
  /** Turns an error into what the record says of it. */
  describeFailure(error: unknown): ReportFailure;
}

/** A report that is driven by this window. */
interface Job {
  readonly id: string;
  readonly accountId: string;
  /** Settles when the report has ended, or waits for somebody to sign in. */
  readonly done: Promise<StoredReport>;
  activity: ReportActivity;
  /** What the other windows were last told of it, and when, by the clock of the leases. */
  shared: { what: string; at: number };
  /** Ends the run of now; unless the report was cancelled, another run goes on with the client of then. */
  abort: AbortController;
  /** Why the run ended where it was neither cancelled nor left by its client: it is the job's end, too. */
  stopped: { reason: unknown } | undefined;
  cancelled: boolean;
}

/** The other windows are told so often how far a report is, in milliseconds. */
const shareEveryMs = 1_000;
/** A report whose record could not be written is left alone for so long, in milliseconds. */
const unwritableMs = 30_000;

/**
 * Drives reports to their end, each by one job, however often its client changes on the way, for as
 * long as this window holds the lease of their account.
 */
export class ReportDriver implements Disposable {
  private readonly jobs = new Map<string, Job>();
  /** Reports whose record could not be written, with the time at which to try again. */
  private readonly unwritable = new Map<string, number>();
  private readonly leaseListener: Disposable;
  private disposed = false;

  constructor(
    private readonly records: ReportRecords,
    private readonly deps: ReportDriverDeps,
  ) {
    this.leaseListener = deps.leases.onDidLose((accountId) => {
      for (const job of this.jobs.values()) {
        if (job.accountId === accountId) {
          stop(job, new LeaseLostError());
        }
      }
    });
  }

  isDriving(id: string): boolean {
    return this.jobs.has(id);
  }

  /** Whether a report of an account is driven here. */
  isBusyFor(accountId: string): boolean {
    return [...this.jobs.values()].some((job) => job.accountId === accountId);
  }

  activity(id: string): ReportActivity | undefined {
    return this.jobs.get(id)?.activity;
  }

  /**
   * Drives a report, or goes on to.
   * @returns the record in state `ready` or `cancelled`; rejects with the reason when it failed, with
   * SignedOutError when it waits for its account, with LeaseLostError when another window has taken
   * over. `undefined`: this window may not drive it.
   */
  drive(report: StoredReport): Promise<StoredReport> | undefined {
    const running = this.jobs.get(report.id);
    if (running) {
      return running.done;
    }
    const { clock, leases } = this.deps;
    if (this.disposed || !leases.of(report.accountId).holds()) {
      return undefined;
    }
    if ((this.unwritable.get(report.id) ?? -Infinity) > clock.monotonic()) {
      return undefined;
    }
    const job: Job = {
      id: report.id,
      accountId: report.accountId,
      activity: { stage: firstStage(report) },
      shared: { what: '', at: -Infinity },
      abort: new AbortController(),
      stopped: undefined,
      cancelled: false,
      done: Promise.resolve().then(() => this.run(job, report)),
    };
    this.jobs.set(report.id, job);
    this.logStep(report);
    // How it ends stands in the record; often nobody waits for this promise.
    job.done.catch(() => undefined);
    return job.done;
  }

  /** Lets a report be driven at once whose record could not be written. */
  forgive(id: string): void {
    this.unwritable.delete(id);
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
    this.deps.leases.of(report.accountId).require();
    if (downloadPath !== undefined && !isKept) {
      await removeParts(downloadPath).catch((error: unknown) => {
        this.deps.logger.warn(`A part of report ${report.id} is left behind: ${String(error)}`);
      });
    }
    const finishedAt = new Date(this.deps.clock.now()).toISOString();
    const finished = this.records.save({ ...(isKept ? report : rest), ...end, finishedAt });
    this.logStep(finished);
    return finished;
  }

  /** Leaves every report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposed = true;
    this.leaseListener.dispose();
    this.renewClient();
  }

  /** Resolves when nothing is driven any more. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.jobs.values()].map(({ done }) => done));
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
        this.deps.leases.of(job.accountId).require();
        if (job.cancelled) {
          return await this.finish(report, { state: 'cancelled' });
        }
        const { signedIn } = this.deps.session;
        if (this.disposed || signedIn?.account.id !== report.accountId) {
          throw new SignedOutError();
        }
        job.abort = new AbortController();
        job.stopped = undefined;
        try {
          return await this.attempt(report, job, signedIn);
        } catch (error) {
          const ended = endOf(job, error);
          if (ended && this.deps.store.has(job.id)) {
            return await this.fail(this.records.find(job.id) ?? report, ended.reason);
          }
        }
      }
    } catch (error) {
      throw isDiskError(error) ? this.left(job.id, error) : error;
    } finally {
      this.jobs.delete(job.id);
      const end = this.records.find(job.id);
      if (end && !isUnfinished(end)) {
        this.deps.store.endProgress(job.id);
      }
      this.records.fireChange(end);
      if (end && !isUnfinished(end)) {
        this.records.fireEnd({ report: end, drivenHere: true });
      }
    }
  }

  private attempt(report: StoredReport, job: Job, { api, account }: SignedIn) {
    const { clock, leases, store } = this.deps;
    const { folder, generationTimeoutMs } = this.deps.settings();
    const lease = leases.of(job.accountId);
    const { epoch } = lease;
    return runReport(report, {
      api,
      clock,
      signal: job.abort.signal,
      folder: folder === '' ? store.fileFolderOf(job.id) : folder,
      demoOrigin: account.isDemo ? account.origin : undefined,
      generationTimeoutMs,
      epoch,
      save: (changed) => this.saveStep(changed),
      requireLease: () => {
        lease.require();
      },
      isSuperseded: () => (store.find(job.id)?.epoch ?? Infinity) > epoch,
      stop: (reason) => {
        stop(job, reason);
      },
      onActivity: (activity) => {
        if (!store.has(job.id)) {
          job.abort.abort();
        }
        job.activity = activity;
        this.share(job);
        this.records.fireChange(this.records.find(job.id));
      },
    });
  }

  private saveStep(changed: StoredReport): StoredReport {
    const before = this.records.find(changed.id)?.state;
    const saved = this.records.save(changed);
    if (saved.state !== before) {
      this.logStep(saved);
    }
    return saved;
  }

  /** The way of a report can be followed in the log. */
  private logStep({ id, kind, state, bytes }: StoredReport): void {
    const size = bytes === undefined ? '' : `, ${bytes} bytes`;
    this.deps.logger.info(`Report ${id} (${kind}): ${state}${size}`);
  }

  /** Lets the other windows see what a report is doing, now and then. */
  private share(job: Job): void {
    const { leases, store } = this.deps;
    const report = this.records.find(job.id);
    const at = leases.clock.monotonic();
    const { stage, wait, trouble, nextTryAt } = job.activity;
    const what = JSON.stringify([stage, wait, nextTryAt]);
    if (report && (what !== job.shared.what || at - job.shared.at >= shareEveryMs)) {
      job.shared = { what, at };
      const code = trouble === undefined ? undefined : this.deps.describeFailure(trouble).code;
      store.writeProgress(report, job.activity, code);
    }
  }

  /** @throws the error, when it stands in the record. */
  private async fail(report: StoredReport, error: unknown): Promise<never> {
    if (error instanceof LeaseLostError || isDiskError(error)) {
      // Not this window's to write down, or not to be written down at all.
      throw error;
    }
    const { reportUrl: _reportUrl, ...unrequested } = report;
    const last = isLost(error, report) ? unrequested : report;
    if (error instanceof ApiError) {
      error.keptBytes = (await keptPart(last))?.offset;
    }
    const failure = this.deps.describeFailure(error);
    this.deps.logger.warn(`Report ${report.id} failed: ${describeForLog(error)}`);
    await this.finish(isLinkRefused(error, report) ? { ...last, linkRefused: true } : last, {
      state: 'failed',
      error: failure,
    });
    throw error;
  }

  /** A report whose record cannot be written stays as it stands on disk, to go on from there later. */
  private left(id: string, error: NodeJS.ErrnoException): unknown {
    this.unwritable.set(id, this.deps.clock.monotonic() + unwritableMs);
    this.deps.logger.error(`The record of report ${id} cannot be written: ${String(error)}`);
    return diskError(error.code);
  }
}

function stop(job: Job, reason: unknown): void {
  job.stopped ??= { reason };
  job.abort.abort();
}

/** Why the job is over when its run ended with an error; `undefined`: its client or somebody left it. */
function endOf({ stopped, abort }: Job, error: unknown): { reason: unknown } | undefined {
  return stopped ?? (abort.signal.aborted ? undefined : { reason: error });
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

/** Whether it was the address of the file that was refused, not the request for the report. */
function isLinkRefused(error: unknown, { reportUrl }: StoredReport): boolean {
  return (
    (error instanceof DownloadError && error.reason === 'expiredLink') ||
    (reportUrl !== undefined &&
      (error instanceof ForbiddenError || error instanceof BadRequestError))
  );
}

function isAbsoluteElsewhere({ reportUrl = '', origin }: StoredReport): boolean {
  return URL.canParse(reportUrl) && new URL(reportUrl).origin !== origin;
}
