import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type Breathe, breather } from '../common/breather';
import type { Logger } from '../common/logger';
import { SerialQueue } from '../common/serialQueue';
import { localProcesses, type Processes } from '../common/processes';
import { digest, headerOf, type KeptList, lineOf, longestKeptMs, pagesIn } from './keptPageFile';
import type { LoadedPage } from './sparseRows';

/** What a list needs to outlive a reload of the window in the middle of a Load All. */
export interface KeptPages {
  /**
   * The pages that an interrupted Load All left; `undefined` while only a living process has some:
   * the one before a reload may live on for a moment, so that it is worth asking again.
   * @param onFound called where there is something to read, which may take seconds.
   */
  restore(onFound?: () => void): Promise<LoadedPage[] | undefined>;
  /** Begins a Load All with the pages that are there. */
  begin(pages: readonly LoadedPage[]): void;
  /** Keeps one more page; nothing unless a Load All was begun. */
  add(page: LoadedPage): void;
  /** The Load All has ended: nothing of it is kept any more, nor what others have left of it. */
  discard(): void;
  /** The Load All broke off, or its list goes; what is kept stays for the next window. */
  release(): void;
}

/** The names of the files: account, list, process and time. */
const ours = /^[0-9a-f]{24}\.[0-9a-f]{24}\.\d+-\d+$/;

/**
 * The pages of unfinished Load Alls on disk, a file each: a header line, then a line of JSON per page,
 * appended as it arrives. Secret-like values are masked before they are written.
 *
 * Of several windows none writes the file of another: the name of a file ends with the process that
 * writes it, which creates it exclusively. A file whose process has gone is taken over by renaming
 * it, which only one window can do. Keeping is a help: when the disk refuses, it is logged, and the
 * load goes on.
 */
export class PageStore {
  private readonly queue = new SerialQueue();
  /** Names of the files that belong to a list of this process. */
  private readonly open = new Set<string>();
  private count = 0;
  private isSwept = false;

  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
    /** Wall-clock time in milliseconds since the epoch. */
    private readonly now: () => number,
    /** Who this process is, and whether another one lives; a parameter for tests. */
    private readonly processes: Processes = localProcesses,
    /** Tens of megabytes are read in slices: a window that starts has more to do. */
    private readonly pacing: () => Breathe = breather,
  ) {}

  /** The kept pages of one list. Nothing is read by asking. */
  list(list: KeptList): KeptPages {
    const prefix = `${accountPrefix(list.accountId)}${digest([list.scorecardId, list.issueType, list.body])}.`;
    let file: fs.FileHandle | undefined;
    /** The file that is written, or was taken over and waits for the next Load All. */
    let own: string | undefined;
    const close = async () => {
      const handle = file;
      file = undefined;
      await handle?.close();
    };
    const remove = async (name: string | undefined) => {
      if (name !== undefined) {
        this.open.delete(name);
        await fs.rm(this.pathOf(name), { force: true });
      }
    };
    return {
      restore: (onFound) =>
        this.attempt(async () => {
          await this.sweep();
          const taken = await this.takeOver(prefix);
          if (taken === undefined) {
            const others = await this.names(prefix);
            return { pages: others.length > 0 ? undefined : [] };
          }
          own = taken;
          onFound?.();
          const text = await fs.readFile(this.pathOf(taken), 'utf8');
          const pages = await pagesIn(text, list, this.now(), this.pacing());
          if (pages.length === 0) {
            await remove(taken);
            own = undefined;
          }
          return { pages };
        }).then((restored) => (restored ? restored.pages : [])),
      begin: (pages) => {
        void this.attempt(async () => {
          await close();
          const before = own;
          own = this.newName(prefix);
          this.open.add(own);
          await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
          file = await fs.open(this.pathOf(own), 'wx', 0o600);
          await file.appendFile(headerOf(list, this.now()));
          for (const page of pages) {
            await file.appendFile(lineOf(page));
          }
          await remove(before);
        });
      },
      add: (page) => {
        void this.attempt(async () => {
          await file?.appendFile(lineOf(page)).catch(async (error: unknown) => {
            await close();
            throw error;
          });
        });
      },
      discard: () => {
        void this.attempt(async () => {
          await close();
          await remove(own);
          own = undefined;
          // Where nothing was restored before, what a window has left is still there.
          await remove(await this.takeOver(prefix));
        });
      },
      release: () => {
        void this.attempt(async () => {
          await close();
          if (own !== undefined) {
            this.open.delete(own);
          }
        });
      },
    };
  }

  /** Removes what is kept of an account, in all windows: somebody has signed out. */
  async removeAccount(accountId: string): Promise<void> {
    await this.attempt(async () => {
      for (const name of await this.names(accountPrefix(accountId))) {
        await fs.rm(this.pathOf(name), { force: true });
      }
    });
  }

  /** Removes everything, also what cannot be read. */
  async removeAll(): Promise<void> {
    await this.attempt(() => fs.rm(this.folder, { recursive: true, force: true }));
  }

  /** Resolves when everything that was begun is on disk. */
  async settled(): Promise<void> {
    await this.queue.run(() => Promise.resolve());
  }

  /** The fullest file of a list that no living window has, under a name of this process. */
  private async takeOver(prefix: string): Promise<string | undefined> {
    const free = (await this.names(prefix)).filter((name) => this.isFree(name));
    const sizes = await Promise.all(
      free.map(async (name) => {
        const { size } = await fs.stat(this.pathOf(name)).catch(() => ({ size: 0 }));
        return { name, size };
      }),
    );
    sizes.sort((first, second) => second.size - first.size);
    let taken: string | undefined;
    for (const { name } of sizes) {
      if (taken !== undefined) {
        await fs.rm(this.pathOf(name), { force: true });
        continue;
      }
      const own = this.newName(prefix);
      try {
        await fs.rename(this.pathOf(name), this.pathOf(own));
        this.open.add(own);
        taken = own;
      } catch {
        // Another window was faster.
      }
    }
    return taken;
  }

  /** Removes, once, what is too old to be put back: nobody may ever ask for its list again. */
  private async sweep(): Promise<void> {
    if (this.isSwept) {
      return;
    }
    this.isSwept = true;
    const names = (await this.names('')).filter((name) => ours.test(name) && this.isFree(name));
    for (const name of names) {
      const { mtimeMs } = await fs
        .stat(this.pathOf(name))
        .catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (this.now() - mtimeMs > longestKeptMs) {
        // One that cannot be removed is no reason not to read another.
        await fs.rm(this.pathOf(name), { force: true }).catch(() => undefined);
      }
    }
  }

  private isFree(name: string): boolean {
    const pid = Number(/\.(\d+)-\d+$/.exec(name)?.[1]);
    return pid === this.processes.own ? !this.open.has(name) : !this.processes.isAlive(pid);
  }

  private newName(prefix: string): string {
    this.count += 1;
    // Of the time, too: a process of the same number may have been here before.
    return `${prefix}${this.processes.own}-${this.now()}${String(this.count).padStart(4, '0')}`;
  }

  private async names(prefix: string): Promise<string[]> {
    const names = await fs.readdir(this.folder).catch(() => []);
    return names.filter((name) => name.startsWith(prefix));
  }

  private pathOf(name: string): string {
    return path.join(this.folder, name);
  }

  private attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
    return this.queue.run(async () => {
      try {
        return await step();
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error);
        this.logger.warn(`Pages of a Load All could not be kept: ${code}`);
        return undefined;
      }
    });
  }
}

/** A name tells nothing of whom it is about. */
function accountPrefix(accountId: string): string {
  return `${digest(accountId)}.`;
}
