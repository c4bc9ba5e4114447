import type { CallOptions, Companies, CompanySummary, IssueTypeSummary } from '../api/types';
import { addServedTitles, findIssueType } from '../base/text/issueTypes';
import type { ListSession } from '../lists/loadedList';
import { affectsAll } from './affectsAll';

interface LoadedSummary {
  /** When it was requested, in milliseconds since the epoch; also if that failed. */
  readonly at: number;
  /** Whether no request could succeed, such as in a window that was opened without a network. */
  readonly isUnreached?: true;
  readonly summary?: CompanySummary;
}

/** The shortest time until a company that was not reached is due again, in milliseconds: not at each redraw. */
const shortestPauseMs = 60_000;

/** The companies of the account, with their scores and counts, where the service has them. */
export class CompanySummaries {
  /** By the UUID of the scorecard. */
  private readonly loaded = new Map<string, LoadedSummary>();
  private readonly inFlight = new Map<string, Promise<CompanySummary>>();
  private titles: Promise<void> | undefined;
  /** By issue type. */
  private readonly recommendations = new Map<string, Promise<string | undefined>>();

  /** @param now wall-clock time in milliseconds since the epoch. */
  constructor(
    private readonly session: ListSession,
    private readonly now: () => number,
  ) {}

  /** Whether the service that is signed in to has companies. */
  get isAvailable(): boolean {
    return this.session.signedIn?.api.companies !== undefined;
  }

  of(scorecardId: string): CompanySummary | undefined {
    return this.loaded.get(scorecardId.toLowerCase())?.summary;
  }

  /** The counts of an issue type; `undefined` if the company is not loaded, or has no findings of that type. */
  issueType(scorecardId: string, issueType: string): IssueTypeSummary | undefined {
    return this.of(scorecardId)?.issueTypes.find((each) => each.issueType === issueType);
  }

  wasRequested(scorecardId: string): boolean {
    return this.loaded.has(scorecardId.toLowerCase());
  }

  /** Whether a company was requested less than this time ago. */
  isFresh(scorecardId: string, maxAgeMs: number): boolean {
    const { at = -Infinity, isUnreached } = this.loaded.get(scorecardId.toLowerCase()) ?? {};
    return this.now() - at < (isUnreached ? shortestPauseMs : maxAgeMs);
  }

  /**
   * Loads a company; calls for one that is being loaded share its requests.
   * @param identifier the UUID of its scorecard, or its domain.
   * @throws ApiError
   */
  load(identifier: string, options: CallOptions): Promise<CompanySummary> {
    const key = identifier.trim().toLowerCase();
    const joined = this.inFlight.get(key);
    if (joined) {
      return joined;
    }
    const request = this.request(key, options).finally(() => {
      if (this.inFlight.get(key) === request) {
        this.inFlight.delete(key);
      }
    });
    this.inFlight.set(key, request);
    return request;
  }

  /** What the service recommends against findings of an issue type; requested once. Never rejects. */
  recommendation(issueType: string): Promise<string | undefined> {
    const known = this.recommendations.get(issueType);
    if (known) {
      return known;
    }
    const companies = this.session.signedIn?.api.companies;
    const request = companies
      ? companies.recommendation(issueType, { maxWaitMs: 3_000 }).catch(() => {
          // Asked for again when the next finding is opened; until then, the finding is shown without it.
          this.recommendations.delete(issueType);
          return undefined;
        })
      : Promise.resolve(undefined);
    this.recommendations.set(issueType, request);
    return request;
  }

  /** Discards everything: it belongs to the previous account. */
  clear(): void {
    this.titles = undefined;
    this.recommendations.clear();
    this.loaded.clear();
    this.inFlight.clear();
  }

  private async request(key: string, options: CallOptions): Promise<CompanySummary> {
    const { signedIn } = this.session;
    const companies = this.session.requireSignedIn().api.companies;
    if (!companies) {
      throw new RangeError('The service has no companies.');
    }
    const before = this.of(key);
    // Recorded before the request, so that a failure is not retried again and again.
    const kept = before ? { summary: before } : {};
    this.loaded.set(key, { at: this.now(), ...kept });
    const summary = await companies.summary(key, options).catch((error: unknown) => {
      if (affectsAll(error) && this.session.signedIn?.account.id === signedIn?.account.id) {
        this.loaded.set(key, { at: this.now(), isUnreached: true, ...kept });
      }
      throw error;
    });
    if (summary.issueTypes.some(({ issueType }) => !findIssueType(issueType))) {
      await (this.titles ??= loadTitles(companies));
    }
    if (this.session.signedIn?.account.id === signedIn?.account.id) {
      this.loaded.set(summary.id, { at: this.now(), summary });
    }
    return summary;
  }
}

/** Loads the titles of issue types that are not known by name. Without them, their keys are shown. */
async function loadTitles(companies: Companies): Promise<void> {
  try {
    addServedTitles(await companies.issueTypeTitles({ priority: 'bulk', maxWaitMs: 3_000 }));
  } catch {
    // What is shown instead is readable.
  }
}
