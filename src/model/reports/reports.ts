import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { ConfigError } from '../../api/errors';
import type { ReportKind } from '../../api/types';
import type { Disposable } from '../../common/disposable';
import type { Event } from '../../common/emitter';
import type { JsonObject } from '../../common/json';
import { demoAccountId } from '../account';
import type { SignedIn } from '../session';
import { SignedOutError } from '../signedOutError';
import { ReportDriver, type ReportDriverDeps } from './reportDriver';
import { partOf } from './keptPart';
import { isUnfinished, type StoredReport } from './reportRecord';
import { ReportRecords } from './reportRecords';
import type { ReportActivity } from './reportRun';

export type { ReportEnd } from './reportRecords';

/** What the reports need. */
export interface ReportsDeps extends ReportDriverDeps {
  session: { readonly signedIn: SignedIn | undefined; readonly onDidChange: Event<void> };
}

/** What is asked for. */
export interface ReportRequest {
  kind: ReportKind;
  title: string;
  scorecardId?: string;
  /** Sent as JSON; without it the request has no body. */
  body?: JsonObject;
}

/** A report on its way; `done` is the promise of ReportDriver.drive. */
export interface StartedReport {
  report: StoredReport;
  done: Promise<StoredReport>;
}

const watchIntervalMs = 3_000;

/**
 * All reports of this machine. It drives those of the account that is signed in here, unless
 * another window does, and shows the others as their records say.
 */
export class Reports implements Disposable {
  private readonly records: ReportRecords;
  private readonly driver: ReportDriver;
  private readonly sessionListener: Disposable;
  private stopWatching: (() => void) | undefined;
  private api: SignedIn['api'] | undefined;
  private storageProblem: string | undefined;
  private disposed = false;

  /** Fires a record when it, or what its report is doing, changes; `undefined` when any number did. */
  readonly onDidChange: ReportRecords['onDidChange'];

  /** Fires when a report has become ready, failed or was cancelled. */
  readonly onDidEnd: ReportRecords['onDidEnd'];

  constructor(private readonly deps: ReportsDeps) {
    this.records = new ReportRecords(deps.store);
    this.driver = new ReportDriver(this.records, deps);
    this.onDidChange = this.records.onDidChange;
    this.onDidEnd = this.records.onDidEnd;
    this.sessionListener = deps.session.onDidChange(() => {
      this.followSession();
    });
  }

  /**
   * Reads all records, and goes on with the unfinished ones of the account that is signed in. A
   * storage that fails is no reason to fail whoever called, such as a sign-in: see `problem`.
   */
  resume(): void {
    try {
      this.read();
      for (const report of this.records.all()) {
        if (isUnfinished(report) && this.isOfSignedIn(report)) {
          void this.driver.drive(report);
        }
      }
      this.watchOthers();
      this.storageProblem = undefined;
    } catch (error) {
      const problem = String(error);
      if (problem !== this.storageProblem) {
        this.deps.logger.error(`The reports on disk cannot be read: ${problem}`);
      }
      this.storageProblem = problem;
    }
    this.records.fireChange();
  }

  /** Why the reports on disk could not be read the last time; `undefined` when they could. */
  get problem(): string | undefined {
    return this.storageProblem;
  }

  /** The reports of the demo while it is shown, else those of all accounts; the newest first. */
  list(): StoredReport[] {
    return this.records.all().filter((report) => this.isShown(report));
  }

  /**
   * A report by its id.
   * @throws ConfigError when there is none.
   */
  get(id: string): StoredReport {
    const report = this.records.find(id);
    if (!report) {
      throw new ConfigError(`There is no report with the id ${id}.`);
    }
    return report;
  }

  /** What a report that is driven by this window does right now. */
  activity(id: string): ReportActivity | undefined {
    return this.driver.activity(id);
  }

