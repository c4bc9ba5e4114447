import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { type Disk, isErrno } from '../api/download/disk';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { LeaseLostError } from './leaseLostError';
import type { Processes } from '../base/processes';

/** How quickly a lease changes hands, in milliseconds. */
export interface LeaseTimes {
  /** Between two signs of life of the holder, and between two looks of who waits. */
  beatMs: number;
  /** So long a holder whose process is gone may be silent: it may be another machine's, or container's. */
  goneMs: number;
  /** So long a holder may be silent whose process seems to live: it may be busy, or its number reused. */
  silentMs: number;
  /** Between two looks of a window that has nothing to do with any report, for new ones. */
  idleMs: number;
}

export const defaultLeaseTimes: LeaseTimes = {
  beatMs: 1_000,
  goneMs: 2_500,
  silentMs: 10_000,
  idleMs: 5_000,
};

/** What a lease needs. */
export interface LeaseDeps {
  clock: Clock;
  disk: Disk;
  processes: Processes;
  times: LeaseTimes;
}

/** A turn at holding the lease, as its folder on disk tells. */
interface Turn {
  epoch: number;
  isOpen: boolean;
}

/** What was seen of a holder's signs of life. */
interface Watched {
  what: string;
  /** For how long they have been the same, in time in which this process was awake. */
  unchangedMs: number;
  at: number;
}

/** Eight digits or more, so that a number that has grown longer still counts. */
const turnPattern = /^(\d{8,15})(\.closed)?$/;

/**
 * Lets one process of several write, by files alone. Each turn at it is a folder, numbered (the
 * epoch), and a folder can be made by one process only, so of two takers one wins. In it is the
 * room of the holder: its signs of life, and each file it writes before that gets its name.
 *
 * Who takes over renames the folders of all turns before its own, and reads only then. That is the
 * fence: `replace` moves a file out of the room, so a holder that was asleep meanwhile can neither
 * finish a write that it had begun nor begin another, however late it wakes up. No clock of one
 * process is compared with that of another: a holder is dead when its signs of life did not change
 * while the one who waits looked on, by its own clock, in which a sleep of the machine counts little.
 */
export class Lease implements Disposable {
  private own: { epoch: number; room: string; stop: () => void } | undefined;
  private watched: Watched | undefined;
  private count = 0;

  /**
   * @param folder of this lease alone; made when it is first taken.
   * @param onLost told when another process has taken over: as soon as a sign of life fails, or a
   *   look by `holds`, `require`, `take` or `replace` finds it so; then inside of that call.
   */
  constructor(
    private readonly folder: string,
    private readonly deps: LeaseDeps,
    private readonly onLost: () => void,
  ) {}

  /** The number of this turn, higher than that of every turn before; 0 while it is not held. */
  get epoch(): number {
    return this.own?.epoch ?? 0;
  }

  /** Whether this process holds it, by a look at the disk. */
  holds(): boolean {
    if (this.own && !fs.existsSync(this.own.room)) {
      this.lose();
    }
    return this.own !== undefined;
  }

  /** @throws LeaseLostError when this process does not hold it. */
  require(): void {
    if (!this.holds()) {
      throw new LeaseLostError();
    }
  }

  /** Whether another process has it, dead or alive. */
  isHeldElsewhere(): boolean {
    return this.own === undefined && this.turns().some(({ isOpen }) => isOpen);
  }

  /**
   * Takes it when nobody has it, or when its holder has been silent for too long: to be called
   * again and again, about each `beatMs`.
   * @returns whether this process holds it now.
   * @throws an error of the file system when the folder cannot be written.
   */
  take(): boolean {
    if (this.holds()) {
      return true;
    }
    const turns = this.turns();
    const holder = turns.filter(({ isOpen }) => isOpen).at(-1);
    if (holder && !this.isDead(holder)) {
      return false;
    }
    return this.begin((turns.at(-1)?.epoch ?? 0) + 1);
  }

  /** Gives it up, so that another process may take it at once. */
  release(): void {
    const { own } = this;
    this.own = undefined;
    own?.stop();
    if (own) {
      this.close(own.epoch);
    }
  }

  /**
   * Gives a file its content, old or new and never half, on disk when it returns; not when another
   * process has taken over, even while this is on its way.
   * @throws LeaseLostError; an error of the file system.
   */
  replace(file: string, text: string, options: { isLasting: boolean }): void {
    const { disk } = this.deps;
    if (!this.own) {
      throw new LeaseLostError();
    }
    const draft = path.join(this.own.room, `${(this.count += 1)}.draft`);
    try {
      disk.write(draft, text);
      if (options.isLasting) {
        disk.sync(draft);
      }
      disk.move(draft, file);
    } catch (error) {
      this.require();
      fs.rmSync(draft, { force: true });
      throw error;
    }
    if (options.isLasting) {
      disk.syncFolder(path.dirname(file));
    }
  }

