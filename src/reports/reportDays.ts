import { isUnfinished, type StoredReport } from './reportRecord';

/** The reports that ended on one day of this machine's calendar. */
export interface ReportDay {
  /** `2026-01-31`. */
  key: string;
  /** Whether this is today or the day before it. */
  name: 'today' | 'yesterday' | undefined;
  /** Whether no report ended on a later day. */
  isNewest: boolean;
  /** The start of the day, in milliseconds. */
  start: number;
  /** The last one to end first. */
  reports: StoredReport[];
}

/**
 * Reports as the view lists them: those on their way in their order, and the others by the day on
 * which they ended, the last day first.
 * @param now wall-clock time in milliseconds.
 */
export function groupReports(
  reports: readonly StoredReport[],
  now: number,
): { running: StoredReport[]; days: ReportDay[] } {
  const today = startOfDay(now);
  // Not 24 hours earlier: where clocks are put forward a day has 23.
  const yesterday = startOfDay(today - 1);
  const days = new Map<number, ReportDay>();
  const ended = reports
    .filter((report) => !isUnfinished(report))
    .sort((first, second) => endOf(second) - endOf(first));
  for (const report of ended) {
    const start = startOfDay(endOf(report));
    const name = start === today ? 'today' : start === yesterday ? 'yesterday' : undefined;
    const isNewest = days.size === 0;
    const day = days.get(start) ?? { key: keyOf(start), name, isNewest, start, reports: [] };
    day.reports.push(report);
    days.set(start, day);
  }
  return { running: reports.filter(isUnfinished), days: [...days.values()] };
}

/** When a report ended, in milliseconds; of one whose record does not say when it was requested. */
export function endOf({ finishedAt, requestedAt }: StoredReport): number {
  const end = Date.parse(finishedAt ?? requestedAt);
  return Number.isNaN(end) ? 0 : end;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function keyOf(start: number): string {
  const date = new Date(start);
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`;
}
