import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { type Disk, isErrno, localDisk } from '../api/download/disk';
import { type Clock, systemClock } from '../base/events/clock';
import type { Disposable } from '../base/events/disposable';
import { Emitter } from '../base/events/emitter';
import { namesIn } from '../base/files';
import { localProcesses, type Processes } from '../base/processes';
import { LeaseLostError } from './reportErrors';

/** Options of the leases. All but the folder have a default and are set only by tests. */
interface ReportLeasesOptions {
  /** The folder of the reports. */
  folder: string;
  disk?: Disk;
  processes?: Processes;
  times?: LeaseTimes;
}

/** The actions that a window can hand over to the window that runs the reports of an account. */
const taskActions = ['cancel', 'retry', 'requestAgain', 'remove', 'removeEnded'] as const;

export type TaskAction = (typeof taskActions)[number];

export interface ReportTask {
  action: TaskAction;
  /** The id of the report. */
  id: string;
}

const taskPattern = /^([A-Za-z]+) (.+)$/;

/**
 * The leases that decide which window runs the reports. There is one for each account, because
 * windows may show different accounts (a demo session belongs to one window). Other windows hand
 * over tasks as empty files; their names contain the action and the report.
 */
export class ReportLeases implements Disposable {
  readonly times: LeaseTimes;
  readonly clock: Clock = systemClock;
  readonly disk: Disk;
  private readonly leases = new Map<string, Lease>();
  private readonly lost = new Emitter<string>();
  private readonly folder: string;

  /** Fires with the id of an account when another window has taken over its lease. */
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

  /** The ids of the accounts whose lease this window holds. */
  leasedAccounts(): string[] {
    return [...this.leases].filter(([, lease]) => lease.epoch > 0).map(([accountId]) => accountId);
  }