  /**
   * Asks for a report, or joins the unfinished one that asks for the same, in whichever window:
   * reports are what the service limits most.
   */
  start(request: ReportRequest): StartedReport & { joined: boolean } {
    const { account } = this.requireSignedIn();
    this.resume();
    const same = this.records
      .all()
      .find(
        (report) =>
          isUnfinished(report) &&
          report.accountId === account.id &&
          report.kind === request.kind &&
          report.scorecardId === request.scorecardId &&
          JSON.stringify(report.body) === JSON.stringify(request.body),
      );
    if (same) {
      return {
        report: same,
        done: this.driver.drive(same) ?? this.followed(same.id),
        joined: true,
      };
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
    this.deps.store.create(report.id);
    this.records.save(report);
    return { report, done: this.mustDrive(report), joined: false };
  }

  /**
   * Goes on with a report that failed or was cancelled: where the service knows it, without asking
   * for it again.
   */
  retry(id: string): StartedReport {
    // Another window may have retried it already.
    this.resume();
    const report = this.get(id);
    if (this.driver.isDriving(id)) {
      return { report, done: this.mustDrive(report) };
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
    this.mustClaim(id);
    const { error: _error, finishedAt: _finishedAt, path: _path, bytes: _bytes, ...rest } = report;
    const { serviceStatus: _serviceStatus, ...unrequested } = rest;
    const next: StoredReport =
      report.reportUrl === undefined
        ? { ...unrequested, state: 'requested', unsent: true, requestedAt: this.now() }
        : { ...rest, state: 'generating' };
    this.deps.store.renewNotice(id);
    this.records.save(next);
    return { report: next, done: this.mustDrive(next) };
  }

  /**
   * Ends a report that is on its way. A finished one stays as it is.
   * @throws ConfigError when another window drives it.
   */
  async cancel(id: string): Promise<StoredReport> {
    this.get(id);
    await this.driver.cancel(id);
    this.read();
    const report = this.get(id);
    if (!isUnfinished(report)) {
      return report;
    }
    this.mustClaim(id);
    try {
      const cancelled = await this.driver.finish(report, { state: 'cancelled' });
      this.records.fireEnd({ report: cancelled, drivenHere: true });
      return cancelled;
    } finally {
      this.deps.store.release(id);
    }
  }

  /** Cancels a report where needed, and removes its record and its file. */
  async remove(id: string): Promise<void> {
    const report = await this.cancel(id);
    await Promise.all(filesOf(report).map((file) => fs.rm(file, { force: true })));
    this.deps.store.remove(id);
    this.records.forget(id);
  }

  /**
   * Removes the reports of all accounts, also of the demo, with their files. A window that drives
   * one of them notices, and stops.
   */
  async removeAll(): Promise<void> {
    this.read();
    const reports = this.records.all();
    await Promise.all(reports.map(({ id }) => this.driver.cancel(id)));
    this.read();
    const files = this.records.all().flatMap(filesOf);
    this.deps.store.removeAll();
    this.resume();
    await Promise.all(files.map((file) => fs.rm(file, { force: true })));
  }

  /** Whether this window may tell the end of a report; of all windows one may. */
  claimNotice(id: string): boolean {
    return this.deps.store.claimNotice(id);
  }

  /** Whether another window is driving this report. */
  isDrivenElsewhere(report: StoredReport): boolean {
    return !this.driver.isDriving(report.id) && this.deps.store.isDrivenElsewhere(report);
  }

  /** Leaves every unfinished report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposed = true;
    this.sessionListener.dispose();
    this.stopWatching?.();
    this.driver.dispose();
    this.records.dispose();
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
    for (const report of this.records.read()) {
      if (!this.driver.isDriving(report.id) && this.isShown(report)) {
        this.records.fireEnd({ report, drivenHere: false });
      }
    }
  }

  private mustDrive(report: StoredReport): Promise<StoredReport> {
    this.mustClaim(report.id);
    return this.driver.drive(report) ?? Promise.reject(new SignedOutError());
  }

  private mustClaim(id: string): void {
    if (!this.deps.store.claim(id)) {
      throw new ConfigError('Another window drives this report. Follow or cancel it there.');
    }
  }

  /** Settles as the report does that another window drives. */
  private followed(id: string): Promise<StoredReport> {
    return this.records.whenEnded(id, (report) => this.isOfSignedIn(report));
  }

  /** Follows the reports that other windows drive, and takes over what they leave behind. */
  private watchOthers(): void {
    this.stopWatching?.();
    this.stopWatching = undefined;
    const others = this.records
      .all()
      .some(
        (report) =>
          isUnfinished(report) && !this.driver.isDriving(report.id) && this.isOfSignedIn(report),
      );
    if (others && !this.disposed) {
      this.stopWatching = this.deps.clock.setTimeout(() => {
        this.resume();
      }, watchIntervalMs);
    }
  }

  private isShown(report: StoredReport): boolean {
    const isDemo = this.deps.session.signedIn?.account.isDemo === true;
    return (report.accountId === demoAccountId) === isDemo;
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

/** The file of a report, and the part of one that has none yet. */
function filesOf({ path, downloadPath }: StoredReport): string[] {
  return [
    ...(path === undefined ? [] : [path]),
    ...(downloadPath === undefined ? [] : [partOf(downloadPath)]),
  ];
}
