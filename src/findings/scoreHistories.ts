import type { ScorePoint } from '../api/types';
import type { ListSession } from '../lists/loadedList';

/** The minimum time between two requests for the scores of a company, in milliseconds. */
const freshMs = 3_600_000;

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** How far back the scores go. */
const shownMs = 180 * dayMs;

/** The scores that companies have had in the last months, where the service has them. */
export class ScoreHistories {
  /** By the UUID of the scorecard. */
  private readonly loaded = new Map<
    string,
    { readonly at: number; readonly points: Promise<readonly ScorePoint[]> }
  >();

  /** @param now wall-clock time in milliseconds since the epoch. */
  constructor(
    private readonly session: ListSession,
    private readonly now: () => number,
  ) {}

  /**
   * The scores of a company, the oldest first, requested at most once an hour. Never rejects: without an answer there
   * are none.
   * @param options `signal` ends the request; without `mayRequest`, those of before are returned.
   */
  of(
    scorecardId: string,
    { signal, mayRequest }: { signal: AbortSignal; mayRequest: boolean },
  ): Promise<readonly ScorePoint[]> {
    const key = scorecardId.toLowerCase();
    const loaded = this.loaded.get(key);
    if (!mayRequest || (loaded && this.now() - loaded.at < freshMs)) {
      return loaded?.points ?? Promise.resolve([]);
    }
    const at = this.now();
    const companies = this.session.signedIn?.api.companies;
    const points = Promise.resolve(
      companies?.history(key, at - shownMs, { signal, maxWaitMs: 0 }),
    ).then(
      (history = []) => history,
      () => [],
    );
    this.loaded.set(key, { at, points });
    return points;
  }

  /** Discards everything: it belongs to the previous account. */
  clear(): void {
    this.loaded.clear();
  }
}

/** The last score of each week, counted back from the last of all. */
export function weeklyScores(points: readonly ScorePoint[]): number[] {
  const last = points.at(-1)?.at ?? 0;
  return [
    ...new Map(points.map(({ at, score }) => [Math.floor((last - at) / weekMs), score])).values(),
  ];
}

/** The number of days between the first and the last score. */
export function daysOf(points: readonly ScorePoint[]): number {
  return Math.round(((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)) / dayMs);
}
