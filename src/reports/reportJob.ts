import type { SignedIn } from '../account/session';
import {
  ApiError,
  BadRequestError,
  DownloadError,
  ForbiddenError,
  ProtocolError,
  ReportFailedError,
} from '../api/http/errors';
import type { Resume } from '../api/types';
import type { Clock } from '../base/events/clock';
import { type FileLock, LockLostError } from '../base/fileLock';
import { isDiskError } from '../base/files';
import type { Logger } from '../base/logger';
import { describeForLog } from '../workbench/describeForLog';
import { SignedOutError } from '../workbench/workbenchErrors';
import type { ReportActivity } from './reportActivity';
import { keptPart, removeParts } from './reportParts';
import { isOnOtherHost, type ReportFailure, type StoredReport } from './reportRecord';
import { ReportRun, type ReportSettings } from './reportRun';
import type { ReportStore } from './reportStore';

export interface ReportJobDeps {
  store: ReportStore;
  clock: Clock;
  logger: Logger;
  session: { readonly signedIn: SignedIn | undefined };
  /** The current settings. */
  settings: () => ReportSettings;
  /** Converts an error to the failure that the record stores. */
  describeFailure(error: unknown): ReportFailure;
}

/**
 * Runs one report from the state in its record to its end, even if its client changes on the way.
 * The window that owns the lock of the report creates it. While it runs, nobody else writes the record.
 */
export class ReportJob {
  private currentActivity: ReportActivity;
  private readonly lock: FileLock;
  /** Aborts the current run. */
  private abort = new AbortController();
  /** Why no further run is started; `undefined` while another run is allowed. */
  private stopped: { reason: unknown } | undefined;
  private isCancelled = false;

  /** @param onChange called with the record when the record or the activity changes. */
  constructor(
    private current: StoredReport,
    private readonly deps: ReportJobDeps,
    private readonly onChange: (report: StoredReport) => void,
  ) {
    this.currentActivity = { stage: firstStage(current) };
    this.lock = deps.store.lockOf(current.id);
  }

  get report(): StoredReport {
    return this.current;
  }

  get activity(): ReportActivity {
    return this.currentActivity;
  }

  /**
   * Runs the report. Call it once.
   * @returns the record in state `ready` or `cancelled`.
   * @throws the reason when the report failed; SignedOutError when it waits for its account;
   *   LockLostError when another window has taken over; an error of the file system when the
   *   record cannot be written.
   */
  async run(): Promise<StoredReport> {
    const { store, session } = this.deps;
    const { id, accountId } = this.current;
    this.logState();
    this.begin();
    for (;;) {
      if (!store.has(id)) {
        // Another window has removed it: do not create it again.
        return { ...this.current, state: 'cancelled' };
      }
      this.lock.require();
      if (this.isCancelled || store.isCancelRequested(id)) {
        return await this.finish(this.current, { state: 'cancelled' });
      }
      const { signedIn } = session;
      if (this.stopped) {
        return await this.fail(this.stopped.reason);
      }
      if (signedIn?.account.id !== accountId) {
        throw new SignedOutError();
      }
      this.abort = new AbortController();
      try {
        return await this.runOnce(signedIn);
      } catch (error) {
        const end = this.endOf(error);
        if (end && store.has(id)) {
          return await this.fail(end.reason);
        }
      }
    }
  }

  /** Cancels the report. It may become ready, or fail, before that; the record has the outcome. */
  cancel(): void {
    this.isCancelled = true;
    this.abort.abort();
  }

  /** Ends the current run because its client is gone. The next one uses the client that is signed in then. */
  interrupt(): void {
    this.abort.abort();
  }

  /** Stops the job. If the reason is a failure of the report, it is written to the record. */
  stop(reason: unknown): void {
    this.stopped ??= { reason };
    this.abort.abort();
  }

  /**
   * Why the job ends after an error of its run; `undefined` when it was cancelled or its client has
   * changed.
   */
  private endOf(error: unknown): { reason: unknown } | undefined {
    return this.isCancelled
      ? undefined
      : (this.stopped ?? (this.abort.signal.aborted ? undefined : { reason: error }));
  }

