import * as v from 'valibot';
import { isPlainObject, type JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import { ProtocolError } from './errors';
import type { HttpResponse } from './httpResponse';
import type { FindingsPage, FindingsQuery } from './types';

/** The largest page that is read; 500 findings are usually below one megabyte. */
const largestPageBytes = 64 * 1024 * 1024;

// The messages complete the sentence `"member" is not ...`.
const count = v.pipe(
  v.number('a number'),
  v.safeInteger('a whole number'),
  v.minValue(0, 'a number from 0'),
);

/** The offset-based collection response (spec section 2.3). */
const findingsPage = v.object({
  entries: v.array(v.custom<JsonObject>(isPlainObject, 'an object'), 'an array'),
  has_more: v.boolean('true or false'),
  // It informs and decides nothing, so a wrong one costs the total and not the page.
  total_count: v.fallback(v.optional(count), undefined),
  offset: v.nullish(count),
  limit: v.nullish(count),
});

/**
 * Checks a page of findings.
 * @throws ProtocolError naming the member that is wrong; never an empty page for a wrong one.
 */
export function parseFindingsPage(json: unknown, query: FindingsQuery): FindingsPage {
  if (!isPlainObject(json)) {
    throw new ProtocolError('The service sent no page of findings: it is not a JSON object.');
  }
  const result = v.safeParse(findingsPage, json);
  if (!result.success) {
    throw new ProtocolError(
      `The service sent no page of findings: ${complaint(result.issues[0])}.`,
    );
  }
  const page = result.output;
  for (const name of ['offset', 'limit'] as const) {
    // A page from elsewhere, or of another size than the next offset counts on, loses findings.
    if (typeof page[name] === 'number' && page[name] !== query[name]) {
      throw new ProtocolError(
        `The service sent another page than asked for: "${name}" is ${page[name]} instead of ${query[name]}.`,
      );
    }
  }
  return {
    entries: page.entries,
    ...(page.total_count === undefined ? {} : { totalCount: page.total_count }),
    hasMore: page.has_more,
    offset: query.offset,
    limit: query.limit,
  };
}

/** Names the member and what it is not; never its value, which may be a secret. */
function complaint(issue: v.InferIssue<typeof findingsPage>): string {
  const name = `"${plainText(v.getDotPath(issue) ?? '', 80)}"`;
  return issue.input === undefined ? `${name} is missing` : `${name} is not ${issue.message}`;
}

/** Reads a body that has to be JSON; a byte order mark is tolerated. */
export async function readJson(response: HttpResponse): Promise<unknown> {
  const { bytes, complete } = await response.read(largestPageBytes);
  if (!complete) {
    throw new ProtocolError('The service sent a page of more than 64 MB.', {
      status: response.status,
    });
  }
  const json = parseJson(bytes);
  if (json === undefined) {
    // The parser's own message is left out: it quotes the body.
    throw new ProtocolError('The service sent what is no valid JSON.', { status: response.status });
  }
  return json;
}

/** The value of a JSON text in UTF-8, `undefined` when it is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
