import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Clock } from '../../base/events/clock';
import { defaultLockTimes, FileLock, type LockTimes } from '../../files/fileLock';
import { isErrno, namesIn, removeIfPossible } from '../../files/files';
import type { Logger } from '../../base/logger';
import { localProcesses } from '../../files/processes';
import { keyTag } from '../http/apiKey';
import { hasOwnLimit } from '../paths';
import { longestPauseMs, Ledger, windowMs } from './ledger';

/**
 * A margin that is added to the hour, in milliseconds. We count a request before it is sent; the
 * service counts it when it arrives, perhaps after a new connection or a busy moment. The margin
 * costs 0.3 % of the budget.
 */
export const marginMs = 10_000;

/** How long a window counts alone before it tries to write again, in milliseconds. */
const aloneMs = 60_000;

/** The size after which the log is rewritten: more than an hour of the highest budget. */
const defaultLargeBytes = 2 ** 20;

/** More bytes than this were not written by any window: each rewrites a log that is large. */
const damagedBytes = 4 * defaultLargeBytes;

/**
 * How far a line may be ahead of the wall clock, in milliseconds. Time servers correct a clock by less; beyond that,
 * the clock of the writer was wrong.
 */
const futureMs = marginMs;

export interface SharedLedgerOptions {
  /** The folder for the log of this key; created when there is something to write. */
  folder: string;
  limit: number;
  clock: Clock;
  logger: Logger;
  largeBytes?: number;
  lockTimes?: LockTimes;
}

/**
 * One count of the requests with a key to an origin, of all windows of a VS Code profile and across restarts: a text file
 * with a line for each request, see `parseLine`. To send a request, a window locks the log, reads the lines that are new, adds its
 * own if there is room, and sends if the lock is still its own. Of two windows, the one that locks later has
 * read the line of the other, so together they never exceed the limit. A window that was stopped while it held
 * the lock may add a line late, but then it does not send: a line may count too much, never too little. The
 * same is true of damage. Only a power failure may lose lines, those of the last seconds.
 *
 * If the folder cannot be written, a window counts alone, starting from what it had read before; the 429 of
 * the service then shows what others have sent.
 */
export class SharedLedger extends Ledger {
  private readonly log: string;
  private readonly lock: FileLock;
  /** The lines that count, by their names, and until when, on the monotonic clock. */
  private readonly lines = new Map<string, { text: string; until: number }>();
  /** The start of the log that was read last; another one means that the log was rewritten. */
  private logId = '';
  /** The number of its bytes that were read. */
  private position = 0;
  /** The log is missing or damaged, or does not contain all of `lines`. */
  private needsRewrite = false;
  /** Lines in the log are from the future. */
  private hasFuture = false;
  /** The stamp of the log at the last refresh. */
  private refreshed: string | undefined;
  private aloneUntil = -Infinity;
  private hasWarned = false;

  constructor(private readonly options: SharedLedgerOptions) {
    super(options.limit, options.clock, windowMs + marginMs);
    this.log = path.join(options.folder, logName);
    this.lock = new FileLock(path.join(options.folder, 'lock'), {
      clock: options.clock,
      processes: localProcesses,
      times: options.lockTimes ?? defaultLockTimes,
    });
  }

  /** Reads the log only if it is another one than at the last call: the status bar calls this each second. */
  override refresh(): boolean {
    return (
      this.withFolder(() => {
        // Before the log is read: what is written from now on has another stamp.
        const stamp = this.stamp();
        if (stamp === this.refreshed && !this.hasFuture) {
          return false;
        }
        const isNew = this.readNew();
        this.refreshed = stamp;
        if (this.hasFuture) {
          // Without capacity nothing is sent, so the next window would find them again.
          this.whileLocked(() => this.rewrite());
        }
        return isNew;
      }) ?? false
    );
  }

