import * as v from 'valibot';
import type { ReportVersion, ReportKind } from '../api/types';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../base/json';
import type { Account } from '../account/account';

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
  /** Where the download will stand; what there is of it until then: see reportParts.ts. */
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

type Made = Pick<ReportRecord, 'finishedAt' | 'requestedAt'>;

/** When a report was made, in milliseconds since the epoch. */
export function madeAt({ finishedAt, requestedAt }: Made): number {
  return Date.parse(finishedAt ?? requestedAt);
}

interface Comparable extends Made {
  readonly kind: string;
  readonly state: string;
  readonly scorecardId?: string;
  readonly accountId: string;
}

/** The report before this one that says the same at its time: of its kind, scorecard and account. */
export function previousReport<Report extends Comparable>(
  report: Report,
  all: readonly Report[],
): Report | undefined {
  const saysTheSame = subjectOf(report);
  return all
    .filter(
      (other) =>
        other.state === 'ready' &&
        subjectOf(other) === saysTheSame &&
        madeAt(other) < madeAt(report),
    )
    .toSorted((one, other) => madeAt(other) - madeAt(one))[0];
}

/** Those that have a {@link previousReport}, in one pass. */
export function withPrevious<Report extends Comparable>(all: readonly Report[]): Set<Report> {
  const first = new Map<string, number>();
  for (const report of all) {
    if (report.state === 'ready') {
      const subject = subjectOf(report);
      first.set(subject, Math.min(madeAt(report), first.get(subject) ?? Infinity));
    }
  }
  return new Set(
    all.filter((report) => madeAt(report) > (first.get(subjectOf(report)) ?? Infinity)),
  );
}

function subjectOf({ kind, scorecardId, accountId }: Comparable): string {
  return JSON.stringify([kind, scorecardId, accountId]);
}

/** The reports that ended on one day of this machine's calendar. */
export interface ReportDay {
  /** `2026-01-31`. */
  key: string;
  /** Whether this is today or the day before it. */
  name: 'today' | 'yesterday' | undefined;
  /** Whether no report ended on a later day. */
  isNewest: boolean;
  /** The start of the day, in milliseconds. */
  start: number;
  /** The last one to end first. */
  reports: StoredReport[];
}

/**
 * Reports as the view lists them: those on their way in their order, and the others by the day on
 * which they ended, the last day first.
 * @param now wall-clock time in milliseconds.
 */
export function groupReports(
  reports: readonly StoredReport[],
  now: number,
): { running: StoredReport[]; days: ReportDay[] } {
  const today = startOfDay(now);
  // Not 24 hours earlier: where clocks are put forward a day has 23.
  const yesterday = startOfDay(today - 1);
  const days = new Map<number, ReportDay>();
  const ended = reports
    .filter((report) => !isUnfinished(report))
    .sort((first, second) => endOf(second) - endOf(first));
  for (const report of ended) {
    const start = startOfDay(endOf(report));
    const name = start === today ? 'today' : start === yesterday ? 'yesterday' : undefined;
    const isNewest = days.size === 0;
    const day = days.get(start) ?? { key: keyOf(start), name, isNewest, start, reports: [] };
    day.reports.push(report);
    days.set(start, day);
  }
  return { running: reports.filter(isUnfinished), days: [...days.values()] };
}

/** When a report ended, in milliseconds; of one whose record does not say when it was requested. */
export function endOf({ finishedAt, requestedAt }: StoredReport): number {
  const end = Date.parse(finishedAt ?? requestedAt);
  return Number.isNaN(end) ? 0 : end;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function keyOf(start: number): string {
  const date = new Date(start);
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`;
}