  private runOnce(signedIn: SignedIn): Promise<StoredReport> {
    return new ReportRun(this.current, {
      ...this.deps,
      signedIn,
      signal: this.abort.signal,
      save: (changed) => this.save(changed),
      stop: (reason) => {
        this.stop(reason);
      },
      onActivity: (activity) => {
        if (!this.deps.store.has(this.current.id)) {
          this.interrupt();
        }
        this.currentActivity = activity;
        this.onChange(this.current);
      },
    }).run();
  }

  /** Tells this run from earlier ones, whose window may only be asleep; see partFor. */
  private begin(): void {
    const { id, run } = this.current;
    if (this.deps.store.has(id)) {
      this.save({ ...this.current, run: run + 1 });
    }
  }

  private save(changed: StoredReport): StoredReport {
    const before = this.current.state;
    this.deps.store.write(changed);
    this.current = changed;
    if (this.current.state !== before) {
      this.logState();
    }
    this.onChange(this.current);
    return this.current;
  }

  /**
   * Records that the report was cancelled or has failed, and removes its parts. A failed report
   * keeps the part from which Retry can resume.
   */
  private async finish(
    report: StoredReport,
    end: { state: 'cancelled' } | { state: 'failed'; error: ReportFailure },
  ): Promise<StoredReport> {
    const { downloadPath, partVersion: _partVersion, ...rest } = report;
    const isKept = end.state === 'failed' && (await keptPart(report)) !== undefined;
    this.lock.require();
    if (downloadPath !== undefined && !isKept) {
      await removeParts(downloadPath).catch((error: unknown) => {
        this.deps.logger.warn(`A part of report ${report.id} is left behind: ${String(error)}`);
      });
    }
    const finishedAt = new Date(this.deps.clock.now()).toISOString();
    return this.save({ ...(isKept ? report : rest), ...end, finishedAt });
  }

  /** @throws the error, after it was written to the record. */
  private async fail(error: unknown): Promise<never> {
    if (error instanceof LockLostError || error instanceof SignedOutError || isDiskError(error)) {
      // The error is not a failure of the report, or cannot be written to the record.
      throw error;
    }
    const report = this.current;
    const { reportUrl: _reportUrl, ...withoutReportUrl } = report;
    const part = await keptPart(report);
    const last = requiresNewRequest(error, report, part) ? withoutReportUrl : report;
    if (error instanceof ApiError) {
      error.keptBytes = last === report ? part?.offset : undefined;
    }
    const failure = this.deps.describeFailure(error);
    this.deps.logger.warn(`Report ${report.id} failed: ${describeForLog(error)}`);
    await this.finish(isLinkRefused(error, last) ? { ...last, linkRefused: true } : last, {
      state: 'failed',
      error: failure,
    });
    throw error;
  }

  private logState(): void {
    const { id, kind, state, bytes } = this.current;
    const size = bytes === undefined ? '' : `, ${bytes} bytes`;
    this.deps.logger.info(`Report ${id} (${kind}): ${state}${size}`);
  }
}

function firstStage({ state }: StoredReport): ReportActivity['stage'] {
  return state === 'requested' ? 'requesting' : state === 'downloading' ? state : 'generating';
}

/** Whether the same address can no longer succeed, so only a new request can. */
function requiresNewRequest(
  error: unknown,
  report: StoredReport,
  part: Resume | undefined,
): boolean {
  return (
    // Of a report that has failed, nothing would have been saved: something else is wrong.
    (error instanceof ReportFailedError && !part) ||
    (error instanceof BadRequestError && error.status === 410) ||
    // The service creates a new link for each request to its own address. If its answer named a
    // link on another host, nothing renews that link after it expires.
    (error instanceof DownloadError && error.reason === 'expiredLink' && isOnOtherHost(report))
  );
}

/** Whether the address of the file does not lead to it, although the service accepted the request for it. */
function isLinkRefused(error: unknown, { reportUrl }: StoredReport): boolean {
  return (
    (error instanceof DownloadError && error.reason === 'expiredLink') ||
    (reportUrl !== undefined &&
      [ForbiddenError, BadRequestError, ProtocolError, ReportFailedError].some(
        (kind) => error instanceof kind,
      ))
  );
}
