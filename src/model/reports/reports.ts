import { existsSync } from 'node:fs';
import { diskError, isDiskError } from '../../api/disk';
import { ConfigError } from '../../api/errors';
import type { Disposable } from '../../common/disposable';
import { message } from '../../common/message';
import { demoAccountId } from '../account';
import type { SignedIn } from '../session';
import { SignedOutError } from '../signedOutError';
import { LeaseLostError } from './leaseLostError';
import { ReportActions, removeFiles } from './reportActions';
import { ReportDriver } from './reportDriver';
import { ReportKeeper } from './reportKeeper';
import { isUnfinished, type StoredReport } from './reportRecord';
import { ReportRecords } from './reportRecords';
import {
  newReport,
  type ReportRequest,
  type ReportsDeps,
  type StartedReport,
} from './reportRequest';
import type { ReportActivity } from './reportRun';
import type { UnreadableReport } from './reportStore';
import { isSameRequest } from './sameRequest';

export type { ReportEnd } from './reportRecords';
export type { ReportRequest, StartedReport } from './reportRequest';

/**
 * All reports of this machine. It drives those of the account that is signed in here, unless
 * another window does, which is then asked to start, cancel or remove one; it shows all as their
 * records say.
 */
export class Reports implements Disposable {
  private readonly records: ReportRecords;
  private readonly driver: ReportDriver;
  private readonly keeper: ReportKeeper;
  private readonly actions: ReportActions;
  private readonly sessionListener: Disposable;
  private readonly disposal = new AbortController();
  private api: SignedIn['api'] | undefined;
  private storageProblem: string | undefined;
  private loading: Promise<void> | undefined;
  private isLoading = false;

  /** Fires a record when it, or what its report is doing, changes; `undefined` when any number did. */
  readonly onDidChange: ReportRecords['onDidChange'];

  /** Fires when a report has become ready, failed or was cancelled. */
  readonly onDidEnd: ReportRecords['onDidEnd'];

