import { CancelledError, RateLimitedError, ServerError } from '../api/http/errors';
import type { Disposable } from '../base/events/disposable';
import { Emitter } from '../base/events/emitter';
import type { ListSession } from '../lists/loadedList';
import type { CallOptions, CompanySummary, ScorePoint } from '../api/types';
import { affectsAll } from './affectsAll';
import { CompanySummaries } from './companySummaries';
import type { Findings } from './findings';
import { ScoreHistories } from './scoreHistories';
import type { Scorecards } from './scorecards';
import { severityPosition, type WorstSeverity } from './severity';

interface IssueCountsDeps {
  session: ListSession;
  scorecards: Pick<Scorecards, 'bodyOf'>;
  /** Loaded lists know their own counts. */
  findings: Pick<Findings, 'list'>;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
}

/** The number of findings of an issue type; `total` is absent if it is unknown. */
export interface IssueCount {
  issueType: string;
  total?: number;
}

interface RequestedCount {
  /** When it was requested, in milliseconds since the epoch; also if that failed. */
  readonly at: number;
  /** The body of the request; another body makes it another count. */
  readonly query: string;
  readonly total?: number;
  /** Whether there is a finding; known even if the service gives no total. */
  readonly hasFindings?: boolean;
}

/** The minimum time between two background loads of a count, in milliseconds. */
const freshMs = 3_600_000;

/** The shortest time until a count that met a rate limit is loaded again, in milliseconds. */
const shortestPauseMs = 60_000;

/** The share of the hourly budget that background counts leave unused. */
const reservedShare = 0.1;

/** The longest time that a count waits for the rate limit and between attempts, in milliseconds. */
const longestWaitMs = {
  requested: 30_000,
  // Enough for one or two failures: a count that fails stays unknown for an hour.
  background: 3_000,
};

const concurrency = 4;

/** The most scorecards whose companies are loaded before they are expanded: one percent of the hourly requests. */
const maxRows = 50;

/** The query of an issue type without a server filter. */
const unfiltered = '{}';

/**
 * The number of findings of each issue type of the account, without loading their rows: one request each, for
 * a page of one entry. Where the service has companies, the counts of all issue types come with the company instead. A
 * count that failed is unknown, never zero.
 */
export class IssueCounts implements Disposable {
  private readonly changed = new Emitter<string>();
  private readonly requested = new Map<string, RequestedCount>();
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly sessionListener: Disposable;
  private account = new AbortController();
  private readonly companies: CompanySummaries;
  private readonly histories: ScoreHistories;
  private rows: Promise<void> | undefined;

  /** Fires the id of a scorecard when one of its counts may have changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: IssueCountsDeps) {
    this.companies = new CompanySummaries(deps.session, () => deps.now());
    this.histories = new ScoreHistories(deps.session, () => deps.now());
    this.sessionListener = deps.session.onDidChangeAccount(() => {
      this.clear();
    });
  }

  /** The count of an issue type: from its list if that is loaded, or else the count that was requested. */
  of(scorecardId: string, issueType: string): number | undefined {
    const { isLoaded, result } = this.deps.findings.list(scorecardId, issueType);
    if (isLoaded && (!result.hasMore || result.total !== undefined)) {
      return result.hasMore ? result.total : result.loaded;
    }
    const company = this.companies.of(scorecardId);
    if (company && this.queryOf(scorecardId, issueType) === unfiltered) {
      const summary = this.companies.issueType(scorecardId, issueType);
      return summary ? summary.count : 0;
    }
    const count = this.requested.get(keyOf(scorecardId, issueType));
    return count?.query === this.queryOf(scorecardId, issueType) ? count.total : undefined;
  }

  /** What the service recommends against findings of an issue type; requested once. Never rejects. */
  recommendation(issueType: string): Promise<string | undefined> {
    return this.companies.recommendation(issueType);
  }

  /** The company of a scorecard, if the service has companies and it is loaded. */
  company(scorecardId: string): CompanySummary | undefined {
    return this.companies.of(scorecardId);
  }

