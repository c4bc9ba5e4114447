import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as v from 'valibot';
import { type Clock, delay } from '../../base/events/clock';
import { tryParseJson } from '../../base/json/tryParseJson';
import { message } from '../../base/message';
import { UserError } from '../../base/userError';
import { type Disk, onDisk } from '../../files/disk';
import { defaultLockTimes, FileLock } from '../../files/fileLock';
import { isErrno, makeFolders, removeFile } from '../../files/files';
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
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const severityEntries = { critical: count, high: count, medium: count, low: count, info: count };

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
  /** What is to be told and no window has told yet. */
  untold: v.exactOptional(
    v.object({ count, severity: v.object(severityEntries), isBreached: v.boolean() }),
  ),
  /** That the last looks failed: how many in a row, and why, as the row says it. */
  failure: v.exactOptional(v.object({ times: count, text: v.string() })),
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
  /** The lock of the window that looks at what is watched. It has to be kept: it watches whether its owner is silent. */
  readonly looking: FileLock;

  constructor(private readonly deps: WatchFileDeps) {
    this.looking = this.lockOf('look');
  }

  /**
   * The valid entries; none where there is no file.
   * @throws FileError from the disk; UserError if the file is damaged, or of a newer version.
   */
  async read(): Promise<readonly Watched[]> {
    return (await this.readEntries()).flatMap(toWatched);
  }

  /**
   * Changes what is watched, while no other window does. Entries that are not valid stay as they are.
   * @returns what is watched then.
   * @throws as `read`; UserError if another window writes for too long.
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
      const entries = await this.readEntries();
      const after = changed(entries.flatMap(toWatched));
      const others = entries.filter((entry) => toWatched(entry).length === 0);
      const text = JSON.stringify({ version: 1, watched: [...after, ...others] }, undefined, 2);
      await writeWhole(disk, { path: this.file, replace: true }, (put) => put(text));
      return after;
    } finally {
      lock.tryRelease();
    }
  }

  /** Forgets all that is watched, also what cannot be read. @throws FileError */
  async clear(): Promise<void> {
    await onDisk(() => removeFile(this.file));
  }

  private async readEntries(): Promise<readonly unknown[]> {
    const text = await onDisk(() =>
      readFile(this.file, 'utf8').catch((error: unknown) => {
        if (isErrno(error, 'ENOENT')) {
          return undefined;
        }
        throw error;
      }),
    );
    if (text === undefined) {
      return [];
    }
    const parsed = v.safeParse(fileSchema, tryParseJson(text));
    if (!parsed.success) {
      throw new UserError(
        message('What is watched cannot be read. Repair or remove the file {0}.', this.file),
        'config',
      );
    }
    return parsed.output.watched;
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

function toWatched(entry: unknown): Watched[] {
  const parsed = v.safeParse(watched, entry);
  return parsed.success ? [parsed.output] : [];
}
