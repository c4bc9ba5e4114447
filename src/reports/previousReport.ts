import type { ReportRecord } from './reportRecord';

type Made = Pick<ReportRecord, 'finishedAt' | 'requestedAt'>;

/** When a report was made, in milliseconds since the epoch. */
export function madeAt({ finishedAt, requestedAt }: Made): number {
  return Date.parse(finishedAt ?? requestedAt);
}

/** The report before this one that says the same at its time: of its kind, scorecard and account. */
export function previousReport<
  Report extends Made & {
    readonly kind: string;
    readonly state: string;
    readonly scorecardId?: string;
    readonly accountId: string;
  },
>(report: Report, all: readonly Report[]): Report | undefined {
  const { kind, scorecardId, accountId } = report;
  return all
    .filter(
      (other) =>
        other.state === 'ready' &&
        other.kind === kind &&
        other.scorecardId === scorecardId &&
        other.accountId === accountId &&
        madeAt(other) < madeAt(report),
    )
    .toSorted((one, other) => madeAt(other) - madeAt(one))[0];
}
