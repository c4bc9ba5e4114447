import type { Clock } from '../base/events/clock';
import { isPlainObject, type JsonObject } from '../base/json/json';
import { requireScorecard } from './access';
import { readObject, RefusedError, type DemoResponse, type DemoRequest } from './exchange';
import {
  decodeReportId,
  encodeReportId,
  type ReportOrder,
  type RowsOrder,
  earlierDay,
  reportRows,
  type ReportRows,
} from './reportRows';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** The bytes from `start` up to `end`, exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a request asks for (RFC 9110 section 14). `undefined` means the whole file: there is no
 * Range, this service does not support it (another unit, several ranges, invalid syntax), or If-Range does
 * not match this file in a strong comparison (section 13.1.5).
 */
function parseRange(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if ((ifRange !== undefined && ifRange !== etag) || first === undefined || last === undefined) {
    return undefined;
  }
  if (first === '') {
    // The last `length` bytes.
    const length = Math.min(Number(last), size);
    return last === ''
      ? undefined
      : length === 0
        ? 'unsatisfiable'
        : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) {
    return undefined;
  }
  return start < size ? { start, end } : 'unsatisfiable';
}

const rowsPerBlock = 128;

/** A finished report. Its size is known; its bytes are generated when they are sent. */
export interface GeneratedFile {
  readonly size: number;
  /** Generates the bytes from `start` up to `end`, exclusive, as fast as they are consumed. */
  bytes(start: number, end: number): AsyncIterable<Buffer>;
}

/**
 * Generates report files without keeping one in memory. The offset of every block of rows is measured once
 * per kind and scorecard: the length of a row does not depend on the date, because all times have a fixed
 * width. With these offsets, a download knows its Content-Length and can start anywhere.
 */
export class GeneratedFiles {
  private readonly offsets = new Map<string, Promise<number[]>>();

  constructor(
    private readonly seed: number,
    private readonly closing: AbortSignal,
  ) {}

  async open(order: RowsOrder): Promise<GeneratedFile> {
    const rows = reportRows(this.seed, order);
    const key = `${order.kind}/${order.isEarlier ?? false}/${order.scorecard?.id ?? ''}`;
    const known = this.offsets.get(key) ?? this.measure(rows);
    this.offsets.set(key, known);
    const offsets = await known;
    return {
      size: offsets.at(-1) ?? 0,
      bytes: (start, end) => this.bytes(rows, offsets, start, end),
    };
  }

  private async measure(rows: ReportRows): Promise<number[]> {
    const offsets = [0];
    for (let first = 0; first < rows.count; first += rowsPerBlock) {
      this.closing.throwIfAborted();
      offsets.push((offsets.at(-1) ?? 0) + Buffer.byteLength(blockText(rows, first)));
      // The service shares its thread with the extensions of the editor, so it yields after each block.
      await setImmediate();
    }
    return offsets;
  }

  private async *bytes(rows: ReportRows, offsets: number[], start: number, end: number) {
    let block = offsets.findLastIndex((offset) => offset <= start);
    for (; (offsets[block] ?? end) < end; block++) {
      this.closing.throwIfAborted();
      const offset = offsets[block] ?? 0;
      const chunk = Buffer.from(blockText(rows, block * rowsPerBlock));
      yield chunk.subarray(Math.max(0, start - offset), end - offset);
      await setImmediate();
    }
  }
}

function blockText(rows: ReportRows, first: number): string {
  let text = '';
  for (let index = first; index < Math.min(first + rowsPerBlock, rows.count); index++) {
    text += rows.row(index);
  }
  return text;
}

/** Increase it when the rows of a report change, so that no download continues with different bytes. */
const contentVersion = 1;

/** How long a report takes to be generated, in milliseconds. */
export interface GenerationTimes {
  readonly full: number;
  readonly detailed: number;
}

/** The asynchronous reports (spec sections 4.4 and 4.5). */
export class ReportGenerator {
  private readonly files: GeneratedFiles;
  private serial = 0;

