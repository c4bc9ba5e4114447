import { endOf } from './reportDays';
import { isUnfinished, type StoredReport } from './reportRecord';

/** How much of reports is kept; 0 is no limit. */
export interface ReportLimits {
  /** Bytes of all files together. */
  maxTotalBytes: number;
  /** Milliseconds since a report ended. */
  maxAgeMs: number;
}

/** A report with the bytes that all its files take on disk. */
export interface SizedReport {
  report: StoredReport;
  bytes: number;
}

/** A report that would go, and what for. */
export interface CleanUpCandidate extends SizedReport {
  reason: 'age' | 'size';
}

/**
 * The reports that have ended and break a limit, the oldest first: those that are too old, and as
 * many of the others, from the oldest on, as bring the size of all down to its limit.
 * @param now wall-clock time in milliseconds.
 */
export function cleanUpCandidates(
  reports: readonly SizedReport[],
  { maxTotalBytes, maxAgeMs }: ReportLimits,
  now: number,
): CleanUpCandidate[] {
  let total = totalBytes(reports);
  return reports
    .filter(({ report }) => !isUnfinished(report))
    .sort((first, second) => endOf(first.report) - endOf(second.report))
    .flatMap(({ report, bytes }): CleanUpCandidate[] => {
      const isOld = maxAgeMs > 0 && now - endOf(report) > maxAgeMs;
      // What has no file, or an empty one, frees nothing.
      const isTooMuch = maxTotalBytes > 0 && total > maxTotalBytes && bytes > 0;
      if (!isOld && !isTooMuch) {
        return [];
      }
      total -= bytes;
      return [{ report, bytes, reason: isOld ? 'age' : 'size' }];
    });
}

/** The bytes that all these reports take. */
export function totalBytes(reports: readonly SizedReport[]): number {
  return reports.reduce((sum, { bytes }) => sum + bytes, 0);
}
