import type { Clock } from '../../base/events/clock';
import type { Disposable } from '../../base/events/disposable';
import { Emitter } from '../../base/events/emitter';
import type { Logger } from '../../base/logger';
import type { TrendLevel } from '../../summary/trend';
import { addNews, isWorthTelling, type WatchNews } from './watchNews';
import { lengthOf, type Watched, type WatchFile, type WatchPeriod } from './watchFile';

/** How often a window looks whether something is due, in milliseconds: a machine may have slept. */
const checkMs = 60_000;

/** How long after a first failure a scorecard is looked at again; after more of them, its period is waited for. */
const failedMs = 3_600_000;

/** What looking at a scorecard has shown. */
export interface Look {
  readonly news: WatchNews;
  /** The ids of the events that are known now. */
  readonly seen?: readonly string[];
  /** What happened from then on is new at the next look; by default from the time of this one. */
  readonly since?: number;
}

/** What is new about several scorecards, together. */
export interface ToldNews {
  readonly scorecardId: string;
  readonly news: WatchNews;
}

interface WatchDeps {
  readonly file: WatchFile;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** The account whose scorecards are looked at; `undefined` for the demo, of which nothing is looked at by itself. */
  readonly accountId: () => string | undefined;
  /** Whether a scorecard is still in the list. */
  readonly isListed: (scorecardId: string) => boolean;
  /** Whether enough of the hourly budget is left for requests that nobody waits for. */
  readonly hasBudget: () => boolean;
  /** @throws ApiError, UserError */
  readonly look: (watched: Watched, now: number) => Promise<Look>;
  readonly leastSeverity: () => TrendLevel;
  /** Describes what is new of one scorecard, for its row. */
  readonly describe: (news: WatchNews) => string;
  /** Says in a few words why a look has failed. */
  readonly describeFailure: (error: unknown) => string;
  /** Shows one notification. */
  readonly tell: (news: readonly ToldNews[]) => void;
}

/**
 * Looks at scorecards once in their period and says what is new, in one notification for all. Of the windows of this
 * machine, one looks. A period that has passed while no window was open is made up for once.
 */
export class Watch implements Disposable {
  private readonly changed = new Emitter<void>();
  private entries: readonly Watched[] = [];
  private cancel: (() => void) | undefined;
  private checking: Promise<void> | undefined;
  private logged: string | undefined;
  private isDisposed = false;

  /** Fires when something is watched, or was looked at, in this window or in another one. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: WatchDeps) {}

  /** What the signed-in account watches, as last read. */
  get watched(): readonly Watched[] {
    const accountId = this.deps.accountId();
    return this.entries.filter((entry) => entry.accountId === accountId);
  }

  find(scorecardId: string): Watched | undefined {
    return this.watched.find((entry) => entry.scorecardId === scorecardId.toLowerCase());
  }

  /** Looks from now on. */
  start(): void {
    this.check().catch(() => undefined);
  }

  /**
   * Watches a scorecard, or no longer.
   * @returns what is stored of it; `undefined` if it is not watched.
   * @throws as `WatchFile.change`
   */
  async set(
    accountId: string,
    scorecardId: string,
    period: WatchPeriod | 'off',
  ): Promise<Watched | undefined> {
    const id = scorecardId.toLowerCase();
    const now = this.deps.clock.now();
    const added = { accountId, scorecardId: id, since: now };
    const isIt = (entry: Watched) => isSame(entry, added);
    const entries = await this.deps.file.change((before) => {
      const others = before.filter((entry) => !isIt(entry));
      if (period === 'off') {
        return others;
      }
      const current = before.find(isIt) ?? added;
      // From the last look, so that a change of the period is no way to look more often.
      const nextAt = Math.min(current.since, now) + lengthOf(period);
      return [...others, { ...current, period, nextAt }];
    });
    this.take(entries);
    return entries.find(isIt);
  }

  /** Watches nothing any more. @throws FileError */
  async removeAll(): Promise<void> {
    await this.deps.file.clear();
    this.take([]);
  }

  /** Looks at what is due, unless another window does. Resolves when that is done. Never rejects. */
  check(): Promise<void> {
    this.checking ??= this.checkOnce()
      .then(
        () => undefined,
        (error: unknown) => `Could not look at what is watched: ${String(error)}`,
      )
      .then((problem) => {
        if (problem !== undefined && problem !== this.logged) {
          this.deps.log.warn(problem);
        }
        this.logged = problem;
      })
      .finally(() => {
        this.checking = undefined;
        this.schedule();
      });
    return this.checking;
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancel?.();
    // Another window may look at the others at once. What is being looked at is not due for it.
    this.deps.file.looking.tryRelease();
    this.changed.dispose();
  }

