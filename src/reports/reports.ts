import { existsSync } from 'node:fs';
import { ConfigError, RateLimitedError } from '../api/http/errors';
import type { Disposable } from '../base/events/disposable';
import { Emitter, type Event } from '../base/events/emitter';
import { pathsOf, removeAllPossible } from '../base/files';
import { UserError } from '../base/userError';
import { message } from '../base/message';
import { demoAccountId } from '../account/account';
import type { SignedIn } from '../account/session';
import { SignedOutError } from '../workbench/workbenchErrors';
import { LockLostError } from '../base/fileLock';
import { filesOf, ReportRunner } from './reportRunner';
import type { ReportJobDeps } from './reportJob';
import type { ReportActivity } from './reportActivity';
import {
  isUnfinished,
  type ReportFailure,
  type StoredReport,
  isSameRequest,
  newReport,
  type ReportRequest,
} from './reportRecord';

export type { ReportRequest } from './reportRecord';

/** Dependencies of the reports. */
interface ReportsDeps extends ReportJobDeps {
  session: { readonly signedIn: SignedIn | undefined; readonly onDidChange: Event<void> };
}

/** An unfinished report, whichever window runs it. */
interface StartedReport {
  report: StoredReport;
  /**
   * Resolves with the record in state `ready` or `cancelled`. Rejects with the reason of a failure,
   * and with SignedOutError when the report waits for its account.
   */
  done: Promise<StoredReport>;
}

/** A report has ended, in this window or in another one. */
export interface ReportEnd {
  report: StoredReport;
  ranHere: boolean;
}

/** The reports of this machine as a window shows them: a copy of the records on disk. */
export class Reports implements Disposable {
  private readonly runner: ReportRunner;
  private readonly changed = new Emitter<StoredReport | undefined>();
  private readonly ended = new Emitter<ReportEnd>();
  private readonly sessionListener: Disposable;
  private readonly disposal = new AbortController();
  private records = new Map<string, StoredReport>();
  private unreadableReports: readonly string[] = [];
  private api: SignedIn['api'] | undefined;
  private storageProblem: string | undefined;
  private loading: Promise<void> | undefined;
  private isLoading = false;
  /** The state of the folder when the records were last read. */
  private stamp: number | undefined;
  private cancelCheck: (() => void) | undefined;

  /** Fires a record when it or its activity changes; `undefined` when several may have changed. */
  readonly onDidChange = this.changed.event;

  /** Fires when a report is ready, failed or cancelled. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly deps: ReportsDeps) {
    this.runner = new ReportRunner(deps, {
      changed: (report) => {
        this.records.set(report.id, report);
        this.changed.fire(report);
      },
      removed: (id) => {
        this.records.delete(id);
        this.changed.fire(undefined);
      },
      ended: (report) => {
        this.ended.fire({ report, ranHere: true });
      },
    });
    this.sessionListener = deps.session.onDidChange(() => {
      this.followSession();
    });
  }

  /**
   * Reads all records for the first time, without blocking, and resumes unfinished reports. Until then
   * the list is empty. Further calls return the same promise.
   */
  load(): Promise<void> {
    if (!this.loading) {
      this.isLoading = true;
      this.loading = this.deps.store.load().then(() => {
        this.isLoading = false;
        this.resume();
      });
    }
    return this.loading;
  }

  /**
   * Reads changed records and resumes the unfinished reports of the signed-in account. An error of the
   * storage is kept in `problem`.
   */
  resume(): void {
    if (this.disposal.signal.aborted || this.isLoading) {
      return;
    }
    try {
      this.readRecords();
      this.runner.resume(this.all());
      this.storageProblem = undefined;
    } catch (error) {
      const problem = String(error);
      if (problem !== this.storageProblem) {
        this.deps.logger.error(`Could not read or write reports: ${problem}`);
      }
      this.storageProblem = problem;
    }
    this.scheduleCheck();
    this.changed.fire(undefined);
  }

  /** Why the last access to the reports on disk failed; `undefined` when it succeeded. */
  get problem(): string | undefined {
    return this.storageProblem;
  }

  /** The IDs of reports whose record could not be read. */
  get unreadable(): readonly string[] {
    return this.unreadableReports;
  }

