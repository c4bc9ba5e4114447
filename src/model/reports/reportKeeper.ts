import * as fs from 'node:fs';
import type { Disposable } from '../../common/disposable';
import { isSpokenOf, orphanParts } from './orphanParts';
import type { ReportDriver, ReportDriverDeps } from './reportDriver';
import type { HandOver } from './reportLeases';
import { isUnfinished, type StoredReport } from './reportRecord';
import type { ReportRecords } from './reportRecords';
import { doubles } from './sameRequest';
import { removeStaleUnpacked } from './unpackedReports';

/** What the keeper needs. */
export interface ReportKeeperDeps extends ReportDriverDeps {
  /** Does what another window asked for, with the lease of that account in hand. */
  perform(wish: HandOver): Promise<void>;
  /** The lease, or what it is for, may have changed: everything is to be looked at again. */
  look(): void;
}

/** So long the record of a report that gave way to another one is kept, in milliseconds. */
const doubleMs = 24 * 3_600_000;

/**
 * Sees to it that of all windows one drives the reports of the account that is signed in: takes the
 * lease while there is something to do and no other window has it, gives it up when all is done, and
 * keeps looking where another window has it, which may be gone in the next moment.
 */
export class ReportKeeper implements Disposable {
  private stopLooking: (() => void) | undefined;
  private wishes: { accountId: string; watcher: Disposable } | undefined;
  /** By account: what is being done for one must not keep another one waiting. */
  private readonly serving = new Map<string, Promise<void>>();
  /** Wishes, by account, that are done but could not be settled on disk: not to be done again. */
  private readonly unsettled = new Map<string, Set<string>>();
  private stamp: number | undefined;
  /** Accounts whose lease is in use for a moment, with how often. */
  private readonly inUse = new Map<string, number>();
  private disposed = false;

  constructor(
    private readonly records: ReportRecords,
    private readonly driver: ReportDriver,
    private readonly deps: ReportKeeperDeps,
  ) {}

  /** The records are about to be read: what is put there from now on has to be noticed. */
  noteReading(): void {
    this.stamp = this.deps.store.stamp();
  }

  /**
   * Goes on with what is unfinished of the account that is signed in, if this window may.
   * @param read reads all records anew: what they say holds once the lease is taken, not before.
   */
  keep(read: () => void): void {
    const { leases, session } = this.deps;
    const accountId = session.signedIn?.account.id;
    this.releaseOthers(accountId);
    if (accountId === undefined || this.disposed) {
      return;
    }
    const lease = leases.of(accountId);
    const isNew = !lease.holds();
    if (this.isNeeded(accountId) && lease.take()) {
      if (isNew) {
        read();
        this.removeHalfMade(accountId);
      }
      this.watchWishes(accountId);
      this.driveAll(accountId);
      void this.serve(accountId);
    } else if (lease.holds() && !this.isUsed(accountId)) {
      this.release(accountId);
    }
  }

  /**
   * Does something for which the lease of an account is needed.
   * @returns false when another window has it: then nothing was done.
   */
  async during(accountId: string, action: () => Promise<void>): Promise<boolean> {
    if (!this.deps.leases.of(accountId).take()) {
      return false;
    }
    this.inUse.set(accountId, (this.inUse.get(accountId) ?? 0) + 1);
    try {
      await action();
    } finally {
      this.inUse.set(accountId, (this.inUse.get(accountId) ?? 0) - 1);
      this.deps.look();
    }
    return true;
  }

  /** Looks again soon: each beat while there is something to do or to follow, else now and then. */
  lookAgain(): void {
    this.stopLooking?.();
    if (this.disposed) {
      return;
    }
    const { leases, session, store } = this.deps;
    const accountId = session.signedIn?.account.id;
    const isActive =
      leases.held().length > 0 || (accountId !== undefined && this.isNeeded(accountId));
    this.stopLooking = leases.clock.setTimeout(
      () => {
        if (store.stamp() !== this.stamp || (isActive && !this.isInOrder(accountId))) {
          this.deps.look();
        } else {
          this.lookAgain();
        }
      },
      isActive ? leases.times.beatMs : leases.times.idleMs,
    );
  }

  /** Whether all that there is to do is being done by this window, which then hears of all that is new. */
  private isInOrder(accountId: string | undefined): boolean {
    const { leases } = this.deps;
    return (
      accountId !== undefined &&
      leases.held().every((held) => held === accountId) &&
      leases.of(accountId).holds() &&
      leases.waiting(accountId).length === 0 &&
      this.unfinishedOf(accountId).length > 0 &&
      this.unfinishedOf(accountId).every(({ id }) => this.driver.isDriving(id))
    );
  }

  /** Does all that other windows have asked for, one after the other. */
  async serve(accountId: string): Promise<void> {
    let serving = this.serving.get(accountId);
    if (!serving) {
      serving = this.serveAll(accountId).finally(() => {
        this.serving.delete(accountId);
      });
      this.serving.set(accountId, serving);
    }
    await serving;
  }

