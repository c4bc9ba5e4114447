import { isContainer, isPlainObject } from '../../base/json/json';
import type { Clock } from '../../base/events/clock';
import { message } from '../../base/message';
import type { Disk } from './disk';
import { ProtocolError, ReportFailedError } from '../http/errors';
import { isAttachment } from './fileName';
import type { HttpResponse } from '../http/transport';
import { maskedLine } from '../http/redact';
import { resolveReportUrl } from '../http/addresses';
import { parseRestExtent, ResponseFile } from './download';
import { parseRetryAfter } from '../http/retryPolicy';
import { parseBody } from '../schema';
import type { ReportResponse, ReportKind, Resume } from '../types';

/** A report record is small; a larger JSON text is the report. */
const largestRecord = 64 * 1024;

/** How much of a receipt is shown, in characters. */
const longestReceipt = 200;

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
  base: URL;
  clock: Clock;
  disk: Disk;
  maxBytes: number;
  /** Masks secrets in the texts of a record. */
  redact: (text: string) => string;
}

interface ReportRecord {
  reportUrl: unknown;
  status: string | undefined;
  message: string | undefined;
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
  const { json, record, file } = await inspectResponse(response, context);
  if (record) {
    throwIfFailed(record);
  }
  const receipt = receiptIn(json, context.redact);
  if (receipt !== undefined) {
    file?.discard();
    throw new ProtocolError(
      message('The service sent neither a report nor a report_url: {0}', receipt),
      { status: response.status },
    );
  }
  if (record) {
    return {
      type: 'record',
      reportUrl: resolveReportUrl(record.reportUrl, context.base).href,
      status: record.status,
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
  const { json, record, file } = await inspectResponse(response, context);
  if (file) {
    if (response.status !== 202 && receiptIn(json, context.redact) === undefined) {
      return { type: 'file', status: undefined, file };
    }
    file.discard();
    return { type: 'pending', status: undefined, retryAfterMs, reportUrl: undefined };
  }
  throwIfFailed(record);
  return {
    type: 'pending',
    status: record.status,
    retryAfterMs,
    reportUrl: nextAddress(record, context.base),
  };
}

/**
 * The address in the record of a poll. It must be valid if the report is ready there. While the report is
 * made, an invalid address is ignored, because the polled address is enough.
 */
function nextAddress(record: ReportRecord, base: URL): string | undefined {
  if (record.reportUrl === undefined) {
    return undefined;
  }
  try {
    return resolveReportUrl(record.reportUrl, base).href;
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

function throwIfFailed(record: ReportRecord): void {
  if (failedWords.has(normalizedWord(record.status))) {
    throw new ReportFailedError(record.status ?? '', { serviceMessage: record.message });
  }
}

/** What a response contains. `json` is set if the whole body is small and JSON. */
type Content = { json: unknown } & (
  { record: ReportRecord; file?: never } | { record?: never; file: ResponseFile }
);

/**
 * Distinguishes a record from a report. Only a small JSON object that is not an attachment can be a record.
 * The bytes that were read to find out are put back before the rest.
 */
async function inspectResponse(response: HttpResponse, context: ReportContext): Promise<Content> {
  if (response.status === 206) {
    throw new ProtocolError(message('The service sent an unrequested part of a report.'), {
      status: 206,
    });
  }
  const batches = response.batches();
  const { peeked, complete } = mayBeRecord(response)
    ? await response.withTimeLimit(() => peek(batches))
    : { peeked: [], complete: false };
  const json = complete ? parseBody(response, Buffer.concat(peeked)) : undefined;
  const record = recordIn(json, context.redact);
  return record
    ? { json, record }
    : {
        json,
        file: await ResponseFile.of(
          response,
          peeked.length === 0 ? batches : concat(peeked, batches),
          context,
        ),
      };
}

/** Reads as much of a body as a record may have, and returns whether that is the whole body. */
async function peek(
  batches: AsyncGenerator<Buffer[], void, undefined>,
): Promise<{ peeked: Buffer[]; complete: boolean }> {
  const peeked: Buffer[] = [];
  for (let length = 0; length <= largestRecord;) {
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

function mayBeRecord(response: HttpResponse): boolean {
  return (
    !isAttachment(response.headers.get('content-disposition')) &&
    /^$|^application\/(.+\+)?json$|^text\/(json|plain)$/.test(response.mediaType) &&
    (response.declaredLength ?? 0) <= largestRecord
  );
}

async function* concat(
  peeked: Buffer[],
  rest: AsyncGenerator<Buffer[], void, undefined>,
): AsyncGenerator<Buffer[], void, undefined> {
  yield peeked;
  yield* rest;
}

/**
 * The report record in a JSON value, if there is one. It has a report_url, a known status, or a
 * status next to single values only. So a report that happens to have a `status` is not mistaken
 * for a record.
 */
function recordIn(json: unknown, redact: (text: string) => string): ReportRecord | undefined {
  if (!isPlainObject(json)) {
    return undefined;
  }
  const status = statusText(json.status, redact);
  const known = pendingWords.has(normalizedWord(status)) || failedWords.has(normalizedWord(status));
  if (!('report_url' in json) && !(known || (status !== undefined && isFlat(json)))) {
    return undefined;
  }
  return {
    reportUrl: json.report_url ?? undefined,
    status,
    message: typeof json.message === 'string' ? maskedLine(json.message, redact) : undefined,
  };
}

/**
 * The text of a receipt, if a JSON value is one: a single value, or an object of single values
 * without a report_url. Anything else (a list, rows, a file) is the report.
 */
function receiptIn(json: unknown, redact: (text: string) => string): string | undefined {
  if (json === undefined || Array.isArray(json)) {
    return undefined;
  }
  if (!isPlainObject(json)) {
    return maskedLine(
      typeof json === 'string' ? json : JSON.stringify(json),
      redact,
      longestReceipt,
    );
  }
  if (!isFlat(json) || (json.report_url ?? undefined) !== undefined) {
    return undefined;
  }
  const members = Object.entries(json).map(([name, value]) => `${name}: ${String(value)}`);
  return maskedLine(members.join(', '), redact, longestReceipt) || '{}';
}

function isFlat(json: Record<string, unknown>): boolean {
  return Object.values(json).every((value) => !isContainer(value));
}

/** The raw status as text; the spec leaves open what it may be. */
function statusText(status: unknown, redact: (text: string) => string): string | undefined {
  return typeof status === 'string' || typeof status === 'number'
    ? maskedLine(String(status), redact, 80)
    : undefined;
}

function normalizedWord(status: string | undefined): string {
  return (status ?? '').toLowerCase();
}
