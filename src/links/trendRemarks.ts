import { defined } from '../base/defined';
import type { Disposable } from '../base/events/disposable';
import { Emitter, type Event } from '../base/events/emitter';
import type { Logger } from '../base/logger';
import type { Reports } from '../service/reports/reports';
import { previousReport } from '../service/reports/previousReport';
import {
  hasAllFindings,
  madeAt,
  reportsLike,
  type StoredReport,
  unpackedSize,
} from '../service/reports/storedReport';
import type { ReportRemarks } from '../service/reports/ui/reportsView';
import type { TrendPoint } from '../summary/trend';
import type { ReportTrends } from './reportTrends';

/** Reports of more bytes, unpacked, are counted only when a trend is asked for. */
const maxBytes = 256 * 1024 ** 2;

interface TrendRemarksDeps {
  readonly reports: Pick<Reports, 'listOfAllAccounts' | 'onDidEnd'>;
  readonly trends: () => Promise<Pick<ReportTrends, 'readPoints' | 'readKept'>>;
  /** Fires when other findings are known. */
  readonly onDidChangeKnown: Event<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/** What was found out about a report; without a remark if its findings do not differ. */
interface Found {
  readonly remark?: string;
  /** The report that it was compared with. */
  readonly previousId: string;
}

/**
 * Says in the row of a report how its worst findings differ from last time. A report is counted when it is ready in
 * this window, if it has all findings and a previous one, and both are not too large, and the newest one again when
 * other findings are known; of others, only what was counted before is read. Another window may count them at any time,
 * so that nothing is remembered of a report that was not counted.
 */
export class TrendRemarks implements ReportRemarks, Disposable {
  private readonly changed = new Emitter<void>();
  private readonly found = new Map<string, Found>();
  /** The latest look at each report that is looked at. */
  private readonly looks = new Map<string, Promise<Found | undefined>>();
  private readonly listeners: readonly Disposable[];
  private recounting: Promise<void> | undefined;
  private isRecountDue = false;

  readonly onDidChange = this.changed.event;

  private readonly fail = (error: unknown): void => {
    this.deps.log.warn(`Could not find out how a report differs: ${String(error)}`);
  };

  constructor(private readonly deps: TrendRemarksDeps) {
    this.listeners = [
      deps.reports.onDidEnd(({ report, ranHere }) => {
        this.found.delete(report.id);
        if (ranHere && report.state === 'ready') {
          this.look(report, { counts: true }).catch(this.fail);
        }
      }),
      deps.onDidChangeKnown(() => {
        this.isRecountDue = true;
        this.recounting ??= this.recount().finally(() => {
          this.recounting = undefined;
        });
      }),
    ];
  }

  of(report: StoredReport, previous: StoredReport): string | undefined {
    if (!hasAllFindings(report.kind)) {
      return undefined;
    }
    const found = this.found.get(report.id);
    if (found?.previousId === previous.id) {
      return found.remark;
    }
    if (!this.looks.has(report.id)) {
      this.look(report, { counts: false }).catch(this.fail);
    }
    return undefined;
  }

  dispose(): void {
    this.isRecountDue = false;
    for (const listener of this.listeners) {
      listener.dispose();
    }
    this.changed.dispose();
  }

  /** Counts the newest reports that have a remark again: those before stay as they were told. */
  private async recount(): Promise<void> {
    while (this.isRecountDue) {
      this.isRecountDue = false;
      const all = this.deps.reports.listOfAllAccounts();
      for (const report of all.filter((each) => this.found.has(each.id) && isNewest(each, all))) {
        await this.look(report, { counts: true }).catch(this.fail);
      }
    }
  }

  private async look(report: StoredReport, how: { readonly counts: boolean }): Promise<void> {
    const look = this.find(report, how);
    this.looks.set(report.id, look);
    let found: Found | undefined;
    try {
      found = await look;
    } finally {
      // An older look says nothing about now.
      if (this.looks.get(report.id) === look) {
        this.looks.delete(report.id);
        this.keep(report, found);
      }
    }
  }

  private keep(report: StoredReport, found: Found | undefined): void {
    const before = this.found.get(report.id)?.remark;
    if (found) {
      this.found.set(report.id, found);
    } else {
      this.found.delete(report.id);
    }
    if (found?.remark !== before) {
      this.changed.fire();
    }
  }

  /** @returns `undefined` if one of both reports was not counted, and is not now: neither is too large for that */
  private async find(
    report: StoredReport,
    { counts }: { readonly counts: boolean },
  ): Promise<Found | undefined> {
    const all = this.deps.reports.listOfAllAccounts();
    const previous = hasAllFindings(report.kind) ? previousReport(report, all) : undefined;
    if (!previous) {
      return undefined;
    }
    const trends = await this.deps.trends();
    const areSmall = [previous, report].every((each) => unpackedSize(each) <= maxBytes);
    const points: readonly TrendPoint[] | undefined =
      counts && areSmall
        ? await trends.readPoints([previous, report])
        : await trends.readKept([previous, report], { isNewest: isNewest(report, all) });
    const [before, last] = points ?? [];
    if (!before || !last) {
      return undefined;
    }
    const [{ worstDifference }, { textsOfPages }] = await Promise.all([
      import('../summary/trendModel'),
      import('../viewer/compare/ui/compareTexts'),
    ]);
    const remark = worstDifference(last, before, textsOfPages());
    return { previousId: previous.id, ...defined({ remark }) };
  }
}

function isNewest(report: StoredReport, all: readonly StoredReport[]): boolean {
  return reportsLike(report, all).every((other) => madeAt(other) <= madeAt(report));
}
