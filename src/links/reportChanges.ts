import { hasChanges, type SincePrevious } from '../engine';
import { previousReport } from '../service/reports/previousReport';
import { hasAllFindings, type StoredReport } from '../service/reports/storedReport';
import type { Reports } from '../service/reports/reports';
import type { ReportNews } from '../service/reports/ui/reportNotices';
import type { Comparer } from '../viewer/compare/ui/comparer';
import type { StoredReports } from './storedReports';

interface ReportChangesDeps {
  readonly reports: Pick<Reports, 'listOfAllAccounts'>;
  readonly stored: () => Promise<StoredReports>;
  readonly comparer: () => Promise<Comparer>;
}

/** What has changed in a report since the one before it. */
export class ReportChanges {
  constructor(private readonly deps: ReportChangesDeps) {}

  /** How a report differs from the one before it; `undefined` if that is unknown. */
  async find(report: StoredReport): Promise<SincePrevious | undefined> {
    const previous = previousReport(report, this.deps.reports.listOfAllAccounts());
    if (!previous) {
      return undefined;
    }
    const [stored, comparer] = await Promise.all([this.deps.stored(), this.deps.comparer()]);
    return comparer.since(stored.fileOf(previous), stored.fileOf(report));
  }

  /** The same in words, for a report with all findings; `undefined` if there is no news. */
  async findNews(report: StoredReport): Promise<ReportNews | undefined> {
    const since = hasAllFindings(report.kind) ? await this.find(report) : undefined;
    if (!since) {
      return undefined;
    }
    const { sinceText } = await import('../viewer/compare/ui/compareTexts');
    return { text: sinceText(since), hasChanges: hasChanges(since) };
  }
}
