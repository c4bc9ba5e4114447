import { endOf } from './reportDays';
import { isUnfinished, type StoredReport } from './reportRecord';

/** How much of reports is kept; 0 is no limit. */
export interface ReportLimits {
  /** Bytes of all files together. */
  maxTotalBytes: number;
  /** Milliseconds since a report ended. */
  maxAgeMs: number;
}

/** A report that would go, and what for. */
export interface CleanUpCandidate {
  report: StoredReport;
  reason: 'age' | 'size';
}

/**
 * The reports that have ended and break a limit, the oldest first: those that are too old, and as
 * many of the others, from the oldest on, as bring the size of all down to its limit.
 * @param now wall-clock time in milliseconds.
 */
export function cleanUpCandidates(
  reports: readonly StoredReport[],
  { maxTotalBytes, maxAgeMs }: ReportLimits,
  now: number,
): CleanUpCandidate[] {
  let total = totalBytes(reports);
  return reports
    .filter((report) => !isUnfinished(report))
    .sort((first, second) => endOf(first) - endOf(second))
    .flatMap((report): CleanUpCandidate[] => {
      const bytes = report.bytes ?? 0;
      const isOld = maxAgeMs > 0 && now - endOf(report) > maxAgeMs;
      // What has no file, or an empty one, frees nothing.
      const isTooMuch = maxTotalBytes > 0 && total > maxTotalBytes && bytes > 0;
      if (!isOld && !isTooMuch) {
        return [];
      }
      total -= bytes;
      return [{ report, reason: isOld ? 'age' : 'size' }];
    });
}

/** The bytes of the files of all these reports. */
export function totalBytes(reports: readonly StoredReport[]): number {
  return reports.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}