  override tryReserve(endpoint: string): boolean {
    const reserve = () => this.hasCapacity(endpoint) && this.add(`send ${endpoint}`);
    // Without capacity there is no need to lock: the lines of others leave even less.
    if (!this.hasCapacity(endpoint)) {
      return false;
    }
    const isReserved = this.withFolder(() => this.whileLocked(reserve));
    return (
      isReserved ?? (this.hasCapacity(endpoint) && this.count(this.newLine(`send ${endpoint}`)))
    );
  }

  override pause(endpoint: string, ms: number): void {
    const lasts = Math.min(Math.ceil(ms), longestPauseMs);
    const pause = `pause ${hasOwnLimit(endpoint) ? 'own' : 'all'} ${lasts} ${endpoint}`;
    if (this.withFolder(() => this.whileLocked(() => this.add(pause))) !== true) {
      this.count(this.newLine(pause));
      // Other windows learn it with the next request.
      this.needsRewrite = true;
    }
  }

  /** @returns the result of `work`; false if another window has the lock, or takes it during the work. */
  private whileLocked(work: () => boolean): boolean {
    fs.mkdirSync(this.options.folder, { recursive: true, mode: 0o700 });
    if (!this.lock.tryAcquire()) {
      return false;
    }
    const start = this.clock.monotonic();
    try {
      this.readNew({ isLocked: true });
      const isDone = work();
      // A window that was stopped here would send its request long after the time at which it counts.
      const isLate =
        this.clock.monotonic() - start > (this.options.lockTimes ?? defaultLockTimes).goneMs;
      return isDone && !isLate && this.lock.isOwned();
    } catch (error) {
      if (this.lock.isOwned()) {
        throw error;
      }
      return false;
    } finally {
      this.lock.tryRelease();
    }
  }

  /** Writes a line to the log, and counts it. Call it while the log is locked. */
  private add(what: string): boolean {
    const line = this.newLine(what);
    const isLarge = this.position > (this.options.largeBytes ?? defaultLargeBytes);
    if (this.needsRewrite || this.hasFuture || isLarge) {
      this.rewrite(line);
    } else {
      fs.appendFileSync(this.log, `${line}\n`, { mode: 0o600 });
    }
    return this.count(line);
  }

  /** Replaces the log by the lines that count, and `added`. Call it while the log is locked. @returns true */
  private rewrite(...added: string[]): boolean {
    this.forgetExpired();
    const texts = [...this.lines.values()].map(({ text }) => text);
    this.lock.replaceNow(this.log, [`${logMark}${randomId()}`, ...texts, ...added, ''].join('\n'));
    this.needsRewrite = false;
    this.hasFuture = false;
    return true;
  }

  /**
   * Counts the lines that were added since the last call.
   * @param isLocked no other window is writing, so half a line at the end is damage.
   * @returns whether there were any.
   */
  private readNew({ isLocked = false } = {}): boolean {
    const text = this.readText();
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    const isCut = isLocked && complete !== text;
    this.needsRewrite ||= isCut;
    const read = isCut ? text : complete;
    this.position += read.length;
    if (read.length > damagedBytes) {
      return this.countDamage(read.length);
    }
    let isNew = false;
    let damaged = 0;
    for (const line of read.split('\n')) {
      if (parseLine(line) ?? isNoRequest(line)) {
        isNew = this.count(line) || isNew;
      } else {
        damaged += Math.max(line.length, shortestLine);
      }
    }
    return (damaged > 0 && this.countDamage(damaged)) || isNew;
  }

  /** Changes whenever the log is appended to or replaced; the same while there is none. */
  private stamp(): string {
    const { ino, size, mtimeMs } = fs.statSync(this.log, { throwIfNoEntry: false }) ?? {};
    return [ino, size, mtimeMs].join(' ');
  }

