import { defined } from '../../base/defined';
import { systemClock } from '../../base/events/clock';
import { AccountLists, type ListSession } from '../lists/loadedList';
import { FindingsList, type CompleteList } from './findingsList';
import type { Scorecards } from './scorecards';
import type { Api } from '../../api/client';

interface FindingsDeps {
  session: ListSession;
  scorecards: Pick<Scorecards, 'bodyOf' | 'isListed'>;
  /** Entries per page while browsing, 1 to 500, as set now. */
  pageSize(): number;
  /** Wall-clock time in milliseconds since the epoch. Default: the clock of this machine. */
  now?(): number;
}

export class Findings extends AccountLists<FindingsList> {
  constructor(private readonly deps: FindingsDeps) {
    super(deps.session);
  }

  /**
   * The findings of one issue type of one scorecard; does not load anything. If its body is changed in the
   * settings, the query is another one, and so is the list.
   */
  listOf(scorecardId: string, issueType: string): FindingsList {
    const id = scorecardId.toLowerCase();
    const body = this.deps.scorecards.bodyOf(scorecardId, issueType);
    return this.listFor(`${id}/${issueType}`, JSON.stringify(body), (before) => {
      const { deps } = this;
      return new FindingsList(id, issueType, {
        // Read for each page: client and key may have changed.
        fetchPage: (range, options) =>
          deps.session
            .requireSignedIn()
            .api.findingsPage({ scorecardId, issueType, ...range, body }, options),
        pageSize: () => deps.pageSize(),
        client: () => deps.session.signedIn?.api,
        // A filter stays when the body of its list changes.
        ...(before && { filter: before.filter }),
        now: () => deps.now?.() ?? systemClock.now(),
      });
    });
  }

  filtered(): FindingsList[] {
    return this.allLists.filter(({ isFiltered }) => isFiltered);
  }

  /** Follows the settings: ends the requests of lists that are not in them, or have another query. */
  followSettings(): void {
    this.discard(
      ({ scorecardId, issueType }) => !this.deps.scorecards.isListed(scorecardId, issueType),
    );
    this.allLists.forEach(({ scorecardId, issueType }) => this.listOf(scorecardId, issueType));
  }
}

/** Serves the pages of a completely loaded list from its rows, without requests. */
export function completeListPages({ rows, total }: CompleteList): Pick<Api, 'findingsPage'> {
  return {
    findingsPage: ({ offset, limit }) =>
      Promise.resolve({
        entries: rows.slice(offset, offset + limit).map(({ entry }) => entry),
        ...defined({ totalCount: total }),
        hasMore: offset + limit < rows.length,
        offset,
        limit,
      }),
  };
}
