import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { namesIn } from '../../files/files';
import { findFiles } from './reportParts';
import { madeAt, isUnfinished, type StoredReport } from './storedReport';
import { unpackedFolder } from './reportStore';

/** The limits for finished reports; 0 means no limit. */
export interface ReportLimits {
  /** The total size of all files, in bytes. */
  maxTotalBytes: number;
  /** The maximum time since `madeAt` of a report, in milliseconds. */
  maxAgeMs: number;
}

/** A report with the total size of its files on disk, in bytes. */
export interface SizedReport {
  report: StoredReport;
  bytes: number;
}

/** A report that may be removed, and why. */
export interface CleanUpCandidate extends SizedReport {
  reason: 'age' | 'size';
}

/**
 * Returns the finished reports that exceed a limit, oldest first: those that are too old, and then
 * the oldest others until the total size is within its limit.
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
    .sort((first, second) => madeAt(first.report) - madeAt(second.report))
    .flatMap(({ report, bytes }): CleanUpCandidate[] => {
      const isOld = maxAgeMs > 0 && now - madeAt(report) > maxAgeMs;
      // Removing a report without a file, or with an empty one, frees nothing.
      const isTooMuch = maxTotalBytes > 0 && total > maxTotalBytes && bytes > 0;
      if (!isOld && !isTooMuch) {
        return [];
      }
      total -= bytes;
      return [{ report, bytes, reason: isOld ? 'age' : 'size' }];
    });
}

/** The total size of the reports, in bytes. */
export function totalBytes(reports: readonly SizedReport[]): number {
  return reports.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Adds to each report its current size on disk: the file unless it was deleted, the kept part of a
 * download, and the unpacked file.
 * @param folderOf returns a report's own folder by its id.
 */
export function sizedReports(
  reports: readonly StoredReport[],
  folderOf: (id: string) => string,
): Promise<SizedReport[]> {
  return Promise.all(
    reports.map(async (report) => {
      const unpacked = unpackedFolder(folderOf(report.id));
      const names = namesIn(unpacked);
      const files = [
        ...(await findFiles(report)),
        ...names.map((name) => path.join(unpacked, name)),
      ];
      const sizes = await Promise.all(files.map(readSize));
      return { report, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    }),
  );
}

function readSize(file: string): Promise<number> {
  return fs.stat(file).then(
    (stat) => (stat.isFile() ? stat.size : 0),
    () => 0,
  );
}
