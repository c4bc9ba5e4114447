import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { type Clock, delay } from '../base/events/clock';
import type { Disposable } from '../base/events/disposable';
import { Emitter } from '../base/events/emitter';
import { message } from '../base/message';
import { UserError } from '../base/userError';
import { type Disk, onDisk } from '../files/disk';
import { defaultLockTimes, FileLock } from '../files/fileLock';
import { isErrno, makeFolders } from '../files/files';
import type { Processes } from '../files/processes';
import { writeWhole } from '../files/wholeFile';
import { type DecidableFinding, type Decision, findingKey, isExpired, parseEnd } from './decision';
import {
  asWritten,
  type KnownFileContent,
  maxKnownFileLength,
  readKnownFile,
  writeKnownFile,
} from './knownFile';

/** The most decisions of a file. */
export const maxDecisions = 100_000;

/** How long a window waits for another one that writes, in milliseconds. */
const longestWaitMs = defaultLockTimes.silentMs + 5_000;
const attemptMs = 50;
/** So often a file is read and written again that other programs write at the same time. */
const maxAttempts = 20;
/** A machine that was asleep, or a clock that was set, is noticed after this time. */
const longestWaitForDayMs = 3_600_000;

export interface KnownIssuesDeps {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Processes;
  /** The folder of the locks: none is written beside a file that is under version control. */
  readonly lockFolder: string;
  /** The file with the decisions, which may not exist yet. Asked for at each use. */
  readonly file: () => string;
  /** Whether the user has chosen it, so that it is there, or was removed. */
  readonly isChosen?: () => boolean;
}

/** The decisions of a user, or of a team, in one file that any number of windows read and write. */
export class KnownIssues implements Disposable {
  private readonly changes = new Emitter<void>();
  /** Fires when the decisions may have changed. */
  readonly onChange = this.changes.event;
  private content: Promise<KnownFileContent> | undefined;
  /** What was read or written last. */
  private latest: { readonly file: string; readonly text: string } | undefined;
  private expiry: (() => void) | undefined;

  constructor(private readonly deps: KnownIssuesDeps) {}

  get file(): string {
    return this.deps.file();
  }

  /** The decisions, and what cannot be read of the file. @throws FileError if the file cannot be read at all */
  read(): Promise<KnownFileContent> {
    const { file } = this;
    if (this.content) {
      return this.content;
    }
    const content = this.readText(file).then((text) => {
      const read = readKnownFile(text);
      const isMissing = text === '' && this.deps.isChosen?.() === true;
      const found = isMissing ? { ...read, faults: [missing] } : read;
      if (this.content === content) {
        this.latest = { file, text };
        this.awaitExpiry(found.decisions);
      }
      return found;
    });
    this.content = content;
    content.catch(() => {
      if (this.content === content) {
        this.content = undefined;
        this.latest = undefined;
      }
    });
    return content;
  }

  /**
   * Reads the file again at the next use, and says so if it is another one: another window, or another program, may
   * have written it. A write of this window is said once, although the watcher of the file sees it, too.
   */
  refresh(): void {
    const { file, latest } = this;
    this.content = undefined;
    this.readText(file)
      .then(
        (text) => file !== latest?.file || text !== latest.text,
        () => true,
      )
      .then((isOther) => {
        if (isOther) {
          this.say();
        }
      })
      .catch(() => undefined);
  }

  dispose(): void {
    this.expiry?.();
  }

  /**
   * Adds decisions; one about the same finding is replaced. With the same reason, the service stays told.
   * @returns the decisions that were replaced, for Undo.
   * @throws UserError if the file is broken, FileError from the disk.
   */
  mark(decisions: readonly Decision[]): Promise<readonly Decision[]> {
    return this.change((before) => {
      const told = new Map(
        before.flatMap((one) => (one.toldAt === undefined ? [] : [[keyOf(one), one] as const])),
      );
      const kept = without(before, decisions);
      const added = decisions.map((decision) => {
        const toldAt = told.get(keyOf(decision))?.toldAt;
        return toldAt === undefined ? decision : { toldAt, ...decision };
      });
      return [...kept, ...added];
    });
  }