  constructor(
    private readonly seed: number,
    private readonly clock: Clock,
    private readonly generation: GenerationTimes,
    closing: AbortSignal,
  ) {
    this.files = new GeneratedFiles(seed, closing);
  }

  /**
   * POST /reports/full-dump and /reports/detailed. Without a body, or without a `scorecard_identifier` in
   * it (at the top or in `params`), the report covers all scorecards.
   */
  async start(kind: ReportOrder['kind'], request: DemoRequest): Promise<DemoResponse> {
    const body = (await readObject(request.message)) ?? {};
    const params = isPlainObject(body.params) ? body.params : {};
    const identifier = body.scorecard_identifier ?? params.scorecard_identifier ?? undefined;
    const order: ReportOrder = {
      kind,
      scorecard: identifier === undefined ? undefined : requireScorecard(this.seed, identifier),
      startedAt: Math.floor(this.clock.now()),
    };
    const id = encodeReportId(this.seed, order, this.serial++);
    return { status: 200, json: record(request, id) };
  }

  /**
   * A full report of all scorecards that was made a week ago and is ready to download, so that there is a
   * report to compare with.
   */
  earlier(): { readonly address: string; readonly madeAt: number } {
    const startedAt = Math.floor(this.clock.now());
    const order: ReportOrder = { kind: 'full', scorecard: undefined, startedAt, isEarlier: true };
    const id = encodeReportId(this.seed, order, this.serial++);
    return { address: `/reports/${id}/download`, madeAt: earlierDay(order) };
  }

  /** GET /reports/{id}/download: the record until the report is generated, then the file. */
  async download(id: string, request: DemoRequest): Promise<DemoResponse> {
    const order = decodeReportId(this.seed, id);
    if (!order) {
      throw new RefusedError(404, 'report not found', { key: 'report_not_found' });
    }
    const leftMs = order.isEarlier
      ? 0
      : order.startedAt + this.generation[order.kind] - this.clock.now();
    if (leftMs > 0) {
      // No Retry-After in the last second: clients must also work without it.
      const advice = leftMs > 1000 ? { 'Retry-After': String(Math.ceil(leftMs / 1000)) } : {};
      return { status: 202, headers: advice, json: record(request, id) };
    }
    const file = await this.files.open(order);
    // The ID, which the seed signs, and the version of the rows determine the whole content.
    const etag = `"${contentVersion}-${id}"`;
    const headers = {
      'Content-Type': order.kind === 'full' ? 'application/x-ndjson' : 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName(order)}"`,
      'Accept-Ranges': 'bytes',
      ETag: etag,
    };
    return fileResponse(file, headers, request);
  }
}

/** The response with a file, or with the part of it that a request asks for. `headers` has its ETag. */
export function fileResponse(
  file: GeneratedFile,
  headers: Readonly<Record<'ETag', string> & Record<string, string>>,
  request: DemoRequest,
): DemoResponse {
  const { ETag: etag } = headers;
  const range = parseRange(request.message.headers, file.size, etag);
  if (range === 'unsatisfiable') {
    throw new RefusedError(416, 'The requested range lies behind the end of the report.', {
      key: 'range_not_satisfiable',
      headers: { 'Content-Range': `bytes */${file.size}`, 'Accept-Ranges': 'bytes', ETag: etag },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.size };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': end - start,
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${file.size}` }),
    },
    bytes: () => file.bytes(start, end),
  };
}

function record({ origin }: DemoRequest, id: string): JsonObject {
  return { report_url: `${origin}/reports/${id}/download`, status: 'processing' };
}

function fileName(order: ReportOrder): string {
  const { kind, scorecard, startedAt } = order;
  const subject = scorecard?.domain ?? 'all-scorecards';
  const day = new Date(order.isEarlier ? earlierDay(order) : startedAt).toISOString().slice(0, 10);
  return `${kind}-report-${subject}-${day}.${kind === 'full' ? 'ndjson' : 'csv'}`;
}
