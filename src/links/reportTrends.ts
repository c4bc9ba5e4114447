import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as v from 'valibot';
import type { Logger } from '../base/logger';
import type { KnownFinding, SincePrevious } from '../engine';
import type { Trend } from '../commands';
import { localDisk } from '../files/disk';
import { writeWhole } from '../files/wholeFile';
import type { ReportStore } from '../service/reports/reportStore';
import { madeAt, type StoredReport } from '../service/reports/storedReport';
import { countChanges } from '../summary/changeCounts';
import { noSeverities, type TrendPoint } from '../summary/trend';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import { storedFileUri } from '../workbench/storedFiles';
import { countOpen, type OpenCounts, type ReportCounts } from './openCounts';

/** The most reports of a trend: the newest ones. */
const maxReports = 100;

/** The file in the folder of a report with what was counted in it. */
const countsName = 'counts.json';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const openCounts = v.object({
  open: count,
  severity: v.object({ critical: count, high: count, medium: count, low: count, info: count }),
});
const storedCounts = v.object({
  version: v.literal(1),
  /** What tells the file that was counted from another one, and which findings were known then. */
  of: v.string(),
  known: v.string(),
  counts: v.object({
    ...openCounts.entries,
    scorecards: v.exactOptional(v.record(v.string(), openCounts)),
  }),
  /** Compared with the report before, which `since` tells from another one. */
  changes: v.exactOptional(v.object({ since: v.string(), new: count, gone: count })),
});

type StoredCounts = v.InferOutput<typeof storedCounts>;

interface ReportTrendsDeps {
  readonly store: Pick<ReportStore, 'folderOf'>;
  readonly editor: Pick<TableEditor, 'withTable'>;
  readonly findChanges: (
    report: StoredReport,
    previous: StoredReport,
  ) => Promise<SincePrevious | undefined>;
  readonly knownFindings: () => Promise<readonly KnownFinding[]>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * How the findings of reports develop. What is counted in a report is kept in its folder, so that it is read once. Only
 * the newest report is counted again when other findings are known: what was told of a day stays as it was told.
 */
export class ReportTrends {
  constructor(private readonly deps: ReportTrendsDeps) {}

  /**
   * The points of reports, the oldest first; without those whose file is missing or cannot be counted.
   * @param reports of the same kind, account and scope.
   * @param scorecardId counts the findings of this scorecard alone. Then nothing is known of changes.
   */
  async readPoints(
    reports: readonly StoredReport[],
    {
      scorecardId,
      signal,
      onProgress,
    }: {
      readonly scorecardId?: string | undefined;
      readonly signal?: AbortSignal;
      readonly onProgress?: (done: number, total: number) => void;
    } = {},
  ): Promise<TrendPoint[]> {
    const ordered = reports
      .toSorted((one, other) => madeAt(one) - madeAt(other))
      .slice(-maxReports);
    const known = hash(JSON.stringify(await this.deps.knownFindings()));
    const points: TrendPoint[] = [];
    let previous: StoredReport | undefined;
    for (const [index, report] of ordered.entries()) {
      signal?.throwIfAborted();
      onProgress?.(index, ordered.length);
      const isLatest = index === ordered.length - 1;
      const stored = await this.find(report, previous, { known, isLatest });
      if (stored) {
        points.push(...toPoint(report, stored, scorecardId));
        previous = report;
      }
    }
    return points;
  }

  /** The points of reports that were counted before, in the same order. */
  async readKept(reports: readonly StoredReport[]): Promise<TrendPoint[]> {
    const kept = await Promise.all(
      reports.map(async (report) => {
        const counts = await this.read(report);
        const of = await stamp(report).catch(() => undefined);
        return counts && counts.of === of ? toPoint(report, counts, undefined) : [];
      }),
    );
    return kept.flat();
  }

  /** What is known of a report. `undefined` if it cannot be counted: a missing file must not hide the others. */
  private async find(
    report: StoredReport,
    previous: StoredReport | undefined,
    { known, isLatest }: { readonly known: string; readonly isLatest: boolean },
  ): Promise<StoredCounts | undefined> {
    try {
      const [of, since] = await Promise.all([stamp(report), previous && stamp(previous)]);
      const kept = await this.read(report);
      const isCurrent = kept?.of === of && (!isLatest || kept.known === known);
      if (isCurrent && kept.changes?.since === since) {
        return kept;
      }
      const counts = isCurrent ? kept.counts : await this.count(report);
      const changes = previous && (await this.deps.findChanges(report, previous));
      const { new: added = 0, gone = 0 } = changes ? countChanges(changes) : {};
      const stored: StoredCounts = {
        version: 1,
        of,
        known,
        counts,
        ...(changes && since !== undefined && { changes: { since, new: added, gone } }),
      };
      await this.write(report, stored);
      return stored;
    } catch (error) {
      this.deps.log.warn(`A report could not be counted for the trend: ${String(error)}`);
      return undefined;
    }
  }

  private count(report: StoredReport): Promise<ReportCounts> {
    return this.deps.editor.withTable(storedFileUri(report.path ?? ''), (document) =>
      document.forProgram(countOpen),
    );
  }

  private async read(report: StoredReport): Promise<StoredCounts | undefined> {
    try {
      const parsed = v.safeParse(
        storedCounts,
        JSON.parse(await fs.readFile(this.fileOf(report), 'utf8')),
      );
      return parsed.success ? parsed.output : undefined;
    } catch {
      return undefined;
    }
  }

  private async write(report: StoredReport, counts: StoredCounts): Promise<void> {
    const target = { path: this.fileOf(report), replace: true };
    // It is counted again where nothing can be kept.
    await writeWhole(localDisk, target, (put) => put(JSON.stringify(counts))).catch(
      () => undefined,
    );
  }

  private fileOf({ id }: StoredReport): string {
    return path.join(this.deps.store.folderOf(id), countsName);
  }
}

/** The points as programs read them. */
export function describeTrend(points: readonly TrendPoint[]): Trend {
  return {
    points: points.map(({ at, source: _, ...point }) => ({
      date: new Date(at).toISOString(),
      ...point,
    })),
  };
}

async function stamp({ id, path: file = '' }: StoredReport): Promise<string> {
  const { size, mtimeMs } = await fs.stat(file);
  return `${id} ${size} ${mtimeMs}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function toPoint(
  report: StoredReport,
  { counts, changes }: StoredCounts,
  scorecardId: string | undefined,
): TrendPoint[] {
  const at = { at: madeAt(report), source: report.id };
  if (scorecardId === undefined || report.scorecardId === scorecardId) {
    const { open, severity } = counts;
    return [{ ...at, open, severity, ...(changes && { new: changes.new, gone: changes.gone }) }];
  }
  const of: OpenCounts | undefined = counts.scorecards?.[scorecardId.toLowerCase()];
  // A report without names of scorecards may be about any.
  return counts.scorecards ? [{ ...at, ...(of ?? { open: 0, severity: noSeverities }) }] : [];
}
