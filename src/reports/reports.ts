import { existsSync } from 'node:fs';
import { ConfigError, RateLimitedError } from '../api/http/errors';
import { delay } from '../base/delay';
import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/emitter';
import { HumanError } from '../base/humanError';
import { message } from '../base/message';
import { demoAccountId } from '../account/account';
import type { SignedIn } from '../account/session';
import { SignedOutError } from '../workbench/signedOutError';
import { LeaseLostError } from './leaseLostError';
import { removeFiles, ReportHolder } from './reportHolder';
import type { ReportJobDeps } from './reportJob';
import type { HandOver, HandOverAction } from './reportLeases';
import { isUnfinished, type ReportFailure, type StoredReport } from './reportRecord';
import { isSameRequest, newReport, type ReportRequest } from './reportRequest';
import type { ReportActivity } from './reportRun';
import type { UnreadableReport } from './reportStore';

export type { ReportRequest } from './reportRequest';

/** What the reports need. */
export interface ReportsDeps extends ReportJobDeps {
  session: { readonly signedIn: SignedIn | undefined; readonly onDidChange: Event<void> };
}

/** A report on its way, whichever window drives it. */
export interface StartedReport {
  report: StoredReport;
  /**
   * Resolves with the record in state `ready` or `cancelled`; rejects with the reason when it failed,
   * with SignedOutError when it waits for its account.
   */
  done: Promise<StoredReport>;
}

/** A report has come to its end: driven here, or seen to end in another window. */
export interface ReportEnd {
  report: StoredReport;
  drivenHere: boolean;
}

/**
 * All reports of this machine as a window sees them. What is on disk is the truth; this is the copy
 * that is shown. What somebody wants done is asked of the holder of the lease, in this window or in
 * another one.
 */
export class Reports implements Disposable {
  private readonly holder: ReportHolder;
  private readonly changed = new Emitter<StoredReport | undefined>();
  private readonly ended = new Emitter<ReportEnd>();
  private readonly sessionListener: Disposable;
  private readonly disposal = new AbortController();
  private known = new Map<string, StoredReport>();
  private unreadableReports: readonly UnreadableReport[] = [];
  private api: SignedIn['api'] | undefined;
  private storageProblem: string | undefined;
  private loading: Promise<void> | undefined;
  private isLoading = false;
  /** Of the folder when the records were last read. */
  private stamp: number | undefined;
  private stopLooking: (() => void) | undefined;

  /** Fires a record when it, or what its report is doing, changes; `undefined` when any number did. */
  readonly onDidChange = this.changed.event;

  /** Fires when a report has become ready, failed or was cancelled. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly deps: ReportsDeps) {
    this.holder = new ReportHolder(deps);
    this.holder.onDidChange((report) => {
      this.known.set(report.id, report);
      this.changed.fire(report);
    });
    this.holder.onDidRemove((id) => {
      this.known.delete(id);
      this.changed.fire(undefined);
    });
    this.holder.onDidEnd((report) => {
      this.ended.fire({ report, drivenHere: true });
    });
    this.sessionListener = deps.session.onDidChange(() => {
      this.followSession();
    });
  }

  /**
   * Reads all records for the first time, without blocking, and resumes; until then none is listed.
   * @returns resolves when that is done, however often it is called.
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
   * Reads the records that have changed, and goes on with the unfinished ones of the account that is
   * signed in. A storage that fails is no reason to fail whoever called, such as a sign-in: see `problem`.
   */
  resume(): void {
    if (this.disposal.signal.aborted || this.isLoading) {
      return;
    }
    try {
      this.read();
      if (this.holder.take(this.all())) {
        this.read();
      }
      this.holder.drive(this.all());
      this.storageProblem = undefined;
    } catch (error) {
      const problem = String(error);
      if (problem !== this.storageProblem) {
        this.deps.logger.error(`The reports on disk cannot be used: ${problem}`);
      }
      this.storageProblem = problem;
    }
    this.lookAgain();
    this.changed.fire(undefined);
  }

  /** Removes what earlier processes left behind. @throws an error of the file system. */
  async tidy(): Promise<void> {
    await this.holder.tidy(this.all());
    this.resume();
  }

  /** Why the reports on disk could not be used the last time; `undefined` when they could. */
  get problem(): string | undefined {
    return this.storageProblem;
  }

  /** The reports whose record could not be read the last time. */
  get unreadable(): readonly UnreadableReport[] {
    return this.unreadableReports;
  }

  /** The reports of all accounts, and of the demo; the newest request first. */
  all(): StoredReport[] {
    return [...this.known.values()].sort(
      (a, b) => b.requestedAt.localeCompare(a.requestedAt) || b.id.localeCompare(a.id),
    );
  }

  /** The reports of the demo while it is shown, else those of all accounts; the newest first. */
  list(): StoredReport[] {
    return this.all().filter((report) => report.sameAs === undefined && this.isShown(report));
  }

