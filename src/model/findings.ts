import { NotFoundError } from '../api/errors';
import type { Disposable } from '../common/disposable';
import { Emitter, type Event } from '../common/emitter';
import type { JsonObject } from '../common/json';
import { FindingsList } from './findingsList';
import type { SignedIn } from './session';

/** What the findings need. */
export interface FindingsDeps {
  session: {
    readonly signedIn: SignedIn | undefined;
    readonly onDidChange: Event<void>;
    requireSignedIn(): SignedIn;
  };
  /** The JSON object that is posted for an issue type of a scorecard. */
  bodyOf(scorecardId: string, issueType: string): JsonObject;
  /** Whether an issue type of a scorecard is configured. */
  isListed(scorecardId: string, issueType: string): boolean;
  /** Entries per page, 1 to 500, as it is set now. */
  pageSize(): number;
}

/** A list with the body that is posted for each of its pages. */
interface Query {
  readonly list: FindingsList;
  readonly body: string;
}

/** The findings lists of the account that is signed in, made when they are first looked at. */
export class Findings implements Disposable {
  private readonly changed = new Emitter<FindingsList | undefined>();
  private readonly queries = new Map<string, Query>();
  /** Ids of the lists that are or were configured. */
  private readonly configured = new Set<string>();
  private readonly sessionListener: Disposable;
  private accountId: string | undefined;

  /** Fires the list that changed, or `undefined` when the account did. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: FindingsDeps) {
    this.accountId = deps.session.signedIn?.account.id;
    this.sessionListener = deps.session.onDidChange(() => {
      // A new key for the same account keeps what is loaded; another account starts anew.
      const accountId = deps.session.signedIn?.account.id;
      if (accountId !== this.accountId) {
        this.accountId = accountId;
        this.clear();
        this.changed.fire(undefined);
      }
    });
  }

  /**
   * The findings of one issue type of one scorecard; nothing is loaded by asking. When its body was
   * changed in the settings it is another query, and so another list.
   */
  list(scorecardId: string, issueType: string): FindingsList {
    const id = `${scorecardId.toLowerCase()}/${issueType}`;
    const body = this.deps.bodyOf(scorecardId, issueType);
    const key = JSON.stringify(body);
    this.isConfigured(id, { scorecardId, issueType });
    const known = this.queries.get(id);
    if (known?.body === key) {
      return known.list;
    }
    known?.list.dispose();
    const list = new FindingsList(scorecardId.toLowerCase(), issueType, (offset, options) =>
      this.deps.session
        .requireSignedIn()
        .api.findingsPage(
          { scorecardId, issueType, offset, limit: this.deps.pageSize(), body },
          { ...options, priority: 'interactive' },
        ),
    );
    list.onDidChange(() => {
      this.changed.fire(list);
    });
    this.queries.set(id, { list, body: key });
    return list;
  }

  /** The lists of which something was asked for, without those that were configured and removed. */
  active(): FindingsList[] {
    return [...this.queries]
      .filter(([id, { list }]) => !this.configured.has(id) || this.isConfigured(id, list))
      .map(([, { list }]) => this.list(list.scorecardId, list.issueType))
      .filter((list) => list.isLoaded || list.state.type !== 'idle');
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
    if (held) {
      return held.entry;
    }
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

  dispose(): void {
    this.sessionListener.dispose();
    this.clear();
    this.changed.dispose();
  }

  /** Whether a list is configured; notes that it was. A program may name others, too. */
  private isConfigured(
    id: string,
    { scorecardId, issueType }: Pick<FindingsList, 'scorecardId' | 'issueType'>,
  ): boolean {
    const isListed = this.deps.isListed(scorecardId, issueType);
    if (isListed) {
      this.configured.add(id);
    }
    return isListed;
  }

  private clear(): void {
    for (const { list } of this.queries.values()) {
      list.dispose();
    }
    this.queries.clear();
    this.configured.clear();
  }
}
