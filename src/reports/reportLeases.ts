import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { type Disk, localDisk } from '../api/download/disk';
import { type Clock, systemClock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { defaultLeaseTimes, Lease, type LeaseTimes } from './lease';
import { type Processes, localProcesses } from '../base/processes';

/** What the leases need; each member but the folder has a default, and is a parameter for tests. */
export interface ReportLeasesOptions {
  /** The folder of the reports. */
  folder: string;
  clock?: Clock;
  disk?: Disk;
  processes?: Processes;
  times?: LeaseTimes;
}

/** What one window asks the one that drives an account's reports to do with a report. */
export const handOverActions = [
  'cancel',
  'retry',
  'requestAgain',
  'remove',
  'removeEnded',
] as const;

export type HandOverAction = (typeof handOverActions)[number];

export interface HandOver {
  action: HandOverAction;
  /** Of the report. */
  id: string;
}

const handOverPattern = /^([A-Za-z]+) (.+)$/;

/**
 * Which window drives the reports, one of each account: windows may show different accounts (the
 * demo is a session of its window), and none can go on with the reports of another one. The others
 * hand over what they want done by files that bear it in their names.
 */
export class ReportLeases implements Disposable {
  readonly times: LeaseTimes;
  readonly clock: Clock;
  readonly disk: Disk;
  private readonly leases = new Map<string, Lease>();
  private readonly lost = new Emitter<string>();
  private readonly folder: string;

  /** Fires the id of an account whose reports another window has taken over. */
  readonly onDidLose = this.lost.event;

  constructor(private readonly options: ReportLeasesOptions) {
    this.folder = path.join(options.folder, '.leases');
    this.times = options.times ?? defaultLeaseTimes;
    this.clock = options.clock ?? systemClock;
    this.disk = options.disk ?? localDisk;
  }

  /** The lease of the reports of an account. */
  of(accountId: string): Lease {
    let lease = this.leases.get(accountId);
    if (!lease) {
      lease = new Lease(
        this.folderOf(accountId),
        {
          clock: this.clock,
          disk: this.disk,
          processes: this.options.processes ?? localProcesses,
          times: this.times,
        },
        () => {
          this.lost.fire(accountId);
        },
      );
      this.leases.set(accountId, lease);
    }
    return lease;
  }

  /** The accounts whose reports this window drives. */
  held(): string[] {
    return [...this.leases].filter(([, lease]) => lease.epoch > 0).map(([accountId]) => accountId);
  }

  /** Asks whoever drives an account's reports, now or later. Asking twice is asking once. */
  handOver(accountId: string, wish: HandOver): void {
    const folder = this.wishesOf(accountId);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, nameOf(wish)), '', { mode: 0o600 });
  }

  /** Whether what was handed over is still to be done. */
  isWaiting(accountId: string, wish: HandOver): boolean {
    return fs.existsSync(path.join(this.wishesOf(accountId), nameOf(wish)));
  }

  /** What was handed over for an account and is still to be done. */
  waiting(accountId: string): HandOver[] {
    return listed(this.wishesOf(accountId)).flatMap((name) => {
      const [, action, id] = handOverPattern.exec(name) ?? [];
      const known = handOverActions.find((each) => each === action);
      return known === undefined || id === undefined ? [] : [{ action: known, id }];
    });
  }

  /** Says that it is done, or in vain. */
  settle(accountId: string, wish: HandOver): void {
    fs.rmSync(path.join(this.wishesOf(accountId), nameOf(wish)), { force: true });
  }

  /**
   * Calls back as soon as something may have been handed over; where the system cannot tell, the
   * next look of the driver, a beat later, has to do.
   */
  watchWishes(accountId: string, callback: () => void): Disposable {
    try {
      const folder = this.wishesOf(accountId);
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const watcher = fs.watch(folder, { persistent: false }, callback);
      watcher.on('error', () => {
        watcher.close();
      });
      return {
        dispose: () => {
          watcher.close();
        },
      };
    } catch {
      return { dispose: () => undefined };
    }
  }

  /** Gives up what is held. */
  dispose(): void {
    this.leases.forEach((lease) => {
      lease.dispose();
    });
    this.lost.dispose();
  }

  private wishesOf(accountId: string): string {
    return path.join(this.folderOf(accountId), 'wishes');
  }

  /** An account's id is an address; its hash is a name on every file system. */
  private folderOf(accountId: string): string {
    const hash = createHash('sha256').update(accountId).digest('hex');
    return path.join(this.folder, hash.slice(0, 16));
  }
}

function nameOf({ action, id }: HandOver): string {
  return `${action} ${id}`;
}

function listed(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
