import type { JsonObject } from '../common/json';
import { type Continuation, Page } from './page';
import type { Api, CallOptions, FindingsQuery } from './types';

/**
 * The findings of one issue type of one scorecard, page by page (spec section 4.3): the offset grows
 * by the requested limit, and `has_more` alone ends the list. A Link header is not looked at.
 *
 * @param query `offset` is where the list begins, or where it is taken up again after a failure.
 * @throws ApiError; `progress.at.offset` is the offset that failed.
 */
export function findingsPages(
  api: Pick<Api, 'findingsPage'>,
  query: FindingsQuery,
  options?: CallOptions,
): Promise<Page<JsonObject>> {
  return Page.first(pageAt(api, query), options);
}

function pageAt(api: Pick<Api, 'findingsPage'>, query: FindingsQuery): Continuation<JsonObject> {
  return {
    position: { offset: query.offset },
    fetch: async (options) => {
      const page = await api.findingsPage(query, options);
      return {
        items: page.entries,
        ...(page.totalCount === undefined ? {} : { total: page.totalCount }),
        ...(page.hasMore
          ? { next: pageAt(api, { ...query, offset: page.offset + page.limit }) }
          : {}),
      };
    },
  };
}
