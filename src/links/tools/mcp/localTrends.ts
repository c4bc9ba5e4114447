import { stat } from 'node:fs/promises';
import { systemClock } from '../../../base/events/clock';
import { changesSince, runComparison, type SincePrevious } from '../../../engine';
import { madeAt, reportsLike, type StoredReport } from '../../../service/reports/storedReport';
import { pageTexts } from '../../../summary/pageTexts';
import { Texts } from '../../../summary/texts';
import type { TrendPoint } from '../../../summary/trend';
import { trendFacts } from '../../../summary/trendModel';
import { countOpen } from '../../openCounts';
import { describeTrend, ReportTrends } from '../../reportTrends';
import { namesFile } from '../answers/findTableFile';
import type { AskedFile, LocalFiles } from './localFiles';

/** Reports that are larger together, in bytes and unpacked, are not compared for a trend. */
const maxComparedBytes = 1024 ** 3;

/** How findings develop, from what windows have counted and from the files. Nothing is kept. */
export class LocalTrends {
  private readonly trends: ReportTrends;
  private readonly texts = new Texts(
    Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
    'en',
  );

  constructor(private readonly files: LocalFiles) {
    const { store, log } = files;
    this.trends = new ReportTrends({
      store,
      log,
      isReadOnly: true,
      withTable: async ({ id }, work) => files.withTable(await files.find(id), undefined, work),
      findChanges: (report, previous) => this.compare(previous, report),
      knownFindings: async () => (await files.readKnown()).findings,
    });
  }

  /** The trend of a report or a file, as an agent names it. @throws as `LocalFiles.find` does, and TableError */
  async read(name: string, signal: AbortSignal): Promise<unknown> {
    const asked = await this.files.find(name);
    const points = namesFile(name)
      ? await this.pointsOfFile(asked)
      : await this.pointsOfReport(name, signal);
    const time = { now: systemClock.now(), days: 'local' } as const;
    return { summary: trendFacts(points, this.texts, time), ...describeTrend(points) };
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
    const { mtimeMs: at } = await stat(file);
    const now = await this.files.withTable(asked, undefined, async (table) => {
      const { open, severity } = await countOpen(table);
      return { list: table.info.list, point: { at, open, severity } };
    });
    const points = await this.files.states.readPoints({ file, list: now.list });
    const last = points.at(-1);
    return last !== undefined && last.at >= at ? points : [...points, now.point];
  }

  private async compare(
    previous: StoredReport,
    report: StoredReport,
  ): Promise<SincePrevious | undefined> {
    const { files } = this;
    const older = await files.find(previous.id);
    const newer = await files.find(report.id);
    return files.inFolder((cacheFolder) =>
      files.withUnpacked(older, (before) =>
        files.withUnpacked(newer, async (after) => {
          const [{ size: first }, { size: second }] = [await stat(before), await stat(after)];
          if (first + second > maxComparedBytes) {
            return undefined;
          }
          const { findings: known } = await files.readKnown();
          const request = { before, after, known, cacheFolder };
          const compared = await runComparison(files.script, request).catch((error: unknown) => {
            files.log.warn(`Two reports could not be compared: ${String(error)}`);
            return undefined;
          });
          return compared && changesSince(compared, madeAt(previous));
        }),
      ),
    );
  }
}
