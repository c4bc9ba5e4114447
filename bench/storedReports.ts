import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredReport } from '../src/service/reports/storedReport';
import { storedReport } from '../test/helpers/storedReport';

/**
 * Writes a full report of all findings into the storage of the extension.
 * @param number its place in the order of reports.
 * @param changes what it has besides, by its folder.
 */
export function writeStoredReport(
  storage: string,
  number: number,
  changes: (folder: string) => Partial<StoredReport>,
): void {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const folder = join(storage, 'reports', id);
  mkdirSync(folder, { recursive: true });
  const title = 'Full report: All findings';
  const report = storedReport({ id, title, ...changes(folder) });
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report));
}

/** When a report was requested, and when it ended, a minute later. @param sinceMs after the first of January. */
export function timesOf(sinceMs: number): Pick<StoredReport, 'requestedAt' | 'finishedAt'> {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + sinceMs + ms).toISOString();
  return { requestedAt: at(0), finishedAt: at(60_000) };
}