  /** The text of the log that was not read yet; one character per byte. */
  private readText(): string {
    let file: number;
    try {
      file = fs.openSync(this.log, 'r');
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) {
        throw error;
      }
      this.needsRewrite = true;
      return '';
    }
    try {
      const id = readBytes(file, 0, logMark.length + idLength);
      const { size } = fs.fstatSync(file);
      if (id !== this.logId || size < this.position) {
        this.logId = id;
        this.position = 0;
        this.forgetExpired();
      }
      return readBytes(file, this.position, size - this.position);
    } finally {
      fs.closeSync(file);
    }
  }

  /** Counts as many requests as damaged bytes may have been, from now on. @returns true */
  private countDamage(bytes: number): boolean {
    this.needsRewrite = true;
    const requests = Math.min(Math.ceil(bytes / shortestLine), maxRequestsPerHour);
    for (let request = 0; request < requests; request += 1) {
      this.count(this.newLine(`send ${unknownEndpoint}`));
    }
    return true;
  }

  /** Counts a line unless it is known or does not count any more. @returns whether it was counted. */
  private count(text: string): boolean {
    const written = parseLine(text);
    if (!written) {
      return false;
    }
    const known = this.lines.get(written.name);
    if (known) {
      // Another window may have dated it anew.
      known.text = text;
      return false;
    }
    const now = this.clock.monotonic();
    const age = computeAge(written, this.clock);
    const isFromFuture = written.wall > this.clock.now() + futureMs;
    const line = isFromFuture ? dateAnew(written, age, this.clock) : written;
    this.hasFuture ||= isFromFuture;
    const at = now - age;
    const until = countsUntil(line, at);
    if (until <= now) {
      return false;
    }
    this.lines.set(line.name, { text: isFromFuture ? formatLine(line) : text, until });
    const { endpoint, pauseMs } = line;
    if (pauseMs !== undefined) {
      this.pauses.add({ endpoint, at, ms: pauseMs });
    } else {
      this.record({ at, endpoint });
    }
    return true;
  }

  private newLine(what: string): string {
    const { clock } = this;
    return `${Math.ceil(clock.now())} ${Math.ceil(clock.monotonic())} ${randomId()} ${what}`;
  }

  private forgetExpired(): void {
    const now = this.clock.monotonic();
    for (const [name, { until }] of this.lines) {
      if (until <= now) {
        this.lines.delete(name);
      }
    }
  }

  /** Runs `work`, which needs the folder. @returns `undefined` while the folder cannot be used. */
  private withFolder<T>(work: () => T): T | undefined {
    if (this.clock.monotonic() < this.aloneUntil) {
      return undefined;
    }
    try {
      return work();
    } catch (error) {
      this.aloneUntil = this.clock.monotonic() + aloneMs;
      this.needsRewrite = true;
      if (!this.hasWarned) {
        this.hasWarned = true;
        const { code = 'failed' } = error as NodeJS.ErrnoException;
        this.options.logger.warn(
          `The request budget cannot be shared with other windows (${code}): this one counts by itself.`,
        );
      }
      return undefined;
    }
  }
}

const logName = 'requests.log';

/** The first line of a log is this and a random number. */
const logMark = 'log ';

function isNoRequest(line: string): boolean {
  return line === '' || line.startsWith(logMark);
}

const idLength = 12;

function randomId(): string {
  return randomBytes(idLength / 2).toString('hex');
}

/** Characters of the shortest line: less than the times of any clock, an ID and an endpoint have. */
const shortestLine = 32;

/** The endpoint of requests whose lines are damaged. */
const unknownEndpoint = 'GET (unknown)';

/** A request, or a pause. */
interface Line {
  /** Wall-clock time of the writer, in milliseconds since the epoch. */
  wall: number;
  /** The same moment on its monotonic clock, in milliseconds. */
  monotonic: number;
  /** The ID, and what it says without its length: the same after the line was dated anew. */
  name: string;
  endpoint: string;
  /** The length of a pause, in milliseconds. */
  pauseMs?: number;
}

/**
 * Parses `<wall> <monotonic> <id> send <endpoint>` or `<wall> <monotonic> <id> pause <own|all> <ms> <endpoint>`.
 * The random ID tells two lines of the same millisecond apart.
 */
