import * as v from 'valibot';
import { defined } from '../base/defined';
import { deepestShown, ExactNumber, isPlainObject, type JsonObject } from '../base/json/json';
import { parseJson } from '../base/json/parseJson';
import { plainText } from '../base/text/plainText';
import { type Message, message } from '../base/message';
import { errorMessageIn } from './http/errorBody';
import { isErrorDocument, isGiven, wrappedIn } from './http/errorDocument';
import { type ApiError, ProtocolError } from './http/errors';
import { isXml } from './http/markup';
import type { HttpResponse } from './http/transport';
import type { NextLink } from './paging/linkHeader';
import type {
  CollectionPage,
  CollectionQuery,
  CollectionStyle,
  FindingsPage,
  FindingsQuery,
} from './types';

/** The largest page that is read; 500 findings are usually below one megabyte. */
const largestPageBytes = 64 * 1024 * 1024;

/**
 * The most values in a page: 2,000 for each of 500 findings. A value takes up to a hundred bytes of memory,
 * and a few kilobytes of gzip may hold ten million of them.
 */
const maxValues = 1_000_000;

const number = v.union([v.number(), v.pipe(v.instance(ExactNumber), v.transform(Number))]);
const count = v.pipe(number, v.safeInteger(), v.minValue(0));

/** A service in Go writes an empty list as null, or leaves it out; see parseEntries. */
const entries = v.nullish(v.array(v.custom<JsonObject>(isPlainObject)));
const fromOne = v.pipe(count, v.minValue(1));

/** The offset-based collection response (spec section 2.3). */
const findingsPage = v.object({
  entries,
  has_more: v.boolean(),
  // Only informational, so an invalid value loses the total and not the page.
  total_count: v.fallback(v.optional(count), undefined),
  offset: v.nullish(count),
  limit: v.nullish(count),
});

/** An informational member. Nothing depends on it, so an invalid value is ignored. */
const informational = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.fallback(v.nullish(schema), undefined);

/**
 * The collection responses by style (spec sections 2.1 and 2.2). Members that decide where the collection
 * ends must be valid.
 */
const collectionPages = {
  page: v.object({
    entries,
    total: v.nullish(count),
    size: v.nullish(fromOne),
    page: v.nullish(fromOne),
  }),
  cursor: v.object({
    entries,
    total: informational(count),
    // A lone surrogate could not be sent back.
    next_cursor: v.nullish(
      v.pipe(
        v.string(),
        v.check((text) => !/\p{Cs}/u.test(text)),
      ),
    ),
  }),
  link: v.object({
    entries,
    total: informational(count),
    size: informational(fromOne),
    page: informational(fromOne),
  }),
};

/**
 * Checks a page of findings.
 * @throws ProtocolError that names the invalid member. An invalid response never becomes an empty page.
 */
export function parseFindingsPage(json: unknown, query: FindingsQuery): FindingsPage {
  const page = parseWith(findingsPage, json, invalidFindings);
  checkEcho('offset', page.offset, query.offset);
  checkEcho('limit', page.limit, query.limit);
  return {
    entries: parseEntries(page.entries, page.total_count, query.offset, invalidFindings),
    ...defined({ totalCount: page.total_count }),
    hasMore: page.has_more,
    offset: query.offset,
    limit: query.limit,
  };
}

/**
 * Checks a page of a collection.
 * @param answer what the Link header says, and the address that answered.
 * @throws ProtocolError that names the invalid member. An invalid response never becomes an empty page.
 */
export function parseCollectionPage(
  json: unknown,
  query: CollectionQuery,
  answer: { link: NextLink; url: string },
): CollectionPage {
  // A list of entries alone can have no other sign of a next page than a link.
  const object = Array.isArray(json) && query.style === 'link' ? { entries: json } : json;
  const page: ParsedCollection = parseWith(collectionPages[query.style], object, invalidCollection);
  if (query.style === 'page' && query.at?.link === undefined) {
    checkEcho('page', page.page, query.at?.page ?? 1);
  }
  const before = query.style === 'page' && (query.at?.page ?? 1) === 1 ? 0 : Infinity;
  return {
    entries: parseEntries(page.entries, page.total, before, invalidCollection),
    ...present('total', page.total),
    ...present('size', page.size),
    ...present('page', page.page),
    // Absent when the collection has ended (spec section 4.2); null and "" also mean the end.
    ...present('nextCursor', page.next_cursor === '' ? null : page.next_cursor),
    ...answer,
  };
}

type Refusal = (why: Message) => Message;

const invalidFindings: Refusal = (why) => message('Invalid page of findings: {0}.', why);
const invalidCollection: Refusal = (why) => message('Invalid page of the collection: {0}.', why);

/**
 * The entries of a page. Without a list there are none, if the total does not say that there are some after
 * the first `before` ones.
 * @throws ProtocolError
 */
function parseEntries(
  list: JsonObject[] | null | undefined,
  total: number | null | undefined,
  before: number,
  refusal: Refusal,
): JsonObject[] {
  const mayBeEmpty = list === null ? (total ?? 0) <= before : total === 0;
  if (!list && !mayBeEmpty) {
    const why =
      list === null
        ? message('"{0}" is invalid', 'entries')
        : message('"{0}" is missing', 'entries');
    throw new ProtocolError(refusal(why));
  }
  return list ?? [];
}

type ParsedCollection = Partial<v.InferOutput<(typeof collectionPages)[CollectionStyle]>> & {
  entries?: JsonObject[] | null | undefined;
  size?: number | null | undefined;
  page?: number | null | undefined;
  next_cursor?: string | null | undefined;
};

