import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { ConfigError } from '../../api/errors';
import type { ReportKind } from '../../api/types';
import type { Clock } from '../../common/clock';
import type { Disposable } from '../../common/disposable';
import { Emitter, type Event } from '../../common/emitter';
import type { JsonObject } from '../../common/json';
import type { Logger } from '../../common/logger';
import { demoAccountId } from '../account';
import type { SignedIn } from '../session';
import { SignedOutError } from '../signedOutError';
import { isUnfinished, type ReportFailure, type StoredReport } from './reportRecord';
import { runReport, type ReportActivity } from './reportRun';
import type { ReportStore } from './reportStore';

/** What the reports need. */
export interface ReportsDeps {
  store: ReportStore;
  clock: Clock;
  logger: Logger;
  session: { readonly signedIn: SignedIn | undefined; readonly onDidChange: Event<void> };
  /** The settings as they are now; `folder` empty: each report's file stands beside its record. */
  settings(): { folder: string; generationTimeoutMs: number };
  /** Turns an error into what the record says of it. */
  describeFailure(error: unknown): ReportFailure;
}

/** What is asked for. */
export interface ReportRequest {
  kind: ReportKind;
  title: string;
  scorecardId?: string;
  /** Sent as JSON; without it the request has no body. */
  body?: JsonObject;
}

/** A report changed, or, with `undefined`, any number of them. */
export type ReportChange = StoredReport | undefined;

/** A report has come to its end: driven here, or seen to end in another window. */
export interface ReportEnd {
  report: StoredReport;
  drivenHere: boolean;
}

interface Job {
  readonly abort: AbortController;
  readonly done: Promise<StoredReport>;
  activity: ReportActivity;
}

/** Why a run was aborted: the report was cancelled, or it goes on later with another client. */
class CancelledByUser extends Error {}
class Suspended extends Error {}

const watchIntervalMs = 3_000;

/**
 * All reports of this machine. It drives those of the account that is signed in here, unless
 * another window does, and shows the others as their records say.
 */
export class Reports implements Disposable {
  private readonly changed = new Emitter<ReportChange>();
  private readonly ended = new Emitter<ReportEnd>();
  private readonly jobs = new Map<string, Job>();
  private readonly known = new Map<string, StoredReport>();
  private readonly sessionListener: Disposable;
  private stopWatching: (() => void) | undefined;
  private api: SignedIn['api'] | undefined;
  private disposed = false;

  /** Fires when a record or what its report is doing changes. */
  readonly onDidChange = this.changed.event;

  /** Fires when a report has become ready, failed or was cancelled. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly deps: ReportsDeps) {
    this.sessionListener = deps.session.onDidChange(() => {
      this.followSession();
    });
  }

  /** Reads all records, and goes on with the unfinished ones of the account that is signed in. */
  resume(): void {
    const before = new Map(this.known);
    this.known.clear();
    for (const report of this.deps.store.list()) {
      this.known.set(report.id, report);
      const earlier = before.get(report.id);
      if (earlier && isUnfinished(earlier) && !isUnfinished(report) && !this.jobs.has(report.id)) {
        this.ended.fire({ report, drivenHere: false });
      }
    }
    for (const report of this.list()) {
      if (isUnfinished(report) && !this.jobs.has(report.id) && this.isOfSignedIn(report)) {
        // How it ends stands in the record; nobody waits for this promise.
        this.drive(report)?.done.catch(() => undefined);
      }
    }
    this.watchOthers();
    this.changed.fire(undefined);
  }

  /** The reports of the demo while it is shown, else those of all accounts; the newest first. */
  list(): StoredReport[] {
    const isDemo = this.deps.session.signedIn?.account.isDemo === true;
    return [...this.known.values()]
      .filter((report) => (report.accountId === demoAccountId) === isDemo)
      .sort((a, b) => b.requestedAt.localeCompare(a.requestedAt) || b.id.localeCompare(a.id));
  }

  /**
   * A report by its id.
   * @throws ConfigError when there is none.
   */
  get(id: string): StoredReport {
    const report = this.known.get(id);
    if (!report) {
      throw new ConfigError(`There is no report with the id ${id}.`);
    }
    return report;
  }

  /** What a report that is driven by this window does right now. */
  activity(id: string): ReportActivity | undefined {
    return this.jobs.get(id)?.activity;
  }

