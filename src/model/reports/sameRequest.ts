import { isUnfinished, type StoredReport } from './reportRecord';

/** What makes two reports the same for the service. */
type Request = Pick<StoredReport, 'accountId' | 'kind' | 'scorecardId' | 'body'>;

/** Whether two ask for the same: reports are what the service limits most. */
export function isSameRequest(first: Request, second: Request): boolean {
  return (
    first.accountId === second.accountId &&
    first.kind === second.kind &&
    first.scorecardId === second.scorecardId &&
    JSON.stringify(first.body) === JSON.stringify(second.body)
  );
}

/**
 * Reports that two windows asked for in the same moment, and which one of them is to be made. Only
 * one that no window has driven yet, and that was not sent, can give way.
 */
export function doubles(
  reports: readonly StoredReport[],
): { double: StoredReport; of: StoredReport }[] {
  const unfinished = reports
    .filter(isUnfinished)
    .sort(
      (a, b) =>
        Number(isFresh(a)) - Number(isFresh(b)) ||
        a.requestedAt.localeCompare(b.requestedAt) ||
        a.id.localeCompare(b.id),
    );
  return unfinished.flatMap((double, index) => {
    const of = unfinished.slice(0, index).find((earlier) => isSameRequest(earlier, double));
    return of && isFresh(double) ? [{ double, of }] : [];
  });
}

function isFresh({ state, unsent, epoch }: StoredReport): boolean {
  return state === 'requested' && unsent === true && epoch === 0;
}
