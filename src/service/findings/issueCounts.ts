import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import { fetchPages } from '../../api/paging/fetchPages';
import type { Disposable } from '../../base/events/disposable';
import { Emitter } from '../../base/events/emitter';
import type { ListSession } from '../lists/loadedList';
import type { CompanySummary } from '../../api/services/companies';
import type { CallOptions } from '../../api/types';
import type { ShownNames } from '../../vocabulary/shownNames';
import { affectsAll } from './affectsAll';
import { CompanySummaries, hasSpareBudget } from './companySummaries';
import type { Findings } from './findings';
import type { SharedOptions } from '../../api/http/sharedRequest';
import { RequestCache } from './requestCache';
import type { Scorecards } from './scorecards';
import { severityPosition, type WorstSeverity } from '../../vocabulary/worstSeverity';
import type { IssueCount } from '../../commands';

interface IssueCountsDeps {
  session: ListSession;
  scorecards: Pick<Scorecards, 'bodyOf'>;
  /** Loaded lists know their own counts. */
  findings: Pick<Findings, 'listOf'>;
  /** Gets the titles of issue types that come with companies. */
  names: Pick<ShownNames, 'addServed'>;
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
}

/** What is loaded for one account; a late response belongs to that of before. */
interface AccountCounts {
  readonly abort: AbortController;
  readonly companies: CompanySummaries;
  /** By scorecard, issue type and body. */
  readonly requested: RequestCache<{ readonly total: number | undefined }>;
}

