import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../../../src/api/client';
import type { FindingsPage } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import {
  Exporter,
  type ExporterDeps,
  type ExportJob,
} from '../../../../src/service/export/exporter';
import type { ExportFormat } from '../../../../src/base/exportFormats';
import type { ExportQuery } from '../../../../src/service/export/spool';
import { Gate, scorecardId } from '../findings/support';

export const pageSize = 10;

/** A list that is served page by page, with the offsets that were requested. */
export class ServedList implements Pick<Api, 'findingsPage'> {
  readonly offsets: number[] = [];
  /** Called before a page is served; may fail it. */
  before: (offset: number) => void | Promise<void> = () => undefined;
  /** The total that the service states, if it is not the number of entries. */
  total: ((offset: number) => number | undefined) | undefined;

  constructor(public entries: readonly JsonObject[]) {}

  /** Blocks its pages until the gate opens; `reached` resolves when the first one is requested. */
  blockPages(): { gate: Gate; reached: Promise<void> } {
    const gate = new Gate();
    const reached = new Gate();
    this.before = () => {
      reached.open();
      return gate.promise;
    };
    return { gate, reached: reached.promise };
  }

  async findingsPage(query: { offset: number; limit: number }): Promise<FindingsPage> {
    const { offset, limit } = query;
    this.offsets.push(offset);
    await this.before(offset);
    const totalCount = this.total ? this.total(offset) : this.entries.length;
    return {
      entries: this.entries.slice(offset, offset + limit),
      ...(totalCount === undefined ? {} : { totalCount }),
      hasMore: offset + limit < this.entries.length,
      offset,
      limit,
    };
  }
}

/** A number of findings with different ids. */
export function numbered(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ issue_id: `id-${index}`, port: index }));
}

/** A folder of one test, and exports into it. */
export class ExportFolder {
  readonly folder = mkdtempSync(join(tmpdir(), 'export-'));
  readonly path = join(this.folder, 'findings.csv');
  readonly part = `${this.path}.part`;

  files(): string[] {
    return readdirSync(this.folder).sort();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  job(
    api: Pick<Api, 'findingsPage'>,
    changes: Partial<Omit<ExportJob, 'query'>> & {
      query?: Partial<ExportQuery>;
      format?: ExportFormat;
    } = {},
  ): ExportJob {
    const { query, format = 'ndjson', ...rest } = changes;
    return {
      api,
      pageSize,
      target: { path: this.path, format, replace: false },
      ...rest,
      query: {
        accountId: 'https://api.example.com',
        scorecardId,
        issueType: 'open_port',
        body: {},
        secretValues: 'masked',
        ...query,
      },
    };
  }

  export(job: ExportJob, deps: ExporterDeps = {}) {
    return new Exporter(deps).exportAll(job);
  }
}

/** Findings as the lines of an NDJSON file. */
export function ndjson(entries: readonly JsonObject[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
