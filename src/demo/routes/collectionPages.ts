import type { JsonObject } from '../../base/json/json';
import { parseIntegers, RefusedError } from '../http/exchange';
import type { DemoResponse, DemoRequest } from '../http/exchange';

const pageSize = { fallback: 50, min: 1, max: 50 };
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
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return { Link: `<${origin}${path}?${search.toString()}>; rel="next"` };
}

/** A page in page/size style (spec section 4.1). */
export function collectionPage(all: readonly JsonObject[], request: DemoRequest): DemoResponse {
  const { size, page } = parseIntegers(request.query, {
    size: pageSize,
    page: { fallback: 1, min: 1, max: unlimited },
  });
  const isLast = page * size >= all.length;
  return {
    status: 200,
    headers: nextLink(request, isLast ? undefined : { size, page: page + 1 }),
    json: { entries: all.slice((page - 1) * size, page * size), total: all.length, size, page },
  };
}

/** A page in cursor style (spec section 4.2). */
export function cursorPage(all: readonly JsonObject[], request: DemoRequest): DemoResponse {
  const { limit } = parseIntegers(request.query, { limit: pageSize });
  const text = request.query.get('cursor');
  const start = text === null ? 0 : decodeCursor(request.path, text);
  const end = start + limit;
  const cursor = end < all.length ? encodeCursor(request.path, end) : undefined;
  return {
    status: 200,
    headers: nextLink(request, cursor === undefined ? undefined : { limit, cursor }),
    json: {
      entries: all.slice(start, end),
      ...(cursor !== undefined && { next_cursor: cursor }),
    },
  };
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