  dispose(): void {
    try {
      this.release();
    } catch {
      // It is taken from who is silent.
    }
  }

  private begin(epoch: number): boolean {
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
    const room = path.join(turn, `${processes.own}-${randomBytes(6).toString('hex')}`);
    disk.makeFolder(room);
    const turns = this.turns();
    if (turns.some((other) => other.epoch > epoch || (other.epoch === epoch && !other.isOpen))) {
      // This process was away between its look and its step: others have had this turn, and more.
      fs.rmSync(turn, { recursive: true, force: true });
      return false;
    }
    const before = turns.filter((other) => other.epoch < epoch);
    try {
      before
        .filter(({ isOpen }) => isOpen)
        .forEach((other) => {
          this.close(other.epoch);
        });
    } catch (error) {
      // Windows renames no folder in which a file is open; the next try is a beat away, and would
      // leave one folder more each time.
      fs.rmSync(turn, { recursive: true, force: true });
      throw error;
    }
    this.own = { epoch, room, stop: () => undefined };
    this.beat(1);
    for (const { epoch: old } of before) {
      fs.rmSync(this.pathOf({ epoch: old, isOpen: false }), { recursive: true, force: true });
    }
    return this.holds();
  }

  /** A sign of life: any change will do. */
  private beat(number: number): void {
    const { own } = this;
    if (!own) {
      return;
    }
    try {
      fs.writeFileSync(path.join(own.room, 'beat'), String(number), { mode: 0o600 });
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        this.lose();
        return;
      }
      // A full disk: who waits may take over, and will meet the same.
    }
    own.stop = this.deps.clock.setTimeout(() => {
      this.beat(number + 1);
    }, this.deps.times.beatMs);
  }

  private lose(): void {
    const { own } = this;
    this.own = undefined;
    own?.stop();
    this.onLost();
  }

  private isDead(holder: Turn): boolean {
    const { clock, times, processes } = this.deps;
    const { what, pid } = this.signsOf(holder);
    const at = clock.monotonic();
    if (this.watched?.what !== what) {
      this.watched = { what, unchangedMs: 0, at };
      return false;
    }
    // Of a time in which this process did not look, such as a sleep, the holder may have slept, too.
    this.watched.unchangedMs += Math.min(at - this.watched.at, 2 * times.beatMs);
    this.watched.at = at;
    const isGone = pid !== undefined && pid !== processes.own && !processes.isAlive(pid);
    return this.watched.unchangedMs >= (isGone ? times.goneMs : times.silentMs);
  }

  private signsOf(holder: Turn): { what: string; pid: number | undefined } {
    const turn = this.pathOf(holder);
    const room = listed(turn)[0] ?? '';
    let beat = '';
    try {
      beat = fs.readFileSync(path.join(turn, room, 'beat'), 'utf8');
    } catch {
      // None yet, or the turn has just ended.
    }
    const pid = Number.parseInt(room, 10);
    return { what: `${holder.epoch} ${room} ${beat}`, pid: pid > 0 ? pid : undefined };
  }

  /** Ends a turn, whoever has it. Its name stays until the next one has begun, so that numbers only grow. */
  private close(epoch: number): void {
    const closed = this.pathOf({ epoch, isOpen: false });
    // Both are there when a process was killed as it made a turn that others had ended meanwhile,
    // and no folder can be renamed to one that is not empty.
    fs.rmSync(closed, { recursive: true, force: true });
    try {
      this.deps.disk.move(this.pathOf({ epoch, isOpen: true }), closed);
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) {
        throw error;
      }
    }
    for (const room of listed(closed)) {
      fs.rmSync(path.join(closed, room), { recursive: true, force: true });
    }
  }

  /** All turns that are on disk, in their order. */
  private turns(): Turn[] {
    return listed(this.folder)
      .flatMap((name) => {
        const [, epoch, closed] = turnPattern.exec(name) ?? [];
        return epoch === undefined ? [] : [{ epoch: Number(epoch), isOpen: closed === undefined }];
      })
      .sort((first, second) => first.epoch - second.epoch);
  }

  private pathOf({ epoch, isOpen }: Turn): string {
    return path.join(this.folder, String(epoch).padStart(8, '0') + (isOpen ? '' : '.closed'));
  }
}

function listed(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
