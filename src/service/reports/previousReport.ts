import { hasFile } from './reportParts';
import { isFilled, isSameRequest, madeAt, type StoredReport } from './storedReport';

type Comparable = Pick<
  StoredReport,
  | 'kind'
  | 'state'
  | 'bytes'
  | 'path'
  | 'scorecardId'
  | 'accountId'
  | 'body'
  | 'finishedAt'
  | 'requestedAt'
>;

/**
 * The latest report before this one that is ready, has its file, is not an empty file, and was requested in the same
 * way: with the same kind, scorecard, account and body. Of a report with another body, findings that only one of both
 * asks for would seem to be new, or no longer reported.
 */
export function previousReport<Report extends Comparable>(
  report: Report,
  all: readonly Report[],
): Report | undefined {
  return createPreviousFinder(all.filter((other) => isSameRequest(other, report)))(report);
}

/**
 * The same for many reports: rows of a view ask for each that is drawn. Whether a file is there is only looked for then,
 * because many reports may be on a slow disk.
 */
export function createPreviousFinder<Report extends Comparable>(
  all: readonly Report[],
): (report: Report) => Report | undefined {
  const byRequest = new Map<string, { readonly report: Report; readonly time: number }[]>();
  for (const report of all.filter(isFilled)) {
    const key = keyOf(report);
    const alike = byRequest.get(key) ?? [];
    byRequest.set(key, alike);
    alike.push({ report, time: madeAt(report) });
  }
  for (const alike of byRequest.values()) {
    alike.sort((one, other) => other.time - one.time);
  }
  return (report) => {
    const time = madeAt(report);
    const alike = byRequest.get(keyOf(report)) ?? [];
    return alike.find((other) => other.time < time && hasFile(other.report))?.report;
  };
}

/** Equal for two reports if `isSameRequest` holds. */
function keyOf({ kind, scorecardId, accountId, body }: Comparable): string {
  return JSON.stringify([kind, scorecardId, accountId, body]);
}
