import * as v from 'valibot';
import type { ReportVersion } from '../api/types';

/** The states of a report; the last three end it. */
export const reportStates = [
  'requested',
  'generating',
  'downloading',
  'ready',
  'failed',
  'cancelled',
] as const;

export type ReportState = (typeof reportStates)[number];

/** Why a report failed, in its record. */
export interface ReportFailure {
  /** An error code of the HTTP client, such as `network`. */
  code: string;
  /** One plain line. */
  message: string;
  /** ISO 8601 time from which on another try makes sense. */
  retryAt?: string;
}

/** A report as commands return it. Times are ISO 8601. */
export interface ReportRecord {
  id: string;
  kind: 'full' | 'detailed';
  /** Scheme, host and port of the service that makes it. */
  origin: string;
  scorecardId?: string;
  title: string;
  state: ReportState;
  /** The `status` that the service last answered, as it is. */
  serviceStatus?: string;
  requestedAt: string;
  finishedAt?: string;
  /** The absolute path of the downloaded file. */
  path?: string;
  bytes?: number;
  error?: ReportFailure;
}

/** A report as it is stored: with what is needed to go on with it. */
export interface StoredReport extends ReportRecord {
  schemaVersion: 2;
  /** The turn of the lease in which it was last written; 0: by no driver yet. */
  epoch: number;
  /** The account that may go on with it; see Account.id. */
  accountId: string;
  /** The JSON body of its request; absent where none is sent. */
  body?: Record<string, unknown>;
  /** Where the service said that it can be downloaded: absolute, or relative to the base address. */
  reportUrl?: string;
  /**
   * Whether the request was not sent yet or was certainly not accepted (it waits for the service's
   * limit), so that it may be sent again. While it is false in state `requested`, the service may
   * have accepted it.
   */
  unsent?: boolean;
  /** Where the download will stand; what there is of it until then: see keptPart.ts. */
  downloadPath?: string;
  /** What the bytes of that part are of; absent where the download cannot go on from them. */
  partVersion?: ReportVersion;
  /** When somebody asked to go on with it after it had ended, the last time. ISO 8601. */
  retriedAt?: string;
  /**
   * It failed because the address of its file was refused: the link has expired, or the key has no
   * access. Retry asks the same address again, unless it is certain to be in vain.
   */
  linkRefused?: boolean;
  /** The id of the report that was asked for in the same moment in another window, and is this one, too. */
  sameAs?: string;
}

const schema = v.object({
  schemaVersion: v.literal(2),
  epoch: v.number(),
  id: v.string(),
  kind: v.picklist(['full', 'detailed']),
  origin: v.string(),
  accountId: v.string(),
  scorecardId: v.exactOptional(v.string()),
  title: v.string(),
  state: v.picklist(reportStates),
  serviceStatus: v.exactOptional(v.string()),
  requestedAt: v.string(),
  finishedAt: v.exactOptional(v.string()),
  path: v.exactOptional(v.string()),
  bytes: v.exactOptional(v.number()),
  error: v.exactOptional(
    v.object({ code: v.string(), message: v.string(), retryAt: v.exactOptional(v.string()) }),
  ),
  body: v.exactOptional(v.record(v.string(), v.unknown())),
  reportUrl: v.exactOptional(v.string()),
  unsent: v.exactOptional(v.boolean()),
  downloadPath: v.exactOptional(v.string()),
  partVersion: v.exactOptional(
    v.object({ validator: v.string(), total: v.exactOptional(v.number()) }),
  ),
  retriedAt: v.exactOptional(v.string()),
  linkRefused: v.exactOptional(v.boolean()),
  sameAs: v.exactOptional(v.string()),
});

/** A record of a version of the product that is newer than this one. */
export class NewerRecordError extends Error {
  override readonly name = 'NewerRecordError';
}

/**
 * Reads a stored record.
 * @throws NewerRecordError, or ValiError or SyntaxError for what is no record.
 */
export function parseStoredReport(text: string): StoredReport {
  const json: unknown = JSON.parse(text);
  const { schemaVersion } = v.parse(v.object({ schemaVersion: v.number() }), json);
  if (schemaVersion > 2) {
    throw new NewerRecordError(`Its version is ${schemaVersion}.`);
  }
  return v.parse(schema, json);
}

/** What a command returns of a stored record. */
export function publicRecord(report: StoredReport): ReportRecord {
  const {
    schemaVersion: _schemaVersion,
    epoch: _epoch,
    sameAs: _sameAs,
    accountId: _accountId,
    body: _body,
    reportUrl: _reportUrl,
    unsent: _unsent,
    downloadPath: _downloadPath,
    partVersion: _partVersion,
    retriedAt: _retriedAt,
    linkRefused: _linkRefused,
    ...record
  } = report;
  return record;
}

/** Whether something is still to be done for a report. */
export function isUnfinished(report: { state: ReportState }): boolean {
  return ['requested', 'generating', 'downloading'].includes(report.state);
}

/** Whether the file stands at an address of another host than the service, which made no fresh link. */
export function isElsewhere({ reportUrl = '', origin }: StoredReport): boolean {
  return URL.canParse(reportUrl) && new URL(reportUrl).origin !== origin;
}