  /**
   * A report by its id.
   * @throws ConfigError when there is none.
   */
  get(id: string): StoredReport {
    const report = this.known.get(id);
    if (!report) {
      throw new ConfigError(message('There is no report with the id {0}.', id));
    }
    return report;
  }

  /**
   * What a report on its way does right now; of one that another window drives, what it did when it
   * last told.
   */
  activity(id: string): ReportActivity | undefined {
    const driven = this.holder.drivenHere(id);
    const report = this.known.get(id);
    if (driven || !report) {
      return driven?.job.activity;
    }
    return this.isDrivenElsewhere(report) ? this.deps.store.readProgress(id) : undefined;
  }

  /** Whether this very window drives a report. */
  isDrivenHere(id: string): boolean {
    return this.holder.drivenHere(id) !== undefined;
  }

  /** Whether another window is driving this report. */
  isDrivenElsewhere(report: StoredReport): boolean {
    return (
      isUnfinished(report) &&
      !this.isDrivenHere(report.id) &&
      this.deps.leases.of(report.accountId).isHeldElsewhere()
    );
  }

  /** Whether an account has reports that it alone can go on with: unfinished, or failed on the way. */
  hasOpen(accountId: string): boolean {
    return this.all().some(
      (report) =>
        report.accountId === accountId &&
        report.sameAs === undefined &&
        (isUnfinished(report) || report.state === 'failed'),
    );
  }

  /** Whether a report is of the service that is shown here, be it of another account there. */
  isOfSignedInService({ origin }: StoredReport): boolean {
    return origin === this.deps.session.signedIn?.account.origin;
  }

  /** Whether a report belongs to the account that is signed in here: no other one can go on with it. */
  isOfSignedIn(report: StoredReport): boolean {
    return report.accountId === this.deps.session.signedIn?.account.id;
  }

  /** Whether this window may tell the end of a report; of all windows one may. */
  claimNotice(id: string): boolean {
    return this.deps.store.claimNotice(id);
  }

  /**
   * Asks for a report, or joins the unfinished one that asks for the same, in whichever window:
   * reports are what the service limits most.
   * @throws DownloadError when the storage cannot be written.
   */
  start(request: ReportRequest): StartedReport & { joined: boolean } {
    const { account } = this.requireSignedIn();
    const wanted = { accountId: account.id, ...request };
    // With the lease in hand, where no other window has it, what is read now is all there is.
    this.holder.hold(account.id);
    this.read();
    const same = this.all().find((each) => isUnfinished(each) && isSameRequest(each, wanted));
    const report = same ?? newReport(request, account, this.deps.clock.now());
    if (!same) {
      this.deps.store.create(report);
    }
    this.resume();
    return { report, done: this.follow(report.id), joined: same !== undefined };
  }

  /**
   * Goes on with a report that failed or was cancelled: where the service knows it, without asking
   * for it again.
   */
  retry(id: string): StartedReport {
    return this.startAgain('retry', id);
  }

  /**
   * Asks the service again for a report that failed or was cancelled, also where its address is known:
   * the link may have expired. To be called only when somebody wants it: it is another report to the service.
   */
  requestAgain(id: string): StartedReport {
    return this.startAgain('requestAgain', id);
  }

  private startAgain(action: 'retry' | 'requestAgain', id: string): StartedReport {
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
    const done = this.ask(action, id).then(() => this.follow(id));
    done.catch(() => undefined);
    return { report, done };
  }

  /** Ends a report that is on its way, whichever window drives it. A finished one stays as it is. */
  async cancel(id: string): Promise<StoredReport> {
    await this.ask('cancel', id);
    return this.get(id);
  }

  /** Cancels a report where needed, and removes its record and its file. */
  async remove(id: string): Promise<void> {
    await this.ask('remove', id);
  }

  /**
   * Removes a report unless it is on its way, in whichever window, once it is looked at.
   * @returns whether it was removed here; not when it is on its way again, or gone already.
   */
  async removeEnded(id: string): Promise<boolean> {
    if (!this.known.has(id)) {
      return false;
    }
    await this.ask('removeEnded', id);
    return !this.known.has(id);
  }

  /**
   * Removes what there is of a report whose record is broken.
   * @throws ConfigError when it is not, or not any more, or while another window may be busy with it.
   */
  async removeBroken(id: string): Promise<void> {
    const owner = this.deps.store.accountOfBroken(id);
    const own = this.deps.session.signedIn?.account.id;
    const anyone = new Set(this.all().map(({ accountId }) => accountId));
    if (own !== undefined) {
      anyone.add(own);
    }
    try {
      await this.holder.removeBroken(id, owner === undefined ? [...anyone] : [owner]);
    } finally {
      this.resume();
    }
  }

  /**
   * Removes the reports of all accounts, also of the demo, with their files. A window that drives
   * one of them notices, and stops.
   */
  async removeAll(): Promise<void> {
    await this.holder.cancelAll();
    this.read();
    const last = this.all();
    this.deps.store.removeAll();
    this.resume();
    await Promise.all(last.map((report) => removeFiles(report)));
  }

