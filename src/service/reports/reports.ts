import { describeDiskError } from '../../files/disk';
import { FileError } from '../../files/fileError';
import { RateLimitedError } from '../../api/http/errors';
import { delay } from '../../base/events/clock';
import type { Disposable } from '../../base/events/disposable';
import { Emitter, type Event } from '../../base/events/emitter';
import {
  isFileSystemError,
  isWithin,
  pathsOf,
  removeAllPossible,
  removeFile,
} from '../../files/files';
import { unpackedFolder } from './reportStore';
import { UserError } from '../../base/userError';
import { describeForLog } from '../../workbench/describeForLog';
import { message } from '../../base/message';
import { demoAccountId } from '../account/account';
import type { SignedIn } from '../account/session';
import { SignedOutError } from '../account/signedOutError';
import { LockLostError } from '../../files/fileLock';
import { ReportJob, type ReportJobDeps } from './reportJob';
import type { ReportActivity } from './reportActivity';
import { findFiles, hasFile } from './reportParts';
import {
  isUnfinished,
  type ReportFailure,
  type StoredReport,
  isSameRequest,
  newReport,
  type ReportRequest,
  restarted,
} from './storedReport';

/** Dependencies of the reports. */
interface ReportsDeps extends ReportJobDeps {
  /** Closes what shows files that are to be removed: Windows keeps files that are open. */
  closeFiles?(isRemoved: (file: string) => boolean): Promise<void>;
  session: { readonly signedIn: SignedIn | undefined; readonly onDidChange: Event<void> };
}

/** An unfinished report, whichever window runs it. */
interface StartedReport {
  report: StoredReport;
  /**
   * Resolves with the report in state `ready` or `cancelled`. Rejects with the reason of a failure,
   * and with SignedOutError when the report waits for its account.
   */
  done: Promise<StoredReport>;
}

/** A report that this window runs. */
interface RunningReport {
  readonly job: ReportJob;
  /** Settles like the job, after the report is no longer listed as running. */
  readonly done: Promise<StoredReport>;
}

/** A report has ended, in this window or in another one. */
export interface ReportEnd {
  report: StoredReport;
  ranHere: boolean;
}

/** Pause before a report is run again after its state file could not be written, in milliseconds. */
const unwritableMs = 30_000;

/**
 * The reports of this profile of VS Code as a window shows them: a copy of the state files on disk. It runs those that no other
 * window runs, each as one job. A window that owns the lock of a report runs it or removes it; a window that does not
 * own it waits until the lock is free. To cancel a report that another window runs, it leaves a file for that window.
 */
export class Reports implements Disposable {
  private readonly changed = new Emitter<StoredReport | undefined>((error) => {
    this.logListener(error);
  });
  private readonly ended = new Emitter<ReportEnd>((error) => {
    this.logListener(error);
  });
  private readonly sessionListener: Disposable;
  private readonly disposal = new AbortController();
  private byId = new Map<string, StoredReport>();
  private readonly running = new Map<string, RunningReport>();
  /** Reports whose state file or lock could not be written, why, and the time of the next attempt (monotonic). */
  private readonly unwritable = new Map<
    string,
    { readonly error: FileError; readonly at: number }
  >();
  private api: SignedIn['api'] | undefined;
  private loading: Promise<void> | undefined;
  private isLoading = false;
  private cancelCheck: (() => void) | undefined;

  /** Why the last access to the reports on disk failed; `undefined` when it succeeded. */
  problem: string | undefined;

  /**
   * The IDs of reports whose state file this window could never read. A report that it has read before stays listed.
   */
  unreadable: readonly string[] = [];

  /** Fires a report when it or its activity changes; `undefined` when several may have changed. */
  readonly onDidChange = this.changed.event;

  /** Fires when a report is ready, failed or cancelled. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly deps: ReportsDeps) {
    this.sessionListener = deps.session.onDidChange(() => {
      this.followSession();
    });
  }

  /**
   * Reads all state files for the first time, without blocking, and resumes unfinished reports. Until then
   * the list is empty. Further calls return the same promise.
   */
  load(): Promise<void> {
    if (!this.loading) {
      this.isLoading = true;
      this.loading = this.deps.store.readAhead().then(() => {
        this.isLoading = false;
        this.resume();
      });
    }
    return this.loading;
  }

