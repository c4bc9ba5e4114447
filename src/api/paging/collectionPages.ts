import { createHash } from 'node:crypto';
import { type JsonObject, jsonText } from '../../base/json';
import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import { type Answer, type Continuation, Page } from './page';
import type { Api, CallOptions, CollectionPage, CollectionQuery, PagePosition } from '../types';

type Source = Pick<Api, 'collectionPage'>;

/** What the pages so far show about how a page-style collection continues. */
interface Course {
  /** Number of the page that is asked for. */
  readonly page: number;
  /** Entries per page, once the service has said so. */
  readonly size?: number;
  /** Entries that have come before this page. */
  readonly consumed: number;
  /** Whether a page named its successor in a Link header; from then on only that continues. */
  readonly isLinked: boolean;
  /** Digest of the entries before, where nothing else distinguishes the pages. */
  readonly content?: string;
}

/**
 * A generic collection, page by page, until
 * - page style (spec section 4.1): `page * size >= total`, no entries, or all of `total` delivered;
 *   once a Link header named a next page, the absence of one (spec section 2.5);
 * - cursor style (spec section 4.2): no `next_cursor`; a Link header is not looked at;
 * - link style (spec section 2.5, RFC 8288): no link with `rel="next"`.
 *
 * @param query `at` is where the list begins, or where it is taken up again after a failure.
 * @throws ApiError
 */
export function collectionPages(
  api: Source,
  query: CollectionQuery,
  options?: CallOptions,
): Promise<Page<JsonObject>> {
  const { at = {}, style } = query;
  if (style === 'cursor') {
    return Page.first(cursorPage(api, query, at), options);
  }
  // Taken up in the middle, how many entries came before is not known; then an empty page is the end.
  const start = { page: at.page ?? 1, consumed: 0, isLinked: at.link !== undefined };
  return Page.first(numberedPage(api, query, at, start), options);
}

function cursorPage(
  api: Source,
  query: CollectionQuery,
  at: PagePosition,
): Continuation<JsonObject> {
  return {
    ...(at.cursor === undefined ? {} : { name: at.cursor }),
    fetch: async (options) => {
      const page = await api.collectionPage({ ...query, at }, options);
      const { nextCursor: cursor } = page;
      return {
        ...itemsOf(page),
        ...(at.cursor === undefined ? {} : { name: at.cursor }),
        ...(cursor === undefined ? {} : { next: cursorPage(api, query, { cursor }) }),
      };
    },
  };
}

/** A page of the page or the link style: both may lead on by number and by Link header. */
function numberedPage(
  api: Source,
  query: CollectionQuery,
  at: PagePosition,
  course: Course,
): Continuation<JsonObject> {
  return {
    ...(at.link === undefined ? {} : { name: at.link }),
    fetch: async (options) => {
      const page = await api.collectionPage({ ...query, at }, options);
      const follower = courseBehind(page, course);
      const { url } = page.link;
      const answer: Answer<JsonObject> = { ...itemsOf(page), name: page.url };
      if (url !== undefined) {
        const linked = { ...follower, isLinked: true };
        return { ...answer, next: numberedPage(api, query, { link: url }, linked) };
      }
      // The absence of a link is the end where links lead; one that cannot be read is no absence.
      const linksDecide = query.style === 'link' || course.isLinked;
      const isEnd = linksDecide && !page.link.isMalformed;
      return isEnd || hasEnded(page, course, query)
        ? answer
        : { ...answer, next: numberedPage(api, query, { page: follower.page }, follower) };
    },
  };
}

/** @throws ProtocolError when the pages do not fit together. */
function courseBehind(page: CollectionPage, course: Course): Course {
  const { size = course.size } = page;
  if (!course.isLinked && course.size !== undefined && size !== undefined && size !== course.size) {
    // Pages of another size begin elsewhere: entries would be left out or come twice.
    throw new ProtocolError(
      message('The service changed the page size from {0} to {1}.', course.size, size),
    );
  }
  const content = page.page === undefined ? contentOf(page) : undefined;
  if (!course.isLinked && content !== undefined && content === course.content) {
    throw new ProtocolError(
      message('The service sent the same page again instead of the next one.'),
    );
  }
  return {
    page: course.page + 1,
    ...(size === undefined ? {} : { size }),
    consumed: course.consumed + page.entries.length,
    isLinked: course.isLinked,
    ...(content === undefined ? {} : { content }),
  };
}

/** The rule of spec section 4.1, from the body alone. */
function hasEnded(page: CollectionPage, course: Course, { style }: CollectionQuery): boolean {
  const { entries, total, size } = page;
  if (entries.length === 0) {
    return true;
  }
  if (total === undefined) {
    // In link style a body without numbers knows of no next page.
    return style === 'link';
  }
  // Where the service does not say how large its pages are, it may have cut what was asked for.
  const isBehindAll = size !== undefined && course.page * size >= total;
  return isBehindAll || course.consumed + entries.length >= total;
}

function itemsOf({ entries, total }: CollectionPage): Answer<JsonObject> {
  return { items: entries, ...(total === undefined ? {} : { total }) };
}

/**
 * Tells a repeated page from the next one, where the service does not number pages. Identical
 * entries alone prove nothing, unless they would be sent for ever.
 */
function contentOf({ entries, total }: CollectionPage): string | undefined {
  const texts = entries.map(jsonText);
  const tells = new Set(texts).size > 1 || total === undefined;
  return texts.length > 0 && tells
    ? createHash('sha256').update(texts.join()).digest('base64url')
    : undefined;
}