  /** The reports of all accounts, and of the demo; the newest request first. */
  all(): StoredReport[] {
    return [...this.records.values()].sort(
      (a, b) => b.requestedAt.localeCompare(a.requestedAt) || b.id.localeCompare(a.id),
    );
  }

  /** The reports of the demo while it is shown, otherwise those of all accounts; newest first. */
  list(): StoredReport[] {
    return this.all().filter((report) => this.isShown(report));
  }

  /** @throws ConfigError if no report has this id. */
  get(id: string): StoredReport {
    const report = this.records.get(id);
    if (!report) {
      throw new ConfigError(message('There is no report with the ID {0}.', id));
    }
    return report;
  }

  /** What an unfinished report is doing, if this window runs it. */
  activity(id: string): ReportActivity | undefined {
    return this.runner.runningReport(id)?.job.activity;
  }

  isRunningHere(id: string): boolean {
    return this.runner.runningReport(id) !== undefined;
  }

  isRunningElsewhere(report: StoredReport): boolean {
    return (
      isUnfinished(report) &&
      !this.isRunningHere(report.id) &&
      this.deps.store.lockOf(report.id).isOwnedElsewhere()
    );
  }

  /** Whether an account has reports that only it can resume: unfinished or failed ones. */
  hasResumable(accountId: string): boolean {
    return this.all().some(
      (report) =>
        report.accountId === accountId && (isUnfinished(report) || report.state === 'failed'),
    );
  }

  isOfSignedInService({ origin }: StoredReport): boolean {
    return origin === this.deps.session.signedIn?.account.origin;
  }

  /** No other account can resume it. */
  isOfSignedIn(report: StoredReport): boolean {
    return report.accountId === this.deps.session.signedIn?.account.id;
  }

  claimNotice(id: string): boolean {
    return this.deps.store.claimNotice(id);
  }

  /**
   * Starts a report, or joins an unfinished one with the same request, in any window, because the
   * service limits reports most.
   * @throws as the store does.
   */
  start(request: ReportRequest): StartedReport & { joined: boolean } {
    const { account } = this.requireSignedIn();
    const identity = { accountId: account.id, ...request };
    const requested = newReport(request, account, this.deps.clock.now());
    const report = this.deps.store.start(requested, () => {
      this.readRecords();
      return this.all().find((each) => isUnfinished(each) && isSameRequest(each, identity));
    });
    this.resume();
    return { report, done: this.follow(report.id), joined: report !== requested };
  }

  /**
   * Resumes a report that failed or was cancelled, without a new request if the service has already
   * accepted one.
   * @param options `isNew`: requests it again, even if its address is known, because the link may have expired. Only
   *   for a user: the service counts it as another report.
   */
  retry(id: string, options = { isNew: false }): StartedReport {
    const report = this.get(id);
    if (report.path !== undefined && existsSync(report.path)) {
      return { report, done: Promise.resolve(report) };
    }
    const { account } = this.requireSignedIn();
    if (report.accountId !== account.id) {
      throw new ConfigError(
        message(
          'This report belongs to another account at {0}. Sign in with the key of that account to resume it.',
          report.origin,
        ),
      );
    }
    const done = this.perform(this.runner.retry(id, options)).then(() => this.follow(id));
    done.catch(() => undefined);
    return { report, done };
  }

  /** See ReportRunner. */
  async cancel(id: string): Promise<StoredReport> {
    this.get(id);
    await this.perform(this.runner.cancel(id));
    return this.get(id);
  }

  async remove(id: string): Promise<void> {
    this.get(id);
    await this.perform(this.runner.remove(id));
  }

  async removeEnded(id: string): Promise<boolean> {
    return this.perform(this.runner.removeEnded(id));
  }

  async removeUnreadable(id: string): Promise<void> {
    await this.perform(this.runner.removeUnreadable(id));
  }

  async cancelAll(): Promise<void> {
    await this.load();
    await this.runner.cancelAll();
  }

  /**
   * Removes the reports of all accounts and of the demo, with their files. A window that runs one of
   * them notices and stops.
   * @returns the paths of files that could not be removed.
   */
  async removeAll(): Promise<string[]> {
    await this.cancelAll();
    this.readRecords();
    const files = (await Promise.all(this.all().map((report) => filesOf(report)))).flat();
    const left = this.deps.store.removeAll();
    this.resume();
    return [...new Set([...left, ...pathsOf(files.flatMap((file) => removeAllPossible(file)))])];
  }