  /**
   * Removes what earlier processes left behind of the reports of the account that is signed in; not
   * when another window drives them.
   * @throws an error of the file system when the folder cannot be written.
   */
  async tidy(): Promise<void> {
    const accountId = this.deps.session.signedIn?.account.id;
    if (
      accountId !== undefined &&
      this.records.all().some((each) => each.accountId === accountId)
    ) {
      await this.during(accountId, () => {
        this.removeHalfMade(accountId);
        return this.removeLeftovers(accountId);
      });
    }
  }

  dispose(): void {
    this.disposed = true;
    this.stopLooking?.();
    this.wishes?.watcher.dispose();
    this.wishes = undefined;
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
        try {
          await this.deps.perform(wish);
        } catch (error) {
          logger.warn(
            `What another window asked for is not done: ${wish.action}: ${String(error)}`,
          );
        }
      }
      if (leases.of(accountId).holds()) {
        try {
          leases.settle(accountId, wish);
        } catch (error) {
          unsettled.add(name);
          if (!isDone) {
            logger.warn(`What another window asked for cannot be settled: ${String(error)}`);
          }
        }
      }
    }
  }

  private isNeeded(accountId: string): boolean {
    return (
      this.deps.leases.waiting(accountId).length > 0 || this.unfinishedOf(accountId).length > 0
    );
  }

  private unfinishedOf(accountId: string): StoredReport[] {
    return this.reportsOf(accountId).filter(isUnfinished);
  }

  private driveAll(accountId: string): void {
    for (const { double, of } of doubles(this.reportsOf(accountId))) {
      if (!this.driver.isDriving(double.id)) {
        this.giveWay(double, of);
      }
    }
    for (const report of this.unfinishedOf(accountId)) {
      void this.driver.drive(report);
    }
  }

  /** Nothing was sent for it: who waits for it follows the other one. */
  private giveWay(double: StoredReport, of: StoredReport): void {
    const finishedAt = new Date(this.deps.clock.now()).toISOString();
    this.records.save({ ...double, state: 'cancelled', sameAs: of.id, finishedAt });
  }

  private watchWishes(accountId: string): void {
    if (this.wishes?.accountId !== accountId) {
      this.wishes?.watcher.dispose();
      const watcher = this.deps.leases.watchWishes(accountId, () => {
        void this.serve(accountId).then(() => {
          this.deps.look();
        });
      });
      this.wishes = { accountId, watcher };
    }
  }

  /** What is held for an account that is not signed in any more, as soon as its jobs have ended. */
  private releaseOthers(accountId: string | undefined): void {
    for (const held of this.deps.leases.held()) {
      if (held !== accountId && !this.isUsed(held)) {
        this.release(held);
      }
    }
  }

  private isUsed(accountId: string): boolean {
    return (
      this.driver.isBusyFor(accountId) ||
      this.serving.has(accountId) ||
      (this.inUse.get(accountId) ?? 0) > 0
    );
  }

  /** Reports that ended processes left half made, and those that gave way, once nobody follows them. */
  private removeHalfMade(accountId: string): void {
    const now = this.deps.clock.now();
    this.deps.store.removeLeftovers(now);
    for (const { id, sameAs, finishedAt } of this.reportsOf(accountId)) {
      if (sameAs !== undefined && now - Date.parse(finishedAt ?? '') > doubleMs) {
        this.deps.store.remove(id);
        this.records.forget(id);
      }
    }
  }

  /** What processes left behind in reports that are ready; one after the other, none is in a hurry. */
  private async removeLeftovers(accountId: string): Promise<void> {
    const { store, leases, clock, logger } = this.deps;
    for (const report of this.reportsOf(accountId)) {
      const parts = await orphanParts(report, store.fileFolderOf(report.id));
      // From here on in one go: no run of this process comes in between.
      const now = this.records.find(report.id);
      if (this.disposed || !leases.of(accountId).holds()) {
        return;
      }
      if (now && now.path === report.path && now.state === report.state) {
        for (const part of parts.filter((each) => !isSpokenOf(each, this.records.all()))) {
          removeFile(part);
        }
      }
      const folder = store.folderOf(report.id);
      await removeStaleUnpacked(report, folder, clock.now()).catch((error: unknown) => {
        logger.warn(`What was unpacked of report ${report.id} cannot be removed: ${String(error)}`);
      });
    }
  }

  private reportsOf(accountId: string): StoredReport[] {
    return this.records.all().filter((each) => each.accountId === accountId);
  }

  private release(accountId: string): void {
    if (this.wishes?.accountId === accountId) {
      this.wishes.watcher.dispose();
      this.wishes = undefined;
    }
    this.deps.leases.of(accountId).release();
  }
}

function removeFile(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Open in another program; nothing depends on it.
  }
}
