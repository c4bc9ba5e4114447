import { schemaVersion, type StoredReport } from '../../src/service/reports/storedReport';

/** The record of a report that is ready, with some changes. */
export function storedReport(changes: Partial<StoredReport> = {}): StoredReport {
  const id = changes.id ?? 'x';
  return {
    schemaVersion,
    jobs: 1,
    id,
    kind: 'full',
    title: id,
    state: 'ready',
    origin: 'https://x.example',
    accountId: 'https://x.example',
    requestedAt: '2026-01-31T08:00:00.000Z',
    ...changes,
  };
}