  /**
   * Asks for a report, or joins the unfinished one that asks for the same: reports are what the
   * service limits most.
   */
  start(request: ReportRequest): {
    report: StoredReport;
    done: Promise<StoredReport>;
    joined: boolean;
  } {
    const { account } = this.requireSignedIn();
    const same = this.list().find(
      (report) =>
        isUnfinished(report) &&
        report.accountId === account.id &&
        report.kind === request.kind &&
        report.scorecardId === request.scorecardId &&
        JSON.stringify(report.body) === JSON.stringify(request.body),
    );
    const running = same && (this.jobs.get(same.id) ?? this.drive(same));
    if (same && running) {
      return { report: same, done: running.done, joined: true };
    }
    const report: StoredReport = {
      schemaVersion: 1,
      id: randomUUID(),
      kind: request.kind,
      origin: account.origin,
      accountId: account.id,
      title: request.title,
      state: 'requested',
      unsent: true,
      requestedAt: this.now(),
      ...(request.scorecardId === undefined ? {} : { scorecardId: request.scorecardId }),
      ...(request.body === undefined ? {} : { body: request.body }),
    };
    this.save(report);
    return { report, done: this.mustDrive(report).done, joined: false };
  }

  /**
   * Goes on with a report that failed or was cancelled: where the service knows it, without asking
   * for it again.
   */
  retry(id: string): { report: StoredReport; done: Promise<StoredReport> } {
    const report = this.get(id);
    const running = this.jobs.get(id);
    if (running) {
      return { report, done: running.done };
    }
    if (report.path !== undefined && existsSync(report.path)) {
      return { report, done: Promise.resolve(report) };
    }
    const { account } = this.requireSignedIn();
    if (report.accountId !== account.id) {
      throw new ConfigError(
        `This report belongs to ${report.origin}. Sign in there to go on with it.`,
      );
    }
    const { error: _error, finishedAt: _finishedAt, path: _path, bytes: _bytes, ...rest } = report;
    const next: StoredReport =
      report.reportUrl === undefined
        ? { ...rest, state: 'requested', unsent: true, requestedAt: this.now() }
        : { ...rest, state: 'generating' };
    this.deps.store.renewNotice(id);
    this.save(next);
    return { report: next, done: this.mustDrive(next).done };
  }

  /** Ends a report that is on its way. A finished one stays as it is. */
  async cancel(id: string): Promise<StoredReport> {
    const report = this.get(id);
    const job = this.jobs.get(id);
    if (job) {
      job.abort.abort(new CancelledByUser());
      return job.done;
    }
    if (!isUnfinished(report)) {
      return report;
    }
    if (this.deps.store.isDrivenElsewhere(report)) {
      throw new ConfigError('Another window drives this report. Cancel it there.');
    }
    return this.finish(report, { state: 'cancelled' });
  }

  /** Cancels a report where needed, and removes its record and its file. */
  async remove(id: string): Promise<void> {
    const report = await this.cancel(id).catch(() => this.get(id));
    if (report.path !== undefined) {
      await fs.rm(report.path, { force: true });
    }
    this.deps.store.remove(id);
    this.known.delete(id);
    this.changed.fire(undefined);
  }

  /** Removes the reports of all accounts, also of the demo, with their files. */
  async removeAll(): Promise<void> {
    this.resume();
    for (const id of [...this.known.keys()]) {
      await this.remove(id);
    }
  }

  /** Whether this window may tell the end of a report; of all windows one may. */
  claimNotice(id: string): boolean {
    return this.deps.store.claimNotice(id);
  }

  /** Whether another window is driving this report. */
  isDrivenElsewhere(report: StoredReport): boolean {
    return !this.jobs.has(report.id) && this.deps.store.isDrivenElsewhere(report);
  }