/** A request for the count of an issue type or, where the service has companies, for all counts of one. */
interface CountRequest {
  readonly scorecardId: string;
  readonly cache: Pick<RequestCache<unknown>, 'has' | 'isDue'>;
  readonly key: string;
  send(maxWaitMs: number): Promise<unknown>;
}

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
  private readonly sessionListener: Disposable;
  private account: AccountCounts;

  /** Fires the id of a scorecard when one of its counts may have changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: IssueCountsDeps) {
    this.account = this.newAccount();
    this.sessionListener = deps.session.onDidChangeAccount(() => {
      this.account.abort.abort();
      this.account = this.newAccount();
    });
  }

  get companies(): CompanySummaries {
    return this.account.companies;
  }

  /** The count of an issue type: from its list if that is loaded, or else the count that was requested. */
  of(scorecardId: string, issueType: string): number | undefined {
    const { isLoaded, result } = this.deps.findings.listOf(scorecardId, issueType);
    if (isLoaded && (!result.hasMore || result.total !== undefined)) {
      return result.hasMore ? result.total : result.loaded;
    }
    if (this.companies.of(scorecardId) && this.queryOf(scorecardId, issueType) === unfiltered) {
      const summary = this.companies.issueType(scorecardId, issueType);
      return summary ? summary.count : 0;
    }
    return this.account.requested.get(this.formatKey(scorecardId, issueType))?.total;
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

  /**
   * Loads the company of a scorecard, or of a domain, with its counts.
   * @throws ApiError
   */
  async loadCompany(
    identifier: string,
    options: Pick<CallOptions, 'signal' | 'maxWaitMs' | 'onWait'> = {},
  ): Promise<CompanySummary> {
    const company = await this.companies.load(identifier, options);
    this.changed.fire(company.id);
    return company;
  }

  /**
   * Loads in the background what the rows of scorecards show before they are expanded, so that all of them can be sorted
   * by it: where the service has companies, one request for each of the first ones. Elsewhere each issue type needs a
   * request, which waits until its scorecard is expanded. Fires when all are loaded: each change sorts the rows anew.
   */
  async loadRows(scorecardIds: readonly string[]): Promise<void> {
    const ids = this.companies.isAvailable ? scorecardIds.slice(0, maxRows) : [];
    await this.sendInBackground(ids.flatMap((id) => this.requestsFor(id, [])));
  }

  /** The sum of several; `undefined` unless all are known. */
  sum(scorecardId: string, issueTypes: readonly string[]): number | undefined {
    return issueTypes.reduce<number | undefined>((sum, issueType) => {
      const count = this.of(scorecardId, issueType);
      return sum === undefined || count === undefined ? undefined : sum + count;
    }, 0);
  }

  /**
   * Loads counts that are not loaded yet: each at most once an hour, and none while requests are paused or
   * less than a tenth of the hourly budget is left. Never rejects: a count that fails stays unknown.
   */
  async loadInBackground(scorecardId: string, issueTypes: readonly string[]): Promise<void> {
    await this.sendInBackground(this.listUnloaded(scorecardId, issueTypes));
  }

  /** Reloads in the background those counts of some issue types that were requested before. */
  async refresh(scorecardId: string, issueTypes: readonly string[]): Promise<void> {
    const requests = this.listUnloaded(scorecardId, issueTypes);
    await this.sendInBackground(
      requests.filter(({ cache, key }) => cache.has(key)),
      { isStale: true },
    );
  }

  /**
   * Reloads the counts of issue types.
   * @param options `signal` cancels it; `onCount` is called after each request.
   * @throws ApiError if no count could be loaded, or for a reason that affects all of them.
   */
  async load(
    scorecardId: string,
    issueTypes: readonly string[],
    { signal, onCount }: { signal?: AbortSignal; onCount?: () => void } = {},
  ): Promise<IssueCount[]> {
    const requests = this.requestsFor(scorecardId, issueTypes, signal);
    const failures: unknown[] = [];
    const left = [...requests];
    const next = () => (signal?.aborted ? undefined : left.shift());
    for await (const outcome of this.send(next, longestWaitMs.requested)) {
      if ('error' in outcome) {
        failures.push(outcome.error);
      } else {
        onCount?.();
      }
    }
    if (signal?.aborted) {
      failures.push(new CancelledError());
    }
    this.changed.fire(scorecardId.toLowerCase());
    const fatal = failures.find(affectsAll);
    if (fatal !== undefined || (failures.length > 0 && failures.length === requests.length)) {
      throw fatal ?? failures[0];
    }
    return this.listCounts(scorecardId, issueTypes);
  }

  /**
   * The issue types that are known to have findings, the largest count first, those without a total last: some of
   * these, or all that the service names for a company. Requests nothing.
   */
  found(scorecardId: string, issueTypes: readonly string[]): IssueCount[] {
    const counts = this.companies.isAvailable
      ? (this.companies.of(scorecardId)?.issueTypes ?? [])
          .filter(({ count }) => count !== 0)
          .map(({ issueType, count }) => createCount(issueType, count))
      : this.listCounts(
          scorecardId,
          issueTypes.filter((issueType) => this.hasFindings(scorecardId, issueType)),
        );
    return counts.sort((first, second) => (second.total ?? 0) - (first.total ?? 0));
  }

  dispose(): void {
    this.sessionListener.dispose();
    this.account.abort.abort();
    this.changed.dispose();
  }

  private requestsFor(
    scorecardId: string,
    issueTypes: readonly string[],
    cancel?: AbortSignal,
  ): CountRequest[] {
    const { companies, requested, abort } = this.account;
    const signal = cancel ? AbortSignal.any([abort.signal, cancel]) : abort.signal;
    if (companies.isAvailable) {
      const send = (maxWaitMs: number) =>
        companies.load(scorecardId, { signal, priority: 'bulk', maxWaitMs });
      const key = scorecardId.toLowerCase();
      return [{ scorecardId, cache: companies.summaries, key, send }];
    }
    return issueTypes.map((issueType) => {
      const body = this.deps.scorecards.bodyOf(scorecardId, issueType);
      const key = this.formatKey(scorecardId, issueType);
      const request = async (maxWaitMs: number, shared: SharedOptions) => {
        const { api } = this.deps.session.requireSignedIn();
        const { totalCount, hasMore, entries } = await api.findingsPage(
          { scorecardId, issueType, offset: 0, limit: 1, body },
          { ...shared, priority: 'bulk', maxWaitMs },
        );
        return { total: totalCount ?? (hasMore ? undefined : entries.length) };
      };
      const send = (maxWaitMs: number) =>
        requested.load(key, (shared) => request(maxWaitMs, shared), { signal });
      return { scorecardId, cache: requested, key, send };
    });
  }

  /** The requests for the issue types whose own lists do not know their counts. */
  private listUnloaded(scorecardId: string, issueTypes: readonly string[]): CountRequest[] {
    const unloaded = issueTypes.filter(
      (issueType) => !this.deps.findings.listOf(scorecardId, issueType).isLoaded,
    );
    return this.requestsFor(scorecardId, unloaded);
  }

  /**
   * Sends what is due, until little of the budget is left, or the next request would fail, too. Never rejects.
   * @param options `isStale`: what was loaded within the hour is loaded again, too.
   */
  private async sendInBackground(
    requests: readonly CountRequest[],
    { isStale = false } = {},
  ): Promise<void> {
    const changed = new Set<string>();
    const left = [...requests];
    const next = () => {
      const due = left.findIndex(({ cache, key }) => isStale || cache.isDue(key));
      return hasSpareBudget(this.deps.session) ? left.splice(0, due + 1).at(-1) : undefined;
    };
    for await (const { range } of this.send(next, longestWaitMs.background)) {
      changed.add(range.scorecardId.toLowerCase());
    }
    changed.forEach((id) => {
      this.changed.fire(id);
    });
  }

  /** Sends several requests at a time, in order, until the next one would fail for the same reason. */
  private async *send(next: () => CountRequest | undefined, maxWaitMs: number) {
    const { signal } = this.account.abort;
    let isOver = false;
    const requests = fetchPages({
      concurrency,
      next: () => (isOver || signal.aborted ? undefined : next()),
      fetch: (request: CountRequest) => request.send(maxWaitMs),
      cancel: () => undefined,
    });
    for await (const outcome of requests) {
      isOver ||= 'error' in outcome && affectsAll(outcome.error);
      yield outcome;
    }
  }

  private listCounts(scorecardId: string, issueTypes: readonly string[]): IssueCount[] {
    return issueTypes.map((issueType) => createCount(issueType, this.of(scorecardId, issueType)));
  }

  private hasFindings(scorecardId: string, issueType: string): boolean {
    const { isLoaded, result } = this.deps.findings.listOf(scorecardId, issueType);
    const requested = this.account.requested.get(this.formatKey(scorecardId, issueType));
    return isLoaded ? result.loaded > 0 : requested !== undefined && requested.total !== 0;
  }

  private queryOf(scorecardId: string, issueType: string): string {
    return JSON.stringify(this.deps.scorecards.bodyOf(scorecardId, issueType));
  }

  private formatKey(scorecardId: string, issueType: string): string {
    return `${scorecardId.toLowerCase()}/${issueType} ${this.queryOf(scorecardId, issueType)}`;
  }

  private newAccount(): AccountCounts {
    const { session, names } = this.deps;
    const now = () => this.deps.now();
    const abort = new AbortController();
    return {
      abort,
      companies: new CompanySummaries(session, now, abort.signal, names),
      requested: new RequestCache(now),
    };
  }
}

function createCount(issueType: string, total: number | undefined): IssueCount {
  return { issueType, ...defined({ total }) };
}
