import type {
  Companies,
  CompanySummary,
  IssueTypeSummary,
  ScorePoint,
} from '../../api/services/companies';
import type { CallOptions } from '../../api/types';
import type { SharedOptions } from '../../api/http/sharedRequest';
import { findIssueType } from '../../vocabulary/issueTypes';
import type { ShownNames } from '../../vocabulary/shownNames';
import type { TrendPoint } from '../../summary/trend';
import type { ListSession } from '../lists/loadedList';
import { companyTrend } from './companyTrend';
import { RequestCache } from './requestCache';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** How far back the scores of a tooltip go, in milliseconds. */
const historyMs = 180 * dayMs;
/** How far back a trend goes, in milliseconds: in December it still has the spring. */
const trendMs = 365 * dayMs;

/** The share of the hourly budget that background requests leave unused. */
const reservedShare = 0.1;

/** The companies of an account, where its service has them: their scores, their counts, and what it says about types. */
export class CompanySummaries {
  /** By the UUID of the scorecard, or the domain that was asked for. */
  readonly summaries: RequestCache<CompanySummary>;
  private readonly histories: RequestCache<readonly ScorePoint[]>;
  private readonly recommendations: RequestCache<string | undefined>;
  private titles: Promise<void> | undefined;

  /**
   * @param now wall-clock time in milliseconds since the epoch.
   * @param signal aborts when another account is shown.
   * @param names gets the titles of issue types that are not known by name.
   */
  constructor(
    private readonly session: ListSession,
    private readonly now: () => number,
    private readonly signal: AbortSignal,
    private readonly names: Pick<ShownNames, 'addServed'>,
  ) {
    this.summaries = new RequestCache(now);
    this.histories = new RequestCache(now);
    this.recommendations = new RequestCache(now);
  }

  get isAvailable(): boolean {
    return this.session.signedIn?.api.companies !== undefined;
  }

  of(scorecardId: string): CompanySummary | undefined {
    return this.summaries.get(scorecardId.toLowerCase());
  }

  /** What is known of an issue type; `undefined` if the company is not loaded, or has no findings of that type. */
  issueType(scorecardId: string, issueType: string): IssueTypeSummary | undefined {
    return this.of(scorecardId)?.issueTypes.find((each) => each.issueType === issueType);
  }

  /**
   * Loads a company; calls for one that is being loaded share its requests.
   * @param identifier the UUID of its scorecard, or its domain.
   * @throws ApiError
   */
  load(identifier: string, options: CallOptions): Promise<CompanySummary> {
    const key = identifier.trim().toLowerCase();
    const request = async (shared: SharedOptions) => {
      const { companies } = this.session.requireSignedIn().api;
      if (!companies) {
        throw new RangeError('The service has no companies.');
      }
      const summary = await companies.summary(key, { ...options, ...shared });
      if (summary.issueTypes.some(({ issueType }) => !findIssueType(issueType))) {
        await (this.titles ??= this.loadTitles(companies));
      }
      if (summary.id !== key) {
        this.summaries.set(summary.id, summary);
      }
      return summary;
    };
    return this.summaries.load(key, request, options);
  }

  /**
   * How the score and the findings of a company have developed in the last months, with two requests, and those of
   * `load` unless it was loaded in the last hour. @throws ApiError
   */
  async trend(scorecardId: string, options: CallOptions): Promise<TrendPoint[]> {
    const { companies } = this.session.requireSignedIn().api;
    if (!companies) {
      throw new RangeError('The service has no companies.');
    }
    const key = scorecardId.toLowerCase();
    const now = this.now();
    const [from, to] = [now - trendMs, now + dayMs];
    const [summary, scores, events] = await Promise.all([
      // Scores and events are those of now: older counts would not belong to them.
      this.summaries.getFresh(key) ?? this.load(key, options),
      companies.history(key, from, options),
      companies.events(key, { from, to }, options),
    ]);
    return companyTrend({ issueTypes: summary.issueTypes, scores, events });
  }

  /** What the service recommends against findings of an issue type. Never rejects. */
  recommendation(issueType: string): Promise<string | undefined> {
    return this.recommendations.loadIfDue(issueType, async () =>
      this.session.signedIn?.api.companies?.recommendation(issueType, { maxWaitMs: 3_000 }),
    );
  }

  /**
   * The scores of a company in the last months, the oldest first; none if the service has none. Nothing is requested
   * while little of the hourly budget is left. Never rejects.
   */
  async history(scorecardId: string): Promise<readonly ScorePoint[]> {
    const key = scorecardId.toLowerCase();
    const companies = hasSpareBudget(this.session) && this.session.signedIn?.api.companies;
    const { signal } = this;
    const points = companies
      ? await this.histories.loadIfDue(key, () =>
          companies.history(key, this.now() - historyMs, { signal, maxWaitMs: 0 }),
        )
      : this.histories.get(key);
    return points ?? [];
  }

  /**
   * Loads the titles of issue types that are not known by name. Without them, their keys are shown until the next
   * company is loaded.
   */
  private async loadTitles(companies: Companies): Promise<void> {
    try {
      this.names.addServed(await companies.issueTypeTitles({ priority: 'bulk', maxWaitMs: 3_000 }));
    } catch {
      this.titles = undefined;
    }
  }
}

/** Whether enough of the hourly budget is left for background requests. */
export function hasSpareBudget({ signedIn }: ListSession): boolean {
  const budget = signedIn?.api.budget();
  return (
    budget !== undefined &&
    budget.retryAt === undefined &&
    budget.remaining >= budget.limit * reservedShare
  );
}

/** The last score of each week, counted back from the last of all. */
export function weeklyScores(points: readonly ScorePoint[]): number[] {
  const last = points.at(-1)?.at ?? 0;
  return [
    ...new Map(points.map(({ at, score }) => [Math.floor((last - at) / weekMs), score])).values(),
  ];
}

export function spannedDays(points: readonly ScorePoint[]): number {
  return Math.round(((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)) / dayMs);
}