  /**
   * Reads changed state files and resumes the unfinished reports of the signed-in account. An error of the
   * storage is kept in `problem`.
   */
  resume(): void {
    if (this.disposal.signal.aborted || this.isLoading) {
      return;
    }
    let problem: string | undefined;
    try {
      this.readStored();
      this.runAll();
    } catch (error) {
      problem = String(error);
    }
    if (problem !== undefined && problem !== this.problem) {
      this.deps.logger.error(`Could not read or write reports: ${problem}`);
    }
    this.problem = problem;
    this.scheduleCheck();
    this.changed.fire(undefined);
  }

  /** The reports of all accounts, and of the demo; the newest request first. */
  listOfAllAccounts(): StoredReport[] {
    return [...this.byId.values()].sort(
      (a, b) => b.requestedAt.localeCompare(a.requestedAt) || b.id.localeCompare(a.id),
    );
  }

  /** The reports of the demo while it is shown, otherwise those of all accounts; newest first. */
  listShown(): StoredReport[] {
    return this.listOfAllAccounts().filter((report) => this.isShown(report));
  }

  /** @throws UserError if no report has this id. */
  get(id: string): StoredReport {
    const report = this.byId.get(id);
    if (!report) {
      throw new UserError(message('There is no report with the ID {0}.', id), 'config');
    }
    return report;
  }

  /** What an unfinished report is doing, if this window runs it. */
  activity(id: string): ReportActivity | undefined {
    return this.running.get(id)?.job.activity;
  }

  isRunningHere(id: string): boolean {
    return this.running.has(id);
  }

  /**
   * Why this window does not go on with an unfinished report: its state could not be written.
   * @returns `undefined` if it could; else with the wall-clock time of the next attempt, in milliseconds.
   */
  saveFailure(id: string): { readonly error: FileError; readonly retryAt: number } | undefined {
    const { clock } = this.deps;
    const { error, at } = this.unwritable.get(id) ?? {};
    return error && at !== undefined
      ? { error, retryAt: clock.now() + Math.max(0, at - clock.monotonic()) }
      : undefined;
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
    return this.listOfAllAccounts().some(
      (report) =>
        report.accountId === accountId && (isUnfinished(report) || report.state === 'failed'),
    );
  }

  /** No other account can resume it. */
  isOfSignedIn(report: StoredReport): boolean {
    return report.accountId === this.deps.session.signedIn?.account.id;
  }

  /**
   * The reports that became ready or failed and that no user has seen since, in any window, newest first. A cancelled
   * report does not count.
   */
  unseen(): StoredReport[] {
    return this.listShown().filter(
      ({ id, state }) => (state === 'ready' || state === 'failed') && !this.deps.store.isSeen(id),
    );
  }

  /** Marks all unseen reports as seen, or only one. */
  markSeen(report?: StoredReport): void {
    const unseen = this.unseen();
    const marked = unseen.filter((each) => report === undefined || each.id === report.id);
    this.deps.store.markSeen(marked.map(({ id }) => id));
    // They stay unseen if the folder cannot be written; a listener may call this again.
    if (this.unseen().length < unseen.length) {
      this.changed.fire(undefined);
    }
  }

  /** Whether nobody has asked for a report. */
  isQuiet(id: string): boolean {
    return this.deps.store.isQuiet(id);
  }

  claimNotice(id: string): boolean {
    return this.deps.store.claimNotice(id);
  }

  /**
   * Starts a report, or joins an unfinished one with the same request, in any window, because the
   * service limits reports most.
   * @param options `isQuiet`: nobody has asked for it, so no window opens it and no notification tells its end, until somebody joins it.
   * @throws SignedOutError; as the store does.
   */
  async start(
    request: ReportRequest,
    options = { isQuiet: false },
  ): Promise<StartedReport & { joined: boolean }> {
    const { account } = this.requireSignedIn();
    const identity = { accountId: account.id, ...request };
    const requested = newReport(request, account, this.deps.clock.now());
    const findSame = () => {
      // The user may have signed out while another window added a report.
      if (!this.isOfSignedIn(requested)) {
        throw new SignedOutError();
      }
      this.readStored();
      return this.listOfAllAccounts().find(
        (each) => isUnfinished(each) && isSameRequest(each, identity),
      );
    };
    const report = await this.deps.store.start(requested, findSame, this.disposal.signal);
    const joined = report !== requested;
    if (!joined || !options.isQuiet) {
      await this.deps.store.setQuiet(report.id, options.isQuiet);
    }
    this.resume();
    return { report, done: this.follow(report.id), joined };
  }