  /** The severity of the findings of an issue type, and their number, if the service says so. */
  severityOf(scorecardId: string, issueType: string): WorstSeverity | undefined {
    const { severity, count } = this.companies.issueType(scorecardId, issueType) ?? {};
    const position = severityPosition({ severity: severity ?? null });
    const isCounted = count !== undefined && this.queryOf(scorecardId, issueType) === unfiltered;
    return position === undefined || count === 0
      ? undefined
      : { position, ...(isCounted ? { count } : {}) };
  }

  /** The factor of an issue type, if the service says so. */
  factorOf(scorecardId: string, issueType: string): string | undefined {
    return this.companies.issueType(scorecardId, issueType)?.factor;
  }

  /** How much the score of the company would rise without the findings of an issue type. */
  scoreImpactOf(scorecardId: string, issueType: string): number | undefined {
    return this.companies.issueType(scorecardId, issueType)?.scoreImpact;
  }

  /**
   * The scores of a company in the last months, the oldest first; none if the service has none. Nothing is requested
   * while little of the hourly budget is left. Never rejects.
   */
  scoreHistory(scorecardId: string): Promise<readonly ScorePoint[]> {
    const { signal } = this.account;
    return this.histories.of(scorecardId, { signal, mayRequest: this.hasSpareBudget() });
  }

  /** Whether one call loads the counts of all issue types. */
  get hasCompanies(): boolean {
    return this.companies.isAvailable;
  }

  /**
   * Loads the company of a scorecard, or of a domain, with its counts.
   * @throws ApiError
   */
  async loadCompany(
    identifier: string,
    options: Pick<CallOptions, 'signal' | 'priority' | 'maxWaitMs' | 'onWait'> = {},
  ): Promise<CompanySummary> {
    const company = await this.companies.load(identifier, options);
    this.fire(company.id, [company.id]);
    return company;
  }

  /** The issue types that the service says a company has findings of, the largest count first. */
  issueTypesOf(scorecardId: string): IssueCount[] {
    const { issueTypes = [] } = this.companies.of(scorecardId) ?? {};
    return issueTypes
      .filter(({ count }) => count !== 0)
      .map(({ issueType, count }) => ({
        issueType,
        ...(count === undefined ? {} : { total: count }),
      }))
      .sort(byTotal);
  }

  /**
   * Loads in the background what the rows of scorecards show before they are expanded, so that all of them can be sorted
   * by it: where the service has companies, one request for each of the first ones. Elsewhere each issue type needs a
   * request, which waits until its scorecard is expanded. Fires when all are loaded: each change sorts the rows anew.
   */
  loadRows(scorecardIds: readonly string[]): Promise<void> {
    if (!this.hasCompanies) {
      return Promise.resolve();
    }
    const rows = (this.rows ??= this.requestRows(scorecardIds).finally(() => {
      if (this.rows === rows) {
        this.rows = undefined;
      }
    }));
    return rows;
  }

  /** The sum of several; `undefined` unless all are known. */
  sumOf(scorecardId: string, issueTypes: readonly string[]): number | undefined {
    return issueTypes.reduce<number | undefined>((sum, issueType) => {
      const count = this.of(scorecardId, issueType);
      return sum === undefined || count === undefined ? undefined : sum + count;
    }, 0);
  }

  /**
   * Loads counts that are not loaded yet: each at most once an hour, and none while requests are paused or
   * less than a tenth of the hourly budget is left. Never rejects: a count that fails stays unknown.
   * @param isStale whether counts that were loaded within the hour are loaded again, too.
   */
  async loadInBackground(
    scorecardId: string,
    issueTypes: readonly string[],
    isStale = false,
  ): Promise<void> {
    if (this.hasCompanies) {
      const isDue = isStale || !this.companies.isFresh(scorecardId, freshMs);
      if (isDue && this.hasSpareBudget()) {
        const { signal } = this.account;
        const maxWaitMs = longestWaitMs.background;
        // What goes wrong stays unknown.
        await this.loadCompany(scorecardId, { signal, priority: 'bulk', maxWaitMs }).catch(
          () => undefined,
        );
      }
      return;
    }
    const due = issueTypes.filter(
      (issueType) =>
        !this.deps.findings.list(scorecardId, issueType).isLoaded &&
        (isStale || !this.isFresh(scorecardId, issueType)),
    );
    await this.forEachInOrder(due, async (issueType) => {
      if (!this.hasSpareBudget()) {
        return false;
      }
      try {
        await this.requestOnce(scorecardId, issueType, longestWaitMs.background);
        return true;
      } catch (error) {
        if (affectsAll(error) || error instanceof ServerError) {
          const until = error instanceof RateLimitedError ? Date.parse(error.retryAt) : 0;
          this.postpone(keyOf(scorecardId, issueType), until);
        }
        return !affectsAll(error);
      }
    });
    this.fire(scorecardId, due);
  }

