import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as v from 'valibot';
import { defined } from '../base/defined';
import { SerialQueue } from '../base/events/serialQueue';
import type { Logger } from '../base/logger';
import type { KnownFinding, SincePrevious, TableHandle } from '../engine';
import type { Trend } from '../commands';
import { localDisk } from '../files/disk';
import { writeWhole } from '../files/wholeFile';
import type { ReportStore } from '../service/reports/reportStore';
import { isSameRequest, madeAt, type StoredReport } from '../service/reports/storedReport';
import { countChanges } from '../summary/changeCounts';
import { noSeverities, type TrendPoint } from '../summary/trend';
import { countOpen, countScorecard, type OpenCounts, type ReportCounts } from './openCounts';

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
    isPartial: v.exactOptional(v.literal(true)),
  }),
  /** Compared with the report before, which `since` tells from another one, without the findings that were known. */
  changes: v.exactOptional(
    v.object({
      since: v.string(),
      known: v.string(),
      new: count,
      gone: count,
      /** Absent in what an earlier version has kept. */
      closed: v.exactOptional(count),
    }),
  ),
});

type StoredCounts = v.InferOutput<typeof storedCounts>;
type StoredChanges = NonNullable<StoredCounts['changes']>;

/** What the points of reports are read for. */
export interface TrendOptions {
  /** Aborts between two reports. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What decides which of the kept counts of a report hold. */
interface Wanted {
  /** Tells which findings are known now. */
  readonly known: string;
  /** The newest report is counted by the findings that are known now. */
  readonly isNewest: boolean;
  readonly scorecardId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

interface ReportTrendsDeps {
  readonly store: Pick<ReportStore, 'folderOf'>;
  /** Works with the file of a report as a table. Its rejection leaves the report out. */
  readonly withTable: <T>(
    report: StoredReport,
    work: (table: TableHandle) => Promise<T>,
  ) => Promise<T>;
  /** @throws when the signal is aborted; a window leaves the signal out, because its comparisons are shared */
  readonly findChanges: (
    report: StoredReport,
    previous: StoredReport,
    signal: AbortSignal | undefined,
  ) => Promise<SincePrevious | undefined>;
  readonly knownFindings: () => Promise<readonly KnownFinding[]>;
  readonly log: Pick<Logger, 'warn'>;
  /** Whether what is counted is kept in memory alone. */
  readonly isReadOnly?: true;
}

/**
 * How the findings of reports develop. What is counted in a report is kept in its folder, so that it is read once. Only
 * the newest report is counted again when other findings are known: what was told of a day stays as it was told.
 */
export class ReportTrends {
  /** Pairs of files that could not be compared. Not kept in a folder: the next window may have more luck. */
  private readonly incomparable = new Set<string>();
  /** By report: what was counted, if nothing is written. */
  private readonly inMemory = new Map<string, StoredCounts>();
  /** By report: two that read what is kept at the same time would write over each other. */
  private readonly queues = new Map<string, SerialQueue>();

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
    }: TrendOptions & { readonly scorecardId?: string | undefined } = {},
  ): Promise<TrendPoint[]> {
    const ordered = reports
      .toSorted((one, other) => madeAt(one) - madeAt(other))
      .slice(-maxReports);
    const known = await this.knownNow();
    const points: TrendPoint[] = [];
    let previous: StoredReport | undefined;
    for (const [index, report] of ordered.entries()) {
      signal?.throwIfAborted();
      onProgress?.(index, ordered.length);
      const isNewest = index === ordered.length - 1;
      const before = previous;
      const stored = await this.queueOf(report).run(() =>
        this.find(report, before, { known, isNewest, scorecardId, signal }),
      );
      if (stored) {
        points.push(...toPoint(report, stored, scorecardId));
        previous = report;
      }
    }
    signal?.throwIfAborted();
    return points;
  }

  /**
   * The points of two reports as they were counted before.
   * @param isNewest whether no report is newer than the second one: then it must have been counted by what is known now.
   * @returns `undefined` if one of them was not.
   */
  async readKept(
    [before, report]: readonly [before: StoredReport, report: StoredReport],
    { isNewest }: { readonly isNewest: boolean },
  ): Promise<readonly [before: TrendPoint, point: TrendPoint] | undefined> {
    const [older, newer] = await Promise.all([this.findKept(before), this.findKept(report)]);
    if (!older || !newer || (isNewest && newer.known !== (await this.knownNow()))) {
      return undefined;
    }
    const [first] = toPoint(before, older, undefined);
    const [second] = toPoint(report, newer, undefined);
    return first && second && [first, second];
  }

  private queueOf({ id }: StoredReport): SerialQueue {
    const queue = this.queues.get(id) ?? new SerialQueue();
    this.queues.set(id, queue);
    return queue;
  }

