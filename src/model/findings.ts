import { NotFoundError } from '../api/errors';
import { findingsPages } from '../api/findingsPages';
import type { JsonObject } from '../common/json';
import { AccountLists, isActive, type ListSession } from './accountLists';
import { FindingsList } from './findingsList';

/** What the findings need. */
export interface FindingsDeps {
  session: ListSession;
  /** The JSON object that is posted for an issue type of a scorecard. */
  bodyOf(scorecardId: string, issueType: string): JsonObject;
  /** Whether an issue type of a scorecard is configured. */
  isListed(scorecardId: string, issueType: string): boolean;
  /** Entries per page, 1 to 500, as it is set now. */
  pageSize(): number;
}

/** The findings lists of the account that is signed in. */
export class Findings extends AccountLists<FindingsList> {
  /** Ids of the lists that are or were configured. */
  private readonly configured = new Set<string>();

  constructor(private readonly deps: FindingsDeps) {
    super(deps.session);
  }

  /**
   * The findings of one issue type of one scorecard; nothing is loaded by asking. When its body was
   * changed in the settings it is another query, and so another list.
   */
  list(scorecardId: string, issueType: string): FindingsList {
    const id = scorecardId.toLowerCase();
    const body = this.deps.bodyOf(scorecardId, issueType);
    this.isConfigured(id, issueType);
    const fetch = (offset: number, options: object) =>
      findingsPages(
        this.deps.session.requireSignedIn().api,
        { scorecardId, issueType, offset, limit: this.deps.pageSize(), body },
        { ...options, priority: 'interactive' },
      );
    return this.listFor(
      `${id}/${issueType}`,
      JSON.stringify(body),
      () => new FindingsList(id, issueType, fetch),
    );
  }

  /** The lists of which something was asked for, without those that were configured and removed. */
  active(): FindingsList[] {
    return this.made
      .filter(
        ({ scorecardId, issueType }) =>
          this.isConfigured(scorecardId, issueType) ||
          !this.configured.has(`${scorecardId}/${issueType}`),
      )
      .map((list) => this.list(list.scorecardId, list.issueType))
      .filter((list) => isActive(list));
  }

  /**
   * One finding by its place in the list: the row that is held, else asked for by itself.
   * @param number the served offset plus one.
   * @throws NotFoundError where the list ends before it.
   */
  async requireFindingAt(
    scorecardId: string,
    issueType: string,
    number: number,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const held = this.list(scorecardId, issueType).rows.find((row) => row.number === number);
    return held ? held.entry : this.fetchFindingAt(scorecardId, issueType, number, signal);
  }

  /**
   * One finding by its place in the list, as the service has it now.
   * @param number the served offset plus one.
   * @throws NotFoundError where the list ends before it.
   */
  async fetchFindingAt(
    scorecardId: string,
    issueType: string,
    number: number,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const page = await this.deps.session.requireSignedIn().api.findingsPage(
      {
        scorecardId,
        issueType,
        offset: number - 1,
        limit: 1,
        body: this.deps.bodyOf(scorecardId, issueType),
      },
      { priority: 'interactive', ...(signal ? { signal } : {}) },
    );
    const [entry] = page.entries;
    if (!entry) {
      throw new NotFoundError(`The list has no finding ${number}; it may have become shorter.`);
    }
    return entry;
  }

  protected override clear(): void {
    super.clear();
    this.configured.clear();
  }

  /** Whether a list is configured; notes that it was. A program may name others, too. */
  private isConfigured(scorecardId: string, issueType: string): boolean {
    const isListed = this.deps.isListed(scorecardId, issueType);
    if (isListed) {
      this.configured.add(`${scorecardId}/${issueType}`);
    }
    return isListed;
  }
}
