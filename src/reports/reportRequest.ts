import { randomUUID } from 'node:crypto';
import type { ReportKind } from '../api/types';
import type { JsonObject } from '../base/json';
import type { Account } from '../account/account';
import { isUnfinished, type StoredReport } from './reportRecord';

/** What is asked for. */
export interface ReportRequest {
  kind: ReportKind;
  title: string;
  scorecardId?: string;
  /** Sent as JSON; without it the request has no body. */
  body?: JsonObject;
}

/** What makes two reports the same for the service. */
type Identity = Pick<StoredReport, 'accountId' | 'kind' | 'scorecardId' | 'body'>;

/**
 * The record of a report that nobody has asked the service for yet.
 * @param now wall-clock time in milliseconds since the epoch.
 */
export function newReport(request: ReportRequest, account: Account, now: number): StoredReport {
  return {
    schemaVersion: 2,
    epoch: 0,
    id: randomUUID(),
    kind: request.kind,
    origin: account.origin,
    accountId: account.id,
    title: request.title,
    state: 'requested',
    unsent: true,
    requestedAt: new Date(now).toISOString(),
    ...(request.scorecardId === undefined ? {} : { scorecardId: request.scorecardId }),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

/** Whether two ask for the same: reports are what the service limits most. */
export function isSameRequest(first: Identity, second: Identity): boolean {
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
