import type { Api } from '../api/types';
import type { WholeList } from './findingsList';

/** Serves the pages of a whole list from its rows: without a request. */
export function wholeListPages({ rows, total }: WholeList): Pick<Api, 'findingsPage'> {
  return {
    findingsPage: ({ offset, limit }) =>
      Promise.resolve({
        entries: rows.slice(offset, offset + limit).map(({ entry }) => entry),
        ...(total === undefined ? {} : { totalCount: total }),
        hasMore: offset + limit < rows.length,
        offset,
        limit,
      }),
  };
}