  /**
   * Adds decisions that were removed with `remove`, unless there are others about the same findings by now.
   * @throws as `mark`
   */
  async restore(decisions: readonly Decision[]): Promise<void> {
    await this.change((before) => restored(before, decisions));
  }

  /**
   * Undoes `mark`: what was decided otherwise since stays.
   * @param replaced what `mark` has returned.
   * @throws as `mark`
   */
  async takeBack(decisions: readonly Decision[], replaced: readonly Decision[]): Promise<void> {
    await this.change((before) => {
      const left = withoutExactly(before, decisions.map(asWritten));
      const kept = new Set(left);
      const removed = before.filter((decision) => !kept.has(decision));
      // What somebody has taken back since does not come again.
      const wanted = replaced.filter((decision) => without([decision], removed).length === 0);
      return restored(left, wanted);
    });
  }

  /**
   * Writes down that the service was told of decisions, as far as they are still the same. Without any, it only shows
   * whether the file can be written.
   * @param toldAt as ISO 8601 in UTC.
   * @throws as `mark`
   */
  async noteTold(decisions: readonly Decision[], toldAt: string): Promise<void> {
    const told = new Set(decisions.map(keyOf));
    await this.change((before) =>
      before.map((one) => (told.has(keyOf(one)) ? { ...one, toldAt } : one)),
    );
  }

  /**
   * Removes the decisions about findings.
   * @returns those that were removed.
   * @throws as `mark`
   */
  unmark(findings: readonly DecidableFinding[]): Promise<readonly Decision[]> {
    return this.change((before) => without(before, findings));
  }

  /** Removes these decisions and no others about the same findings; otherwise as `unmark`. */
  remove(decisions: readonly Decision[]): Promise<readonly Decision[]> {
    return this.change((before) => withoutExactly(before, decisions));
  }

  private say(): void {
    this.content = undefined;
    this.changes.fire();
  }

  /** Says that other findings are known as soon as the day of the next decision is over. */
  private awaitExpiry(decisions: readonly Decision[]): void {
    const { clock } = this.deps;
    const now = clock.now();
    const ends = decisions.flatMap((decision) =>
      decision.until === undefined || isExpired(decision, now) ? [] : parseEnd(decision.until),
    );
    const next = ends.reduce((first, end) => Math.min(first, end), Infinity);
    this.expiry?.();
    this.expiry =
      next === Infinity
        ? undefined
        : clock.setTimeout(
            () => {
              if (clock.now() > next) {
                this.say();
              } else {
                this.awaitExpiry(decisions);
              }
            },
            Math.min(longestWaitForDayMs, next - now + 1),
          );
  }

