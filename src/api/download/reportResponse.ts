import { isPlainObject } from '../../base/json/json';
import type { Clock } from '../../base/events/clock';
import { message } from '../../base/message';
import type { Disk } from './disk';
import { ProtocolError, ReportFailedError } from '../http/errors';
import { isAttachment } from './fileName';
import type { HttpResponse } from '../http/transport';
import { errorMessageIn } from '../http/errorBody';
import { maskedLine } from '../http/redact';
import { plainText } from '../../base/text/plainText';
import { parseRestExtent, ResponseFile } from './download';
import { parseRetryAfter } from '../http/retryPolicy';
import { parseBody } from '../schema';
import type { ReportResponse, ReportKind, Resume } from '../types';

/** A report record or an error document is small; a larger JSON text is the report. */
const largestStatement = 64 * 1024;

/** How much of a statement is shown, in characters. */
const longestStatement = 200;

/** Words for the status of a report; the spec shows only `processing` (section 3). */
const failedWords = new Set([
  'failed',
  'failure',
  'error',
  'errored',
  'cancelled',
  'canceled',
  'expired',
]);
const doneWords = new Set([
  'completed',
  'complete',
  'ready',
  'done',
  'finished',
  'success',
  'succeeded',
]);
const pendingWords = new Set([
  'processing',
  'queued',
  'pending',
  'running',
  'generating',
  'started',
  'created',
  'accepted',
  'in_progress',
  'unknown',
]);

/** Statuses that say "not ready yet" in answer to a poll. */
const notReadyStatuses = new Set([202, 204, 404, 425]);

export interface ReportContext {
  /** Resolves a report_url. @throws ProtocolError when it is invalid or contains the API key. */
  addressOf: (reportUrl: unknown) => URL;
  clock: Clock;
  disk: Disk;
  maxBytes: number;
  /** Masks secrets in the texts of a record. */
  redact: (text: string) => string;
}

/** Whether a response is a valid answer to a poll and not a failure. */
export function isPollResponse(response: HttpResponse, resume: Resume | undefined): boolean {
  return (
    response.ok ||
    (response.status === 416 && resume !== undefined) ||
    notReadyStatuses.has(response.status) ||
    (response.status === 503 && response.headers.has('retry-after'))
  );
}

/** Whether a record says that the report is ready. Its address may then be a different one. */
export function isDone(status: string | undefined): boolean {
  return doneWords.has(normalizedWord(status));
}

/**
 * Reads the response to a report request (spec sections 4.4 and 4.5).
 * @throws ProtocolError when the response to a full report has no address to fetch it from, or when the
 * response to either kind is only a receipt; ReportFailedError
 */