  private schedule(): void {
    this.cancel?.();
    if (!this.isDisposed) {
      this.cancel = this.deps.clock.setTimeout(() => {
        this.check().catch(() => undefined);
      }, checkMs);
    }
  }

  private async checkOnce(): Promise<void> {
    const { file, hasBudget } = this.deps;
    this.take(await file.read());
    const isNothing = (this.due().length === 0 || !hasBudget()) && this.untold().length === 0;
    if (isNothing || !file.looking.tryAcquire()) {
      return;
    }
    try {
      // Another window may have looked meanwhile.
      this.take(await file.read());
      for (const due of this.due()) {
        // It may have been turned off meanwhile, or another account is signed in.
        const entry = this.watched.find((each) => isSame(each, due));
        if (this.isDisposed || !hasBudget()) {
          break;
        }
        if (entry) {
          await this.lookAt(entry);
        }
      }
      await this.tellUntold();
    } finally {
      file.looking.tryRelease();
    }
  }

  /** Also what a window has found that was closed before it was done with the others. */
  private async tellUntold(): Promise<void> {
    const entries = this.untold();
    const told = entries.flatMap(({ scorecardId, untold }) =>
      untold ? [{ scorecardId, news: untold }] : [],
    );
    if (told.length === 0 || this.isDisposed) {
      return;
    }
    // Before it is shown: it is never told twice.
    await this.change(
      (entry) => entries.some((each) => isSame(each, entry)),
      ({ untold: _untold, ...rest }) => rest,
    );
    this.deps.tell(told);
  }

  private untold(): readonly Watched[] {
    return this.watched.filter(
      ({ scorecardId, untold }) => untold && this.deps.isListed(scorecardId),
    );
  }

  private due(): readonly Watched[] {
    const { clock, isListed } = this.deps;
    const now = clock.now();
    return this.watched.filter(({ nextAt, period, scorecardId }) => {
      // The clock of the machine may have been wrong when it was set.
      const isSetTooLate = nextAt > now + lengthOf(period);
      return (nextAt <= now || isSetTooLate) && isListed(scorecardId);
    });
  }

  /** Keeps what is new; after a failure, why. */
  private async lookAt(entry: Watched): Promise<void> {
    const { clock, look, describe, describeFailure, leastSeverity, log } = this.deps;
    const now = clock.now();
    const isIt = (other: Watched) => isSame(other, entry);
    const next = nextAfter(entry, now);
    const { times = 0 } = entry.failure ?? {};
    const retryAt = times === 0 ? Math.min(now + failedMs, next) : next;
    // Before the request: a window that ends now does not make another one send it again.
    await this.change(isIt, (each) => ({ ...each, nextAt: retryAt }));
    try {
      const { news, seen, since = now } = await look(entry, now);
      const text = describe(news);
      await this.change(isIt, ({ failure: _failure, untold, ...each }) => {
        const told = untold ? addNews(untold, news) : news;
        return {
          ...each,
          since,
          lookedAt: now,
          nextAt: next,
          ...(seen && { seen: [...seen] }),
          ...(text !== '' && { news: { at: now, text } }),
          ...(isWorthTelling(told, leastSeverity()) && { untold: told }),
        };
      });
    } catch (error) {
      log.warn(`A watched scorecard could not be looked at: ${String(error)}`);
      const failure = { times: times + 1, text: describeFailure(error) };
      await this.change(isIt, (each) => ({ ...each, failure }));
    }
  }

  /** Changes some entries. What is no longer watched stays away. */
  private async change(
    isIt: (entry: Watched) => boolean,
    changed: (entry: Watched) => Watched,
  ): Promise<void> {
    this.take(
      await this.deps.file.change((before) =>
        before.map((each) => (isIt(each) ? changed(each) : each)),
      ),
    );
  }

  private take(entries: readonly Watched[]): void {
    const isOther = JSON.stringify(entries) !== JSON.stringify(this.entries);
    this.entries = entries;
    if (isOther) {
      this.changed.fire();
    }
  }
}

function isSame(
  one: Pick<Watched, 'accountId' | 'scorecardId'>,
  other: Pick<Watched, 'accountId' | 'scorecardId'>,
): boolean {
  return one.accountId === other.accountId && one.scorecardId === other.scorecardId;
}

/** The next time, at the same hour as before; missed ones are left out. */
function nextAfter({ nextAt: planned, period }: Watched, now: number): number {
  const length = lengthOf(period);
  const nextAt = planned > now + length ? now : planned;
  const missed = Math.max(0, Math.floor((now - nextAt) / length));
  return nextAt + (missed + 1) * length;
}
