import { randomUUID } from 'node:crypto';
import type { ReportKind } from '../../api/types';
import type { Event } from '../../common/emitter';
import type { JsonObject } from '../../common/json';
import type { Account } from '../account';
import type { SignedIn } from '../session';
import type { ReportDriverDeps } from './reportDriver';
import type { StoredReport } from './reportRecord';

/** What the reports need. */
export interface ReportsDeps extends ReportDriverDeps {
  session: { readonly signedIn: SignedIn | undefined; readonly onDidChange: Event<void> };
}

/** What is asked for. */
export interface ReportRequest {
  kind: ReportKind;
  title: string;
  scorecardId?: string;
  /** Sent as JSON; without it the request has no body. */
  body?: JsonObject;
}

/** A report on its way, whichever window drives it. */
export interface StartedReport {
  report: StoredReport;
  /**
   * Resolves with the record in state `ready` or `cancelled`; rejects with the reason when it failed,
   * with SignedOutError when it waits for its account.
   */
  done: Promise<StoredReport>;
}

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
