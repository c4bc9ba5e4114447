import type { JsonObject } from '../base/json/json';
import { cursorCollections, pageCollection } from './collectionEntries';
import type { EntryList } from './collectionEntries';
import { parseIntegers, RefusedError } from './exchange';
import type { DemoResponse, DemoRequest } from './exchange';

const size = { fallback: 50, min: 1, max: 50 };
const unlimited = Number.MAX_SAFE_INTEGER;

/** The Link header that leads to the next page. The last page has none (spec section 2.5). */
export function nextLink(
  { origin, path }: DemoRequest,
  query: Record<string, string | number> | undefined,
): { Link?: string } {
  if (!query) {
    return {};
  }
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  return { Link: `<${origin}${path}?${search.toString()}>; rel="next"` };
}

/** GET of a collection; `undefined` if the path is not a collection. */
export function collectionPage(reference: number, request: DemoRequest): DemoResponse | undefined {
  const paged = pageCollection(reference, request.path);
  if (paged) {
    return pageOf(paged, reference, request);
  }
  const cursored = cursorCollections.get(request.path);
  return cursored && cursorPageOf(cursored, reference, request);
}

function pageOf(list: EntryList, reference: number, request: DemoRequest): DemoResponse {
  const paging = parseIntegers(request.query, {
    size,
    page: { fallback: 1, min: 1, max: unlimited },
  });
  const start = (paging.page - 1) * paging.size;
  const more = paging.page * paging.size < list.total;
  return {
    status: 200,
    headers: nextLink(request, more ? { size: paging.size, page: paging.page + 1 } : undefined),
    json: {
      entries: entries(list, start, paging.size, reference),
      total: list.total,
      size: paging.size,
      page: paging.page,
    },
  };
}

function cursorPageOf(list: EntryList, reference: number, request: DemoRequest): DemoResponse {
  const { limit } = parseIntegers(request.query, { limit: size });
  const text = request.query.get('cursor');
  const start = text === null ? 0 : decodeCursor(request.path, text);
  const more = start + limit < list.total;
  const cursor = encodeCursor(request.path, start + limit);
  return {
    status: 200,
    headers: nextLink(request, more ? { limit, cursor } : undefined),
    json: {
      entries: entries(list, start, limit, reference),
      ...(more ? { next_cursor: cursor } : {}),
    },
  };
}

function entries(list: EntryList, start: number, length: number, reference: number): JsonObject[] {
  const count = Math.max(0, Math.min(length, list.total - start));
  return Array.from({ length: count }, (_, index) => list.entry(start + index, reference));
}

/** Cursors are opaque to clients: a cursor that was not issued, or is of another list, is refused. */
function encodeCursor(path: string, position: number): string {
  return Buffer.from(JSON.stringify([position, path])).toString('base64url');
}

function decodeCursor(path: string, cursor: string): number {
  const position = Number(/^\[(\d{1,15}),/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  if (encodeCursor(path, position) !== cursor) {
    throw new RefusedError(
      400,
      'Validation failed:\n  - query.cursor: is not a cursor of this collection\nStart again without a cursor.',
      { key: 'invalid_cursor' },
    );
  }
  return position;
}