  private async knownNow(): Promise<string> {
    return hash(JSON.stringify(await this.deps.knownFindings()));
  }

  private async findKept(report: StoredReport): Promise<StoredCounts | undefined> {
    const kept = await this.read(report);
    const of = kept && (await stamp(report).catch(() => undefined));
    return kept?.of === of ? kept : undefined;
  }

  /** What is known of a report. `undefined` if it cannot be counted: a missing file must not hide the others. */
  private async find(
    report: StoredReport,
    previous: StoredReport | undefined,
    wanted: Wanted,
  ): Promise<StoredCounts | undefined> {
    const { known, isNewest, scorecardId } = wanted;
    try {
      const of = await stamp(report);
      const read = await this.read(report);
      const kept = read?.of === of ? read : undefined;
      // What was counted by other known findings says so, also where it is only completed.
      const isCurrent = kept !== undefined && (!isNewest || kept.known === known);
      const counted: StoredCounts = isCurrent
        ? kept
        : { version: 1, of, known, counts: await this.count(report) };
      const counts = await this.completeCounts(report, counted.counts, scorecardId);
      // What came and went is not known of one scorecard of several, nor where another body asked for other findings.
      const isAsked = scorecardId === undefined || report.scorecardId === scorecardId;
      const changes =
        previous && isAsked && isSameRequest(report, previous)
          ? await this.findChanges(report, previous, { of, kept: kept?.changes, wanted })
          : undefined;
      const keptChanges = changes ?? kept?.changes;
      if (!isCurrent || counts !== kept.counts || keptChanges !== kept.changes) {
        const stored = { ...counted, counts, ...(keptChanges && { changes: keptChanges }) };
        await this.write(report, stored);
      }
      const { changes: _, ...rest } = counted;
      return { ...rest, counts, ...(changes && { changes }) };
    } catch (error) {
      this.deps.log.warn(`A report could not be counted for the trend: ${String(error)}`);
      return undefined;
    }
  }

  /** Counts a scorecard that is left out of the counts of a report, as there are so many. */
  private async completeCounts(
    report: StoredReport,
    counts: ReportCounts,
    scorecardId: string | undefined,
  ): Promise<ReportCounts> {
    const id = scorecardId?.toLowerCase();
    if (id === undefined || counts.isPartial !== true || counts.scorecards?.[id]) {
      return counts;
    }
    const own = await this.deps.withTable(report, (table) => countScorecard(table, id));
    return { ...counts, scorecards: { ...counts.scorecards, [id]: own } };
  }

  /** How a report differs from the one before. `undefined` if they cannot be compared. */
  private async findChanges(
    report: StoredReport,
    previous: StoredReport,
    {
      of,
      kept,
      wanted: { known, isNewest, signal },
    }: {
      readonly of: string;
      readonly kept: StoredChanges | undefined;
      readonly wanted: Wanted;
    },
  ): Promise<StoredChanges | undefined> {
    const since = await stamp(previous);
    const isComplete = kept?.since === since && kept.closed !== undefined;
    if (isComplete && (!isNewest || kept.known === known)) {
      return kept;
    }
    const pair = hash(`${of} ${since}`);
    const changes = this.incomparable.has(pair)
      ? undefined
      : await this.deps.findChanges(report, previous, signal);
    if (!changes) {
      this.incomparable.add(pair);
      return undefined;
    }
    const { new: added, gone, closed } = countChanges(changes);
    return { since, known, new: added, gone, closed };
  }

  private count(report: StoredReport): Promise<ReportCounts> {
    return this.deps.withTable(report, countOpen);
  }

  private async read(report: StoredReport): Promise<StoredCounts | undefined> {
    const counted = this.inMemory.get(report.id);
    if (counted) {
      return counted;
    }
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
    if (this.deps.isReadOnly) {
      this.inMemory.set(report.id, counts);
      return;
    }
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
    points: points.map(({ at, source: _, marks = [], ...point }) => ({
      date: new Date(at).toISOString(),
      ...point,
      // A breach is said rather than that the service counts in another way.
      ...(marks.length > 0 && { mark: marks.includes('breach') ? 'breach' : 'recalibration' }),
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
    const { new: added, gone, closed = 0 } = changes ?? {};
    const changed = defined({ new: added, gone });
    return [{ ...at, open, severity, ...changed, ...(closed > 0 && { closed }) }];
  }
  // A report without names of scorecards may be about any.
  if (!counts.scorecards) {
    return [];
  }
  const of: OpenCounts | undefined = counts.scorecards[scorecardId.toLowerCase()];
  return [{ ...at, ...(of ?? { open: 0, severity: noSeverities }) }];
}
