import type { Page } from '../api/page';
import type { JsonObject } from '../common/json';
import { findingKey } from './entryKey';
import { type FetchPage, type ListRow, PagedList } from './pagedList';

export type { LoadResult } from './pagedList';

/** One finding of a list, as it was served; its number is the served offset plus one. */
export type FindingRow = ListRow;

/** Fetches one page; the list says where it starts. */
export type FetchFindings = (
  offset: number,
  options: Parameters<FetchPage>[1],
) => Promise<Page<JsonObject>>;

/** The findings of one issue type of one scorecard. */
export class FindingsList extends PagedList {
  constructor(
    readonly scorecardId: string,
    readonly issueType: string,
    fetchPage: FetchFindings,
  ) {
    super(
      `${scorecardId}/${issueType}`,
      // By offset alone: client and page size may be others by now.
      (last, options) => fetchPage(last?.nextPosition?.offset ?? 0, options),
      findingKey,
    );
  }
}
