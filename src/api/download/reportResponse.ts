import { message } from '../../base/message';
import { byteLength } from '../../files/disk';
import { DownloadError, NetworkError, ProtocolError, ReportFailedError } from '../http/errors';
import { isRedirect } from '../http/addresses';
import { isXml } from '../http/markup';
import { isAttachment } from '../../files/fileName';
import type { HttpResponse } from '../http/transport';
import { plainText } from '../../base/text/plainText';
import { parseRepeatedExtent, parseRestExtent, ReportFile, type SaveContext } from './download';
import { parseRetryAfter } from '../http/waits';
import { notJsonError, parseText } from '../schema';
import {
  isDone,
  isReport,
  isStatementInFile,
  type Statement,
  parseStatement,
  statementOfLine,
} from './statement';
import type { ReportKind, Resume } from '../types';

/** A report record or an error document is small; a larger JSON text is the report. */
const largestStatement = 64 * 1024;

/** Statuses that say "not ready yet" in answer to a poll. */
const notReadyStatuses = new Set([202, 204, 404, 425]);

/**
 * What the service answers while a report is made: a record (spec section 2.4) or the report.
 * - `record`: the service accepted the request; the report can be downloaded from `reportUrl` later.
 * - `pending`: the response to a poll; the report is not ready yet.
 * - `file`: the response is the report itself; its body is waiting to be saved with `saveTo`.
 */
export type ReportResponse =
  | { type: 'record'; reportUrl: string; status: string | undefined }
  | {
      type: 'pending';
      status: string | undefined;
      retryAfterMs: number | undefined;
      reportUrl: string | undefined;
    }
  | { type: 'file'; status: string | undefined; file: ReportFile };

export interface ReportContext extends SaveContext {
  /** Resolves a report_url. @throws ProtocolError when it is invalid or contains the API key. */
  addressOf: (reportUrl: unknown) => URL;
  /** The address of the report that a receipt names by its ID; absent where receipts have an address. */
  addressOfId?: (id: string) => string;
}

export function isPollResponse(response: HttpResponse, resume: Resume | undefined): boolean {
  return (
    response.ok ||
    (response.status === 416 && resume !== undefined) ||
    notReadyStatuses.has(response.status) ||
    (response.status === 503 && response.headers.has('retry-after')) ||
    // See `Call.isPoll`.
    isRedirect(response.status)
  );
}

/**
 * Reads the response to a report request (spec sections 4.4 and 4.5).
 * @throws ProtocolError when the response to a full report, or of a service whose receipts have IDs, has no address to
 * fetch it from, or when the response to any kind is only a receipt; ReportFailedError
 */
export async function readRequestResponse(
  kind: ReportKind,
  response: HttpResponse,
  context: ReportContext,
): Promise<Exclude<ReportResponse, { type: 'pending' }>> {
  const { file, statement } = await inspectResponse(response, context);
  if (statement) {
    throwIfFailed(statement);
    const listed =
      statement.reportUrl === undefined && statement.id !== undefined
        ? context.addressOfId?.(statement.id)
        : undefined;
    if (listed !== undefined) {
      return { type: 'record', reportUrl: listed, status: statement.status };
    }
    if (statement.reportUrl === undefined) {
      throw new ProtocolError(
        message('The service sent neither a report nor a report_url: {0}', statement.text),
        { status: response.status },
      );
    }
    return {
      type: 'record',
      reportUrl: context.addressOf(statement.reportUrl).href,
      status: statement.status,
    };
  }
  // A 202 says that there is no report yet, whatever its body is. Where receipts have an ID, there is always one.
  const isReceipt = kind === 'full' || context.addressOfId !== undefined;
  if (isReceipt || response.status === 202 || response.status === 204) {
    file.discard();
    throw new ProtocolError(message('The response has no report_url.'), {
      status: response.status,
    });
  }
  return { type: 'file', status: undefined, file };
}

/**
 * Reads the response of `report_url`: "not ready yet", a record, the report, or the rest of it.
 * @returns `fromStart` when the rest was requested and the response does not fit the kept bytes.
 */