  /** Leaves unfinished reports to another window, or to the next start of this one. */
  dispose(): void {
    this.disposal.abort();
    this.cancelCheck?.();
    this.sessionListener.dispose();
    this.runner.dispose();
    this.changed.dispose();
    this.ended.dispose();
  }

  private followSession(): void {
    const api = this.deps.session.signedIn?.api;
    if (api !== this.api) {
      this.api = api;
      this.runner.interrupt();
      this.resume();
    }
  }

  /** Reads all records, and fires the end of reports that ended in another window. */
  private readRecords(): void {
    // Read before the records, so that any record written from now on is noticed.
    this.stamp = this.deps.store.stamp();
    const before = this.records;
    const { reports, unreadable } = this.deps.store.readAll();
    // A record that cannot be read right now, for example with too many open files, still exists.
    const kept = unreadable.flatMap((id) => before.get(id) ?? []);
    this.records = new Map([...reports, ...kept].map((report) => [report.id, report]));
    this.unreadableReports = unreadable.filter((id) => !this.records.has(id));
    for (const report of this.records.values()) {
      const earlier = before.get(report.id);
      const isEnd = earlier && isUnfinished(earlier) && !isUnfinished(report);
      if (isEnd && !this.isRunningHere(report.id) && this.isShown(report)) {
        this.ended.fire({ report, ranHere: false });
      }
    }
  }

  /** Reads the records again at each heartbeat while there is something to do, or when any was added or removed. */
  private scheduleCheck(): void {
    this.cancelCheck?.();
    const { store } = this.deps;
    const { clock, times } = store.locks;
    this.cancelCheck = clock.setTimeout(() => {
      if (store.stamp() !== this.stamp || this.runner.isActive(this.all())) {
        this.resume();
      } else {
        this.scheduleCheck();
      }
    }, times.heartbeatMs);
  }

  /** Waits for an action of the runner, then shows what it has changed. */
  private async perform<T>(action: Promise<T>): Promise<T> {
    try {
      return await action;
    } finally {
      this.resume();
    }
  }

  /** Settles with the outcome of a report, even if another window takes it over. */
  private follow(id: string): Promise<StoredReport> {
    const { done = this.whenEnded(id) } = this.runner.runningReport(id) ?? {};
    const followed = done.catch((error: unknown) => {
      if (error instanceof LockLostError && !this.disposal.signal.aborted) {
        return this.whenEnded(id);
      }
      throw error;
    });
    // Often nobody awaits this promise.
    followed.catch(() => undefined);
    return followed;
  }

  /**
   * Settles with the outcome in a report's record. Rejects if the report is removed, or if it is
   * unfinished and its account is no longer signed in.
   */
  private whenEnded(id: string): Promise<StoredReport> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const report = this.records.get(id);
        if (report && isUnfinished(report) && this.isOfSignedIn(report)) {
          return;
        }
        listener.dispose();
        if (!report) {
          reject(new ConfigError(message('The report was removed in another window.')));
        } else if (isUnfinished(report)) {
          reject(new SignedOutError());
        } else if (report.error) {
          reject(errorOf(report.error));
        } else {
          resolve(report);
        }
      };
      const listener = this.onDidChange(check);
      check();
    });
  }

  private isShown(report: StoredReport): boolean {
    const isDemo = this.deps.session.signedIn?.account.isDemo === true;
    return (report.accountId === demoAccountId) === isDemo;
  }

  private requireSignedIn(): SignedIn {
    const { signedIn } = this.deps.session;
    if (!signedIn) {
      throw new SignedOutError();
    }
    return signedIn;
  }
}

/** The error in a record. A RateLimitedError has the earliest time for another attempt. */
function errorOf({ code, message: words, retryAt = '' }: ReportFailure): Error {
  const retryAtMs = Date.parse(retryAt);
  return code === 'rateLimited' && !Number.isNaN(retryAtMs)
    ? new RateLimitedError(retryAtMs)
    : new UserError(words, code);
}