  /**
   * Resumes a report that failed, was cancelled, or has lost its file: without a new request if the address of its
   * file is known. One that has its file stays as it is.
   * @param options `isNew`: requests it again, even if its address is known, because the link may have expired. The
   *   service counts it as another report.
   */
  retry(id: string, options = { isNew: false }): StartedReport {
    const report = this.get(id);
    if (hasFile(report)) {
      return { report, done: Promise.resolve(report) };
    }
    const { account } = this.requireSignedIn();
    if (report.accountId !== account.id) {
      throw new UserError(
        message(
          'This report belongs to another account at {0}. Sign in with the key of that account to resume it.',
          report.origin,
        ),
        'config',
      );
    }
    const done = this.thenResume(() => this.restart(id, options)).then(() => this.follow(id));
    done.catch(() => undefined);
    return { report, done };
  }

  /** Cancels an unfinished report, whichever window runs it. A finished one stays as it is. */
  async cancel(id: string): Promise<StoredReport> {
    this.get(id);
    await this.thenResume(() => this.end(id));
    return this.get(id);
  }

  /** Removes a report with its files; an unfinished one is cancelled first. */
  async remove(id: string): Promise<void> {
    this.get(id);
    const { store } = this.deps;
    await this.thenResume(async () => {
      while (store.has(id)) {
        await this.end(id);
        // Its state file may have been damaged after it was read.
        if (await this.removeIf(id, (report) => !report || isEnded(report))) {
          return;
        }
        if (store.has(id)) {
          await this.waitForOthers();
        }
      }
    });
  }

  /**
   * Removes a report with its files, unless it is unfinished: it may have been retried since the user
   * confirmed.
   * @returns whether this call removed it.
   */
  removeEnded(id: string): Promise<boolean> {
    return this.thenResume(() => this.removeIf(id, isEnded));
  }

  /** Cancels the reports that run in this window. */
  async cancelAll(): Promise<void> {
    await this.load();
    const running = [...this.running.values()];
    running.forEach(({ job }) => {
      job.cancel();
    });
    await Promise.allSettled(running.map(({ done }) => done));
  }

  /**
   * Removes the reports of all accounts and of the demo, with their files. A window that runs one of
   * them notices and stops.
   * @returns the paths of files that could not be removed.
   */
  async removeAll(): Promise<string[]> {
    await this.cancelAll();
    this.readStored();
    const files = (
      await Promise.all(this.listOfAllAccounts().map((report) => findFiles(report)))
    ).flat();
    await this.closeFiles(files, this.deps.store.folder);
    const left = await this.deps.store.removeAll();
    this.resume();
    const leftFiles = await Promise.all(files.map((file) => removeAllPossible(file)));
    return [...new Set([...left, ...pathsOf(leftFiles.flat())])];
  }

  /** Leaves unfinished reports to another window, or to the next start of this one. */
  dispose(): void {
    this.disposal.abort();
    this.cancelCheck?.();
    this.sessionListener.dispose();
    // The lock of each is released when its job has ended here.
    for (const { job } of this.running.values()) {
      job.stop(new SignedOutError());
    }
    this.changed.dispose();
    this.ended.dispose();
  }

  private followSession(): void {
    const api = this.deps.session.signedIn?.api;
    if (api !== this.api) {
      this.api = api;
      for (const { job, done } of this.running.values()) {
        job.stop(new SignedOutError());
        // The next job has the client that is signed in now. It begins at once: another window that took over
        // may not know a new key yet.
        const resume = () => {
          this.resume();
        };
        done.then(resume, resume).catch((error: unknown) => {
          this.logListener(error);
        });
      }
      this.resume();
    }
  }