  /** Leaves every unfinished report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposal.abort();
    this.stopLooking?.();
    this.sessionListener.dispose();
    this.holder.dispose();
    this.changed.dispose();
    this.ended.dispose();
  }

  private followSession(): void {
    const api = this.deps.session.signedIn?.api;
    if (api !== this.api) {
      this.api = api;
      this.holder.interrupt();
      this.resume();
    }
  }

  /** Reads all records, and tells what another window has brought to its end. */
  private read(): void {
    // First: what is put there from now on has to be noticed.
    this.stamp = this.deps.store.stamp();
    const before = this.known;
    const { reports, unreadable } = this.deps.store.readAll();
    // What the disk does not give out in this moment, such as too many open files, is not gone.
    const kept = unreadable.flatMap(({ id, reason }) =>
      reason === 'unavailable' ? (before.get(id) ?? []) : [],
    );
    this.known = new Map([...reports, ...kept].map((report) => [report.id, report]));
    this.unreadableReports = unreadable.filter(({ id }) => !this.known.has(id));
    for (const report of this.known.values()) {
      const earlier = before.get(report.id);
      const isEnd = earlier && isUnfinished(earlier) && !isUnfinished(report);
      const isTold = this.isDrivenHere(report.id) || report.sameAs !== undefined;
      if (isEnd && !isTold && this.isShown(report)) {
        this.ended.fire({ report, drivenHere: false });
      }
    }
  }

  /** Looks again soon: each beat while there is something to do or to follow, else now and then. */
  private lookAgain(): void {
    this.stopLooking?.();
    const { leases, store } = this.deps;
    const isActive = this.holder.isActive(this.all());
    this.stopLooking = leases.clock.setTimeout(
      () => {
        const isNew = store.stamp() !== this.stamp;
        if (isNew || (isActive && !this.holder.isInOrder(this.all()))) {
          this.resume();
        } else {
          this.lookAgain();
        }
      },
      isActive ? leases.times.beatMs : leases.times.idleMs,
    );
  }

  /** Has the holder of the lease do something to a report. Resolves when it is done. */
  private async ask(action: HandOverAction, id: string): Promise<void> {
    const { leases } = this.deps;
    const { accountId } = this.get(id);
    const wish = { action, id };
    try {
      if (!(await this.holder.act(accountId, wish))) {
        leases.handOver(accountId, wish);
        await this.handedOver(accountId, wish);
      }
    } finally {
      this.resume();
    }
    const left = this.known.get(id);
    if (left && (action === 'remove' || (action === 'cancel' && isUnfinished(left)))) {
      throw new ConfigError(
        message(
          'Another window runs this report and could not do this. See the log of that window.',
        ),
      );
    }
  }

  /** Resolves when what was handed over is done, by another window or by this one in its place. */
  private async handedOver(accountId: string, wish: HandOver): Promise<void> {
    const { leases } = this.deps;
    while (leases.isWaiting(accountId, wish)) {
      // Whoever holds the lease may be gone before it sees this.
      if (!(await this.holder.serve(accountId))) {
        await delay(leases.times.beatMs, leases.clock, this.disposal.signal);
      }
    }
  }

  /** Settles as a report does, in this window or in another one that takes it over meanwhile. */
  private follow(id: string): Promise<StoredReport> {
    const { done = this.whenEnded(id) } = this.holder.drivenHere(id) ?? {};
    const followed = done.catch((error: unknown) => {
      if (error instanceof LeaseLostError && !this.disposal.signal.aborted) {
        return this.whenEnded(id);
      }
      throw error;
    });
    // How it ends stands in the record; often nobody waits for this promise.
    followed.catch(() => undefined);
    return followed;
  }

  /**
   * Settles as a report does by its record. Rejects when it is removed, or is not followed any more
   * because its account is gone.
   */
  private whenEnded(id: string): Promise<StoredReport> {
    return new Promise((resolve, reject) => {
      let followed = id;
      const look = () => {
        let report = this.known.get(followed);
        while (report?.sameAs !== undefined && report.sameAs !== followed) {
          followed = report.sameAs;
          report = this.known.get(followed);
        }
        if (report && isUnfinished(report) && this.isOfSignedIn(report)) {
          return;
        }
        listener.dispose();
        if (!report) {
          reject(new ConfigError(message('The report was removed in another window.')));
        } else if (isUnfinished(report)) {
          reject(new SignedOutError());
        } else if (report.error) {
          reject(failureOf(report.error));
        } else {
          resolve(report);
        }
      };
      const listener = this.onDidChange(look);
      look();
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

/** The error that a record tells of: one of the limit bears the time from which on to try again. */
function failureOf({ code, message: words, retryAt = '' }: ReportFailure): Error {
  const retryAtMs = Date.parse(retryAt);
  return code === 'rateLimited' && !Number.isNaN(retryAtMs)
    ? new RateLimitedError(retryAtMs)
    : new HumanError(words, code);
}