  constructor(private readonly deps: ReportsDeps) {
    this.records = new ReportRecords(deps.store);
    this.driver = new ReportDriver(this.records, deps);
    this.keeper = new ReportKeeper(this.records, this.driver, {
      ...deps,
      perform: (wish) => this.actions.perform(wish),
      look: () => {
        this.resume();
      },
    });
    this.actions = new ReportActions({
      ...deps,
      records: this.records,
      driver: this.driver,
      keeper: this.keeper,
      signal: this.disposal.signal,
      read: () => {
        this.read();
      },
    });
    this.onDidChange = this.records.onDidChange;
    this.onDidEnd = this.records.onDidEnd;
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
      this.keeper.keep(() => {
        this.read();
      });
      this.storageProblem = undefined;
    } catch (error) {
      const problem = String(error);
      if (problem !== this.storageProblem) {
        this.deps.logger.error(`The reports on disk cannot be used: ${problem}`);
      }
      this.storageProblem = problem;
    }
    this.keeper.lookAgain();
    this.records.fireChange();
  }

  /** Removes what earlier processes left behind. @throws an error of the file system. */
  tidy(): Promise<void> {
    return this.keeper.tidy();
  }

  /** Why the reports on disk could not be used the last time; `undefined` when they could. */
  get problem(): string | undefined {
    return this.storageProblem;
  }

  /** The reports whose record could not be read the last time. */
  get unreadable(): readonly UnreadableReport[] {
    return this.records.unreadable;
  }

  /** The reports of the demo while it is shown, else those of all accounts; the newest first. */
  list(): StoredReport[] {
    return this.records
      .all()
      .filter((report) => report.sameAs === undefined && this.isShown(report));
  }

  /**
   * A report by its id.
   * @throws ConfigError when there is none.
   */
  get(id: string): StoredReport {
    return this.records.get(id);
  }

  /**
   * What a report on its way does right now; of one that another window drives, what it did when it
   * last told.
   */
  activity(id: string): ReportActivity | undefined {
    const own = this.driver.activity(id);
    const report = own ? undefined : this.records.find(id);
    return (
      own ??
      (report && this.isDrivenElsewhere(report) ? this.deps.store.readProgress(id) : undefined)
    );
  }

  /** Whether this very window drives a report. */
  isDrivenHere(id: string): boolean {
    return this.driver.isDriving(id);
  }

  /**
   * Asks for a report, or joins the unfinished one that asks for the same, in whichever window:
   * reports are what the service limits most.
   */
  start(request: ReportRequest): StartedReport & { joined: boolean } {
    const { account } = this.requireSignedIn();
    const wanted = { accountId: account.id, ...request };
    // With the lease in hand, where no other window has it, what is read now is all there is.
    this.take(account.id);
    this.read();
    const same = this.records
      .all()
      .find((report) => isUnfinished(report) && isSameRequest(report, wanted));
    if (same) {
      return { report: same, done: this.done(same), joined: true };
    }
    const report = newReport(request, account, this.deps.clock.now());
    this.records.create(report);
    this.resume();
    return { report, done: this.done(report), joined: false };
  }

  /**
   * Goes on with a report that failed or was cancelled: where the service knows it, without asking
   * for it again.
   */
  retry(id: string): StartedReport {
    return this.begin('retry', id);
  }

  /**
   * Asks the service again for a report that failed or was cancelled, also where its address is known:
   * the link may have expired. To be called only when somebody wants it: it is another report to the service.
   */
  requestAgain(id: string): StartedReport {
    return this.begin('requestAgain', id);
  }

  private begin(action: 'retry' | 'requestAgain', id: string): StartedReport {
    // Another window may have retried it already.
    this.resume();
    const report = this.get(id);
    if (report.path !== undefined && existsSync(report.path)) {
      return { report, done: Promise.resolve(report) };
    }
    const { account } = this.requireSignedIn();
    if (report.accountId !== account.id) {
      throw new ConfigError(
        message(
          'This report belongs to another account at {0}. Sign in with its key to go on with it.',
          report.origin,
        ),
      );
    }
    if (isUnfinished(report)) {
      this.driver.forgive(id);
      return { report, done: this.done(report) };
    }
    if (this.take(report.accountId)) {
      this.read();
      const started = this.actions.retryHere(id, { isNew: action === 'requestAgain' });
      return { report: started, done: this.done(started) };
    }
    return {
      report,
      done: this.actions.act({ action, id }).then(() => this.followed(id)),
    };
  }

  /** Ends a report that is on its way, whichever window drives it. A finished one stays as it is. */
  async cancel(id: string): Promise<StoredReport> {
    this.get(id);
    await this.driver.cancel(id);
    this.read();
    if (isUnfinished(this.get(id))) {
      await this.actions.act({ action: 'cancel', id });
    }
    return this.get(id);
  }

  /** Cancels a report where needed, and removes its record and its file. */
  async remove(id: string): Promise<void> {
    this.get(id);
    await this.driver.cancel(id);
    await this.actions.act({ action: 'remove', id });
  }

  /**
   * Removes a report unless it is on its way, in whichever window, once it is looked at.
   * @returns whether it was removed here; not when it is on its way again, or gone already.
   */
  removeEnded(id: string): Promise<boolean> {
    return this.actions.removeEnded(id);
  }

  /**
   * Removes what there is of a report whose record is broken.
   * @throws ConfigError when it is not, or not any more, or while another window may be busy with it.
   */
  removeBroken(id: string): Promise<void> {
    return this.actions.removeBroken(id);
  }

  /**
   * Removes the reports of all accounts, also of the demo, with their files. A window that drives
   * one of them notices, and stops.
   */
  async removeAll(): Promise<void> {
    const files = await this.actions.removeAllRecords();
    this.resume();
    await Promise.all(files.map((report) => removeFiles(report)));
  }

  /** Whether this window may tell the end of a report; of all windows one may. */
  claimNotice(id: string): boolean {
    return this.deps.store.claimNotice(id);
  }

  /** Whether another window is driving this report. */
  isDrivenElsewhere(report: StoredReport): boolean {
    return (
      isUnfinished(report) &&
      !this.driver.isDriving(report.id) &&
      this.deps.leases.of(report.accountId).isHeldElsewhere()
    );
  }

  /** Leaves every unfinished report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposal.abort();
    this.sessionListener.dispose();
    this.keeper.dispose();
    this.driver.dispose();
    this.records.dispose();
    // Until its runs have ended no other window can go on with what they write.
    void this.driver.ended().then(() => {
      this.deps.leases.dispose();
    });
  }

  private followSession(): void {
    const api = this.deps.session.signedIn?.api;
    if (api !== this.api) {
      this.api = api;
      this.driver.renewClient();
      this.resume();
    }
  }

  /** Reads all records, and tells what another window has brought to its end. */
  private read(): void {
    this.keeper.noteReading();
    for (const report of this.records.read()) {
      const isTold = this.driver.isDriving(report.id) || report.sameAs !== undefined;
      if (!isTold && this.isShown(report)) {
        this.records.fireEnd({ report, drivenHere: false });
      }
    }
  }

  /** @throws DownloadError when the storage cannot be written. */
  private take(accountId: string): boolean {
    try {
      return this.deps.leases.of(accountId).take();
    } catch (error) {
      throw isDiskError(error) ? diskError(error.code) : error;
    }
  }

  /** Settles as a report does, in this window or in another one that takes it over meanwhile. */
  private done(report: StoredReport): Promise<StoredReport> {
    const done = this.followToEnd(report);
    // How it ends stands in the record; often nobody waits for this promise.
    done.catch(() => undefined);
    return done;
  }

  private async followToEnd(report: StoredReport): Promise<StoredReport> {
    try {
      return await (this.driver.drive(report) ?? this.followed(report.id));
    } catch (error) {
      if (error instanceof LeaseLostError && !this.disposal.signal.aborted) {
        return this.followed(report.id);
      }
      throw error;
    }
  }

  private followed(id: string): Promise<StoredReport> {
    return this.records.whenEnded(id, (report) => this.isOfSignedIn(report));
  }

  private isShown(report: StoredReport): boolean {
    const isDemo = this.deps.session.signedIn?.account.isDemo === true;
    return (report.accountId === demoAccountId) === isDemo;
  }

  /** Whether an account has reports that it alone can go on with: unfinished, or failed on the way. */
  hasOpen(accountId: string): boolean {
    return this.records
      .all()
      .some(
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

  private requireSignedIn(): SignedIn {
    const { signedIn } = this.deps.session;
    if (!signedIn) {
      throw new SignedOutError();
    }
    return signedIn;
  }
}
