import { stat } from 'node:fs/promises';
import type { SerialQueue } from '../../../base/events/serialQueue';
import { systemClock } from '../../../base/events/clock';
import { changesSince, runComparison, type SincePrevious } from '../../../engine';
import { unpackedBytes } from '../../../files/packedSize';
import { madeAt, reportsLike, type StoredReport } from '../../../service/reports/storedReport';
import { pageTexts } from '../../../summary/pageTexts';
import { Texts } from '../../../summary/texts';
import type { TrendPoint } from '../../../summary/trend';
import { trendFacts } from '../../../summary/trendModel';
import { countOpen } from '../../openCounts';
import { maxAutomaticBytes } from '../../../viewer/compare/automaticComparison';
import { describeTrend, ReportTrends } from '../../reportTrends';
import { namesFile } from '../answers/findTableFile';
import type { AskedFile, AgentFiles } from './agentFiles';

/** The texts of summaries: an agent reads English. */
export const englishTexts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);

/** How findings develop, from what windows have counted and from the files. What is counted here is kept in memory. */
export class LocalTrends {
  private readonly trends: ReportTrends;

  /** @param comparisons runs one at a time. */
  constructor(
    private readonly files: AgentFiles,
    private readonly comparisons: SerialQueue,
  ) {
    const { store, log } = files;
    this.trends = new ReportTrends({
      store,
      log,
      isReadOnly: true,
      withTable: async ({ id }, work) => files.withTable(await files.find(id), undefined, work),
      findChanges: (report, previous, signal) => this.compare(previous, report, signal),
      knownFindings: async () => (await files.readKnown()).findings,
    });
  }

  /** The trend of a report or a file, as an agent names it. @throws as `AgentFiles.find` does, and TableError */
  async read(name: string, signal: AbortSignal): Promise<unknown> {
    const asked = await this.files.find(name);
    const points = namesFile(name)
      ? await this.pointsOfFile(asked)
      : // They may have to be compared, which needs much memory.
        await this.comparisons.run(() => this.pointsOfReport(name, signal));
    const time = { now: systemClock.now(), days: 'local' } as const;
    return { summary: trendFacts(points, englishTexts, time), ...describeTrend(points) };
  }

  private pointsOfReport(id: string, signal: AbortSignal): Promise<TrendPoint[]> {
    const all = this.files.reports();
    const asked = all.filter((report) => report.id === id);
    const like = asked.flatMap((report) => [report, ...reportsLike(report, all)]);
    return this.trends.readPoints(like, { signal });
  }

  /** What the file contained whenever a window has opened it, and what it contains now. */
  private async pointsOfFile(asked: AskedFile): Promise<TrendPoint[]> {
    const { file } = asked;
    const { mtimeMs } = await stat(file);
    const { list, counts } = await this.files.withTable(asked, undefined, async (table) => {
      const { open, severity } = await countOpen(table);
      return { list: table.info.list, counts: { open, severity } };
    });
    const { states } = this.files;
    const points = await states.readPoints({ file, list });
    if (await states.isKept({ file, list })) {
      return points;
    }
    // An older file may have taken the place of a newer one.
    const isOlder = points.some(({ at }) => at >= mtimeMs);
    return [...points, { at: isOlder ? systemClock.now() : mtimeMs, ...counts }];
  }

  private async compare(
    previous: StoredReport,
    report: StoredReport,
    signal: AbortSignal | undefined,
  ): Promise<SincePrevious | undefined> {
    const { files } = this;
    const older = await files.find(previous.id);
    const newer = await files.find(report.id);
    return files.inFolder((cacheFolder) =>
      files.withUnpacked(older, (before) =>
        files.withUnpacked(newer, async (after) => {
          const [{ size: first }, { size: second }] = [await stat(before), await stat(after)];
          if (unpackedBytes(before, first) + unpackedBytes(after, second) > maxAutomaticBytes) {
            return undefined;
          }
          const { findings: known } = await files.readKnown();
          const request = { before, after, known, cacheFolder };
          const options = signal ? { signal } : {};
          const comparing = runComparison(files.script, request, options);
          const compared = await comparing.catch((error: unknown) => {
            signal?.throwIfAborted();
            files.log.warn(`Two reports could not be compared: ${String(error)}`);
            return undefined;
          });
          return compared && changesSince(compared, madeAt(previous));
        }),
      ),
    );
  }
}