  /** Reads all state files, and fires the end of reports that ended in another window. */
  private readStored(): void {
    const before = this.byId;
    const { reports, unreadable } = this.deps.store.readAll();
    // A state file that cannot be read right now, for example with too many open files, still exists.
    const kept = unreadable.flatMap((id) => before.get(id) ?? []);
    this.byId = new Map([...reports, ...kept].map((report) => [report.id, report]));
    this.unreadable = unreadable.filter((id) => !this.byId.has(id));
    for (const report of this.byId.values()) {
      const earlier = before.get(report.id);
      const isEnd = earlier && isUnfinished(earlier) && !isUnfinished(report);
      if (isEnd && !this.isRunningHere(report.id) && this.isShown(report)) {
        this.ended.fire({ report, ranHere: false });
      }
    }
  }

  /**
   * Runs the unfinished reports of the signed-in account, except for those that other windows run and those whose
   * state file could not be written just now. Stops those that
   * another window has taken over or cancelled.
   * @throws the last error, if any of them could not be read or written; the others run.
   */
  private runAll(): void {
    const { clock, store } = this.deps;
    let failure: { error: unknown } | undefined;
    for (const { id } of this.toRun()) {
      if ((this.unwritable.get(id)?.at ?? -Infinity) <= clock.monotonic()) {
        try {
          this.run(id);
        } catch (error) {
          failure = { error };
          if (error instanceof FileError) {
            this.unwritable.set(id, { error, at: clock.monotonic() });
          }
        }
      }
    }
    for (const [id, { job }] of this.running) {
      if (!job.lock.isOwned()) {
        job.stop(new LockLostError());
      } else if (store.isCancelRequested(id)) {
        job.cancel();
      }
    }
    if (failure) {
      throw failure.error;
    }
  }

