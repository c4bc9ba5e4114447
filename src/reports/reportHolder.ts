import { existsSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { diskError, isDiskError } from '../api/download/disk';
import { ConfigError } from '../api/http/errors';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { message } from '../base/message';
import { SignedOutError } from '../workbench/signedOutError';
import { removeParts } from './keptPart';
import { LeaseLostError } from './leaseLostError';
import { isSpokenOf, orphanParts } from './orphanParts';
import { ReportJob, type ReportJobDeps } from './reportJob';
import type { HandOver } from './reportLeases';
import { isUnfinished, type StoredReport } from './reportRecord';
import { doubles } from './reportRequest';
import { removeStaleUnpacked } from './unpackedReports';

/** A report that is driven here. */
interface Driven {
  readonly job: ReportJob;
  /** Settles as the job does, when the report is not driven any more. */
  readonly done: Promise<StoredReport>;
}

/** A report whose record could not be written is left alone for so long, in milliseconds. */
const unwritableMs = 30_000;
/** So long the record of a report that gave way to another one is kept, in milliseconds. */
const doubleMs = 24 * 3_600_000;

/**
 * What the window does that holds the lease of an account's reports, and no other one does: it
 * drives the unfinished ones, each by one job, and performs what any window asks for, its own or
 * another one. It takes the lease while there is something to do and no other window has it, and
 * gives it up when all is done.
 */
export class ReportHolder implements Disposable {
  private readonly driven = new Map<string, Driven>();
  /** Reports whose record could not be written, with the time at which to try again. */
  private readonly unwritable = new Map<string, number>();
  /** Accounts whose lease is in use for a moment, with how often. */
  private readonly inUse = new Map<string, number>();
  /** By account: what is being done for one must not keep another one waiting. */
  private readonly serving = new Map<string, Promise<boolean>>();
  /** Wishes, by account, that are done but could not be settled on disk: not to be done again. */
  private readonly unsettled = new Map<string, Set<string>>();
  private wishes: { accountId: string; watcher: Disposable } | undefined;
  private readonly leaseListener: Disposable;
  private disposed = false;
  private readonly changed = new Emitter<StoredReport>();
  private readonly removed = new Emitter<string>();
  private readonly ended = new Emitter<StoredReport>();

  /** Fires a record that was written, or whose report does something else now. */
  readonly onDidChange = this.changed.event;

  /** Fires the id of a report that is gone. */
  readonly onDidRemove = this.removed.event;

  /** Fires a report that has become ready, failed or was cancelled, when it is not driven any more. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly deps: ReportJobDeps) {
    this.leaseListener = deps.leases.onDidLose((accountId) => {
      for (const { job } of this.driven.values()) {
        if (job.report.accountId === accountId) {
          job.stop(new LeaseLostError());
        }
      }
    });
  }

  /** The job of a report that is driven here, with its end. */
  drivenHere(id: string): Driven | undefined {
    return this.driven.get(id);
  }

  /**
   * Takes the lease of the account that is signed in while there is something to do for it, and gives
   * up what is not needed any more.
   * @returns whether it was taken just now: what the records say holds from then on, not before.
   */
  take(reports: readonly StoredReport[]): boolean {
    const accountId = this.accountId();
    for (const held of this.deps.leases.held()) {
      if (!this.isUsed(held) && (held !== accountId || !this.isNeeded(reports))) {
        this.release(held);
      }
    }
    if (accountId === undefined || this.disposed || !this.isNeeded(reports)) {
      return false;
    }
    const lease = this.deps.leases.of(accountId);
    return !lease.holds() && lease.take();
  }

  /** Goes on with what is unfinished of the account that is signed in, if its lease is in hand. */
  drive(reports: readonly StoredReport[]): void {
    const accountId = this.accountId();
    if (accountId === undefined || this.disposed || !this.deps.leases.of(accountId).holds()) {
      return;
    }
    this.watchWishes(accountId);
    const own = reports.filter((report) => report.accountId === accountId && isUnfinished(report));
    const givingWay = doubles(own).filter(({ double }) => !this.driven.has(double.id));
    for (const { double, of } of givingWay) {
      // Nothing was sent for it: who waits for it follows the other one.
      const finishedAt = new Date(this.deps.clock.now()).toISOString();
      this.save({ ...double, state: 'cancelled', sameAs: of.id, finishedAt });
    }
    for (const report of own) {
      const isLeft = givingWay.some(({ double }) => double.id === report.id);
      const notBefore = this.unwritable.get(report.id) ?? -Infinity;
      if (!isLeft && notBefore <= this.deps.clock.monotonic()) {
        this.begin(report);
      }
    }
    void this.serve(accountId);
  }

  /**
   * Takes the lease of an account, or keeps it, whoever is signed in.
   * @returns false when another window holds it.
   * @throws DownloadError when the storage cannot be written.
   */
  hold(accountId: string): boolean {
    try {
      return this.deps.leases.of(accountId).take();
    } catch (error) {
      throw isDiskError(error) ? diskError(error.code) : error;
    }
  }

  /** Whether there is something to do, or to follow, so that a look each beat is worth it. */
  isActive(reports: readonly StoredReport[]): boolean {
    return this.deps.leases.held().length > 0 || this.isNeeded(reports);
  }

  /** Whether all that there is to do is being done here, so that this window hears of all that is new. */
  isInOrder(reports: readonly StoredReport[]): boolean {
    const { leases } = this.deps;
    const accountId = this.accountId();
    const open = reports.filter((each) => each.accountId === accountId && isUnfinished(each));
    return (
      accountId !== undefined &&
      leases.held().every((held) => held === accountId) &&
      leases.of(accountId).holds() &&
      leases.waiting(accountId).length === 0 &&
      open.length > 0 &&
      open.every(({ id }) => this.driven.has(id))
    );
  }

  /**
   * Does something to a report of an account.
   * @returns false, with nothing done, when another window holds the lease.
   */
  async act(accountId: string, wish: HandOver): Promise<boolean> {
    try {
      return await this.during(accountId, () => this.perform(wish));
    } catch (error) {
      if (error instanceof LeaseLostError) {
        return false;
      }
      throw error;
    }
  }

  /**
   * Does all that windows have handed over, one after the other.
   * @returns false when another window holds the lease.
   */
  serve(accountId: string): Promise<boolean> {
    let serving = this.serving.get(accountId);
    if (!serving) {
      serving = this.during(accountId, () => this.serveAll(accountId)).finally(() => {
        this.serving.delete(accountId);
      });
      this.serving.set(accountId, serving);
    }
    return serving;
  }

  /** Does one thing that somebody asked for; the lease is in hand. What is gone needs nothing. */
  async perform({ action, id }: HandOver): Promise<void> {
    const report = this.driven.get(id)?.job.report ?? this.deps.store.find(id);
    if (!report) {
      return;
    }
    switch (action) {
      case 'cancel':
        await this.cancel(report);
        break;
      case 'remove':
        await this.cancel(report);
        await this.remove(id);
        break;
      case 'removeEnded':
        // What had ended when somebody was asked about it may be on its way again.
        if (!isUnfinished(report)) {
          await this.remove(id);
        }
        break;
      case 'retry':
        this.retry(report);
        break;
      case 'requestAgain':
        this.retry(report, { isNew: true });
        break;
    }
  }

  /**
   * Removes what earlier processes left behind of the reports of the account that is signed in; not
   * when another window holds its lease.
   * @throws an error of the file system when the folder cannot be written.
   */
  async tidy(reports: readonly StoredReport[]): Promise<void> {
    const accountId = this.accountId();
    const own = reports.filter((report) => report.accountId === accountId);
    if (accountId !== undefined && own.length > 0) {
      await this.during(accountId, () => this.removeLeftovers(own));
    }
  }

  /**
   * Removes what there is of a report whose record is broken.
   * @param accountIds of all whose it may be.
   * @throws ConfigError when it can be read, or while another window may be busy with it: a run has
   * its record in memory, and writes it anew.
   */
  async removeBroken(id: string, accountIds: readonly string[]): Promise<void> {
    const { store } = this.deps;
    const [first, ...others] = accountIds;
    if (first !== undefined) {
      if (!(await this.during(first, () => this.removeBroken(id, others)))) {
        throw new ConfigError(
          message(
            'This report may be in use in another window. Close the other windows, then try again.',
          ),
        );
      }
      return;
    }
    if (store.has(id) && (this.driven.has(id) || store.reasonOf(id) !== 'broken')) {
      throw new ConfigError(
        message('This report is not removed: it is in use, or can be read again later.'),
      );
    }
    store.remove(id);
  }

  /** Ends all that is driven here, and gives up all leases. */
  async cancelAll(): Promise<void> {
    for (const { job } of this.driven.values()) {
      job.cancel();
    }
    await this.settled();
    for (const accountId of this.deps.leases.held()) {
      this.release(accountId);
    }
  }

  /** Stops all runs, which used a client that is gone; those whose account is signed in go on. */
  interrupt(): void {
    for (const { job } of this.driven.values()) {
      job.interrupt();
    }
  }

  /** Resolves when nothing is driven any more. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.driven.values()].map(({ done }) => done));
  }

  /** Leaves every report to the next window, or to the next start of this one. */
  dispose(): void {
    this.disposed = true;
    this.leaseListener.dispose();
    this.wishes?.watcher.dispose();
    this.wishes = undefined;
    for (const { job } of this.driven.values()) {
      job.stop(new SignedOutError());
    }
    // Until its runs have ended no other window can go on with what they write.
    void this.settled().then(() => {
      this.deps.leases.dispose();
    });
  }

  private accountId(): string | undefined {
    return this.deps.session.signedIn?.account.id;
  }

  private isNeeded(reports: readonly StoredReport[]): boolean {
    const accountId = this.accountId();
    return (
      accountId !== undefined &&
      (this.deps.leases.waiting(accountId).length > 0 ||
        reports.some((report) => report.accountId === accountId && isUnfinished(report)))
    );
  }

  private isUsed(accountId: string): boolean {
    const isDriving = [...this.driven.values()].some(
      ({ job }) => job.report.accountId === accountId,
    );
    return isDriving || (this.inUse.get(accountId) ?? 0) > 0;
  }

  private release(accountId: string): void {
    if (this.wishes?.accountId === accountId) {
      this.wishes.watcher.dispose();
      this.wishes = undefined;
    }
    this.deps.leases.of(accountId).release();
  }

  private watchWishes(accountId: string): void {
    if (this.wishes?.accountId !== accountId) {
      this.wishes?.watcher.dispose();
      const { leases } = this.deps;
      const watcher = leases.watchWishes(accountId, () => {
        // It may be its folder that is gone, with the lease.
        if (leases.of(accountId).holds()) {
          void this.serve(accountId);
        }
      });
      this.wishes = { accountId, watcher };
    }
  }

  /** @returns false, with nothing done, when another window holds the lease. */
  private async during(accountId: string, action: () => Promise<void>): Promise<boolean> {
    if (!this.hold(accountId)) {
      return false;
    }
    this.inUse.set(accountId, (this.inUse.get(accountId) ?? 0) + 1);
    try {
      await action();
    } finally {
      this.inUse.set(accountId, (this.inUse.get(accountId) ?? 0) - 1);
    }
    return true;
  }

  private async serveAll(accountId: string): Promise<void> {
    const { leases, logger } = this.deps;
    const before = this.unsettled.get(accountId);
    const unsettled = new Set<string>();
    this.unsettled.set(accountId, unsettled);
    for (const wish of leases.waiting(accountId)) {
      if (!leases.of(accountId).holds()) {
        return;
      }
      const name = `${wish.action} ${wish.id}`;
      const isDone = before?.has(name) === true;
      if (!isDone) {
        await this.perform(wish).catch((error: unknown) => {
          logger.warn(`What a window asked for is not done: ${wish.action}: ${String(error)}`);
        });
      }
      if (leases.of(accountId).holds()) {
        try {
          leases.settle(accountId, wish);
        } catch (error) {
          unsettled.add(name);
          if (!isDone) {
            logger.warn(`What a window asked for cannot be settled: ${String(error)}`);
          }
        }
      }
    }
  }

  /** Drives a report, unless it is driven already. */
  private begin(report: StoredReport): Driven {
    let driven = this.driven.get(report.id);
    if (!driven) {
      const job = new ReportJob(report, this.deps, (changed) => {
        this.changed.fire(changed);
      });
      driven = { job, done: Promise.resolve().then(() => this.toEnd(job)) };
      this.driven.set(report.id, driven);
      // How it ends stands in the record; often nobody waits for this promise.
      driven.done.catch(() => undefined);
    }
    return driven;
  }

  private async toEnd(job: ReportJob): Promise<StoredReport> {
    const { store, clock, logger } = this.deps;
    const { id } = job.report;
    try {
      return await job.run();
    } catch (error) {
      if (!isDiskError(error)) {
        throw error;
      }
      // It stays as it stands on disk, to go on from there later.
      this.unwritable.set(id, clock.monotonic() + unwritableMs);
      logger.error(`The record of report ${id} cannot be written: ${String(error)}`);
      throw diskError(error.code);
    } finally {
      const isEnd = !isUnfinished(job.report);
      this.driven.delete(id);
      if (isEnd) {
        store.endProgress(id);
      }
      if (store.has(id)) {
        this.changed.fire(job.report);
      } else {
        this.removed.fire(id);
      }
      if (isEnd) {
        this.ended.fire(job.report);
      }
    }
  }

  private async cancel(report: StoredReport): Promise<void> {
    const running = this.driven.get(report.id);
    running?.job.cancel();
    // It may fail in the same moment; how it ended stands in the record.
    await running?.done.catch(() => undefined);
    const left = this.deps.store.find(report.id);
    if (left && isUnfinished(left)) {
      const { job, done } = this.begin(left);
      job.cancel();
      await done;
    }
  }

  private async remove(id: string): Promise<void> {
    const report = this.deps.store.find(id);
    if (report) {
      await removeFiles(report);
    }
    this.deps.store.remove(id);
    this.removed.fire(id);
  }

  /**
   * Begins anew with a report that has ended; one that has not is driven with the next look, and one
   * that gave way stays as it is.
   * @param options `isNew`: asks the service for it again, also where an address is known.
   */
  private retry(report: StoredReport, { isNew = false } = {}): void {
    this.unwritable.delete(report.id);
    const hasFile = report.path !== undefined && existsSync(report.path);
    if (isUnfinished(report) || hasFile || report.sameAs !== undefined) {
      return;
    }
    const { error: _error, finishedAt: _finishedAt, path: _path, bytes: _bytes, ...ended } = report;
    const { linkRefused: _linkRefused, ...rest } = ended;
    // What is kept of the former file says nothing of a new one.
    const { serviceStatus: _status, reportUrl, partVersion: _version, ...unrequested } = rest;
    this.deps.store.renewNotice(report.id);
    const retriedAt = new Date(this.deps.clock.now()).toISOString();
    const next = this.save(
      reportUrl === undefined || isNew
        ? { ...unrequested, state: 'requested', unsent: true, requestedAt: retriedAt, retriedAt }
        : { ...rest, state: 'generating', retriedAt },
    );
    this.begin(next);
  }

  private save(report: StoredReport): StoredReport {
    const saved = this.deps.store.write(report);
    this.changed.fire(saved);
    return saved;
  }

  /** What processes left behind, one report after the other: none is in a hurry. */
  private async removeLeftovers(reports: readonly StoredReport[]): Promise<void> {
    const { store, leases, clock, logger } = this.deps;
    store.removeLeftovers(clock.now());
    for (const report of reports) {
      const { id, accountId, sameAs, finishedAt } = report;
      const parts = await orphanParts(report, store.fileFolderOf(id));
      // From here on in one go: no run of this process comes in between.
      if (this.disposed || !leases.of(accountId).holds()) {
        return;
      }
      if (sameAs !== undefined && clock.now() - Date.parse(finishedAt ?? '') > doubleMs) {
        // Nobody follows it any more.
        store.remove(id);
        this.removed.fire(id);
      }
      const now = store.find(id);
      if (parts.length > 0 && now?.path === report.path && now?.state === report.state) {
        const all = store.list();
        for (const part of parts.filter((each) => !isSpokenOf(each, all))) {
          removeFile(part);
        }
      }
      await removeStaleUnpacked(report, store.folderOf(id), clock.now()).catch((error: unknown) => {
        logger.warn(`What was unpacked of report ${id} cannot be removed: ${String(error)}`);
      });
    }
  }
}

/** Removes the file of a report, and what there is of one that has none yet. */
export async function removeFiles({ path, downloadPath }: StoredReport): Promise<void> {
  if (path !== undefined) {
    await fs.rm(path, { force: true });
  }
  if (downloadPath !== undefined) {
    await removeParts(downloadPath);
  }
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Open in another program; nothing depends on it.
  }
}