  /** @returns the decisions that are no longer there */
  private async change(
    changed: (before: readonly Decision[]) => readonly Decision[],
  ): Promise<readonly Decision[]> {
    const { file } = this;
    const lock = await this.lock(file);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const text = await this.readText(file);
        const { decisions: before, isBroken, faults } = readKnownFile(text);
        if (isBroken) {
          throw brokenError(file, faults);
        }
        const after = changed(before);
        const written = writeKnownFile(text, after);
        checkLimits(after.length, before.length, written);
        await onDisk(() => makeFolders(path.dirname(file)));
        if (await this.replace(file, text, written)) {
          this.latest = { file, text: written };
          const kept = new Set(after);
          return before.filter((decision) => !kept.has(decision));
        }
        if (attempt === maxAttempts) {
          const sentence = message('Another program is writing the known issues. Try again.');
          throw new UserError(sentence, 'config');
        }
      }
    } finally {
      lock.tryRelease();
      this.say();
    }
  }

  /**
   * Writes a file, unless another program, such as git, has written it since it was read.
   * @returns whether it was written
   */
  private async replace(file: string, before: string, text: string): Promise<boolean> {
    try {
      await writeWhole(this.deps.disk, { path: file, replace: true }, async (put) => {
        await put(text);
        if ((await this.readText(file)) !== before) {
          throw new ChangedError();
        }
      });
      return true;
    } catch (error) {
      if (error instanceof ChangedError) {
        return false;
      }
      throw error;
    }
  }

  private async lock(file: string): Promise<FileLock> {
    const { clock, processes, lockFolder } = this.deps;
    // Behind a link, it is the same file.
    const real = await realpath(file).catch(() => path.resolve(file));
    const name = createHash('sha256').update(real).digest('hex').slice(0, 16);
    await onDisk(() => makeFolders(lockFolder));
    const lock = new FileLock(path.join(lockFolder, `${name}.lock`), {
      clock,
      processes,
      times: defaultLockTimes,
    });
    const end = clock.monotonic() + longestWaitMs;
    while (!(await onDisk(() => Promise.resolve(lock.tryAcquire())))) {
      if (clock.monotonic() >= end) {
        const sentence = message('Another window is writing the known issues. Try again.');
        throw new UserError(sentence, 'config');
      }
      await delay(attemptMs, clock);
    }
    return lock;
  }

  private async readText(file: string): Promise<string> {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (isErrno(error, 'ENOENT')) {
        return '';
      }
      return onDisk(() => Promise.reject(error as Error));
    }
  }
}

/** It has no lines. */
const missing = { line: 0, reason: message('It is missing or empty.') };

/** Another program has written the file meanwhile. */
class ChangedError extends Error {}

/** @throws UserError for more than a file of known issues may have */
function checkLimits(count: number, before: number, text: string): void {
  if (count > Math.max(maxDecisions, before)) {
    throw new UserError(
      message('The file of known issues would have more than {0} of them.', maxDecisions),
      'badRequest',
    );
  }
  if (text.length > maxKnownFileLength) {
    throw new UserError(
      message('The file of known issues would be larger than 64 MB. Mark fewer findings.'),
      'badRequest',
    );
  }
}

/** Identifies a decision with its reason. */
function keyOf({ id, workspace, detail, reason }: Decision): string {
  return JSON.stringify([id, workspace, detail, reason]);
}

/**
 * The decisions that are about none of these findings: neither about one of several with the same id, nor about the
 * only one.
 */
function without(
  decisions: readonly Decision[],
  findings: readonly DecidableFinding[],
): readonly Decision[] {
  const alone = ({ id, workspace }: DecidableFinding) => JSON.stringify([id, workspace]);
  const allExact = new Set(findings.map(findingKey));
  const allAlone = new Set(findings.flatMap((one) => (one.isShared === true ? [] : alone(one))));
  return decisions.filter(
    (decision) =>
      !allExact.has(findingKey(decision)) &&
      (decision.isShared === true || !allAlone.has(alone(decision))),
  );
}

/** With those of the removed decisions about whose findings there are no others. */
function restored(
  decisions: readonly Decision[],
  removed: readonly Decision[],
): readonly Decision[] {
  const decided = new Set(decisions.map(findingKey));
  return [...decisions, ...removed.filter((decision) => !decided.has(findingKey(decision)))];
}

/** The decisions without these, whether the service was told, and nothing else that is about the same findings. */
function withoutExactly(
  decisions: readonly Decision[],
  removed: readonly Decision[],
): readonly Decision[] {
  const wholeKey = ({ toldAt: _, ...decision }: Decision) =>
    JSON.stringify(Object.entries(decision).sort());
  const all = new Set(removed.map(wholeKey));
  return decisions.filter((decision) => !all.has(wholeKey(decision)));
}

function brokenError(file: string, [fault]: KnownFileContent['faults']): UserError {
  const sentence = message(
    '{0}, line {1}: {2} Repair the file, then try again.',
    path.basename(file),
    fault?.line ?? 1,
    fault?.reason ?? '',
  );
  return new UserError(sentence, 'config');
}