  /**
   * Reloads the counts of issue types.
   * @param options `signal` ends it before the next request; `onCount` is called after each.
   * @throws ApiError if no count could be loaded, or for a reason that affects all of them.
   */
  async load(
    scorecardId: string,
    issueTypes: readonly string[],
    { signal, onCount }: { signal?: AbortSignal; onCount?: () => void } = {},
  ): Promise<IssueCount[]> {
    if (this.hasCompanies) {
      await this.loadCompany(scorecardId, {
        maxWaitMs: longestWaitMs.requested,
        ...(signal ? { signal } : {}),
      });
      issueTypes.forEach(() => onCount?.());
      return issueTypes.map((issueType) => this.countOf(scorecardId, issueType));
    }
    const failures: unknown[] = [];
    try {
      await this.forEachInOrder(issueTypes, async (issueType) => {
        if (signal?.aborted) {
          failures.push(new CancelledError());
          return false;
        }
        try {
          await this.requestOnce(scorecardId, issueType, longestWaitMs.requested);
        } catch (error) {
          failures.push(error);
          return !affectsAll(error);
        }
        onCount?.();
        return true;
      });
    } finally {
      this.fire(scorecardId, issueTypes);
    }
    const fatal = failures.find(affectsAll);
    if (fatal !== undefined || (failures.length > 0 && failures.length === issueTypes.length)) {
      throw fatal ?? failures[0];
    }
    return issueTypes.map((issueType) => this.countOf(scorecardId, issueType));
  }

  /** Reloads the counts of issue types, as `load` does, and returns those that are `found` then. */
  async find(
    ...[scorecardId, issueTypes, options]: Parameters<IssueCounts['load']>
  ): Promise<IssueCount[]> {
    await this.load(scorecardId, issueTypes, options);
    return this.hasCompanies ? this.issueTypesOf(scorecardId) : this.found(scorecardId, issueTypes);
  }

  /**
   * The issue types that are known to have findings: the largest count first, those without a total last.
   * Requests nothing.
   */
  found(scorecardId: string, issueTypes: readonly string[]): IssueCount[] {
    return issueTypes
      .filter((issueType) => this.hasFindings(scorecardId, issueType))
      .map((issueType) => this.countOf(scorecardId, issueType))
      .sort(byTotal);
  }

  /** Reloads in the background those counts of some issue types that were requested before. */
  async refresh(scorecardId: string, issueTypes: readonly string[]): Promise<void> {
    if (this.hasCompanies && !this.companies.wasRequested(scorecardId)) {
      return;
    }
    const before = issueTypes.filter((type) => this.requested.has(keyOf(scorecardId, type)));
    await this.loadInBackground(scorecardId, before, true);
  }

  dispose(): void {
    this.sessionListener.dispose();
    this.clear();
    this.changed.dispose();
  }

