import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { namesIn } from '../base/files';
import { type Disk, localDisk } from '../api/download/disk';
import { type Clock, systemClock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { defaultLeaseTimes, Lease, type LeaseTimes } from './lease';
import { type Processes, localProcesses } from '../base/processes';

/** Options of the leases. All but the folder have a default and are set by tests only. */
interface ReportLeasesOptions {
  /** The folder of the reports. */
  folder: string;
  disk?: Disk;
  processes?: Processes;
  times?: LeaseTimes;
}

/** What a window can ask of the window that runs the reports of an account. */
const taskActions = ['cancel', 'retry', 'requestAgain', 'remove', 'removeEnded'] as const;

export type TaskAction = (typeof taskActions)[number];

export interface ReportTask {
  action: TaskAction;
  /** The id of the report. */
  id: string;
}

const taskPattern = /^([A-Za-z]+) (.+)$/;

/**
 * The leases that decide which window runs the reports, one for each account: windows may show
 * different accounts (the demo is a session of its window). Other windows hand over tasks as empty
 * files whose names say what to do.
 */
export class ReportLeases implements Disposable {
  readonly times: LeaseTimes;
  readonly clock: Clock = systemClock;
  readonly disk: Disk;
  private readonly leases = new Map<string, Lease>();
  private readonly lost = new Emitter<string>();
  private readonly folder: string;

  /** Fires the id of an account whose lease another window has taken over. */
  readonly onDidLose = this.lost.event;

  constructor(private readonly options: ReportLeasesOptions) {
    this.folder = path.join(options.folder, '.leases');
    this.times = options.times ?? defaultLeaseTimes;
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

  /** The accounts whose lease this window holds. */
  held(): string[] {
    return [...this.leases].filter(([, lease]) => lease.epoch > 0).map(([accountId]) => accountId);
  }

  /** Leaves a task for the window that holds the lease, now or later. Repeating it has no effect. */
  handOver(accountId: string, task: ReportTask): void {
    const folder = this.tasksOf(accountId);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, nameOf(task)), '', { mode: 0o600 });
  }

  /** Whether a task that was handed over is still to be done. */
  isWaiting(accountId: string, task: ReportTask): boolean {
    return fs.existsSync(path.join(this.tasksOf(accountId), nameOf(task)));
  }

  /** The tasks of an account that are still to be done. */
  waiting(accountId: string): ReportTask[] {
    return namesIn(this.tasksOf(accountId)).flatMap((name) => {
      const [, action, id] = taskPattern.exec(name) ?? [];
      const known = taskActions.find((each) => each === action);
      return known === undefined || id === undefined ? [] : [{ action: known, id }];
    });
  }

  /** Removes a task that was done or has failed. */
  settle(accountId: string, task: ReportTask): void {
    fs.rmSync(path.join(this.tasksOf(accountId), nameOf(task)), { force: true });
  }

  /** Releases all leases. */
  dispose(): void {
    this.leases.forEach((lease) => {
      lease.dispose();
    });
    this.lost.dispose();
  }

  private tasksOf(accountId: string): string {
    return path.join(this.folderOf(accountId), 'tasks');
  }

  /** An account's id is an address; a hash of it is a valid name on every file system. */
  private folderOf(accountId: string): string {
    const hash = createHash('sha256').update(accountId).digest('hex');
    return path.join(this.folder, hash.slice(0, 16));
  }
}

function nameOf({ action, id }: ReportTask): string {
  return `${action} ${id}`;
}
