import * as v from 'valibot';
import { isPlainObject, type JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import { ProtocolError } from './errors';
import type { HttpResponse } from './httpResponse';
import type { NextLink } from './nextLink';
import type {
  CollectionPage,
  CollectionQuery,
  CollectionStyle,
  FindingsPage,
  FindingsQuery,
} from './types';

/** The largest page that is read; 500 findings are usually below one megabyte. */
const largestPageBytes = 64 * 1024 * 1024;

// The messages complete the sentence `"member" is not ...`.
const count = v.pipe(
  v.number('a number'),
  v.safeInteger('a whole number'),
  v.minValue(0, 'a number from 0'),
);

const entries = v.array(v.custom<JsonObject>(isPlainObject, 'an object'), 'an array');
const fromOne = v.pipe(count, v.minValue(1, 'a number from 1'));

/** The offset-based collection response (spec section 2.3). */
const findingsPage = v.object({
  entries,
  has_more: v.boolean('true or false'),
  // It informs and decides nothing, so a wrong one costs the total and not the page.
  total_count: v.fallback(v.optional(count), undefined),
  offset: v.nullish(count),
  limit: v.nullish(count),
});

/** What an answer says where nothing depends on it; a wrong value is as good as none. */
const informs = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.fallback(v.nullish(schema), undefined);

/** The collection responses by style (spec sections 2.1 and 2.2). What decides the end must be right. */
const collectionPages = {
  page: v.object({
    entries,
    total: v.nullish(count),
    size: v.nullish(fromOne),
    page: v.nullish(fromOne),
  }),
  cursor: v.object({
    entries,
    total: informs(count),
    // Half a character could not be sent back.
    next_cursor: v.nullish(
      v.pipe(
        v.string('a text'),
        v.check((text) => !/\p{Cs}/u.test(text), 'a whole text'),
      ),
    ),
  }),
  link: v.object({
    entries,
    total: informs(count),
    size: informs(fromOne),
    page: informs(fromOne),
  }),
};

/**
 * Checks a page of findings.
 * @throws ProtocolError naming the member that is wrong; never an empty page for a wrong one.
 */
export function parseFindingsPage(json: unknown, query: FindingsQuery): FindingsPage {
  const page = parsed(findingsPage, json, 'findings');
  refuseOther(page, query, ['offset', 'limit']);
  return {
    entries: page.entries,
    ...(page.total_count === undefined ? {} : { totalCount: page.total_count }),
    hasMore: page.has_more,
    offset: query.offset,
    limit: query.limit,
  };
}

/**
 * Checks a page of a collection.
 * @param link what its Link header says.
 * @throws ProtocolError naming the member that is wrong; never an empty page for a wrong one.
 */
export function parseCollectionPage(
  json: unknown,
  query: CollectionQuery,
  answer: { link: NextLink; url: string },
): CollectionPage {
  const page: CollectionAnswer = parsed(collectionPages[query.style], json, 'the collection');
  if (query.style === 'page' && query.at?.link === undefined) {
    refuseOther(page, { page: query.at?.page ?? 1 }, ['page']);
  }
  return {
    entries: page.entries,
    ...present('total', page.total),
    ...present('size', page.size),
    ...present('page', page.page),
    // Absent when the collection has ended (spec section 4.2); null and "" lead nowhere either.
    ...present('nextCursor', page.next_cursor === '' ? null : page.next_cursor),
    ...answer,
  };
}

type CollectionAnswer = Partial<v.InferOutput<(typeof collectionPages)[CollectionStyle]>> & {
  entries: JsonObject[];
  size?: number | null | undefined;
  page?: number | null | undefined;
  next_cursor?: string | null | undefined;
};

function parsed<T>(schema: v.GenericSchema<unknown, T>, json: unknown, what: string): T {
  if (!isPlainObject(json)) {
    throw new ProtocolError(`The service sent no page of ${what}: it is not a JSON object.`);
  }
  const result = v.safeParse(schema, json);
  if (!result.success) {
    throw new ProtocolError(`The service sent no page of ${what}: ${complaint(result.issues[0])}.`);
  }
  return result.output;
}

/** A page from elsewhere, or of another size than the next offset counts on, loses entries. */
function refuseOther<K extends string>(
  echoed: Partial<Record<K, number | null | undefined>>,
  asked: Record<K, number>,
  names: readonly K[],
): void {
  for (const name of names) {
    const echo = echoed[name];
    if (typeof echo === 'number' && echo !== asked[name]) {
      throw new ProtocolError(
        `The service sent another page than asked for: "${name}" is ${echo} instead of ${asked[name]}.`,
      );
    }
  }
}

function present<K extends string, T>(name: K, value: T | null | undefined): Partial<Record<K, T>> {
  return value === undefined || value === null ? {} : ({ [name]: value } as Record<K, T>);
}

/** Names the member and what it is not; never its value, which may be a secret. */
function complaint(issue: v.BaseIssue<unknown>): string {
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
