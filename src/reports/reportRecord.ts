import * as v from 'valibot';
import type { ReportVersion, ReportKind } from '../api/types';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../base/json/json';
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
  /** The earliest time at which another attempt makes sense, in ISO 8601. */
  retryAt?: string;
}

/** A report as commands return it. Times are ISO 8601. */
export interface ReportRecord {
  id: string;
  kind: ReportKind;
  /** Scheme, host and port of the service that generates the report. */
  origin: string;
  scorecardId?: string;
  title: string;
  state: ReportState;
  /** The `status` in the last response of the service, unchanged. */
  serviceStatus?: string;
  requestedAt: string;
  finishedAt?: string;
  /** The absolute path of the downloaded file. */
  path?: string;
  bytes?: number;
  error?: ReportFailure;
}

/** The version of the record format. */
export const schemaVersion = 1;

/** A report as it is stored, with the data needed to resume it. */
export interface StoredReport extends ReportRecord {
  schemaVersion: typeof schemaVersion;
  /** The number of its last run: how many times a window has begun to run it. */
  run: number;
  /** The account that can resume the report; see Account.id. */
  accountId: string;
  /** The JSON body of its request; absent if the request has no body. */
  body?: Record<string, unknown>;
  /**
   * The address at which the service says the report can be downloaded: absolute, or relative to
   * the base address.
   */
  reportUrl?: string;
  /**
   * Whether the request was not sent yet or was certainly not accepted (it waits for the service's
   * limit), so that it may be sent again. While it is false in state `requested`, the service may
   * have accepted it.
   */
  unsent?: boolean;
  /** The path of the complete download. For its parts until then, see reportParts.ts. */
  downloadPath?: string;
  /**
   * The version of the file that the kept part belongs to; absent if the download cannot resume
   * from that part.
   */
  partVersion?: ReportVersion;
  /** When the report was last retried after it had ended, in ISO 8601. */
  retriedAt?: string;
  /**
   * The report failed because the address of its file did not lead to it: the link has expired, the key has
   * no access, or something else is there. Retry requests the same address again, unless that cannot succeed.
   */
  linkRefused?: boolean;
}

const schema = v.object({
  schemaVersion: v.literal(schemaVersion),
  run: v.number(),
  id: v.string(),
  kind: v.picklist(['full', 'detailed', 'issues']),
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
    v.object({
      validator: v.string(),
      total: v.exactOptional(v.number()),
      mediaType: v.exactOptional(v.string()),
    }),
  ),
  retriedAt: v.exactOptional(v.string()),
  linkRefused: v.exactOptional(v.boolean()),
});

/** A record that a newer version of the extension wrote. */
export class NewerRecordError extends Error {
  override readonly name = 'NewerRecordError';
}

/**
 * Parses a stored record.
 * @throws NewerRecordError; ValiError or SyntaxError if the text is not a record.
 */
export function parseStoredReport(text: string): StoredReport {
  const json: unknown = JSON.parse(text);
  const { schemaVersion: found } = v.parse(v.object({ schemaVersion: v.number() }), json);
  if (found > schemaVersion) {
    throw new NewerRecordError(`Its version is ${found}.`);
  }
  return v.parse(schema, json);
}

