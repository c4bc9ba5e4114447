import { type Message, message } from '../../base/message';
import { BadRequestError } from '../http/errors';
import type { CollectionQuery } from '../types';

/** The largest page size of a page-style collection, which is also the default (spec section 2.1). */
const largestSize = 50;

/** How often a path is decoded to find hidden characters; no real path is encoded more than twice. */
const maxDecodings = 5;

/**
 * Returns what is invalid about the path of a collection, or `undefined` if it is valid. A valid path
 * starts with one `/` and stays below the base address: no scheme, no host, no `..`, no segment `.`, no backslash,
 * even after repeated decoding. A query may follow.
 */
export function collectionPathProblem(path: string): Message | undefined {
  if (/[\s\p{Cc}\p{Cs}#]/u.test(path)) {
    return message('The path must not contain spaces, control characters or "#".');
  }
  let decoded = path.split('?', 1)[0] ?? '';
  if (/%(?![0-9a-f]{2})/i.test(decoded)) {
    return message('The path has invalid percent-encoding.');
  }
  for (let times = 0; times <= maxDecodings; times += 1) {
    if (!decoded.startsWith('/') || decoded.startsWith('//')) {
      return message('The path must start with one "/", without a scheme or host.');
    }
    // A URL parser drops a segment that is a dot, and asks for another path.
    if (decoded.includes('..') || /\/\.(?:\/|$)|[\\\p{Cc}]/u.test(decoded)) {
      return message(
        'The path must not contain "..", "/./", backslashes or control characters, even encoded.',
      );
    }
    const next = decoded.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (next === decoded) {
      return undefined;
    }
    decoded = next;
  }
  return message('The path is percent-encoded too many times.');
}

/** Returns what is invalid about a page size of this style, or `undefined` if it is valid. */
export function collectionSizeProblem(
  style: CollectionQuery['style'],
  size: number,
): Message | undefined {
  const most = style === 'page' ? largestSize : Number.MAX_SAFE_INTEGER;
  if (Number.isSafeInteger(size) && size >= 1 && size <= most) {
    return undefined;
  }
  return style === 'page'
    ? message('The size must be a whole number from 1 to {0}.', largestSize)
    : message('The size must be a whole number of at least 1.');
}

/**
 * Path and query of one page of a collection (spec sections 4.1 and 4.2). Paging parameters in the path's
 * own query are replaced; the rest of the query is kept as written. The path of a link-style collection is
 * used as it is.
 * @throws BadRequestError that names the invalid part.
 */
export function collectionPath(query: CollectionQuery): string {
  const { path, style, size, at = {} } = query;
  const problem =
    collectionPathProblem(path) ??
    (size === undefined ? undefined : collectionSizeProblem(style, size));
  if (problem !== undefined) {
    throw new BadRequestError(problem);
  }
  switch (style) {
    case 'page':
      return withParams(path, {
        size: String(size ?? largestSize),
        page: String(checkPage(at.page)),
      });
    case 'cursor':
      return withParams(path, {
        ...(size === undefined ? {} : { limit: String(size) }),
        cursor: at.cursor,
      });
    case 'link':
      return at.page === undefined ? path : withParams(path, { page: String(checkPage(at.page)) });
  }
}

function checkPage(page = 1): number {
  if (!Number.isSafeInteger(page) || page < 1) {
    throw new BadRequestError(message('The page must be a whole number of at least 1.'));
  }
  return page;
}

/** Sets query parameters; `undefined` removes one. Rejected: URLSearchParams, which rewrites the others. */
function withParams(path: string, params: Record<string, string | undefined>): string {
  const start = path.indexOf('?');
  const kept = (start < 0 ? '' : path.slice(start + 1))
    .split('&')
    .filter((pair) => pair !== '' && !Object.hasOwn(params, parseName(pair)));
  const added = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const query = [...kept, ...added].join('&');
  return (start < 0 ? path : path.slice(0, start)) + (query === '' ? '' : `?${query}`);
}

function parseName(pair: string): string {
  const [name = ''] = new URLSearchParams(pair).keys();
  return name;
}