function parseWith<T>(schema: v.GenericSchema<unknown, T>, json: unknown, refusal: Refusal): T {
  if (!isPlainObject(json)) {
    throw new ProtocolError(refusal(message('it is not a JSON object')));
  }
  const result = v.safeParse(schema, json, {
    // One issue is enough, and a page may have a million invalid entries.
    abortEarly: true,
  });
  if (!result.success) {
    throw new ProtocolError(refusal(describeIssue(result.issues[0])));
  }
  return result.output;
}

/** Refuses a page at another position, or of another size, than was requested: entries would be lost. */
function checkEcho(name: string, echo: number | null | undefined, requested: number): void {
  if (typeof echo === 'number' && echo !== requested) {
    throw new ProtocolError(
      message(
        'The service sent the wrong page: "{0}" is {1} instead of {2}.',
        name,
        echo,
        requested,
      ),
    );
  }
}

function present<K extends string, T>(name: K, value: T | null | undefined): Partial<Record<K, T>> {
  return value === undefined || value === null ? {} : ({ [name]: value } as Record<K, T>);
}

/** Names the member, never its value, which may be a secret. */
function describeIssue(issue: v.BaseIssue<unknown>): Message {
  const name = plainText(v.getDotPath(issue) ?? '', 80);
  return issue.input === undefined
    ? message('"{0}" is missing', name)
    : message('"{0}" is invalid', name);
}

/**
 * Reads a page of entries as JSON.
 * @param redact masks secrets in the service's words.
 * @throws ProtocolError, also when the service sent an error document with a status of success.
 */
export async function readPage(
  response: HttpResponse,
  redact: (text: string) => string,
): Promise<unknown> {
  const json = await readJson(response);
  if (!isPage(json)) {
    const said = [json, ...wrappedIn(json)]
      .map((each) => errorMessageIn(each, redact))
      .find((text) => text !== undefined);
    if (said !== undefined) {
      throw new ProtocolError(message('The service sent an error instead of a page: {0}', said), {
        status: response.status,
        serviceMessage: said,
      });
    }
  }
  return json;
}

/** Whether a JSON text has entries, or says that there are none and of no error. */
function isPage(json: unknown): boolean {
  return (
    isPlainObject(json) && 'entries' in json && (isGiven(json.entries) || !isErrorDocument(json))
  );
}

/**
 * Reads a body that must be JSON; a byte order mark is ignored.
 * @throws ProtocolError
 */
export async function readJson(response: HttpResponse): Promise<unknown> {
  const { bytes, complete } = await response.readStart(largestPageBytes);
  if (!complete) {
    throw new ProtocolError(message('The service sent a page of more than 64 MB.'), {
      status: response.status,
    });
  }
  const text = response.textOf(bytes);
  const excess = findExcess(text);
  if (excess) {
    throw new ProtocolError(excess, { status: response.status });
  }
  const json = parseText(text);
  if (json === undefined) {
    throw notJsonError(response, text);
  }
  return json;
}

/**
 * What a JSON text has too much of. Counts opening brackets and commas outside of strings: it has at most one more value
 * than that.
 */
function findExcess(text: string): Message | undefined {
  let values = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      isInString = !isInString;
    } else if (isInString) {
      // A character after a backslash does not end the string.
      at += code === 0x5c ? 1 : 0;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      values += 1;
      depth += code === 0x2c ? 0 : 1;
      if (depth > deepestShown) {
        return message('The service sent JSON that is nested more than 200 levels deep.');
      }
      if (values > maxValues) {
        return message('The service sent a page of more than 1,000,000 values.');
      }
    }
  }
  return undefined;
}

/** For a body that must be JSON, and is none. If it may be a cut one, the call may be repeated. */
export function notJsonError(response: HttpResponse, text: string): ApiError {
  return response.isUnframed && /^\s*[[{]/.test(text)
    ? response.cutError()
    : new ProtocolError(notJson(response, text), { status: response.status });
}

/** Describes what was sent instead of JSON. The parser's own message is not used, because it quotes the body. */
function notJson({ mediaType }: HttpResponse, text: string): Message {
  if (text === '') {
    return message('The service sent an empty response instead of JSON.');
  }
  const start = text.slice(0, 1024).trimStart();
  if (isXml(mediaType, start)) {
    return message('The service sent XML instead of JSON. Check the base address.');
  }
  return isWebPage(mediaType, start)
    ? message(
        'The service sent a web page (HTML) instead of JSON. Check the base address, or sign in to your network.',
      )
    : message('The service sent invalid JSON.');
}

function isWebPage(mediaType: string, start: string): boolean {
  return mediaType === 'text/html' || start.startsWith('<');
}

/**
 * Refuses a response with a web page, whatever its status: a portal, a login page, or a site that is
 * not the service.
 * @throws ProtocolError, and errors of reading the body.
 */
export async function refuseWebPage(response: HttpResponse): Promise<void> {
  const { bytes } = await response.readOptional(1024);
  const start = response.textOf(bytes).trimStart();
  if (isWebPage(response.mediaType, start)) {
    const { host } = response.url;
    throw new ProtocolError(
      isXml(response.mediaType, start)
        ? message('{0} answers with XML.', host)
        : message('{0} answers with a web page (HTML).', host),
      { status: response.status },
    );
  }
}

/** @returns `undefined` if it is not valid JSON. */
export function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
