import type { Clock } from '../base/events/clock';
import { isPlainObject, type JsonObject } from '../base/json/json';
import { requireScorecard } from './access';
import { readObject, RefusedError, type DemoResponse, type DemoRequest } from './exchange';
import {
  decodeReportId,
  encodeReportId,
  type ReportOrder,
  earlierDay,
  reportRows,
  type ReportRows,
} from './reportRows';
import { setImmediate } from 'node:timers/promises';

const rowsPerBlock = 128;

/** A finished report. Its size is known; its bytes are generated when they are sent. */
export interface GeneratedFile {
  readonly size: number;
  /** Generates the bytes from `start` on, as fast as they are consumed. */
  bytes(start: number): AsyncIterable<Buffer>;
}

/**
 * Generates report files without keeping one in memory. The offset of every block of rows is measured once
 * per kind and scorecard: the length of a row does not depend on the date, because all times have a fixed
 * width. With these offsets, a download knows its Content-Length and can start anywhere.
 */
export class GeneratedFiles {
  private readonly offsets = new Map<string, Promise<number[]>>();

  constructor(private readonly closing: AbortSignal) {}

  async open(order: ReportOrder): Promise<GeneratedFile> {
    const rows = reportRows(order);
    const key = `${order.kind}/${order.scorecard?.id ?? ''}`;
    const known = this.offsets.get(key) ?? this.measure(rows);
    this.offsets.set(key, known);
    const offsets = await known;
    return {
      size: offsets.at(-1) ?? 0,
      bytes: (start) => this.bytes(rows, offsets, start),
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

  private async *bytes(rows: ReportRows, offsets: number[], start: number) {
    let block = offsets.findLastIndex((offset) => offset <= start);
    for (; block < offsets.length - 1; block++) {
      this.closing.throwIfAborted();
      const chunk = Buffer.from(blockText(rows, block * rowsPerBlock));
      yield chunk.subarray(Math.max(0, start - (offsets[block] ?? 0)));
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
    private readonly clock: Clock,
    private readonly generation: GenerationTimes,
    closing: AbortSignal,
  ) {
    this.files = new GeneratedFiles(closing);
  }

  /**
   * POST /reports/full-dump and /reports/detailed. Without a body, or without a `scorecard_identifier` in
   * it (at the top or in `params`), the report covers all scorecards.
   */
  async start(kind: keyof GenerationTimes, request: DemoRequest): Promise<DemoResponse> {
    const body = (await readObject(request.message)) ?? {};
    const params = isPlainObject(body.params) ? body.params : {};
    const identifier = body.scorecard_identifier ?? params.scorecard_identifier ?? undefined;
    const order: ReportOrder = {
      kind,
      scorecard: identifier === undefined ? undefined : requireScorecard(identifier),
      startedAt: Math.floor(this.clock.now()),
    };
    const id = encodeReportId(order, this.serial++);
    return { status: 200, json: record(request, id) };
  }

  /**
   * A full report of all scorecards that was made a week ago and is ready to download, so that there is a
   * report to compare with.
   */
  earlier(): { readonly address: string; readonly madeAt: number } {
    const startedAt = Math.floor(this.clock.now());
    const order: ReportOrder = { kind: 'earlier', scorecard: undefined, startedAt };
    const id = encodeReportId(order, this.serial++);
    return { address: `/reports/${id}/download`, madeAt: earlierDay(order) };
  }

  /** GET /reports/{id}/download: the record until the report is generated, then the file. */
  async download(id: string, request: DemoRequest): Promise<DemoResponse> {
    const order = decodeReportId(id);
    if (!order) {
      throw new RefusedError(404, 'report not found', { key: 'report_not_found' });
    }
    const { full, detailed } = this.generation;
    const generationMs = { full, detailed, earlier: -Infinity, issues: 0 }[order.kind];
    const leftMs = order.startedAt + generationMs - this.clock.now();
    if (leftMs > 0) {
      // No Retry-After in the last second: clients must also work without it.
      const advice = leftMs > 1000 ? { 'Retry-After': String(Math.ceil(leftMs / 1000)) } : {};
      return { status: 202, headers: advice, json: record(request, id) };
    }
    const file = await this.files.open(order);
    // The ID and the version of the rows determine the whole content.
    const etag = `"${contentVersion}-${id}"`;
    const headers = {
      'Content-Type':
        order.kind === 'detailed' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="${fileName(order)}"`,
      'Accept-Ranges': 'bytes',
      ETag: etag,
    };
    return fileResponse(file, headers, request);
  }
}

/**
 * The response with a file, or with the rest of it that a request asks for (RFC 9110 section 14): of ranges, only
 * `bytes=N-` is supported. `headers` has its ETag.
 */
export function fileResponse(
  file: GeneratedFile,
  headers: Readonly<Record<'ETag', string> & Record<string, string>>,
  { message }: DemoRequest,
): DemoResponse {
  const { size } = file;
  const { range = '', 'if-range': ifRange = headers.ETag } = message.headers;
  const from = /^bytes=(\d{1,15})-$/i.exec(range)?.[1];
  if (from === undefined || ifRange !== headers.ETag) {
    const whole = { ...headers, 'Content-Length': size };
    return { status: 200, headers: whole, bytes: () => file.bytes(0) };
  }
  const start = Number(from);
  if (start >= size) {
    throw new RefusedError(416, 'The requested range lies behind the end of the report.', {
      key: 'range_not_satisfiable',
      headers: { 'Content-Range': `bytes */${size}`, ETag: headers.ETag },
    });
  }
  return {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': size - start,
      'Content-Range': `bytes ${start}-${size - 1}/${size}`,
    },
    bytes: () => file.bytes(start),
  };
}

function record({ origin }: DemoRequest, id: string): JsonObject {
  return { report_url: `${origin}/reports/${id}/download`, status: 'processing' };
}

function fileName(order: ReportOrder): string {
  const { kind, scorecard, startedAt } = order;
  const subject = scorecard?.domain ?? 'all-scorecards';
  const madeAt = kind === 'earlier' ? earlierDay(order) : startedAt;
  const day = new Date(madeAt).toISOString().slice(0, 10);
  return kind === 'detailed'
    ? `detailed-report-${subject}-${day}.csv`
    : `full-report-${subject}-${day}.ndjson`;
}
