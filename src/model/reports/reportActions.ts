import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { ConfigError } from '../../api/errors';
import { delay } from '../../common/delay';
import { message } from '../../common/message';
import { removeParts } from './keptPart';
import { LeaseLostError } from './leaseLostError';
import type { ReportDriver, ReportDriverDeps } from './reportDriver';
import type { ReportKeeper } from './reportKeeper';
import type { HandOver, HandOverAction } from './reportLeases';
import { isUnfinished, type StoredReport } from './reportRecord';
import type { ReportRecords } from './reportRecords';

/** What the actions need. */
export interface ReportActionsDeps extends ReportDriverDeps {
  records: ReportRecords;
  driver: ReportDriver;
  keeper: ReportKeeper;
  /** Ends what waits for another window. */
  signal: AbortSignal;
  /** Reads all records anew. */
  read(): void;
}

/**
 * What is done to a report after it was asked for: by this window where it holds the lease of the
 * report's account, or can take it, else by the one that does.
 */
export class ReportActions {
  constructor(private readonly deps: ReportActionsDeps) {}

  /**
   * Has something done to a report: here, when no other window drives the reports of its account,
   * else there. Resolves when it is done.
   */
  async act(wish: HandOver): Promise<void> {
    const { leases } = this.deps;
    const { accountId } = this.deps.records.get(wish.id);
    if (await this.doHere(accountId, wish)) {
      return;
    }
    leases.handOver(accountId, wish);
    const settle = async () => {
      await this.deps.keeper.serve(accountId);
    };
    while (leases.isWaiting(accountId, wish)) {
      // Whoever drives them may be gone before it sees this.
      if (!(await this.deps.keeper.during(accountId, settle))) {
        await delay(leases.times.beatMs, leases.clock, this.deps.signal);
      }
    }
    this.deps.read();
    this.deps.records.fireChange();
    const left = this.deps.records.find(wish.id);
    if (left && (wish.action === 'remove' || (wish.action === 'cancel' && isUnfinished(left)))) {
      throw new ConfigError(
        message('Another window drives this report and could not do this; its log says why.'),
      );
    }
  }

  /** @returns whether it was done; not when another window drives the reports of the account. */
  private async doHere(accountId: string, wish: HandOver): Promise<boolean> {
    try {
      return await this.deps.keeper.during(accountId, () => this.perform(wish));
    } catch (error) {
      if (error instanceof LeaseLostError) {
        return false;
      }
      throw error;
    }
  }

  /** Does what was asked for here or in another window; the lease is in hand. */
  async perform({ action, id }: HandOver): Promise<void> {
    this.deps.read();
    const performers: Record<HandOverAction, () => unknown> = {
      cancel: () => this.cancelHere(id),
      remove: () => this.removeHere(id),
      removeEnded: () => this.removeEndedHere(id),
      retry: () => this.retryHere(id),
      requestAgain: () => this.retryHere(id, { isNew: true }),
    };
    await performers[action]();
  }

  /** Ends a report that may be driven here. */
  private async cancelHere(id: string): Promise<void> {
    await this.deps.driver.cancel(id);
    const report = this.deps.records.get(id);
    if (isUnfinished(report)) {
      const cancelled = await this.deps.driver.finish(report, { state: 'cancelled' });
      this.deps.records.fireEnd({ report: cancelled, drivenHere: true });
    }
  }

  private async removeHere(id: string): Promise<void> {
    await this.cancelHere(id);
    await this.removeAllOf(this.deps.records.get(id));
  }

  /** Removes a report unless it is on its way. @returns whether it was there, and now is gone. */
  async removeEnded(id: string): Promise<boolean> {
    const { records } = this.deps;
    if (!records.find(id)) {
      return false;
    }
    await this.act({ action: 'removeEnded', id });
    return !records.find(id);
  }

  /** What had ended when somebody was asked about it may be on its way again. */
  private async removeEndedHere(id: string): Promise<void> {
    const report = this.deps.records.find(id);
    if (report && !isUnfinished(report)) {
      await this.removeAllOf(report);
    }
  }

  private async removeAllOf(report: StoredReport): Promise<void> {
    await removeFiles(report);
    this.deps.store.remove(report.id);
    this.deps.records.forget(report.id);
  }

  /**
   * Removes the records of all accounts, and ends what is driven here.
   * @returns what they were, for their files.
   */
  async removeAllRecords(): Promise<StoredReport[]> {
    const { records, driver, leases, store } = this.deps;
    this.deps.read();
    await Promise.all(records.all().map(({ id }) => driver.cancel(id)));
    this.deps.read();
    const last = records.all();
    leases.held().forEach((accountId) => {
      leases.of(accountId).release();
    });
    store.removeAll();
    return last;
  }

  /**
   * Removes what there is of a report whose record is broken.
   * @throws ConfigError when it can be read, or while another window may be busy with it: a run has
   * its record in memory, and writes it anew.
   */
  async removeBroken(id: string): Promise<void> {
    const { store, session, driver, records } = this.deps;
    const owner = store.accountOfBroken(id);
    const all = [session.signedIn?.account.id, ...records.all().map((each) => each.accountId)];
    const isAlone = await this.duringAll(
      [...new Set(owner === undefined ? all : [owner])].filter((each) => each !== undefined),
      () => {
        if (store.has(id) && (driver.isDriving(id) || store.reasonOf(id) !== 'broken')) {
          throw new ConfigError(
            message('This report is not removed: it is in use, or can be read again later.'),
          );
        }
        store.remove(id);
      },
    );
    if (!isAlone) {
      throw new ConfigError(
        message(
          'This report may be in use in another window. Close the other windows, then try again.',
        ),
      );
    }
  }

  /** @returns false, with nothing done, when another window drives the reports of one of them. */
  private async duringAll(accountIds: readonly string[], action: () => void): Promise<boolean> {
    const [first, ...others] = accountIds;
    if (first === undefined) {
      action();
      return true;
    }
    let isDone = false;
    await this.deps.keeper.during(first, async () => {
      isDone = await this.duringAll(others, action);
    });
    return isDone;
  }

  /**
   * Begins anew with a report that has ended; with one that has not, it is this already.
   * @param options `isNew`: asks the service for it again, also where an address is known.
   */
  retryHere(id: string, { isNew = false } = {}): StoredReport {
    const report = this.deps.records.get(id);
    if (isUnfinished(report) || (report.path !== undefined && existsSync(report.path))) {
      return report;
    }
    const { error: _error, finishedAt: _finishedAt, path: _path, bytes: _bytes, ...ended } = report;
    const { linkRefused: _linkRefused, ...rest } = ended;
    // What is kept of the former file says nothing of a new one.
    const { serviceStatus: _status, reportUrl, partVersion: _version, ...unrequested } = rest;
    this.deps.store.renewNotice(id);
    const now = new Date(this.deps.clock.now()).toISOString();
    const next = this.deps.records.save(
      reportUrl === undefined || isNew
        ? { ...unrequested, state: 'requested', unsent: true, requestedAt: now, retriedAt: now }
        : { ...rest, state: 'generating', retriedAt: now },
    );
    this.deps.driver.forgive(id);
    void this.deps.driver.drive(next);
    this.deps.keeper.lookAgain();
    return next;
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
