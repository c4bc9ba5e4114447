import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type Clock, systemClock } from '../base/events/clock';
import { pathsOf, removeAllPossible, removeFolder, removeNow } from './files';
import { whenFreeNow } from './inUse';
import { ownProcessName, type Processes, stateOfProcess } from './processes';

/** How long the copies of another machine stay after the last one was made there, in milliseconds. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Folders for temporary copies of open tables. Copies are not masked, so none may outlive its
 * window: each process has its own folder, and folders of crashed processes are removed before the
 * first table is opened. Those of another machine may be in use there, and go when they are old, and so do those of a
 * process whose ID another one may have by now.
 */
export class TempCopies {
  /** The folder of this process; it may not exist. */
  readonly ownFolder: string;
  private sweeping: Promise<void> | undefined;

  /** @param folder contains nothing else. */
  constructor(
    private readonly folder: string,
    private readonly processes: Processes,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.ownFolder = path.join(folder, ownProcessName(processes));
  }

  /** A new folder, private to the user. @throws an error of the file system. */
  async make(): Promise<string> {
    await this.sweep();
    const made = path.join(this.ownFolder, randomBytes(8).toString('hex'));
    await fs.mkdir(made, { recursive: true, mode: 0o700 });
    return made;
  }

  /** Removes folders that no process uses, once. The next start tries again where this fails. */
  sweep(): Promise<void> {
    this.sweeping ??= this.removeLeftovers();
    return this.sweeping;
  }

  /** Removes the copies of this process when it ends. */
  removeOwn(): void {
    try {
      whenFreeNow(() => {
        removeNow(this.ownFolder);
      });
    } catch {
      // Windows does not remove a file that is open elsewhere: the next process removes it.
    }
  }

  /** Removes all copies, including those of other windows. @returns the paths that are left. */
  async removeAll(): Promise<string[]> {
    return pathsOf(await removeAllPossible(this.folder));
  }

  private async removeLeftovers(): Promise<void> {
    for (const name of await fs.readdir(this.folder).catch(() => [])) {
      const leftover = path.join(this.folder, name);
      if (!(await this.isUsed(leftover))) {
        await removeFolder(leftover).catch(() => undefined);
      }
    }
  }

  private async isUsed(folder: string): Promise<boolean> {
    const state = stateOfProcess(this.processes, path.basename(folder));
    if (state === 'elsewhere' || (state === 'unsure' && folder !== this.ownFolder)) {
      // A process with the same ID may be another one: no process is older than the start of the machine.
      const runningMs = state === 'unsure' ? (this.processes.runningMs?.() ?? Infinity) : Infinity;
      const { mtimeMs } = await fs.stat(folder).catch(() => ({ mtimeMs: 0 }));
      return mtimeMs > this.clock.now() - Math.min(maxAgeMs, runningMs);
    }
    // This process has created nothing yet: its folder is from an earlier process with the same id.
    return state !== 'ended' && folder !== this.ownFolder;
  }
}
