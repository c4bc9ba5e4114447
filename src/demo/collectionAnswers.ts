import { createHmac } from 'node:crypto';
import type { JsonObject } from '../base/json/json';
import { cursorCollections, pageCollection } from './collectionEntries';
import type { EntryList } from './collectionEntries';
import { readIntegers, RefusedError } from './exchange';
import type { Answer, DemoRequest } from './exchange';

const size = { fallback: 50, min: 1, max: 50 };
const any = Number.MAX_SAFE_INTEGER;

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
export function collectionPage(
  seed: number,
  reference: number,
  request: DemoRequest,
): Answer | undefined {
  const paged = pageCollection(seed, reference, request.path);
  if (paged) {
    return pageOf(paged, seed, reference, request);
  }
  const cursored = cursorCollections.get(request.path);
  return cursored && cursorPageOf(cursored, seed, reference, request);
}

function pageOf(list: EntryList, seed: number, reference: number, request: DemoRequest): Answer {
  const asked = readIntegers(request.query, { size, page: { fallback: 1, min: 1, max: any } });
  const start = (asked.page - 1) * asked.size;
  const more = asked.page * asked.size < list.total;
  return {
    status: 200,
    headers: nextLink(request, more ? { size: asked.size, page: asked.page + 1 } : undefined),
    json: {
      entries: entries(list, start, asked.size, seed, reference),
      total: list.total,
      size: asked.size,
      page: asked.page,
    },
  };
}

function cursorPageOf(
  list: EntryList,
  seed: number,
  reference: number,
  request: DemoRequest,
): Answer {
  const { limit } = readIntegers(request.query, { limit: size });
  const given = request.query.get('cursor');
  const start = given === null ? 0 : readCursor(seed, request.path, given);
  const more = start + limit < list.total;
  const cursor = writeCursor(seed, request.path, start + limit);
  return {
    status: 200,
    headers: nextLink(request, more ? { limit, cursor } : undefined),
    json: {
      entries: entries(list, start, limit, seed, reference),
      ...(more ? { next_cursor: cursor } : {}),
    },
  };
}

function entries(
  list: EntryList,
  start: number,
  length: number,
  seed: number,
  reference: number,
): JsonObject[] {
  const count = Math.max(0, Math.min(length, list.total - start));
  return Array.from({ length: count }, (_, index) => list.entry(seed, start + index, reference));
}

/** Cursors are opaque to clients and signed: a cursor that was not issued, or is of another list, is refused. */
function writeCursor(seed: number, path: string, position: number): string {
  const signature = createHmac('sha256', `demo cursor ${seed} ${path}`)
    .update(String(position))
    .digest('base64url')
    .slice(0, 12);
  return Buffer.from(`${position}.${signature}`).toString('base64url');
}

function readCursor(seed: number, path: string, cursor: string): number {
  const position = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
  if (!Number.isSafeInteger(position) || writeCursor(seed, path, position) !== cursor) {
    throw new RefusedError(
      400,
      'Validation failed:\n  - query.cursor: is not a cursor of this collection\nStart again without a cursor.',
      { key: 'invalid_cursor' },
    );
  }
  return position;
}
