import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Clock } from '../base/events/clock';
import { isErrno, namesIn, removeEmptyNow, removeNow } from './files';
import { isInUse, type Patience, systemPatience, whenFree, whenFreeNow } from './inUse';
import { ownProcessName, type Processes, type ProcessState, stateOfProcess } from './processes';
import { localSyncDisk, moveOnce, type SyncDisk, writeSynced } from './syncDisk';

export interface LockTimes {
  /** The time between two heartbeats of the owner, and between two attempts of a waiting process. */
  heartbeatMs: number;
  /** How long an owner on another machine, or in another container, may be silent: whether it exists is unknown. */
  goneMs: number;
  /** How long an owner may be silent if its process exists here: it may be busy, or asleep. */
  silentMs: number;
}

export const defaultLockTimes: LockTimes = { heartbeatMs: 1_000, goneMs: 2_500, silentMs: 10_000 };

export interface LockDeps {
  clock: Clock;
  processes: Processes;
  times: LockTimes;
  disk?: SyncDisk;
  /** How it waits for files that other processes read; by default on its clock. */
  patience?: Patience;
}

/** This process does not own a lock, or has lost it to another one. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';

  constructor() {
    super('Another window is working on this.');
  }
}

/** The file in the folder of an owner that contains the number of its last heartbeat. */
const heartbeatName = 'heartbeat';

/**
 * Allows only one of several processes to work on something. The lock is a folder, and each process that
 * wants it adds a folder to it, with its process in the name. Whoever then finds only its own folder there
 * owns the lock; anybody else withdraws. Of two processes that come at the same moment at least one sees the
 * other, so both may withdraw, but never do both own the lock.
 *
 * A process that takes over the lock of a silent owner renames the owner's folder to its own. Only one
 * process can do that. It is also a fence: `replace` moves a file out of the owner's folder, so an owner that
 * was asleep can neither finish a write nor start one, however late it wakes up.
 *
 * Clocks of different processes are never compared. An owner counts as gone if its process has certainly ended, or if
 * its heartbeat does not change while another process watches, by the clock of that process.
 */
export class FileLock {
  private readonly disk: SyncDisk;
  private readonly patience: Patience;
  /** Folders of this process that count no more, and are removed when nobody reads a file in them. */
  private readonly discarded = new Set<string>();
  private own: { folder: string; stopHeartbeat: () => void } | undefined;
  /** The last heartbeat of an owner that was seen, for how long it has not changed, and whether it ever has. */
  private observed:
    | { owner: string; heartbeat: string; unchangedMs: number; at: number; hasChanged: boolean }
    | undefined;
  private drafts = 0;

  /** @param folder used by this lock only. Nobody owns the lock while its parent does not exist. */
  constructor(
    private readonly folder: string,
    private readonly deps: LockDeps,
  ) {
    this.disk = deps.disk ?? localSyncDisk;
    this.patience = deps.patience ?? { ...systemPatience, clock: deps.clock };
  }

  /** Whether this process owns the lock. Checks the disk. */
  isOwned(): boolean {
    if (this.own && !fs.existsSync(this.own.folder)) {
      this.lose();
    }
    return this.own !== undefined;
  }

  require(): void {
    if (!this.isOwned()) {
      throw new LockLostError();
    }
  }

  /** Whether another process owns it, even one that is gone. */
  isOwnedElsewhere(): boolean {
    return this.own === undefined && this.owners().length > 0;
  }

  /** Whether another process owns it and certainly exists: here, or its heartbeat has changed between two attempts. */
  isOwnerAlive(): boolean {
    const { own, observed } = this;
    return (
      own === undefined &&
      this.owners().some(
        (owner) =>
          this.stateOf(owner) === 'running' || (owner === observed?.owner && observed.hasChanged),
      )
    );
  }

  /**
   * Acquires the lock if nobody owns it, or if its owner has been silent for too long while this process
   * watched. To wait for it, call this about every `heartbeatMs`.
   * @returns whether this process owns it now.
   * @throws an error of the file system when the folder cannot be written.
   */
  tryAcquire(): boolean {
    if (this.isOwned()) {
      return true;
    }
    const [owner] = this.owners();
    if (owner !== undefined && !this.discarded.has(owner) && !this.isGone(owner)) {
      return false;
    }
    const folder = path.join(this.folder, this.newName());
    if (!this.makeOrTake(folder, owner) || !this.isAlone(folder)) {
      return false;
    }
    this.begin(folder);
    return true;
  }

  /**
   * Acquires the lock of something that does not exist yet.
   * @param draft where the folder of the lock is until the caller moves it, with everything else, to its place.
   * @returns to be called when it is there: from then on this process owns the lock.
   * @throws an error of the file system.
   */
  acquireIn(draft: string): () => void {
    const name = this.newName();
    this.disk.makeFolder(draft);
    makeIfMissing(this.disk, path.join(draft, name));
    return () => {
      this.begin(path.join(this.folder, name));
    };
  }

  /** Releases the lock, so that another process can acquire it at once. */
  release(): void {
    const { own } = this;
    this.own = undefined;
    own?.stopHeartbeat();
    if (own) {
      this.discard(own.folder);
      try {
        removeEmptyNow(this.folder);
      } catch {
        // Another process wants it already.
      }
    }
  }

  /** The path of a new file or folder that is lost together with the lock. @throws LockLostError */
  draft(): string {
    if (!this.own) {
      throw new LockLostError();
    }
    return path.join(this.own.folder, `draft-${(this.drafts += 1)}`);
  }