  /** Reports that are to be run, in the order in which they were requested: the service may limit them. */
  private toRun(): StoredReport[] {
    const all = this.listOfAllAccounts().filter(
      (report) => isUnfinished(report) && this.isOfSignedIn(report),
    );
    return all.toReversed();
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
      return this.startJob(report);
    }
    this.deps.store.release(id);
    return undefined;
  }

  private startJob(report: StoredReport): RunningReport {
    const job = new ReportJob(report, this.deps, (changed) => {
      this.set(changed);
    });
    const running = { job, done: Promise.resolve().then(() => this.runToEnd(job)) };
    this.running.set(report.id, running);
    this.unwritable.delete(report.id);
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
      if (!isFileSystemError(error)) {
        throw error;
      }
      // The state file on disk stays, and the report resumes from it later.
      const described = describeDiskError(error);
      this.unwritable.set(id, { error: described, at: clock.monotonic() + unwritableMs });
      logger.error(`The state file of report ${id} cannot be written: ${String(error)}`);
      throw described;
    } finally {
      this.running.delete(id);
      store.release(id);
      if (store.has(id)) {
        this.set(job.report);
      } else {
        this.forget(id);
      }
      if (isEnded(job.report)) {
        this.ended.fire({ report: job.report, ranHere: true });
      }
    }
  }

  /** A view that cannot show a change must not end the report. */
  private logListener(error: unknown): void {
    this.deps.logger.error(`A change of reports could not be shown: ${describeForLog(error)}`);
  }

  private set(report: StoredReport): void {
    this.byId.set(report.id, report);
    this.changed.fire(report);
  }

  private forget(id: string): void {
    this.byId.delete(id);
    this.unwritable.delete(id);
    this.changed.fire(undefined);
  }

  private async end(id: string): Promise<void> {
    const { store } = this.deps;
    const isOpen = () => {
      const report = store.find(id);
      return report !== undefined && isUnfinished(report);
    };
    while (this.running.has(id) || isOpen()) {
      const running = this.run(id);
      if (running) {
        running.job.cancel();
        // It may fail at the same moment; the state file has the outcome.
        await running.done.catch((error: unknown) => {
          if (isOpen() && !(error instanceof LockLostError)) {
            throw error;
          }
        });
      } else {
        store.requestCancel(id);
        await this.waitForOthers();
      }
    }
  }

  /** Restarts a report that has ended; see `retry`. */
  private async restart(id: string, { isNew }: { isNew: boolean }): Promise<void> {
    const { store, clock } = this.deps;
    this.unwritable.delete(id);
    while (!this.acquire(id)) {
      if (!isEnded(store.find(id))) {
        return;
      }
      await this.waitForOthers();
    }
    try {
      const report = store.find(id);
      if (report && isEnded(report) && !hasFile(report)) {
        const again = restarted(report, { isNew, now: clock.now() });
        await this.closeFiles([], unpackedFolder(store.folderOf(id)));
        await store.writeRestarted(again);
        this.set(again);
        this.startJob(again);
      }
    } finally {
      if (!this.running.has(id)) {
        store.release(id);
      }
    }
  }

  /**
   * Removes a report with its files, unless another window uses it.
   * @param fits whether it is removed, by its state file on disk; `undefined` if that cannot be read.
   * @returns whether it was removed.
   */
  private async removeIf(
    id: string,
    fits: (report: StoredReport | undefined) => boolean,
  ): Promise<boolean> {
    const { store } = this.deps;
    if (!this.acquire(id)) {
      return false;
    }
    try {
      const report = store.find(id);
      if (!fits(report)) {
        return false;
      }
      const files = report ? await findFiles(report) : [];
      await this.closeFiles(files, store.folderOf(id));
      for (const file of files) {
        await removeFile(file);
      }
      await store.remove(id);
      this.forget(id);
      return true;
    } finally {
      store.release(id);
    }
  }

  /** Closes what shows one of the files, or a file in the folder. */
  private async closeFiles(files: readonly string[], folder: string): Promise<void> {
    await this.deps.closeFiles?.(
      (shown) => isWithin(folder, shown) || files.some((file) => isWithin(file, shown)),
    );
  }

  private acquire(id: string): boolean {
    return !this.disposal.signal.aborted && this.deps.store.acquire(id);
  }

  private waitForOthers(): Promise<void> {
    const { clock, times } = this.deps.store.locks;
    return delay(times.heartbeatMs, clock, this.disposal.signal);
  }

  /**
   * Looks at each heartbeat, and reads the state files again if reports of this account are to be finished, or if any
   * report was added, removed, seen or started again.
   */
  private scheduleCheck(): void {
    this.cancelCheck?.();
    const { store } = this.deps;
    const { clock, times } = store.locks;
    this.cancelCheck = clock.setTimeout(() => {
      const isActive = this.running.size > 0 || this.toRun().length > 0;
      if (isActive || store.hasChanged()) {
        this.resume();
      } else {
        this.scheduleCheck();
      }
    }, times.heartbeatMs);
  }

  /** Performs an action, then shows what it has changed. */
  private async thenResume<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } finally {
      this.resume();
    }
  }

  /** Settles with the outcome of a report, even if another window takes it over or its client changes. */
  private follow(id: string): Promise<StoredReport> {
    const { done = this.whenEnded(id) } = this.running.get(id) ?? {};
    const followed = done.catch((error: unknown) => {
      const isContinued = error instanceof LockLostError || error instanceof SignedOutError;
      if (isContinued && !this.disposal.signal.aborted) {
        return this.whenEnded(id);
      }
      throw error;
    });
    // Often nobody awaits this promise.
    followed.catch(() => undefined);
    return followed;
  }

  /**
   * Settles with the outcome in a report. Rejects if the report is removed, or if it is
   * unfinished and its account is no longer signed in.
   */
  private whenEnded(id: string): Promise<StoredReport> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const report = this.byId.get(id);
        if (report && isUnfinished(report) && this.isOfSignedIn(report)) {
          return;
        }
        listener.dispose();
        if (!report) {
          reject(new UserError(message('The report was removed in another window.'), 'config'));
        } else if (isUnfinished(report)) {
          reject(new SignedOutError());
        } else if (report.error) {
          reject(createError(report.error));
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

function isEnded(report: StoredReport | undefined): boolean {
  return report !== undefined && !isUnfinished(report);
}

/** The error in a state file. A RateLimitedError has the earliest time for another attempt. */
function createError({ code, message: words, retryAt = '' }: ReportFailure): Error {
  const retryAtMs = Date.parse(retryAt);
  return code === 'rateLimited' && !Number.isNaN(retryAtMs)
    ? new RateLimitedError(retryAtMs)
    : new UserError(words, code);
}
