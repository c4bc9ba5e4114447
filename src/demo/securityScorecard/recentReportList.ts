import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/events/clock';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import { findScorecard } from '../demoData';
import {
  badBody,
  readObject,
  RefusedError,
  type DemoRequest,
  type DemoResponse,
} from '../exchange';
import {
  fileResponse,
  GeneratedFiles,
  type GeneratedFile,
  type GenerationTimes,
} from '../reportGenerator';
import { requireFollowed } from './companyData';

/** The kinds of report, by the last part of their path. */
const kinds = {
  issues: { rows: 'issues', type: 'text/csv', formats: ['csv', 'pdf'], members: ['format'] },
  'full-scorecard-json': {
    rows: 'full',
    type: 'application/x-ndjson',
    formats: ['json'],
    members: [],
  },
  detailed: { rows: undefined, type: 'application/pdf', formats: ['pdf'], members: ['branding'] },
} as const;

export type RecentKind = keyof typeof kinds;

export function isRecentKind(text: string): text is RecentKind {
  return Object.hasOwn(kinds, text);
}

export interface RequestedReport {
  readonly id: string;
  readonly kind: RecentKind;
  readonly format: string;
  readonly scorecardId: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly readyAt: number;
}

/** Keeps the list while the service is not running. */
export interface RecentReportMemory {
  /** What was written last, which another version may have written. */
  read(): unknown;
  write(reports: readonly RequestedReport[]): void;
}

const weekMs = 7 * 24 * 3_600_000;

/** The reports that were requested from this service in the last seven days. */
export class RecentReportList {
  private readonly reports: RequestedReport[];
  private readonly files: GeneratedFiles;

  constructor(
    private readonly clock: Clock,
    private readonly generation: GenerationTimes,
    closing: AbortSignal,
    private readonly memory: RecentReportMemory | undefined,
  ) {
    const kept = memory?.read();
    this.reports = (Array.isArray(kept) ? kept : []).filter(isRequestedReport);
    this.files = new GeneratedFiles(closing);
  }

  /** POST of a report: its ID. */
  async start(kind: RecentKind, request: DemoRequest): Promise<DemoResponse> {
    const body = (await readObject(request.message)) ?? {};
    const { members, formats } = kinds[kind];
    const order: Record<string, unknown> =
      kind === 'full-scorecard-json' ? objectIn(body, 'params') : body;
    const unknown = Object.keys(order).filter(
      (name) => name !== 'scorecard_identifier' && !members.some((member) => member === name),
    );
    if (unknown.length > 0) {
      throw badBody(`must not have ${unknown.join(', ')}`);
    }
    if (typeof order.scorecard_identifier !== 'string') {
      throw badBody('must have a scorecard_identifier');
    }
    const format = order.format ?? formats[0];
    if (typeof format !== 'string' || !formats.some((each) => each === format)) {
      throw badBody(`format must be ${formats.join(' or ')}`);
    }
    const startedAt = Math.floor(this.clock.now());
    const id = randomUUID();
    this.reports.push({
      id,
      kind,
      format,
      scorecardId: requireFollowed(order.scorecard_identifier).id,
      startedAt,
      readyAt: startedAt + this.generation[kind === 'detailed' ? 'detailed' : 'full'],
    });
    this.memory?.write(this.recent());
    return { status: 200, json: { id } };
  }

  /** GET /reports/recent, the newest first. */
  list({ origin }: DemoRequest): DemoResponse {
    const now = this.clock.now();
    const entries = this.recent()
      .reverse()
      .map((report) => ({
        id: report.id,
        title: `${findScorecard(report.scorecardId)?.name ?? ''} ${report.kind} report`,
        format: report.format,
        report_type: report.kind,
        created_at: new Date(report.startedAt).toISOString(),
        ...(now >= report.readyAt && {
          completed_at: new Date(report.readyAt).toISOString(),
          download_url: `${origin}/reports/files/${report.id}`,
        }),
      }));
    return { status: 200, json: { entries } };
  }

  private recent(): RequestedReport[] {
    const now = this.clock.now();
    return this.reports.filter(({ startedAt }) => now - startedAt < weekMs);
  }

  /** GET of a file: first a redirect, as the reference says that it may, then the file. */
  async file(id: string, name: string | undefined, request: DemoRequest): Promise<DemoResponse> {
    const report = this.reports.find((each) => each.id === id);
    if (!report || this.clock.now() < report.readyAt) {
      throw new RefusedError(404, 'report not found', { key: 'report_not_found' });
    }
    if (name === undefined) {
      const location = `${request.origin}/reports/files/${id}/export`;
      return { status: 302, headers: { Location: location }, json: null };
    }
    const { rows, type } = kinds[report.kind];
    const { scorecardId, startedAt } = report;
    const scorecard = requireFollowed(scorecardId);
    const file =
      rows === undefined || report.format === 'pdf'
        ? document(`${scorecard.name}: ${report.kind} report`)
        : await this.files.open({ kind: rows, scorecard, startedAt });
    const ending = report.format === 'json' ? 'ndjson' : report.format;
    return fileResponse(
      file,
      {
        'Content-Type': report.format === 'pdf' ? 'application/pdf' : type,
        'Content-Disposition': `attachment; filename="${scorecard.domain}-${report.kind}.${ending}"`,
        'Accept-Ranges': 'bytes',
        ETag: `"${id}"`,
      },
      request,
    );
  }
}

function isRequestedReport(value: unknown): value is RequestedReport {
  const { id, kind, format, scorecardId, startedAt, readyAt } = isPlainObject(value) ? value : {};
  return (
    [id, format].every((text) => typeof text === 'string') &&
    typeof kind === 'string' &&
    isRecentKind(kind) &&
    typeof scorecardId === 'string' &&
    findScorecard(scorecardId) !== undefined &&
    typeof startedAt === 'number' &&
    typeof readyAt === 'number'
  );
}

function objectIn(body: JsonObject, name: string): Record<string, unknown> {
  const value = body[name];
  if (!isPlainObject(value)) {
    throw badBody(`must have the object ${name}`);
  }
  return value;
}

/** A PDF with one line of text. */
function document(line: string): GeneratedFile {
  const text = `BT /F1 18 Tf 72 720 Td (${line.replace(/[()\\]/g, '')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = pdf.length;
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  const bytes = Buffer.from(pdf, 'latin1');
  return {
    size: bytes.length,
    bytes: async function* (start) {
      yield await Promise.resolve(bytes.subarray(start));
    },
  };
}