export async function readPollResponse(
  response: HttpResponse,
  context: ReportContext,
  resume?: Resume,
): Promise<ReportResponse | 'fromStart'> {
  if (resume && (response.status === 206 || response.status === 416)) {
    const extent = response.status === 206 ? parseRestExtent(response, resume) : undefined;
    if (!extent) {
      response.cancel();
      return 'fromStart';
    }
    const file = await ReportFile.of(response, response.batches(), context, { extent });
    return { type: 'file', status: undefined, file };
  }
  const retryAfterMs = parseRetryAfter(response.headers, context.clock.now());
  if (response.status !== 200 && response.status !== 202) {
    if (isPending(response)) {
      await response.drain();
      return { type: 'pending', status: undefined, retryAfterMs, reportUrl: undefined };
    }
  }
  const { file, statement } = await inspectResponse(response, context, resume).catch(
    throwTruncated,
  );
  if (file && response.status === 202) {
    file.discard();
    return { type: 'pending', status: undefined, retryAfterMs, reportUrl: undefined };
  }
  if (file) {
    checkMediaType(file, response, resume);
    return { type: 'file', status: undefined, file };
  }
  throwIfFailed(statement);
  return {
    type: 'pending',
    status: statement.status,
    retryAfterMs,
    reportUrl: nextAddress(statement, context),
  };
}

/**
 * A newer version of a report has the type of the old one. A body of another type says something else, and
 * must not replace the bytes that were saved.
 */
function checkMediaType(
  file: ReportFile,
  { mediaType, status }: HttpResponse,
  resume: Resume | undefined,
): void {
  if (resume?.mediaType !== undefined && resume.mediaType !== mediaType) {
    file.discard();
    throw new ProtocolError(
      message(
        'The service sent "{0}" instead of the rest of the report, which is "{1}".',
        plainText(mediaType, 80),
        plainText(resume.mediaType, 80),
      ),
      { status },
    );
  }
}

/**
 * The address in the record of a poll. It must be valid if the report is ready there. While the report is
 * made, an invalid address is ignored, because the polled address is enough.
 */
function nextAddress(record: Statement, context: ReportContext): string | undefined {
  if (record.reportUrl === undefined) {
    return undefined;
  }
  try {
    return context.addressOf(record.reportUrl).href;
  } catch (error) {
    if (isDone(record.status)) {
      throw error;
    }
    return undefined;
  }
}

function isPending(response: HttpResponse): boolean {
  const { status } = response;
  return notReadyStatuses.has(status) || status === 503 || isRedirect(status);
}

/**
 * A body that breaks off before it shows what it is. The call is not repeated here: who polls counts how often
 * an answer is cut.
 */
function throwTruncated(error: unknown): never {
  throw error instanceof NetworkError ? new DownloadError('truncated', error.message) : error;
}

/**
 * @throws in the service's words: ReportFailedError when there will be no report, ProtocolError when something
 * else failed, such as this request. The report may still be at its address then.
 */
function throwIfFailed({ hasFailed, isError, status, message: said, text }: Statement): void {
  if (hasFailed) {
    throw new ReportFailedError(status ?? text, { serviceMessage: said });
  }
  if (isError) {
    throw new ProtocolError(
      message('The service sent an error instead of the report: {0}', said ?? text),
      { serviceMessage: said },
    );
  }
}

/** What a response contains: the report, or what the service says about it. */
type Content =
  | { readonly file: ReportFile; readonly statement?: never }
  | { readonly file?: never; readonly statement: Statement };

/**
 * Distinguishes the report from everything else. A report is a file: an attachment, or a body that is
 * neither markup nor a small JSON text without rows nor a single line of text. The bytes that were read to find
 * out are put back before the rest.
 *
 * @param resume the bytes that were saved already. If this is all of the same version, they are left out.
 * @throws ProtocolError for a web page: a login, a portal, a page of the storage.
 */
async function inspectResponse(
  response: HttpResponse,
  context: ReportContext,
  resume?: Resume,
): Promise<Content> {
  if (response.status === 206) {
    throw new ProtocolError(message('The service sent an unrequested part of a report.'), {
      status: 206,
    });
  }
  const batches = response.batches();
  const isNamed = isAttachment(response.headers.get('content-disposition'));
  // A large attachment is the report; its part and state file exist before its first byte arrives.
  const isSure = isNamed && (response.declaredLength ?? 0) > largestStatement;
  const { peeked, isWhole, failure } = isSure
    ? noPeek
    : await response.withTimeLimit(() =>
        peek(batches, (start, length) => isMoreNeeded(response, start, length)),
      );
  if (failure && !isNamed && statementTypes.test(response.mediaType)) {
    throw failure;
  }
  const start = Buffer.concat(peeked);
  if (!isNamed && response.status !== 202 && isMarkup(response.mediaType, start)) {
    const { host } = response.url;
    throw new ProtocolError(
      isXml(response.mediaType, firstText(start))
        ? message('{0} answers with XML that is no report.', host)
        : message('{0} answers with a web page (HTML).', host),
      { status: response.status },
    );
  }
  const statement = isWhole ? readStatement(response, start, { isNamed, ...context }) : undefined;
  if (statement) {
    return { statement };
  }
  return {
    file: await ReportFile.of(response, putBack(peeked, failure, batches), context, {
      extent: resume && parseRepeatedExtent(response, resume),
      start,
    }),
  };
}