function parseLine(text: string): Line | undefined {
  const found =
    /^(-?\d+) (\d+) ([\da-f]{12} (?:send|pause (?:own|all)))(?: (\d+))? ([A-Z]+ \S+)$/.exec(text);
  const [, wall, monotonic, name = '', ms, endpoint = ''] = found ?? [];
  const isComplete = name.endsWith(' send') === (ms === undefined);
  if (!found || !isComplete || Number(ms ?? 0) > longestPauseMs) {
    return undefined;
  }
  return {
    wall: Number(wall),
    monotonic: Number(monotonic),
    name: `${name} ${endpoint}`,
    endpoint,
    ...(ms === undefined ? {} : { pauseMs: Number(ms) }),
  };
}

function formatLine({ wall, monotonic, name, endpoint, pauseMs }: Line): string {
  const what = name.slice(0, -endpoint.length);
  return `${wall} ${monotonic} ${what}${pauseMs === undefined ? '' : `${pauseMs} `}${endpoint}`;
}

/**
 * A line of a clock that was ahead, as the clock of now would have written it. With its own time, it would count in
 * each new window until that time. Its pause ends in an hour at the latest, because its age may be wrong.
 * @param age in milliseconds.
 */
function dateAnew(line: Line, age: number, clock: Pick<Clock, 'now' | 'monotonic'>): Line {
  return {
    ...line,
    wall: Math.ceil(clock.now() - age),
    monotonic: Math.max(0, Math.ceil(clock.monotonic() - age)),
    ...(line.pauseMs === undefined
      ? {}
      : { pauseMs: Math.min(line.pauseMs, Math.ceil(age) + windowMs) }),
  };
}

/**
 * How long ago a line was written, in milliseconds: the smaller age of its two clocks. The monotonic clock never
 * overstates an age, because it starts at 0 with the machine and does not run while that sleeps. An age below 0
 * shows that a clock was set back, so it says nothing; without any age, a line counts from now on. So a jump of
 * the system time frees nothing too early, nor does a restart; only both together can. A line that is from the
 * future is dated anew, so that it counts for an hour at most, however many windows find it.
 *
 * It costs up to an hour in which old requests still count, for windows that are opened after the system time
 * was set back by less than an hour, or when the machine has run for as long as it had when they were sent,
 * before its restart.
 */
function computeAge({ wall, monotonic }: Line, clock: Pick<Clock, 'now' | 'monotonic'>): number {
  const ages = [clock.now() - wall, clock.monotonic() - monotonic].filter((age) => age >= 0);
  return ages.length === 0 ? 0 : Math.min(...ages);
}

/** @param at when the line was written, on any clock. */
function countsUntil({ pauseMs }: Line, at: number): number {
  return at + (pauseMs ?? windowMs + marginMs);
}

function readBytes(file: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('latin1', 0, fs.readSync(file, bytes, 0, length, position));
}

/** The limit of the service (spec section 8); the client that uses the ledger sets its own limit. */
const maxRequestsPerHour = 5000;

/**
 * The folder for the log of one key at one origin. A new key of the same account has its own folder and
 * so its own budget, because the service counts by key. If it does not, its 429 decides.
 *
 * @param parent the folder for the logs of all keys.
 */
export function ledgerFolder(parent: string, origin: string, apiKey: string): string {
  return path.join(parent, keyTag(parent, origin, apiKey));
}

/** The ledger of a key at a service, which all windows share. It reads and creates nothing until it is used. */
export function openSharedLedger({
  parent,
  baseUrl,
  apiKey,
  clock,
  logger,
}: {
  parent: string;
  /** An absolute address; its origin counts. */
  baseUrl: string;
  apiKey: string;
  clock: Clock;
  logger: Logger;
}): SharedLedger {
  return new SharedLedger({
    folder: ledgerFolder(parent, new URL(baseUrl).origin, apiKey),
    limit: maxRequestsPerHour,
    clock,
    logger,
  });
}

/**
 * Removes the record of all requests, for all keys. A window that uses it starts a new log with its own count.
 */
export async function removeLedgers(parent: string): Promise<void> {
  await Promise.all(namesIn(parent).map((name) => removeIfPossible(path.join(parent, name))));
}