  /** Adds a task for the window that holds the lease, now or later. A repeated call has no effect. */
  handOver(accountId: string, task: ReportTask): void {
    const folder = this.tasksOf(accountId);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, nameOf(task)), '', { mode: 0o600 });
  }

  /** Whether a task that was handed over is still pending. */
  isPending(accountId: string, task: ReportTask): boolean {
    return fs.existsSync(path.join(this.tasksOf(accountId), nameOf(task)));
  }

  /** The pending tasks of an account. */
  pendingTasks(accountId: string): ReportTask[] {
    return namesIn(this.tasksOf(accountId)).flatMap((name) => {
      const [, action, id] = taskPattern.exec(name) ?? [];
      const validAction = taskActions.find((each) => each === action);
      return validAction === undefined || id === undefined ? [] : [{ action: validAction, id }];
    });
  }

  /** Removes a task that was done or has failed. */
  removeTask(accountId: string, task: ReportTask): void {
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

/** How quickly a lease changes hands, in milliseconds. */
export interface LeaseTimes {
  /** The time between two heartbeats of the holder, and between two checks by a waiting window. */
  heartbeatMs: number;
  /**
   * How long a holder may be silent if its process does not exist here: it may run on another
   * machine or in a container.
   */
  goneMs: number;
  /**
   * How long a holder may be silent if its process exists: it may be busy, or another process may
   * have its id.
   */
  silentMs: number;
  /** The time between two checks for new reports by a window that has nothing to do. */
  idleMs: number;
}

export const defaultLeaseTimes: LeaseTimes = {
  heartbeatMs: 1_000,
  goneMs: 2_500,
  silentMs: 10_000,
  idleMs: 5_000,
};

/** Dependencies of a lease. */
interface LeaseDeps {
  clock: Clock;
  disk: Disk;
  processes: Processes;
  times: LeaseTimes;
}

/** One term of the lease, as its folder on disk shows it. */
interface Term {
  epoch: number;
  isOpen: boolean;
}

/** The last heartbeat of the holder that this process has seen. */
interface ObservedHeartbeat {
  heartbeat: string;
  /** How long it has not changed, not counting the time in which this process was asleep. */
  unchangedMs: number;
  at: number;
}

/** The file in the holder folder that contains the number of the last heartbeat. */
const heartbeatName = 'heartbeat';

/** Eight digits or more, so that a number that has grown longer still matches. */
const termPattern = /^(\d{8,15})(\.closed)?$/;

/**
 * Allows only one of several processes to write, using only files. Each term of a holder is a
 * numbered folder; its number is the epoch. Only one process can create a folder, so only one of two
 * processes gets the term. In that folder is the holder folder, which belongs to one process. It
 * contains the heartbeat, and each file that the holder writes until the file gets its final name.
 *
 * A process that takes over first renames the folders of all earlier terms, and reads only then.
 * That is the fence: `replace` moves a file out of the holder folder. So a holder that was asleep can
 * neither finish a write nor start one, however late it wakes up. Clocks of different processes are
 * never compared. A holder counts as dead if its heartbeat does not change while another process
 * watches. The watching process measures that time by its own clock, and sleep of the machine adds
 * little to it.
 */
export class Lease implements Disposable {
  private ownTerm: { epoch: number; holderFolder: string; stop: () => void } | undefined;
  private observed: ObservedHeartbeat | undefined;
  private draftCount = 0;

  /**
   * @param folder used by this lease only; created when the lease is first acquired.
   * @param onLost called when another process has taken over, as soon as this process notices:
   *   when a heartbeat fails, or during a call of `holds`, `require`, `acquire` or `replace`.
   */
  constructor(
    private readonly folder: string,
    private readonly deps: LeaseDeps,
    private readonly onLost: () => void,
  ) {}

  /**
   * The number of this term, higher than that of every earlier term; 0 while this process does not
   * hold the lease.
   */
  get epoch(): number {
    return this.ownTerm?.epoch ?? 0;
  }

  /** Whether this process holds the lease. Checks the disk. */
  holds(): boolean {
    if (this.ownTerm && !fs.existsSync(this.ownTerm.holderFolder)) {
      this.lose();
    }
    return this.ownTerm !== undefined;
  }

  /** @throws LeaseLostError when this process does not hold it. */
  require(): void {
    if (!this.holds()) {
      throw new LeaseLostError();
    }
  }

  /** Whether another process holds it, even if that process is dead. */
  isHeldElsewhere(): boolean {
    return this.ownTerm === undefined && this.terms().some(({ isOpen }) => isOpen);
  }

  /**
   * Acquires the lease when no process holds it, or when its holder has been silent for too long.
   * Call it repeatedly, about every `heartbeatMs`.
   * @returns whether this process holds it now.
   * @throws an error of the file system when the folder cannot be written.
   */
  acquire(): boolean {
    if (this.holds()) {
      return true;
    }
    const terms = this.terms();
    const holder = terms.filter(({ isOpen }) => isOpen).at(-1);
    if (holder && !this.isHolderGone(holder)) {
      return false;
    }
    return this.beginTerm((terms.at(-1)?.epoch ?? 0) + 1);
  }

  /** Releases the lease, so that another process can acquire it immediately. */
  release(): void {
    const { ownTerm } = this;
    this.ownTerm = undefined;
    ownTerm?.stop();
    if (ownTerm) {
      this.closeTerm(ownTerm.epoch);
    }
  }

  /**
   * Replaces the content of a file. Readers see the old or the new content, never half of it. The
   * new content is on disk when this returns. It fails when another process has taken over, even
   * during this call.
   * @throws LeaseLostError; an error of the file system.
   */
  replace(file: string, text: string, options: { isDurable: boolean }): void {
    const { disk } = this.deps;
    if (!this.ownTerm) {
      throw new LeaseLostError();
    }
    const draft = path.join(this.ownTerm.holderFolder, `${(this.draftCount += 1)}.draft`);
    try {
      disk.write(draft, text);
      if (options.isDurable) {
        disk.sync(draft);
      }
      disk.move(draft, file);
    } catch (error) {
      this.require();
      fs.rmSync(draft, { force: true });
      throw error;
    }
    if (options.isDurable) {
      disk.syncFolder(path.dirname(file));
    }
  }

  dispose(): void {
    try {
      this.release();
    } catch {
      // Another process takes it over when this one is silent.
    }
  }

  private beginTerm(epoch: number): boolean {
    const { disk, processes } = this.deps;
    const folder = this.pathOf({ epoch, isOpen: true });
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    try {
      disk.makeFolder(folder);
    } catch (error) {
      if (isErrno(error, 'EEXIST')) {
        return false;
      }
      throw error;
    }
    const holderFolder = path.join(folder, `${processes.ownPid}-${randomBytes(6).toString('hex')}`);
    disk.makeFolder(holderFolder);
    const terms = this.terms();
    if (terms.some((other) => other.epoch > epoch || (other.epoch === epoch && !other.isOpen))) {
      // This process was asleep after it looked, and others have begun this term or later ones.
      fs.rmSync(folder, { recursive: true, force: true });
      return false;
    }
    const earlier = terms.filter((other) => other.epoch < epoch);
    try {
      earlier
        .filter(({ isOpen }) => isOpen)
        .forEach((other) => {
          this.closeTerm(other.epoch);
        });
    } catch (error) {
      // Windows cannot rename a folder in which a file is open. Attempts repeat at each heartbeat, and
      // each would leave one more folder.
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    this.ownTerm = { epoch, holderFolder, stop: () => undefined };
    this.writeHeartbeat(1);
    for (const { epoch: old } of earlier) {
      fs.rmSync(this.pathOf({ epoch: old, isOpen: false }), { recursive: true, force: true });
    }
    return this.holds();
  }

  /**
   * Writes a heartbeat and schedules the next one. A process that waits for the lease only checks
   * whether the number changes.
   */
  private writeHeartbeat(number: number): void {
    const { ownTerm } = this;
    if (!ownTerm) {
      return;
    }
    try {
      fs.writeFileSync(path.join(ownTerm.holderFolder, heartbeatName), String(number), {
        mode: 0o600,
      });
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        this.lose();
        return;
      }
      // The disk is full. A waiting process may take over, and will have the same problem.
    }
    ownTerm.stop = this.deps.clock.setTimeout(() => {
      this.writeHeartbeat(number + 1);
    }, this.deps.times.heartbeatMs);
  }

  private lose(): void {
    this.ownTerm?.stop();
    this.ownTerm = undefined;
    this.onLost();
  }

  private isHolderGone(holder: Term): boolean {
    const { clock, times, processes } = this.deps;
    const { heartbeat, pid } = this.readHeartbeat(holder);
    const at = clock.monotonic();
    if (this.observed?.heartbeat !== heartbeat) {
      this.observed = { heartbeat, unchangedMs: 0, at };
      return false;
    }
    // This process may have been asleep since its last check, and the holder with it.
    this.observed.unchangedMs += Math.min(at - this.observed.at, 2 * times.heartbeatMs);
    this.observed.at = at;
    const isGone = pid !== undefined && pid !== processes.ownPid && !processes.isAlive(pid);
    return this.observed.unchangedMs >= (isGone ? times.goneMs : times.silentMs);
  }

  private readHeartbeat(holder: Term): { heartbeat: string; pid: number | undefined } {
    const folder = this.pathOf(holder);
    const holderFolder = namesIn(folder)[0] ?? '';
    let number = '';
    try {
      number = fs.readFileSync(path.join(folder, holderFolder, heartbeatName), 'utf8');
    } catch {
      // There is no heartbeat yet, or the term has just ended.
    }
    const pid = Number.parseInt(holderFolder, 10);
    return {
      heartbeat: `${holder.epoch} ${holderFolder} ${number}`,
      pid: pid > 0 ? pid : undefined,
    };
  }

  /**
   * Ends a term of any process. Its folder stays until the next term has begun, so that numbers only
   * grow.
   */
  private closeTerm(epoch: number): void {
    const closed = this.pathOf({ epoch, isOpen: false });
    // Both exist if a process was killed while it began a term that others had already ended. A
    // folder cannot be renamed to one that is not empty.
    fs.rmSync(closed, { recursive: true, force: true });
    try {
      this.deps.disk.move(this.pathOf({ epoch, isOpen: true }), closed);
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) {
        throw error;
      }
    }
    for (const holderFolder of namesIn(closed)) {
      fs.rmSync(path.join(closed, holderFolder), { recursive: true, force: true });
    }
  }

  /** All terms on disk, in ascending order. */
  private terms(): Term[] {
    return namesIn(this.folder)
      .flatMap((name) => {
        const [, epoch, closed] = termPattern.exec(name) ?? [];
        return epoch === undefined ? [] : [{ epoch: Number(epoch), isOpen: closed === undefined }];
      })
      .sort((first, second) => first.epoch - second.epoch);
  }

  private pathOf({ epoch, isOpen }: Term): string {
    return path.join(this.folder, String(epoch).padStart(8, '0') + (isOpen ? '' : '.closed'));
  }
}
