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

/** The actions that a window can ask of the window that runs the reports of an account. */
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
 * over tasks as empty files whose names say what to do.
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

  /** The accounts whose lease this window holds. */
  heldAccounts(): string[] {
    return [...this.leases].filter(([, lease]) => lease.epoch > 0).map(([accountId]) => accountId);
  }

  /** Leaves a task for the window that holds the lease, now or later. Repeating it has no effect. */
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
      const known = taskActions.find((each) => each === action);
      return known === undefined || id === undefined ? [] : [{ action: known, id }];
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
  /** The time between two signs of life of the holder, and between two checks by a waiting window. */
  beatMs: number;
  /**
   * How long a holder may be silent if its process is gone: it may run on another machine or in a
   * container.
   */
  goneMs: number;
  /**
   * How long a holder may be silent if its process seems to run: it may be busy, or its process id
   * may have been reused.
   */
  silentMs: number;
  /** The time between two checks for new reports by a window that has nothing to do. */
  idleMs: number;
}

export const defaultLeaseTimes: LeaseTimes = {
  beatMs: 1_000,
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

/** One turn of holding the lease, read from its folder on disk. */
interface Term {
  epoch: number;
  isOpen: boolean;
}

/** The last signs of life of the holder. */
interface ObservedHeartbeat {
  signs: string;
  /** How long they have not changed, not counting the time in which this process was asleep. */
  unchangedMs: number;
  at: number;
}

/** Eight digits or more, so that a number that has grown longer still matches. */
const termPattern = /^(\d{8,15})(\.closed)?$/;

/**
 * Allows only one of several processes to write, using only files. Each turn is a numbered folder;
 * its number is the epoch. Only one process can create a folder, so only one of two processes gets
 * the turn. In that folder the holder has its own folder, the holder folder: for its signs of life,
 * and for each file that it writes before the file gets its final name.
 *
 * A process that takes over first renames the folders of all earlier turns, and reads only then.
 * That is the fence: `replace` moves a file out of the holder folder. So a holder that was asleep can
 * neither finish a write nor start one, however late it wakes up. Clocks of different processes are
 * never compared. A holder counts as dead if its signs of life do not change while the waiting
 * process watches. That time is measured by the waiting process's own clock, and sleep of the
 * machine adds little to it.
 */
export class Lease implements Disposable {
  private ownTerm: { epoch: number; holderFolder: string; stop: () => void } | undefined;
  private observed: ObservedHeartbeat | undefined;
  private draftCount = 0;

  /**
   * @param folder used by this lease only; created when the lease is first taken.
   * @param onLost called when another process has taken over, as soon as this process notices:
   *   when a sign of life fails, or during a call of `holds`, `require`, `take` or `replace`.
   */
  constructor(
    private readonly folder: string,
    private readonly deps: LeaseDeps,
    private readonly onLost: () => void,
  ) {}

  /**
   * The number of this turn, higher than that of every earlier turn; 0 while this process does not
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
   * Takes the lease when no process holds it, or when its holder has been silent for too long. Call
   * it repeatedly, about every `beatMs`.
   * @returns whether this process holds it now.
   * @throws an error of the file system when the folder cannot be written.
   */
  acquire(): boolean {
    if (this.holds()) {
      return true;
    }
    const turns = this.terms();
    const holder = turns.filter(({ isOpen }) => isOpen).at(-1);
    if (holder && !this.isHolderGone(holder)) {
      return false;
    }
    return this.beginTerm((turns.at(-1)?.epoch ?? 0) + 1);
  }

  /** Releases the lease, so that another process can take it immediately. */
  release(): void {
    const { ownTerm: own } = this;
    this.ownTerm = undefined;
    own?.stop();
    if (own) {
      this.closeTerm(own.epoch);
    }
  }

  /**
   * Replaces the content of a file: readers see the old or the new content, never half of it, and
   * it is on disk when this returns. It fails when another process has taken over, even during this
   * call.
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
    const turn = this.pathOf({ epoch, isOpen: true });
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    try {
      disk.makeFolder(turn);
    } catch (error) {
      if (isErrno(error, 'EEXIST')) {
        return false;
      }
      throw error;
    }
    const holderFolder = path.join(turn, `${processes.own}-${randomBytes(6).toString('hex')}`);
    disk.makeFolder(holderFolder);
    const turns = this.terms();
    if (turns.some((other) => other.epoch > epoch || (other.epoch === epoch && !other.isOpen))) {
      // This process was asleep after it looked, and others have taken this turn or later ones.
      fs.rmSync(turn, { recursive: true, force: true });
      return false;
    }
    const before = turns.filter((other) => other.epoch < epoch);
    try {
      before
        .filter(({ isOpen }) => isOpen)
        .forEach((other) => {
          this.closeTerm(other.epoch);
        });
    } catch (error) {
      // Windows cannot rename a folder in which a file is open. The next try follows after a beat,
      // and each try would leave one more folder.
      fs.rmSync(turn, { recursive: true, force: true });
      throw error;
    }
    this.ownTerm = { epoch, holderFolder, stop: () => undefined };
    this.beat(1);
    for (const { epoch: old } of before) {
      fs.rmSync(this.pathOf({ epoch: old, isOpen: false }), { recursive: true, force: true });
    }
    return this.holds();
  }

  /**
   * Writes a sign of life. A process that waits for the lease checks whether the number changes;
   * its value does not matter.
   */
  private beat(number: number): void {
    const { ownTerm: own } = this;
    if (!own) {
      return;
    }
    try {
      fs.writeFileSync(path.join(own.holderFolder, 'beat'), String(number), { mode: 0o600 });
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        this.lose();
        return;
      }
      // The disk is full. A waiting process may take over, and will have the same problem.
    }
    own.stop = this.deps.clock.setTimeout(() => {
      this.beat(number + 1);
    }, this.deps.times.beatMs);
  }

  private lose(): void {
    const { ownTerm: own } = this;
    this.ownTerm = undefined;
    own?.stop();
    this.onLost();
  }

  private isHolderGone(holder: Term): boolean {
    const { clock, times, processes } = this.deps;
    const { signs, pid } = this.readHeartbeat(holder);
    const at = clock.monotonic();
    if (this.observed?.signs !== signs) {
      this.observed = { signs, unchangedMs: 0, at };
      return false;
    }
    // While this process did not look, for example because it was asleep, the holder may have been
    // asleep, too.
    this.observed.unchangedMs += Math.min(at - this.observed.at, 2 * times.beatMs);
    this.observed.at = at;
    const isGone = pid !== undefined && pid !== processes.own && !processes.isAlive(pid);
    return this.observed.unchangedMs >= (isGone ? times.goneMs : times.silentMs);
  }

  private readHeartbeat(holder: Term): { signs: string; pid: number | undefined } {
    const turn = this.pathOf(holder);
    const holderFolder = namesIn(turn)[0] ?? '';
    let beat = '';
    try {
      beat = fs.readFileSync(path.join(turn, holderFolder, 'beat'), 'utf8');
    } catch {
      // There is no sign of life yet, or the turn has just ended.
    }
    const pid = Number.parseInt(holderFolder, 10);
    return { signs: `${holder.epoch} ${holderFolder} ${beat}`, pid: pid > 0 ? pid : undefined };
  }

  /**
   * Ends a turn of any process. Its folder stays until the next turn has started, so numbers only
   * grow.
   */
  private closeTerm(epoch: number): void {
    const closed = this.pathOf({ epoch, isOpen: false });
    // Both exist if a process was killed while it created a turn that others had ended already. A
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

  /** All turns on disk, in ascending order. */
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