/**
 * What a whole body says about a report; `undefined` if it is the report.
 * @throws ProtocolError, or NetworkError if it may be cut, for a small body that is no JSON although it should be.
 */
function readStatement(
  response: HttpResponse,
  body: Buffer,
  { isNamed, redact }: Pick<ReportContext, 'redact'> & { isNamed: boolean },
): Statement | undefined {
  const { mediaType, status } = response;
  if (body.length > largestStatement) {
    return undefined;
  }
  const text = response.textOf(body);
  const json = parseText(text);
  if (json === undefined) {
    const mustBeJson = !isNamed && jsonTypes.test(mediaType);
    const isText = (!isNamed && textTypes.test(mediaType)) || (mustBeJson && /^\s*\w/.test(text));
    const statement = isText ? statementOfLine(text, redact) : undefined;
    if (mustBeJson && !statement && status !== 202 && !isJsonLines(text)) {
      throw notJsonError(response, text);
    }
    return statement;
  }
  const isJson = !isNamed && statementTypes.test(mediaType);
  return (isJson ? !isReport(json) : isStatementInFile(json, { isNamed }))
    ? parseStatement(json, redact)
    : undefined;
}

/** Whether a text is NDJSON, which some services send as JSON. */
function isJsonLines(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => parseText(line) !== undefined);
}

const jsonTypes = /^application\/(.+\+)?json$|^text\/json$/;

/** The types in which services say something about a report. */
const statementTypes = /^$|^application\/(.+\+)?json$|^text\/(json|plain)$/;
const textTypes = /^$|^text\/plain$/;

/** The types of pages and of error documents of storage services; a report has none of them. */
const markupTypes = /^(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml)$/;

/** The start of a page, or of XML that says what has failed; other XML may be a report. */
const markup =
  /^(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype|!--|(?:\w+:)?(?:html|head|body|title|meta|script|style|div|span|p|h\d|center|pre|br|table|form|error|errors|fault|envelope|problem|response)\b)/i;

function isMarkup(mediaType: string, start: Buffer): boolean {
  return markupTypes.test(mediaType) || markup.test(firstText(start));
}

/** The text at the start of a body, without what is blank before it. */
function firstText(start: Buffer): string {
  return start
    .toString('latin1', 0, longestStart)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
}

/** How many bytes of a body show whether it is markup, or may be JSON. */
const longestStart = 1024;

/** Whether the start of a body, of which so many bytes have arrived, does not show yet what it is. */
function isMoreNeeded(response: HttpResponse, start: Buffer, length: number): boolean {
  const text = firstText(start);
  if (text === '' || text === '<') {
    return length < longestStart;
  }
  return (
    length <= largestStatement &&
    (response.declaredLength ?? 0) <= largestStatement &&
    (statementTypes.test(response.mediaType) || /^[{[]/.test(text))
  );
}

interface Peeked {
  readonly peeked: Buffer[];
  readonly isWhole: boolean;
  /** Why the body broke off, if it did. */
  readonly failure: Error | undefined;
}

const noPeek: Peeked = { peeked: [], isWhole: false, failure: undefined };

/** Reads as long as more is needed, or until the body ends. */
async function peek(
  batches: AsyncGenerator<Buffer[], void, undefined>,
  isNeeded: (start: Buffer, length: number) => boolean,
): Promise<Peeked> {
  const peeked: Buffer[] = [];
  let start = Buffer.alloc(0);
  try {
    for (let length = 0; isNeeded(start, length);) {
      const next = await batches.next();
      if (next.done) {
        return { peeked, isWhole: true, failure: undefined };
      }
      peeked.push(...next.value);
      length += byteLength(next.value);
      if (start.length < longestStart) {
        start = Buffer.concat([start, ...next.value]);
      }
    }
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { peeked, isWhole: false, failure };
  }
  return { peeked, isWhole: false, failure: undefined };
}

/** The whole body again, with its failure if it broke off. */
async function* putBack(
  peeked: Buffer[],
  failure: Error | undefined,
  rest: AsyncGenerator<Buffer[], void, undefined>,
): AsyncGenerator<Buffer[], void, undefined> {
  if (peeked.length > 0) {
    yield peeked;
  }
  if (failure) {
    throw failure;
  }
  yield* rest;
}