  /**
   * Replaces the content of a file. Readers see the old or the new content, never half of it. The new content is
   * on disk when this resolves, and when it returns already unless the file is in use, see `whenFree`. It fails if
   * another process has taken over, even meanwhile.
   * @throws LockLostError; an error of the file system.
   */
  async replace(file: string, text: string): Promise<void> {
    const draft = this.draft();
    try {
      writeSynced(this.disk, draft, text);
      await whenFree(() => {
        this.moveDraft(draft, file);
      }, this.patience);
    } catch (error) {
      this.giveUp(draft);
      throw error;
    }
    this.disk.syncFolder(path.dirname(file));
  }

  /** As `replace`, for a caller that cannot wait: it fails if the file is in use for longer than others read it. */
  replaceNow(file: string, text: string): void {
    const draft = this.draft();
    try {
      writeSynced(this.disk, draft, text);
      whenFreeNow(() => {
        this.moveDraft(draft, file);
      }, this.patience);
    } catch (error) {
      this.giveUp(draft);
      throw error;
    }
    this.disk.syncFolder(path.dirname(file));
  }

  private moveDraft(draft: string, file: string): void {
    moveOnce(this.disk, draft, file, () => {
      this.require();
    });
  }

  /** Removes a draft that was not moved. @throws LockLostError if that is why */
  private giveUp(draft: string): void {
    this.require();
    removeNow(draft);
  }

  /** Releases the lock if the disk lets it. Never throws. It can be acquired again. */
  tryRelease(): void {
    try {
      this.release();
    } catch {
      // Another process takes it over when this one is silent.
    }
  }

  private newName(): string {
    return `${ownProcessName(this.deps.processes)} ${randomBytes(6).toString('hex')}`;
  }

  private begin(folder: string): void {
    this.own = { folder, stopHeartbeat: () => undefined };
    this.scheduleHeartbeat(1);
  }

  /** @returns false if another process has taken over from the same owner, or the owner has released it. */
  private makeOrTake(folder: string, owner: string | undefined): boolean {
    const { disk } = this;
    try {
      if (owner === undefined) {
        makeIfMissing(disk, this.folder);
        // Nobody else makes a folder of this name: if it exists, the answer of NFS was lost.
        makeIfMissing(disk, folder);
        return true;
      }
      moveOnce(disk, path.join(this.folder, owner), folder);
    } catch (error) {
      // Windows does not rename a folder in which a file is open.
      const isOpen = isErrno(error, 'EPERM') || isInUse(error, this.patience);
      if (isErrno(error, 'ENOENT') || (owner !== undefined && isOpen)) {
        return false;
      }
      throw error;
    }
    for (const name of namesIn(folder)) {
      this.discard(path.join(folder, name));
    }
    return true;
  }

  /** Whether no other process wants the lock; otherwise removes the own folder. */
  private isAlone(folder: string): boolean {
    // If this process was asleep, the only folder may be that of a process that has taken over.
    const isAlone = this.owners().join() === path.basename(folder);
    if (!isAlone) {
      this.discard(folder);
    }
    return isAlone;
  }

  /** Removes what counts no more; what is in use a little later. @throws another error of the file system */
  private discard(target: string): void {
    try {
      removeNow(target);
    } catch (error) {
      if (!isInUse(error, this.patience)) {
        throw error;
      }
      const name = path.basename(target);
      this.discarded.add(name);
      const remove = () => {
        removeNow(target);
      };
      whenFree(remove, this.patience)
        .then(() => this.discarded.delete(name))
        .catch(() => undefined);
    }
  }

  private owners(): string[] {
    return namesIn(this.folder).filter(isOwner);
  }

  private scheduleHeartbeat(number: number): void {
    const { own } = this;
    if (!own) {
      return;
    }
    own.stopHeartbeat = this.deps.clock.setTimeout(() => {
      try {
        fs.writeFileSync(path.join(own.folder, heartbeatName), String(number), { mode: 0o600 });
      } catch (error) {
        if (isErrno(error, 'ENOENT')) {
          this.lose();
          return;
        }
        // The disk is full. A waiting process may take over, and will have the same problem.
      }
      this.scheduleHeartbeat(number + 1);
    }, this.deps.times.heartbeatMs);
  }

  private lose(): void {
    this.own?.stopHeartbeat();
    this.own = undefined;
  }

  private isGone(owner: string): boolean {
    const state = this.stateOf(owner);
    if (state === 'ended') {
      return true;
    }
    const { clock, times } = this.deps;
    const heartbeat = this.heartbeatOf(owner);
    const at = clock.monotonic();
    const { observed } = this;
    if (observed?.owner !== owner || observed.heartbeat !== heartbeat) {
      const hasChanged = observed?.owner === owner;
      this.observed = { owner, heartbeat, unchangedMs: 0, at, hasChanged };
      return false;
    }
    // This process may have been asleep since its last check, and the owner with it.
    observed.unchangedMs += Math.min(at - observed.at, 2 * times.heartbeatMs);
    observed.at = at;
    return observed.unchangedMs >= (state === 'elsewhere' ? times.goneMs : times.silentMs);
  }

  private stateOf(owner: string): ProcessState {
    return stateOfProcess(this.deps.processes, owner.slice(0, owner.indexOf(' ')));
  }

  private heartbeatOf(owner: string): string {
    try {
      return fs.readFileSync(path.join(this.folder, owner, heartbeatName), 'utf8');
    } catch {
      // There is none yet, or the owner has just released the lock.
      return '';
    }
  }
}

/** Whether a name is that of an owner's folder: file managers add other files. */
function isOwner(name: string): boolean {
  return /^[\d-]+@\w+ [\da-f]{12}$/.test(name);
}

function makeIfMissing(disk: SyncDisk, folder: string): void {
  try {
    disk.makeFolder(folder);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) {
      throw error;
    }
  }
}