/** The part of a stored record that commands return. */
export function publicRecord(report: StoredReport): ReportRecord {
  const {
    schemaVersion: _schemaVersion,
    run: _run,
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

/** Whether a kind of report has all findings, so that severities are taken from it and changes shown. */
export function hasAllFindings(kind: ReportKind): boolean {
  return kind === 'full' || kind === 'issues';
}

/** Whether a report has not ended yet. */
export function isUnfinished(report: { state: ReportState }): boolean {
  return ['requested', 'generating', 'downloading'].includes(report.state);
}

/**
 * Whether the report's address is on another host than the service; such a host does not create new
 * links.
 */
export function isOnOtherHost({ reportUrl = '', origin }: StoredReport): boolean {
  return URL.canParse(reportUrl) && new URL(reportUrl).origin !== origin;
}

/** A request for a report. */
export interface ReportRequest {
  kind: ReportKind;
  title: string;
  scorecardId?: string;
  /** Sent as JSON; if absent, the request has no body. */
  body?: JsonObject;
}

/** The data by which the service tells reports apart. */
type Identity = Pick<StoredReport, 'accountId' | 'kind' | 'scorecardId' | 'body'>;

/**
 * Creates the record of a report that has not been requested from the service yet.
 * @param now wall-clock time in milliseconds.
 */
export function newReport(request: ReportRequest, account: Account, now: number): StoredReport {
  return {
    schemaVersion,
    run: 0,
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

/**
 * Whether two reports have the same request. They are then generated only once, because the service
 * limits reports most.
 */
export function isSameRequest(first: Identity, second: Identity): boolean {
  return (
    first.accountId === second.accountId &&
    first.kind === second.kind &&
    first.scorecardId === second.scorecardId &&
    JSON.stringify(first.body) === JSON.stringify(second.body)
  );
}

type ReportTimes = Pick<ReportRecord, 'finishedAt' | 'requestedAt'>;

/** When a report was made, in milliseconds since 1970; if it has not ended, when it was requested. */
export function madeAt({ finishedAt, requestedAt }: ReportTimes): number {
  return Date.parse(finishedAt ?? requestedAt);
}

interface Comparable extends ReportTimes {
  readonly kind: string;
  readonly state: string;
  readonly bytes?: number;
  readonly scorecardId?: string;
  readonly accountId: string;
}

/**
 * The latest report before this one that is ready, is not an empty file, and has the same kind, scorecard and
 * account. After an empty file, all findings would seem to be new.
 */
export function previousReport<Report extends Comparable>(
  report: Report,
  all: readonly Report[],
): Report | undefined {
  const subject = subjectOf(report);
  return all
    .filter(
      (other) =>
        hasContent(other) && subjectOf(other) === subject && madeAt(other) < madeAt(report),
    )
    .toSorted((one, other) => madeAt(other) - madeAt(one))[0];
}

/** The reports that have a {@link previousReport}, found in one pass. */
export function withPrevious<Report extends Comparable>(all: readonly Report[]): Set<Report> {
  const first = new Map<string, number>();
  for (const report of all) {
    if (hasContent(report)) {
      const subject = subjectOf(report);
      first.set(subject, Math.min(madeAt(report), first.get(subject) ?? Infinity));
    }
  }
  return new Set(
    all.filter((report) => madeAt(report) > (first.get(subjectOf(report)) ?? Infinity)),
  );
}

function hasContent({ state, bytes }: Comparable): boolean {
  return state === 'ready' && bytes !== 0;
}

function subjectOf({ kind, scorecardId, accountId }: Comparable): string {
  return JSON.stringify([kind, scorecardId, accountId]);
}

/** The reports that ended on one day in the local time zone. */
export interface ReportDay {
  /** `2026-01-31`. */
  key: string;
  /** Set if the day is today or yesterday. */
  name: 'today' | 'yesterday' | undefined;
  /** Whether no report ended on a later day. */
  isNewest: boolean;
  /** The start of the day, in milliseconds. */
  start: number;
  /** The report that ended last comes first. */
  reports: StoredReport[];
}

/**
 * Groups reports as the view lists them: unfinished ones in the given order, and the others by the
 * day on which they ended, latest day first.
 * @param now wall-clock time in milliseconds.
 */
export function groupReports(
  reports: readonly StoredReport[],
  now: number,
): { running: StoredReport[]; days: ReportDay[] } {
  const today = startOfDay(now);
  // Not 24 hours earlier: a day on which clocks go forward has only 23.
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

/** When a report was made; 0 if its record has no valid time, so that reports can be sorted by it. */
export function endOf(report: StoredReport): number {
  return madeAt(report) || 0;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function keyOf(start: number): string {
  const date = new Date(start);
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`;
}
