import type { Clock } from '../../base/events/clock';
import type { Disposable } from '../../base/events/disposable';
import { Emitter } from '../../base/events/emitter';
import type { Logger } from '../../base/logger';
import type { TrendLevel } from '../../summary/trend';
import { isWorthTelling, type WatchNews } from './watchNews';
import { lengthOf, type Watched, type WatchFile, type WatchPeriod } from './watchFile';

/** How often a window looks whether something is due, in milliseconds: a machine may have slept. */
const checkMs = 60_000;

/** How long after a failure a scorecard is looked at again, unless its period is over sooner. */
const failedMs = 3_600_000;

/** What looking at a scorecard has shown. */
export interface Look {
  readonly news: WatchNews;
  /** The ids of the events that are known now. */
  readonly seen?: readonly string[];
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
    const isIt = (entry: Watched) => entry.accountId === accountId && entry.scorecardId === id;
    const now = this.deps.clock.now();
    const entries = await this.deps.file.change((before) => {
      const others = before.filter((entry) => !isIt(entry));
      if (period === 'off') {
        return others;
      }
      const current = before.find(isIt) ?? { accountId, scorecardId: id, since: now };
      // From the last look, so that a change of the period is no way to look more often.
      const nextAt = current.since + lengthOf(period);
      return [...others, { ...current, period, nextAt }];
    });
    this.take(entries);
    return entries.find(isIt);
  }

  /** Watches nothing any more. @throws as `WatchFile.change` */
  async removeAll(): Promise<void> {
    if (this.entries.length > 0) {
      this.take(await this.deps.file.change(() => []));
    }
  }

  /** Looks at what is due, unless another window does. Resolves when that is done. Never rejects. */
  check(): Promise<void> {
    this.checking ??= this.checkOnce()
      .catch((error: unknown) => {
        this.deps.log.warn(`Could not look at what is watched: ${String(error)}`);
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
    if (this.due().length === 0 || !hasBudget()) {
      return;
    }
    const lock = file.lockOfLooking();
    if (!lock.tryAcquire()) {
      return;
    }
    try {
      // Another window may have looked meanwhile.
      this.take(await file.read());
      const told: ToldNews[] = [];
      for (const entry of this.due()) {
        const news = this.isDisposed || !hasBudget() ? undefined : await this.lookAt(entry);
        if (news && isWorthTelling(news, this.deps.leastSeverity())) {
          told.push({ scorecardId: entry.scorecardId, news });
        }
      }
      if (told.length > 0) {
        this.deps.tell(told);
      }
    } finally {
      lock.tryRelease();
    }
  }

  private due(): readonly Watched[] {
    const { clock, isListed } = this.deps;
    const now = clock.now();
    return this.watched.filter(({ nextAt, scorecardId }) => nextAt <= now && isListed(scorecardId));
  }

  /** @returns what is new; `undefined` after a failure, which the log has. */
  private async lookAt(entry: Watched): Promise<WatchNews | undefined> {
    const { clock, look, describe, log } = this.deps;
    const now = clock.now();
    // Before the request: a window that ends now does not make another one send it again.
    await this.replace(entry, { nextAt: now + Math.min(failedMs, lengthOf(entry.period)) });
    try {
      const { news, seen } = await look(entry, now);
      const text = describe(news);
      await this.replace(entry, {
        since: now,
        lookedAt: now,
        nextAt: nextAfter(entry, now),
        ...(seen && { seen: [...seen] }),
        ...(text !== '' && { news: { at: now, text } }),
      });
      return news;
    } catch (error) {
      log.warn(`A watched scorecard could not be looked at: ${String(error)}`);
      return undefined;
    }
  }

  private async replace(entry: Watched, changes: Partial<Watched>): Promise<void> {
    const isIt = ({ accountId, scorecardId }: Watched) =>
      accountId === entry.accountId && scorecardId === entry.scorecardId;
    // It stays as it is if it is no longer watched.
    this.take(
      await this.deps.file.change((before) =>
        before.map((each) => (isIt(each) ? { ...each, ...changes } : each)),
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

/** The next time, at the same hour as before; missed ones are left out. */
function nextAfter({ nextAt, period }: Watched, now: number): number {
  const length = lengthOf(period);
  const missed = Math.max(0, Math.floor((now - nextAt) / length));
  return nextAt + (missed + 1) * length;
}