export async function readRequestResponse(
  kind: ReportKind,
  response: HttpResponse,
  context: ReportContext,
): Promise<Exclude<ReportResponse, { type: 'pending' }>> {
  const { file, statement } = await inspectResponse(response, context);
  if (statement) {
    throwIfFailed(statement);
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
  // A 202 says that there is no report yet, whatever its body is.
  if (kind === 'full' || response.status === 202 || response.status === 204) {
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
    const extent = parseRestExtent(response, resume);
    if (!extent) {
      response.cancel();
      return 'fromStart';
    }
    const file = await ResponseFile.of(response, response.batches(), context, extent);
    return { type: 'file', status: undefined, file };
  }
  const retryAfterMs = parseRetryAfter(response.headers, context.clock.now());
  if (response.status !== 200 && response.status !== 202) {
    if (isPending(response)) {
      await response.drain();
      return { type: 'pending', status: undefined, retryAfterMs, reportUrl: undefined };
    }
  }
  const { file, statement } = await inspectResponse(response, context);
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
  file: ResponseFile,
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
  return notReadyStatuses.has(response.status) || response.status === 503;
}

/** @throws ReportFailedError in the service's words */
function throwIfFailed({ isError, status, message: said, text }: Statement): void {
  if (isError) {
    throw new ReportFailedError(status ?? text, { serviceMessage: said });
  }
}

/** What a response contains: the report, or what the service says about it. */
type Content =
  | { readonly file: ResponseFile; readonly statement?: never }
  | { readonly file?: never; readonly statement: Statement };

/**
 * Distinguishes the report from everything else. A report is a file: an attachment, or a body that is
 * neither markup nor a small JSON text without rows. The bytes that were read to find out are put back before
 * the rest.
 * @throws ProtocolError for a web page: a login, a portal, a page of the storage.
 */
async function inspectResponse(response: HttpResponse, context: ReportContext): Promise<Content> {
  if (response.status === 206) {
    throw new ProtocolError(message('The service sent an unrequested part of a report.'), {
      status: 206,
    });
  }
  const batches = response.batches();
  const isNamed = isAttachment(response.headers.get('content-disposition'));
  const mayBeJson = !isNamed && mayBeStatement(response);
  const isVague = mayBeJson || response.mediaType === 'application/octet-stream';
  const { peeked, complete } = isVague
    ? await response.withTimeLimit(() => peek(batches, mayBeJson ? largestStatement : 0))
    : { peeked: [], complete: false };
  const start = Buffer.concat(peeked);
  if (!isNamed && response.status !== 202 && isMarkup(response.mediaType, start)) {
    const { host } = response.url;
    throw new ProtocolError(message('{0} answers with a web page (HTML).', host), {
      status: response.status,
    });
  }
  const json = complete && mayBeJson ? parseBody(response, start) : undefined;
  if (json !== undefined && !isReport(json)) {
    return { statement: statementOf(json, context.redact) };
  }
  return {
    file: await ResponseFile.of(
      response,
      peeked.length === 0 ? batches : concat(peeked, batches),
      context,
    ),
  };
}

/** The types of pages and of error documents of storage services; a report has none of them. */
const markupTypes = /^(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml)$/;

function isMarkup(mediaType: string, start: Buffer): boolean {
  const text = start.toString('latin1', 0, 1024).replace(/^\xef\xbb\xbf/, '');
  return markupTypes.test(mediaType) || /^\s*<(?:!doctype html|html|head|body)\b/i.test(text);
}

/** Reads until there are more than `most` bytes, and returns whether that is the whole body. */
async function peek(
  batches: AsyncGenerator<Buffer[], void, undefined>,
  most: number,
): Promise<{ peeked: Buffer[]; complete: boolean }> {
  const peeked: Buffer[] = [];
  for (let length = 0; length <= most;) {
    const next = await batches.next();
    if (next.done) {
      return { peeked, complete: true };
    }
    const piece = Buffer.concat(next.value);
    peeked.push(piece);
    length += piece.length;
  }
  return { peeked, complete: false };
}

function mayBeStatement(response: HttpResponse): boolean {
  return (
    /^$|^application\/(.+\+)?json$|^text\/(json|plain)$/.test(response.mediaType) &&
    (response.declaredLength ?? 0) <= largestStatement
  );
}

async function* concat(
  peeked: Buffer[],
  rest: AsyncGenerator<Buffer[], void, undefined>,
): AsyncGenerator<Buffer[], void, undefined> {
  yield peeked;
  yield* rest;
}

/** Members in which services wrap what they say or send. */
const wrappers = ['data', 'result', 'response', 'report', 'job', 'attributes'];

/** Members that describe a report or a failure, and never hold its rows. */
const descriptive = new Set([
  ...wrappers,
  ...['error', 'errors', 'message', 'messages', 'warnings', 'links', '_links', 'meta', 'progress'],
  ...['status', 'state', 'jobs', 'tasks', 'included'],
]);

/**
 * Whether a JSON text is a report: a list, or an object with a list or an object in a member that describes
 * nothing. An object with a status needs a list, because some services put objects beside a status;
 * `report_url`, a status that says "not ready" and a status that says "failed" are never in a report.
 */
function isReport(json: unknown): boolean {
  if (Array.isArray(json)) {
    return true;
  }
  if (!isPlainObject(json) || 'report_url' in json) {
    return false;
  }
  const status = normalizedWord(statusIn(json));
  if (pendingWords.has(status) || failedWords.has(status)) {
    return false;
  }
  const hasRows = Object.entries(json).some(
    ([name, value]) =>
      !descriptive.has(name) &&
      (Array.isArray(value) ||
        (isPlainObject(value) && (status === '' || doneWords.has(status) || hasList(value)))),
  );
  return hasRows || wrappers.some((name) => isReport(json[name]));
}

/** How deep a list of rows may be in a report that has a status. */
const deepestList = 3;

function hasList(value: unknown, depth = 1): boolean {
  return (
    Array.isArray(value) ||
    (isPlainObject(value) &&
      depth < deepestList &&
      Object.values(value).some((member) => hasList(member, depth + 1)))
  );
}

/** What the service says about a report, in its record or in its words. */
interface Statement {
  /** The member report_url; `undefined` if there is none. */
  readonly reportUrl: unknown;
  readonly status: string | undefined;
  /** The service's message about a failure. */
  readonly message: string | undefined;
  /** Whether it says that the report, or the request, failed. */
  readonly isError: boolean;
  /** All of it as one line. */
  readonly text: string;
}

function statementOf(json: unknown, redact: (text: string) => string): Statement {
  const objects = objectsIn(json);
  const urls = objects.map((each) => each.report_url ?? undefined);
  const status = objects.map(statusIn).find((each) => each !== undefined);
  return {
    reportUrl: urls.find((url) => url !== undefined),
    status: status === undefined ? undefined : maskedLine(status, redact, 80),
    message: objects.map((each) => errorMessageIn(each, redact)).find((text) => text !== undefined),
    isError: failedWords.has(normalizedWord(status)) || objects.some(isErrorDocument),
    text: statementText(json, redact),
  };
}

/** An object, and the objects that it wraps. */
function objectsIn(json: unknown, depth = 0): readonly Record<string, unknown>[] {
  return isPlainObject(json) && depth <= deepestList
    ? [json, ...wrappers.flatMap((name) => objectsIn(json[name], depth + 1))]
    : [];
}

/** Whether an object says that something failed, without a word for it: `{"error":{…}}`, `"success":false`. */
function isErrorDocument({ error, errors, success }: Record<string, unknown>): boolean {
  const isGiven = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 : (value ?? false) !== false && value !== '';
  return isGiven(error) || isGiven(errors) || success === false;
}

function statementText(json: unknown, redact: (text: string) => string): string {
  const text = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  if (!isPlainObject(json)) {
    return maskedLine(text(json), redact, longestStatement);
  }
  const members = Object.entries(json).map(([name, value]) => `${name}: ${text(value)}`);
  return maskedLine(members.join(', '), redact, longestStatement) || '{}';
}

/** The raw status; the spec leaves open what it may be. Some services call it `state`. */
function statusIn(json: Record<string, unknown>): string | undefined {
  return [json.status, json.state]
    .filter((status) => typeof status === 'string' || typeof status === 'number')
    .map(String)[0];
}

function normalizedWord(status: string | undefined): string {
  return (status ?? '').toLowerCase();
}
