import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as v from 'valibot';
import { type Clock, delay } from '../../base/events/clock';
import { message } from '../../base/message';
import { UserError } from '../../base/userError';
import { type Disk, onDisk } from '../../files/disk';
import { defaultLockTimes, FileLock } from '../../files/fileLock';
import { makeFolders } from '../../files/files';
import type { Processes } from '../../files/processes';
import { writeWhole } from '../../files/wholeFile';

export const watchPeriods = ['daily', 'weekly'] as const;

export type WatchPeriod = (typeof watchPeriods)[number];

const periodMs = { daily: 86_400_000, weekly: 7 * 86_400_000 } as const;

/** How long a period is, in milliseconds. */
export function lengthOf(period: WatchPeriod): number {
  return periodMs[period];
}

const time = v.pipe(v.number(), v.safeInteger());

const watched = v.object({
  accountId: v.string(),
  /** In lower case. */
  scorecardId: v.string(),
  period: v.picklist(watchPeriods),
  /** When it is looked at next. */
  nextAt: time,
  /** When it was looked at last, or when it began to be watched: what happened since is new. */
  since: time,
  /** The ids of the events that were known then. */
  seen: v.exactOptional(v.array(v.string())),
  /** When something new was found last, and what, in the words of the notification. */
  news: v.exactOptional(v.object({ at: time, text: v.string() })),
  /** When it was looked at last without a failure; absent before the first time. */
  lookedAt: v.exactOptional(time),
});

/** A scorecard that is watched. Times are milliseconds since the epoch. */
export type Watched = v.InferOutput<typeof watched>;

const fileSchema = v.object({ version: v.literal(1), watched: v.array(v.unknown()) });

/** How long a window waits for another one that writes, in milliseconds. */
const longestWaitMs = defaultLockTimes.silentMs + 5_000;
const attemptMs = 50;

export interface WatchFileDeps {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly processes: Processes;
  /** Contains nothing else. */
  readonly folder: string;
}

/** What is watched on this machine, in one file that all windows read and write. */
export class WatchFile {
  constructor(private readonly deps: WatchFileDeps) {}

  /** Nothing where the file cannot be read: then nothing is watched. */
  async read(): Promise<readonly Watched[]> {
    try {
      const parsed = v.safeParse(fileSchema, JSON.parse(await readFile(this.file, 'utf8')));
      return parsed.success
        ? parsed.output.watched.flatMap((each) => {
            const entry = v.safeParse(watched, each);
            return entry.success ? [entry.output] : [];
          })
        : [];
    } catch {
      return [];
    }
  }

  /**
   * Changes what is watched, while no other window does.
   * @returns what is watched then.
   * @throws FileError from the disk; UserError if another window writes for too long.
   */
  async change(
    changed: (before: readonly Watched[]) => readonly Watched[],
  ): Promise<readonly Watched[]> {
    const lock = this.lockOf('file');
    await onDisk(() => makeFolders(this.deps.folder));
    const { clock, disk } = this.deps;
    const end = clock.monotonic() + longestWaitMs;
    while (!(await onDisk(() => Promise.resolve(lock.tryAcquire())))) {
      if (clock.monotonic() >= end) {
        throw new UserError(
          message('Another window is writing what is watched. Try again.'),
          'config',
        );
      }
      await delay(attemptMs, clock);
    }
    try {
      const after = changed(await this.read());
      const text = JSON.stringify({ version: 1, watched: after }, undefined, 2);
      await writeWhole(disk, { path: this.file, replace: true }, (put) => put(text));
      return after;
    } finally {
      lock.tryRelease();
    }
  }

  /** The lock of the window that looks at what is watched. */
  lockOfLooking(): FileLock {
    return this.lockOf('look');
  }

  private get file(): string {
    return path.join(this.deps.folder, 'watched.json');
  }

  private lockOf(name: string): FileLock {
    const { clock, processes, folder } = this.deps;
    return new FileLock(path.join(folder, `${name}.lock`), {
      clock,
      processes,
      times: defaultLockTimes,
    });
  }
}
