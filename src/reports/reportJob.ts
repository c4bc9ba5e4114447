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
import { type Changes, ReportRun, type ReportSettings, type RunJob } from './reportRun';
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
export class ReportJob implements RunJob {
  activity: ReportActivity;
  readonly lock: FileLock;
  /** Aborts the current run. */
  private abort = new AbortController();
  /** Why no further run is started; `undefined` while another run is allowed. */
  private stopped: { reason: unknown } | undefined;
  private isCancelled = false;

  /**
   * @param report its record, as last written.
   * @param onChange called with the record when the record or the activity changes.
   */
  constructor(
    public report: StoredReport,
    readonly deps: ReportJobDeps,
    private readonly onChange: (report: StoredReport) => void,
  ) {
    this.activity = { stage: firstStage(report) };
    this.lock = deps.store.lockOf(report.id);
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
    const { id, accountId, run } = this.report;
    this.logState();
    if (store.has(id)) {
      // Tells this run from earlier ones, whose window may only be asleep; see partFor.
      this.save({ run: run + 1 });
    }
    for (;;) {
      if (!store.has(id)) {
        // Another window has removed it: do not create it again.
        return { ...this.report, state: 'cancelled' };
      }
      this.lock.require();
      if (this.isCancelled || store.isCancelRequested(id)) {
        await this.finish({ state: 'cancelled' });
        return this.report;
      }
      if (this.stopped) {
        return await this.fail(this.stopped.reason);
      }
      const { signedIn } = session;
      if (signedIn?.account.id !== accountId) {
        throw new SignedOutError();
      }
      this.abort = new AbortController();
      try {
        await new ReportRun(this, signedIn, this.abort.signal).run();
        return this.report;
      } catch (error) {
        // An aborted run was cancelled or stopped, or goes on with the client that is signed in then.
        if (!this.abort.signal.aborted) {
          this.stop(error);
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
   * Changes the record, on disk first.
   * @throws LockLostError when another window has taken over; an error of the file system.
   */
  save(changes: Changes): void {
    const before = this.report.state;
    const next = Object.fromEntries(
      Object.entries({ ...this.report, ...changes }).filter(([, value]) => value !== undefined),
    ) as unknown as StoredReport;
    this.deps.store.write(next);
    this.report = next;
    if (next.state !== before) {
      this.logState();
    }
    this.onChange(next);
  }

  setActivity(activity: ReportActivity): void {
    if (!this.deps.store.has(this.report.id)) {
      this.interrupt();
    }
    this.activity = activity;
    this.onChange(this.report);
  }

  /**
   * Records that the report was cancelled or has failed, and removes its parts.
   * @param part the part from which Retry can resume; it stays.
   */
  private async finish(end: Changes, part?: Resume): Promise<void> {
    const { id, downloadPath } = this.report;
    this.lock.require();
    if (downloadPath !== undefined && !part) {
      await removeParts(downloadPath).catch((error: unknown) => {
        this.deps.logger.warn(`A part of report ${id} is left behind: ${String(error)}`);
      });
    }
    this.save({
      ...(part ? {} : { downloadPath: undefined, partVersion: undefined }),
      ...end,
      finishedAt: new Date(this.deps.clock.now()).toISOString(),
    });
  }

  /** @throws the error, after it was written to the record. */
  private async fail(error: unknown): Promise<never> {
    if (error instanceof LockLostError || error instanceof SignedOutError || isDiskError(error)) {
      // The error is not a failure of the report, or cannot be written to the record.
      throw error;
    }
    const kept = await keptPart(this.report);
    const isNewNeeded = requiresNewRequest(error, this.report, kept);
    const reportUrl = isNewNeeded ? undefined : this.report.reportUrl;
    const part = isNewNeeded ? undefined : kept;
    if (error instanceof ApiError) {
      error.keptBytes = part?.offset;
    }
    const failure = this.deps.describeFailure(error);
    this.deps.logger.warn(`Report ${this.report.id} failed: ${describeForLog(error)}`);
    const linkRefused = isLinkRefused(error, reportUrl) || undefined;
    // The service has answered that there will be no report: a second request is no risk.
    const decided = error instanceof ReportFailedError ? { unsent: undefined } : {};
    await this.finish(
      { state: 'failed', error: failure, reportUrl, linkRefused, ...decided },
      part,
    );
    throw error;
  }

  private logState(): void {
    const { id, kind, state, bytes } = this.report;
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
function isLinkRefused(error: unknown, reportUrl: string | undefined): boolean {
  return (
    (error instanceof DownloadError && error.reason === 'expiredLink') ||
    (reportUrl !== undefined &&
      [ForbiddenError, BadRequestError, ProtocolError, ReportFailedError].some(
        (kind) => error instanceof kind,
      ))
  );
}
