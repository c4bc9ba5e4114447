import type { Disposable } from '../base/events/disposable';
import { Emitter } from '../base/events/emitter';
import type { Logger } from '../base/logger';
import type { Reports } from '../service/reports/reports';
import { hasAllFindings, previousReport, type StoredReport } from '../service/reports/storedReport';
import type { ReportRemarks } from '../service/reports/ui/reportsView';
import type { ReportTrends } from './reportTrends';

/** Reports of more bytes are counted only when a trend is asked for. */
const maxBytes = 256 * 1024 ** 2;

interface TrendRemarksDeps {
  readonly reports: Pick<Reports, 'all' | 'onDidEnd'>;
  readonly trends: () => Promise<ReportTrends>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Says in the row of a report how its worst findings differ from last time. A report is counted when it has ended in
 * this window; of others, only what was counted before is read.
 */
export class TrendRemarks implements ReportRemarks, Disposable {
  private readonly changed = new Emitter<void>();
  private readonly known = new Map<string, string | undefined>();
  private readonly listener: Disposable;

  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: TrendRemarksDeps) {
    this.listener = deps.reports.onDidEnd(({ report, ranHere }) => {
      this.known.delete(report.id);
      if (ranHere && report.state === 'ready') {
        this.look(report, { counts: (report.bytes ?? 0) <= maxBytes });
      }
    });
  }

  of(report: StoredReport): string | undefined {
    if (!this.known.has(report.id)) {
      this.known.set(report.id, undefined);
      this.look(report, { counts: false });
    }
    return this.known.get(report.id);
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }

  private look(report: StoredReport, { counts }: { readonly counts: boolean }): void {
    this.find(report, counts).then(
      (remark) => {
        if (remark !== this.known.get(report.id)) {
          this.known.set(report.id, remark);
          this.changed.fire();
        }
      },
      (error: unknown) => {
        this.deps.log.warn(`Could not find out how a report differs: ${String(error)}`);
      },
    );
  }

  private async find(report: StoredReport, counts: boolean): Promise<string | undefined> {
    const previous = previousReport(report, this.deps.reports.all());
    if (!previous || !hasAllFindings(report.kind)) {
      return undefined;
    }
    const trends = await this.deps.trends();
    const [before, last] = await (counts
      ? trends.readPoints([previous, report])
      : trends.readKept([previous, report]));
    if (!before || !last) {
      return undefined;
    }
    const [{ worstDifference }, { textsOfPages }] = await Promise.all([
      import('../summary/trendModel'),
      import('../viewer/compare/ui/compareTexts'),
    ]);
    return worstDifference(last, before, textsOfPages());
  }
}