  /** Leaves every unfinished report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposed = true;
    this.sessionListener.dispose();
    this.stopWatching?.();
    for (const [id, job] of this.jobs) {
      job.abort.abort(new Suspended());
      this.deps.store.release(id);
    }
    this.changed.dispose();
    this.ended.dispose();
  }

  private followSession(): void {
    const api = this.deps.session.signedIn?.api;
    if (api === this.api) {
      return;
    }
    this.api = api;
    for (const job of this.jobs.values()) {
      job.abort.abort(new Suspended());
    }
    this.resume();
  }

  /** Starts to drive a report unless another window does. */
  private drive(report: StoredReport): Job | undefined {
    if (!this.deps.store.claim(report.id)) {
      return undefined;
    }
    const abort = new AbortController();
    const job: Job = {
      abort,
      activity: { stage: report.state === 'downloading' ? 'downloading' : 'generating' },
      done: Promise.resolve().then(() => this.run(report.id, job)),
    };
    this.jobs.set(report.id, job);
    return job;
  }

  private mustDrive(report: StoredReport): Job {
    const job = this.drive(report);
    if (!job) {
      throw new ConfigError('Another window drives this report. Follow it there.');
    }
    return job;
  }

  private async run(id: string, job: Job): Promise<StoredReport> {
    try {
      const { api, account } = this.requireSignedIn();
      const { folder, generationTimeoutMs } = this.deps.settings();
      return await runReport(this.get(id), {
        api,
        clock: this.deps.clock,
        signal: job.abort.signal,
        folder: folder === '' ? this.deps.store.folderOf(id) : folder,
        demoOrigin: account.isDemo ? account.origin : undefined,
        generationTimeoutMs,
        save: (report) => {
          this.save(report);
        },
        onActivity: (activity) => {
          job.activity = activity;
          this.changed.fire(this.known.get(id));
        },
      });
    } catch (error) {
      return await this.end(id, job, error);
    } finally {
      if (this.jobs.get(id) === job) {
        this.jobs.delete(id);
        this.deps.store.release(id);
      }
      const report = this.known.get(id);
      this.changed.fire(report);
      if (report && !isUnfinished(report)) {
        this.ended.fire({ report, drivenHere: true });
      }
    }
  }

  /** Writes down why a run ended without its file. */
  private async end(id: string, job: Job, error: unknown): Promise<StoredReport> {
    const reason: unknown = job.abort.signal.reason;
    const report = this.get(id);
    if (reason instanceof Suspended) {
      return this.goOnElsewhere(id, job);
    }
    if (report.downloadPath !== undefined) {
      await fs.rm(`${report.downloadPath}.part`, { force: true });
    }
    if (reason instanceof CancelledByUser) {
      return this.finish(report, { state: 'cancelled' });
    }
    const failure = this.deps.describeFailure(error);
    this.deps.logger.warn(`Report ${id} failed: ${failure.message}`);
    this.finish(report, { state: 'failed', error: failure });
    throw error;
  }

  /** After a change of key the report goes on with the new client, after a sign-out it waits. */
  private async goOnElsewhere(id: string, job: Job): Promise<StoredReport> {
    const report = this.get(id);
    if (this.disposed || !this.isOfSignedIn(report)) {
      throw new SignedOutError();
    }
    if (this.jobs.get(id) === job) {
      this.jobs.delete(id);
    }
    return (this.jobs.get(id) ?? this.mustDrive(report)).done;
  }

  private finish(
    report: StoredReport,
    end: { state: 'cancelled' } | { state: 'failed'; error: ReportFailure },
  ): StoredReport {
    const { downloadPath: _downloadPath, ...rest } = report;
    const finished: StoredReport = { ...rest, ...end, finishedAt: this.now() };
    this.save(finished);
    return finished;
  }

  private save(report: StoredReport): void {
    this.deps.store.write(report);
    this.known.set(report.id, report);
    this.changed.fire(report);
  }

  /** Follows the reports that other windows drive, and takes over what they leave behind. */
  private watchOthers(): void {
    this.stopWatching?.();
    this.stopWatching = undefined;
    const others = this.list().some(
      (report) => isUnfinished(report) && !this.jobs.has(report.id) && this.isOfSignedIn(report),
    );
    if (others && !this.disposed) {
      this.stopWatching = this.deps.clock.setTimeout(() => {
        this.resume();
      }, watchIntervalMs);
    }
  }

  private isOfSignedIn(report: StoredReport): boolean {
    return report.accountId === this.deps.session.signedIn?.account.id;
  }

  private requireSignedIn(): SignedIn {
    const { signedIn } = this.deps.session;
    if (!signedIn) {
      throw new SignedOutError();
    }
    return signedIn;
  }

  private now(): string {
    return new Date(this.deps.clock.now()).toISOString();
  }
}