  /** Calls `work` for several items at a time, in order, until a call returns false. */
  private async forEachInOrder(
    items: readonly string[],
    work: (item: string) => Promise<boolean>,
  ): Promise<void> {
    const { signal } = this.account;
    const left = [...items];
    const worker = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        if (!(await work(next)) || signal.aborted) {
          left.length = 0;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  private async requestRows(scorecardIds: readonly string[]): Promise<void> {
    const { signal } = this.account;
    const maxWaitMs = longestWaitMs.background;
    const due = scorecardIds.slice(0, maxRows).filter((id) => !this.companies.isFresh(id, freshMs));
    await this.forEachInOrder(due, async (id) => {
      if (!this.hasSpareBudget()) {
        return false;
      }
      try {
        await this.companies.load(id, { signal, priority: 'bulk', maxWaitMs });
        return true;
      } catch (error) {
        return !affectsAll(error);
      }
    });
    due.forEach((id) => {
      this.fire(id, [id]);
    });
  }

  private requestOnce(scorecardId: string, issueType: string, maxWaitMs: number): Promise<void> {
    const key = `${keyOf(scorecardId, issueType)} ${this.queryOf(scorecardId, issueType)}`;
    const joined = this.inFlight.get(key);
    if (joined) {
      return joined;
    }
    const request = this.request(scorecardId, issueType, maxWaitMs).finally(() => {
      if (this.inFlight.get(key) === request) {
        this.inFlight.delete(key);
      }
    });
    this.inFlight.set(key, request);
    return request;
  }

  private async request(scorecardId: string, issueType: string, maxWaitMs: number): Promise<void> {
    const key = keyOf(scorecardId, issueType);
    const query = this.queryOf(scorecardId, issueType);
    const before = this.requested.get(key);
    const isSame = before?.query === query && before.total !== undefined;
    const { signal } = this.account;
    const body = this.deps.scorecards.bodyOf(scorecardId, issueType);
    // Recorded before the request, so that a failure is not retried again and again.
    this.requested.set(key, {
      at: this.deps.now(),
      query,
      ...(isSame ? { total: before.total } : {}),
    });
    const page = await this.deps.session
      .requireSignedIn()
      .api.findingsPage(
        { scorecardId, issueType, offset: 0, limit: 1, body },
        { signal, priority: 'bulk', maxWaitMs },
      );
    if (signal.aborted) {
      throw new CancelledError();
    }
    const total = page.totalCount ?? (page.hasMore ? undefined : page.entries.length);
    this.requested.set(key, {
      at: this.deps.now(),
      query,
      hasFindings: page.entries.length > 0 || (total ?? 0) > 0,
      ...(total === undefined ? {} : { total }),
    });
  }

  /** Makes a count due again, but not at once: each redraw would request it again. */
  private postpone(key: string, until: number): void {
    const count = this.requested.get(key);
    if (count) {
      const dueAt = Math.max(until, this.deps.now() + shortestPauseMs);
      this.requested.set(key, { ...count, at: dueAt - freshMs });
    }
  }

  private countOf(scorecardId: string, issueType: string): IssueCount {
    const total = this.of(scorecardId, issueType);
    return { issueType, ...(total === undefined ? {} : { total }) };
  }

  private hasFindings(scorecardId: string, issueType: string): boolean {
    const { isLoaded, result } = this.deps.findings.list(scorecardId, issueType);
    return isLoaded
      ? result.loaded > 0
      : this.requested.get(keyOf(scorecardId, issueType))?.hasFindings === true;
  }

  private isFresh(scorecardId: string, issueType: string): boolean {
    const count = this.requested.get(keyOf(scorecardId, issueType));
    return (
      count?.query === this.queryOf(scorecardId, issueType) && this.deps.now() - count.at < freshMs
    );
  }

  private hasSpareBudget(): boolean {
    const budget = this.deps.session.signedIn?.api.budget();
    return (
      budget !== undefined &&
      budget.retryAt === undefined &&
      budget.remaining >= budget.limit * reservedShare
    );
  }

  private queryOf(scorecardId: string, issueType: string): string {
    return JSON.stringify(this.deps.scorecards.bodyOf(scorecardId, issueType));
  }

  private fire(scorecardId: string, loaded: readonly string[]): void {
    if (loaded.length > 0) {
      this.changed.fire(scorecardId.toLowerCase());
    }
  }

  /** Discards everything: it belongs to the previous account. */
  private clear(): void {
    this.account.abort();
    this.account = new AbortController();
    this.requested.clear();
    this.inFlight.clear();
    this.rows = undefined;
    this.companies.clear();
    this.histories.clear();
  }
}

/** The largest count first, those without a total last. */
function byTotal(first: IssueCount, second: IssueCount): number {
  return (second.total ?? 0) - (first.total ?? 0);
}

function keyOf(scorecardId: string, issueType: string): string {
  return `${scorecardId.toLowerCase()}/${issueType}`;
}
