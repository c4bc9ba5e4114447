import type { Clock } from '../../base/events/clock';
import { scorecardData, type ScorecardData } from '../data/demoData';
import { RefusedError, type DemoRequest, type DemoResponse } from '../http/exchange';
import { pdfDocument } from './pdfDocument';
import { earlierDay, reportLines, type ReportOrder } from '../data/reportLines';
import { setImmediate } from 'node:timers/promises';

const linesPerBlock = 128;

/** Increase it when the lines of a report change, so that no download continues with different bytes. */
const contentVersion = 1;

const weekMs = 7 * 24 * 3_600_000;

const contentTypes: Readonly<Record<ReportOrder['format'], string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
};

/** How long a report takes to be generated, in milliseconds. */
export interface GenerationTimes {
  readonly full: number;
  readonly detailed: number;
}

/** Keeps the list of recent reports while the service is not running. */
export interface RecentReportMemory {
  /** What was written last, which another version may have written. */
  read(): unknown;
  write(ids: readonly string[]): void;
}

/** A report that was requested. */
export interface DemoReport {
  readonly id: string;
  readonly order: ReportOrder;
  /** In milliseconds since the epoch. */
  readonly readyAt: number;
}

/** The reports that were requested. */
export class DemoReports {
  private ids: string[];
  private serial = 0;
  private readonly generating = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly clock: Clock,
    private readonly times: GenerationTimes,
    private readonly closing: AbortSignal,
    private readonly memory: RecentReportMemory | undefined,
  ) {
    const kept = memory?.read();
    this.ids = (Array.isArray(kept) ? kept : []).filter((id) => typeof id === 'string');
  }

  /** Requests a report. @returns its ID */
  start(
    kind: ReportOrder['kind'],
    format: ReportOrder['format'],
    scorecard: ScorecardData | undefined,
  ): string {
    const startedAt = Math.floor(this.clock.now());
    const id = encodeReportId({ kind, format, scorecard, startedAt }, this.serial++);
    this.ids = [...this.recent().map((report) => report.id), id];
    this.memory?.write(this.ids);
    return id;
  }

  /** The reports of the last seven days, the oldest first. */
  recent(): DemoReport[] {
    const oldest = this.clock.now() - weekMs;
    return this.ids
      .flatMap((id) => this.find(id) ?? [])
      .filter(({ order }) => order.startedAt > oldest);
  }

  /** The report with an ID; `undefined` if this service never issued that ID. */
  find(id: string): DemoReport | undefined {
    const order = decodeReportId(id);
    const generationMs =
      order &&
      {
        full: this.times.full,
        issues: this.times.full,
        detailed: this.times.detailed,
        earlier: -Infinity,
      }[order.kind];
    return order && { id, order, readyAt: order.startedAt + (generationMs ?? 0) };
  }

  /** The milliseconds until a report is generated; 0 or less if it is. */
  waitMs({ readyAt }: DemoReport): number {
    return readyAt - this.clock.now();
  }

  /**
   * A full report of all scorecards that was made a week ago and is ready to download, so that there is a
   * report to compare with.
   */
  earlier(): { readonly address: string; readonly madeAt: number } {
    const startedAt = Math.floor(this.clock.now());
    const order = { kind: 'earlier', format: 'ndjson', scorecard: undefined, startedAt } as const;
    const id = encodeReportId(order, this.serial++);
    return { address: `/reports/${id}/download`, madeAt: earlierDay(order) };
  }

  /**
   * The response with the file of a report, or with the rest of it that a request asks for (RFC 9110 section 14):
   * of ranges, only `bytes=N-` is supported.
   */
  async file(report: DemoReport, { message }: DemoRequest): Promise<DemoResponse> {
    const { id, order } = report;
    const bytes = await this.content(report);
    // The ID and the version of the lines determine the whole content.
    const etag = `"${contentVersion}-${id}"`;
    const headers = {
      'Content-Type': contentTypes[order.format],
      'Content-Disposition': `attachment; filename="${fileName(order)}"`,
      'Accept-Ranges': 'bytes',
      ETag: etag,
    };
    const { range = '', 'if-range': ifRange = etag } = message.headers;
    const from = /^bytes=(\d{1,15})-$/i.exec(range)?.[1];
    if (from === undefined || ifRange !== etag) {
      return { status: 200, headers, bytes };
    }
    const start = Number(from);
    const size = bytes.length;
    if (start >= size) {
      throw new RefusedError(416, 'The requested range lies behind the end of the report.', {
        key: 'range_not_satisfiable',
        headers: { 'Content-Range': `bytes */${size}`, ETag: etag },
      });
    }
    return {
      status: 206,
      headers: { ...headers, 'Content-Range': `bytes ${start}-${size - 1}/${size}` },
      bytes: bytes.subarray(start),
    };
  }

  /**
   * The content of a report. Requests for one that is being generated wait for it together: on a busy machine a client
   * gives up and asks again, and would be slowed by what it asked for before.
   */
  private content({ id, order }: DemoReport): Promise<Buffer> {
    const content =
      this.generating.get(id) ??
      createContent(order, this.closing).finally(() => this.generating.delete(id));
    this.generating.set(id, content);
    return content;
  }
}

/** Generates the content of a report. */
export async function createContent(order: ReportOrder, closing: AbortSignal): Promise<Buffer> {
  if (order.format === 'pdf') {
    return pdfDocument(`${order.scorecard?.name ?? ''}: ${order.kind} report`);
  }
  const blocks: Buffer[] = [];
  let lines: string[] = [];
  for (const line of reportLines(order)) {
    lines.push(line);
    if (lines.length === linesPerBlock) {
      blocks.push(Buffer.from(lines.join('')));
      lines = [];
      closing.throwIfAborted();
      // The service shares its thread with the extensions of the editor, so it yields after each block.
      await setImmediate();
    }
  }
  return Buffer.concat([...blocks, Buffer.from(lines.join(''))]);
}

/**
 * The ID of a report contains the whole order. So a service that is started again, on another port or after a
 * window reload, still knows the reports that were requested before.
 *
 * @param serial distinguishes reports that were requested in the same millisecond.
 */
export function encodeReportId(order: ReportOrder, serial: number): string {
  const { kind, format, scorecard, startedAt } = order;
  const subject = scorecard ? scorecardData.indexOf(scorecard) : 'all';
  return [kind, format, subject, startedAt, serial].join('-');
}

/** The order in an ID, or `undefined` if this service never issued that ID. */
export function decodeReportId(id: string): ReportOrder | undefined {
  const found = /^(full|detailed|earlier|issues)-(ndjson|csv|pdf)-(all|\d)-(\d{1,15})-\d+$/.exec(
    id,
  );
  const [, kind, format, subject = '', startedAt] = found ?? [];
  const scorecard = scorecardData[Number(subject)];
  return found && (scorecard || subject === 'all')
    ? ({ kind, format, scorecard, startedAt: Number(startedAt) } as ReportOrder)
    : undefined;
}

function fileName(order: ReportOrder): string {
  const { kind, format, scorecard, startedAt } = order;
  const subject = scorecard?.domain ?? 'all-scorecards';
  const madeAt = kind === 'earlier' ? earlierDay(order) : startedAt;
  const day = new Date(madeAt).toISOString().slice(0, 10);
  return `${kind === 'earlier' ? 'full' : kind}-report-${subject}-${day}.${format}`;
}
